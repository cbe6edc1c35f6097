#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""A third component of the coupled run: gets what atmosphere and ocean put, learns from it step by step, and writes what it has learned.
In the days after the last one of learning it only watches, and keeps the ocean's heat flux: the truth for score.py.

    learner.py CONFIG CLIMATOLOGY.nc DAYS LEARN_DAYS auto|numpy|torch OUT_DIR
"""
import pathlib
import sys

import h3ou
import numpy as np
from network import first_weights, network
from sea import Grid, INPUTS, START, STEP, Sea

SEED, KEPT, BATCHES, BATCH = 14, 1000, 20, 400  # cells kept of each step; batches learned in each, and their size
DAY = 86400 // STEP


class Learning:
    """Pairs of what was known and what came of it, and the network that learns from them, in batches drawn from all days so far."""

    def __init__(self, kind, steps):
        self._rng = np.random.default_rng(SEED)
        self._known, self._came, self._kept = np.empty((steps, KEPT, INPUTS)), np.empty((steps, KEPT, 2)), 0
        self._scales = None  # means and deviations of the first day: the network sees numbers of the order of 1
        self.network = network(kind, first_weights(INPUTS, 2, SEED))
        self.losses = []

    def take(self, known, came):
        some = self._rng.choice(len(known), KEPT, replace=False)
        self._known[self._kept], self._came[self._kept] = known[some], came[some]
        self._kept += 1
        if self._kept == DAY:
            day = self._known[:DAY], self._came[:DAY]
            self._scales = [f(values, (0, 1)) for values in day for f in (np.mean, np.std)]
        if self._scales:
            self.losses.append(np.mean([self._learn() for _ in range(BATCHES)]))

    def _learn(self):
        drawn = self._rng.integers(self._kept, size=BATCH), self._rng.integers(KEPT, size=BATCH)
        known_mean, known_size, came_mean, came_size = self._scales
        return self.network.train((self._known[drawn] - known_mean) / known_size, (self._came[drawn] - came_mean) / came_size)

    def weights(self):
        """Returns the weights of a network that takes and gives values as they are: the first and the last layer scale them."""
        w1, b1, w2, b2, w3, b3 = self.network.weights()
        known_mean, known_size, came_mean, came_size = self._scales
        return [w1 / known_size[:, None], b1 - known_mean / known_size @ w1, w2, b2, w3 * came_size, b3 * came_size + came_mean]


def join(config, grid):
    h3ou.h3ou_init("learner", config)
    h3ou.h3ou_def_grid(grid.index, "learner", "ocean_2deg", 2, lon=grid.lon, lat=grid.lat)
    h3ou.h3ou_end_grid_def()
    h3ou.h3ou_init_time(START)


def main(config, climatology, days, learn_days, kind, out):
    grid, out, days, learn_days = Grid(climatology), pathlib.Path(out), int(days), int(learn_days)
    learning, truth, total, persisting = Learning(kind, learn_days * DAY), [], 0, None
    print(f"learner: {learning.network.name}", flush=True)
    join(config, grid)
    air, flux, sst = learning.network.zeros(grid.index.size, 2), np.zeros(grid.index.size), np.zeros(grid.index.size)
    time, known, before = list(START), None, None
    for step in range(days * DAY):
        h3ou.h3ou_set_time("learner", time, STEP)
        h3ou.h3ou_get_data_25d("air", air)
        h3ou.h3ou_get_data_1d("heat_flux", flux)  # of the step before, as the temperature
        h3ou.h3ou_get_data_1d("sst", sst)
        if step == 0:
            first_sst = sst.copy()
            sea = Sea(grid, first_sst)
        elif step <= learn_days * DAY:
            learning.take(known, np.column_stack([flux, sst - before]))
            total, persisting = total + flux, flux.copy()
        else:
            truth.append(flux.astype(np.float32))
        known, before = sea.step(air, sst, step * STEP), sst.copy()
        time = h3ou.h3ou_inc_time(time, STEP)
        if step % DAY == 0 and learning.losses and step <= learn_days * DAY:
            print(f"learner: day {step // DAY} of {learn_days}, squared error {np.mean(learning.losses[-DAY:]):.4f}", flush=True)
    h3ou.h3ou_coupling_end(time, True)
    np.savez(out / "network.npz", **{f"weight{i}": w for i, w in enumerate(learning.weights())}, first_sst=first_sst)
    np.savez(out / "truth.npz", flux=truth, persistence=persisting, climatology=total / (learn_days * DAY), losses=learning.losses,
             first_step=learn_days * DAY, learner=learning.network.name)


if __name__ == "__main__":
    main(*sys.argv[1:7])
