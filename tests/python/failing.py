# SPDX-License-Identifier: BSD-3-Clause
"""A component "ocean", coupled with tests/faults/model.c as "atmos", that fails in the way it is told to, or not at all.

    failing.py CONFIG FAULT
"""
import os
import sys

import numpy as np

import h3ou

CELLS, STEPS = 8, 12
config, fault = sys.argv[1:3]


def fail(rank):
    """In the middle of the run."""
    if fault == "exception":
        print("said before the end", end="")  # is in a buffer when the process ends
        np.zeros(3)[4]
    if fault == "exception of rank 1" and rank == 1:
        raise RuntimeError("only here,\n  in two lines")
    if fault == "interrupt":
        raise KeyboardInterrupt
    if fault == "own words":
        h3ou.h3ou_abort("the model has no more salt")
    if fault == "sys.exit":
        sys.exit(0)
    if fault == "own hook":
        sys.excepthook = lambda *_: None
        raise ValueError("nobody shows this")
    if fault == "forked child":
        child = os.fork()
        if not child:
            sys.exit(0)  # is not in the run, and must not end it
        os.waitpid(child, 0)
    if fault == "interactive":
        raise ValueError("shown at a prompt")
    if fault == "caught":
        try:
            h3ou.h3ou_get_data_1d("no such field", np.zeros(1))
        except h3ou.H3ouError as e:
            assert e.code == h3ou.ErrorCode.ENAME and "no such field" in e.text, e
    if fault == "shape":
        h3ou.h3ou_put_data_1d("ocean_v", np.zeros(CELLS + 1))


h3ou.h3ou_init("ocean", "/no/such/file.conf" if fault == "configuration" else config)
rank, size = h3ou.h3ou_get_my_rank(), h3ou.h3ou_get_my_size()
n = CELLS // size
h3ou.h3ou_def_grid(rank * n + 1 + np.arange(n), "ocean", "ocean_g", 1)
h3ou.h3ou_end_grid_def()
cells = np.arange(CELLS) + (8 if fault == "table" else 1)
# Backwards, so that each process needs one of another number.
h3ou.h3ou_set_interpolation_table("ocean", "ocean", "ocean_g", "atmos", "atmos_g", 1, cells[::-1], cells, np.ones(CELLS))
h3ou.h3ou_set_interpolation_table_no_index("ocean", "atmos", "atmos_g", "ocean", "ocean_g", 1)
time = np.array([2000, 1, 1, 0, 0, 0], np.int32)
h3ou.h3ou_init_time(time)
data = np.zeros(n)
h3ou.h3ou_put_data_1d("ocean_v", data)
for step in range(STEPS):
    h3ou.h3ou_set_time("ocean", time, 600)
    h3ou.h3ou_get_data_1d("atmos_v", data)
    if step == STEPS // 2:
        fail(rank)
    h3ou.h3ou_put_data_1d("ocean_v", data)
    h3ou.h3ou_inc_time(time, 600)
if fault == "no end":
    sys.exit()
h3ou.h3ou_coupling_end(time)
