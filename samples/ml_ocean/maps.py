# SPDX-License-Identifier: BSD-3-Clause
"""Maps of fields on the ocean's grid (sea.py)."""
import numpy as np

LAND = "0.82"


def draw_map(figure, ax, grid, values, title, cmap, limits, unit=""):
    """values: of the grid's cells; limits: the smallest and the largest colour's."""
    order = np.argsort(grid.lons % 360)
    drawn = ax.pcolormesh((grid.lons % 360)[order], grid.lats, np.ma.masked_invalid(grid.map_of(values)[:, order]), cmap=cmap,
                          vmin=limits[0], vmax=limits[1], shading="nearest")
    ax.set_title(title, fontsize=9)
    ax.set_xticks(range(0, 361, 60))
    ax.set_yticks(range(-90, 91, 30))
    ax.tick_params(labelsize=7)
    ax.set_facecolor(LAND)
    bar = figure.colorbar(drawn, ax=ax, pad=0.01, extend="both")
    bar.set_label(unit, fontsize=8)
    bar.ax.tick_params(labelsize=7)
