# SPDX-License-Identifier: BSD-3-Clause
"""What a member's restart files hold."""
import pathlib

import numpy as np

LAYERS, VARIABLES = 2, 5  # depth, vx, vy, vz, depth times temperature


class State:
    """Of one member: x (cell, 3), area (cell), prg (cell, layer, variable); regions in their order, then the poles."""

    def __init__(self, folder):
        folder, x, area, prg = pathlib.Path(folder), [], [], []
        for file in sorted(folder.glob("grid.rgn*")) + sorted(folder.glob("grid.pl*")):
            geometry, values = np.fromfile(file), np.fromfile(file.with_name(file.name.replace("grid", "restart")))
            cells = geometry.size // 4
            x.append(geometry[:3 * cells].reshape(cells, 3))
            area.append(geometry[3 * cells:])
            prg.append(values.reshape(VARIABLES, LAYERS, cells).T)
        self.x, self.area, self.prg = map(np.concatenate, (x, area, prg))

    def volume(self):
        """On the unit sphere: the sum of area times depth."""
        return (self.area * self.prg[:, :, 0].sum(axis=1)).sum()

    def air(self):
        """What the model puts: temperature and wind speed of the lower layer."""
        low = self.prg[:, 0]
        return np.stack([low[:, 4] / low[:, 0], np.sqrt((low[:, 1:4]**2).sum(axis=1) + 4)])

    def east_north(self):
        """The wind of the lower layer."""
        lon, lat = np.arctan2(self.x[:, 1], self.x[:, 0]), np.arcsin(np.clip(self.x[:, 2], -1, 1))
        vx, vy, vz = self.prg[:, 0, 1:4].T
        east = -vx * np.sin(lon) + vy * np.cos(lon)
        return east, (-vx * np.cos(lon) - vy * np.sin(lon)) * np.sin(lat) + vz * np.cos(lat)
