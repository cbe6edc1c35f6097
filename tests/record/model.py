# SPDX-License-Identifier: BSD-3-Clause
"""model.py A|B CONFIG LINES: one of two components in Python, whose arrays are of float32, and which also exchange at once. Each process writes what it gets,
one line for each cell: the field, the time, the layer, the cell and the bits."""
import sys

import h3ou
import numpy as np

STEPS, STEP, SIZE, LAYERS = 6, 600, {"A": 30, "B": 23}, 2
OTHER = {"A": "B", "B": "A"}


def give_tables(me):
    for one in "AB":
        i = np.arange(3 * SIZE[OTHER[one]])
        table = ((7 * i + 3) % SIZE[one] + 1, i // 3 + 1, 1.0 / (3 + i % 5)) if me == "A" else ()
        h3ou.h3ou_set_interpolation_table(me, one, f"{one}_g", OTHER[one], f"{OTHER[one]}_g", 1, *table)


def put_all(me, cell, time):
    """Numbers that need more digits than a float32 has."""
    state = cell / 7.0 + 1e-6 * time
    if me == "A":
        h3ou.h3ou_put_data_1d("single", state.astype(np.float32))
        h3ou.h3ou_put_data_1d("mixed", (state + 1.0).astype(np.float32))
        h3ou.h3ou_put_data_1d("double", state + 2.0)
    else:
        h3ou.h3ou_put_data_25d("layers", np.stack([state, state / 3.0], axis=1).astype(np.float32))


def get_one(name, cell, time, shape, dtype, lines):
    data = np.full(shape, -7.0, dtype=dtype)
    got = h3ou.h3ou_get_data_1d(name, data) if len(shape) == 1 else h3ou.h3ou_get_data_25d(name, data)
    for layer, column in enumerate(data.reshape(len(cell), -1).T if got else []):
        lines.extend(f"{name} {time} {layer} {c} {v.tobytes().hex()}" for c, v in zip(cell, column))


def get_all(me, cell, time, lines):
    if me == "A":
        get_one("layers", cell, time, (len(cell), LAYERS), np.float32, lines)
    else:
        for name, dtype in (("single", np.float32), ("mixed", np.float32), ("double", np.float64)):
            get_one(name, cell, time, (len(cell),), dtype, lines)


def exchange_at_once(me):
    (h3ou.h3ou_send_data_immediately if me == "A" else h3ou.h3ou_recv_data_immediately)("A", "B")


def main(me, config, lines):
    h3ou.h3ou_init(me, config)
    size, rank = h3ou.h3ou_get_my_size(), h3ou.h3ou_get_my_rank()
    cell = np.array([c for c in range(1, SIZE[me] + 1) if c % size == rank], dtype=np.int32)
    h3ou.h3ou_def_grid(cell, me, f"{me}_g", LAYERS)
    h3ou.h3ou_end_grid_def()
    give_tables(me)
    time, found = [2000, 1, 1, 0, 0, 0], []
    h3ou.h3ou_init_time(time)
    put_all(me, cell, -1)
    exchange_at_once(me)
    for step in range(STEPS):
        h3ou.h3ou_set_time(me, time, STEP)
        if me == "B" and step in (2, 3):
            exchange_at_once(me)
        get_all(me, cell, step * STEP, found)
        put_all(me, cell, step * STEP)
        if me == "A" and step in (2, 3):
            exchange_at_once(me)
        time = h3ou.h3ou_inc_time(time, STEP)
    with open(f"{lines}.{me}.{rank}", "w") as f:
        f.write("".join(line + "\n" for line in found))
    h3ou.h3ou_coupling_end(time, True)


main(*sys.argv[1:])
