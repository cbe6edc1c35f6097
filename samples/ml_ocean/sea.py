# SPDX-License-Identifier: BSD-3-Clause
"""The sea as the network sees it: the ocean's grid, and what is known of each cell."""
import netCDF4
import numpy as np

STEP = 10800  # s, between exchanges (the namelists' intvl)
START = (2000, 1, 1, 0, 0, 0)
# The network's own memory of the wind: means that forget in so many seconds. They stand for the mixed layer's depth, which nobody puts.
MEMORY = (8 * 3600, 86400, 4 * 86400)
INPUTS = 5 + len(MEMORY)


class Grid:
    """Cells with an observed January temperature; they count from 1, longitude fastest."""

    def __init__(self, climatology):
        with netCDF4.Dataset(climatology) as file:
            lon, lat, january = file["lon"][:].data, file["lat"][:].data, file["SST"][0]
        self.shape = january.shape
        self.is_sea = ~np.ma.getmaskarray(january)
        lon, lat = np.meshgrid(lon, lat)
        self.lons, self.lats = lon[0], lat[:, 0]
        self.index = np.flatnonzero(self.is_sea) + 1
        self.lon, self.lat = lon[self.is_sea].astype(float), lat[self.is_sea].astype(float)

    def corners(self):
        return self.lon[:, None] + [-1, 1, 1, -1], self.lat[:, None] + [-1, -1, 1, 1]

    def map_of(self, values):
        """Returns (lat, lon), NaN on land."""
        whole = np.full(self.shape, np.nan)
        whole[self.is_sea] = values
        return whole


class Sea:
    """What the network is told of a step: the air, the temperature of the sea and how it differs from the first one, the sun, and
    the memory of the wind."""

    def __init__(self, grid, first_sst):
        self._lon, self._lat = np.radians(grid.lon), np.radians(grid.lat)
        self._first = first_sst
        self._stirred = None

    def _sun(self, seconds):
        """The mean over the step of the sine of the sun's height, when it is up."""
        height = np.zeros_like(self._lat)
        for part in (1 / 6, 1 / 2, 5 / 6):
            hour = 2 * np.pi * (seconds + part * STEP) / 86400 + self._lon - np.pi
            height += np.maximum(0, np.sin(self._lat) * np.sin(np.radians(-21)) +
                                 np.cos(self._lat) * np.cos(np.radians(-21)) * np.cos(hour)) / 3
        return height

    def step(self, air, sst, seconds):
        """Returns (cells, INPUTS) for the step that begins at `seconds`; to be called once a step. air: (cells, 2) temperature and
        wind speed."""
        warmth, speed = np.asarray(air).T
        stirring = speed[:, None]**3
        if self._stirred is None:
            self._stirred = np.repeat(stirring, len(MEMORY), axis=1)
        self._stirred = self._stirred + (stirring - self._stirred) * (1 - np.exp(-STEP / np.array(MEMORY)))
        return np.column_stack([warmth - sst, sst, sst - self._first, speed, self._sun(seconds), np.cbrt(self._stirred)])
