#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Corrects the members of an ensemble, as one component of the run: gets the states of all members and the truth, observes the truth
with errors in every second cell, and puts the analysis, of which each member gets its own.

    filter.py CONFIG MEMBERS STEPS letkf|none OUT.npz

With none the members get back what they put: a free run, to compare with.
"""
import sys

import h3ou
import numpy as np
from letkf import Filter

CELLS, STEP, START = 40, 21600, [2000, 1, 1, 0, 0, 0]
OBSERVED, SIGMA = np.arange(0, CELLS, 2), 1.0


def join(config):
    h3ou.h3ou_init("filter", config)
    h3ou.h3ou_def_grid(np.arange(1, CELLS + 1, dtype=np.int32), "filter", "circle", 1, lon=360 / CELLS * np.arange(CELLS),
                       lat=np.zeros(CELLS))
    h3ou.h3ou_end_grid_def()
    h3ou.h3ou_init_time(START)


def main(config, members, steps, kind, out):
    members, noise, time = int(members), np.random.default_rng(7), list(START)
    letkf = Filter(CELLS, OBSERVED, SIGMA, half_width=6, inflation=1.02)
    forecast, truth = np.zeros((CELLS, members), order="F"), np.zeros(CELLS)
    analyses, truths, observations = [], [], []
    join(config)
    for step in range(int(steps)):
        h3ou.h3ou_set_time("filter", time, STEP)
        h3ou.h3ou_get_data_25d("state", forecast)
        h3ou.h3ou_get_data_1d("truth", truth)
        observation = truth[OBSERVED] + SIGMA * noise.standard_normal(OBSERVED.size)
        analysis = letkf.analyse(forecast, observation) if kind == "letkf" else forecast.copy()
        h3ou.h3ou_put_data_25d("analysis", np.asfortranarray(analysis))
        analyses.append(analysis)
        truths.append(truth.copy())
        observations.append(observation)
        time = h3ou.h3ou_inc_time(time, STEP)
        if (step + 1) % 100 == 0:
            error = np.sqrt(np.mean((analysis.mean(axis=1) - truth)**2))
            print(f"filter ({kind}): day {(step + 1) * STEP // 86400}: the mean of {members} members is {error:.2f} from the truth",
                  flush=True)
    h3ou.h3ou_coupling_end(time, True)
    np.savez(out, analysis=analyses, truth=truths, observation=observations, observed=OBSERVED, sigma=SIGMA, step=STEP)


if __name__ == "__main__":
    main(*sys.argv[1:6])
