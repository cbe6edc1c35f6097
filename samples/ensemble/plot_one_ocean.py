#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""One picture of an ensemble of atmospheres over one ocean: mean and spread of the members' temperature and wind, early and late.

    plot_one_ocean.py KEPT.npz CLIMATOLOGY.nc PICTURE.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from maps import draw_map
from sea import Grid

ROWS = ("air temperature, degC", "wind speed, m/s")
EARLY = 2  # days


def main(kept, climatology, picture):
    grid = Grid(climatology)
    with np.load(kept) as file:
        kept, step = file["kept"].astype(float), int(file["step"])
    days = np.arange(len(kept)) * step / 86400
    early = min(int(EARLY * 86400 / step), len(kept) - 1)
    figure, panels = plt.subplots(3, 3, figsize=(17, 9.6), constrained_layout=True)
    for row, name in enumerate(ROWS):
        mean, spread = kept[:, row], kept[:, 2 + row]
        low, high = np.percentile(mean[-1], [1, 99])
        most = np.percentile(spread[-1], 99)
        draw_map(figure, panels[row, 0], grid, mean[-1], f"{name}: mean of the members, day {days[-1]:.1f}", "RdYlBu_r", (low, high))
        draw_map(figure, panels[row, 1], grid, spread[early], f"spread, day {days[early]:.1f}", "viridis", (0, most))
        draw_map(figure, panels[row, 2], grid, spread[-1], f"spread, day {days[-1]:.1f}", "viridis", (0, most))
    change = kept[-1, 4] - kept[0, 4]
    high = np.percentile(np.abs(change), 99)
    draw_map(figure, panels[2, 0], grid, change, f"change of the ocean's temperature in {days[-1]:.1f} days, degC", "RdBu_r", (-high, high))
    weight = np.cos(np.radians(grid.lat))
    for row, (ax, name) in enumerate(zip(panels[2, 1:], ROWS)):
        ax.plot(days, np.sqrt(np.average(kept[:, 2 + row]**2, axis=1, weights=weight)), color="tab:red")
        ax.set_title(f"spread over the sea: {name}", fontsize=9)
        ax.set_xlabel("days", fontsize=8)
        ax.set_ylim(bottom=0)
        ax.grid(alpha=0.3)
        ax.tick_params(labelsize=7)
    figure.suptitle("h3ou: eight members of an atmosphere, in two jobs under two MPIs, over one ocean, which gets their mean; the storms "
                    "of each member travel at a pace of their own; grey: land", fontsize=11)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:4])
