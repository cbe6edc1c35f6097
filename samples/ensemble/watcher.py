#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Watches an ensemble of atmospheres over one ocean: a component that gets the members' mean and spread, and the ocean's temperature,
on the ocean's grid, and keeps what it got.

    watcher.py CONFIG CLIMATOLOGY.nc DAYS OUT.npz
"""
import sys

import h3ou
import numpy as np
from sea import Grid, START, STEP


def join(config, grid):
    h3ou.h3ou_init("watcher", config)
    lon_corners, lat_corners = grid.corners()
    h3ou.h3ou_def_grid(grid.index, "watcher", "ocean_2deg", 2, lon=grid.lon, lat=grid.lat, lon_corners=lon_corners,
                       lat_corners=lat_corners)
    h3ou.h3ou_end_grid_def()
    h3ou.h3ou_init_time(START)


def main(config, climatology, days, out):
    grid, time, kept = Grid(climatology), list(START), []
    got = {name: np.zeros((grid.index.size, 2), order="F") for name in ("air_mean", "air_spread")}
    sst = np.zeros(grid.index.size)
    join(config, grid)
    for _ in range(int(days) * 86400 // STEP):
        h3ou.h3ou_set_time("watcher", time, STEP)
        for name, array in got.items():
            h3ou.h3ou_get_data_25d(name, array)
        h3ou.h3ou_get_data_1d("sst", sst)
        kept.append([*got["air_mean"].T.copy(), *got["air_spread"].T.copy(), sst.copy()])
        time = h3ou.h3ou_inc_time(time, STEP)
    h3ou.h3ou_coupling_end(time, True)
    np.savez(out, kept=np.array(kept, dtype=np.float32), step=STEP)


if __name__ == "__main__":
    main(*sys.argv[1:5])
