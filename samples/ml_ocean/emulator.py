#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Takes the ocean's place: a component of its name, with its grid and fields, whose heat flux and temperature a network computes. It
knows the ocean's first temperature, and after that what the atmosphere puts.

    emulator.py CONFIG CLIMATOLOGY.nc DAYS auto|numpy|torch OUT_DIR
"""
import pathlib
import sys

import h3ou
import numpy as np
from network import network
from sea import Grid, START, STEP, Sea


def join(config, grid):
    h3ou.h3ou_init("ocean", config)
    lon_corners, lat_corners = grid.corners()
    h3ou.h3ou_def_grid(grid.index, "ocean", "ocean_2deg", 2, lon=grid.lon, lat=grid.lat, lon_corners=lon_corners,
                       lat_corners=lat_corners)
    h3ou.h3ou_end_grid_def()
    h3ou.h3ou_init_time(START)
    h3ou.h3ou_put_data_1d("heat_flux", np.zeros(grid.index.size))


def main(config, climatology, days, kind, out):
    grid, out = Grid(climatology), pathlib.Path(out)
    with np.load(out / "network.npz") as learned, np.load(out / "truth.npz") as truth:
        learned, first_step = dict(learned), int(truth["first_step"])
    emulation, fluxes = network(kind, [learned[f"weight{i}"] for i in range(6)]), []
    print(f"emulator: {emulation.name}", flush=True)
    join(config, grid)
    sst = learned["first_sst"].copy()
    air, sea, time = emulation.zeros(grid.index.size, 2), Sea(grid, learned["first_sst"]), list(START)
    for step in range(int(days) * 86400 // STEP):
        h3ou.h3ou_set_time("ocean", time, STEP)
        h3ou.h3ou_get_data_25d("air", air)  # a tensor, with PyTorch
        came = emulation.predict(sea.step(air, sst, step * STEP))
        h3ou.h3ou_put_data_1d("heat_flux", came[:, 0])
        sst += np.asarray(came[:, 1])
        fluxes.append(np.asarray(came[:, 0]).astype(np.float32))
        time = h3ou.h3ou_inc_time(time, STEP)
    h3ou.h3ou_coupling_end(time, True)
    np.savez(out / "emulation.npz", flux=fluxes[first_step:-1], learner=emulation.name)


if __name__ == "__main__":
    main(*sys.argv[1:6])
