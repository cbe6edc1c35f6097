#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The component of members.c with one member, in Python: fields with slices are (cells, layers, members).
one.py NAME OTHER 1 CELLS LAYERS plain STEPS PUTS GETS"""
import sys

import h3ou
import numpy as np
from members import STEP, is_missing, value_of


def components(field):
    return {"x": 3, "y": 2}.get(field[0], 1)


def array(field):
    """For each component an array of the field's shape."""
    n = h3ou.h3ou_get_vlayer(field)
    shape = (CELLS, LAYERS, n // LAYERS) if field.endswith("stacked") or field in ("o", "xo", "yo") else (CELLS, n)
    return [np.full(shape, -9.0, order="F") for _ in range(components(field))]


def put(field, step):
    arrays = array(field)
    for k, data in enumerate(arrays):
        flat = data.reshape(CELLS, -1, order="F")
        for layer, i in np.ndindex(flat.shape[1], CELLS):
            flat[i, layer] = np.nan if is_missing(field, 0, i + 1, layer) else value_of(0, i + 1, 100 * k + layer, step, NAME)
    (h3ou.h3ou_put_data_xyz if len(arrays) == 3 else h3ou.h3ou_put_data_25d)(field, *arrays)


def get(field, step, out):
    arrays = array(field)
    if not (h3ou.h3ou_get_data_xyz if len(arrays) == 3 else h3ou.h3ou_get_data_25d)(field, *arrays):
        return
    for k, data in enumerate(arrays):
        flat = data.reshape(CELLS, -1, order="F")
        for layer, i in np.ndindex(flat.shape[1], CELLS):
            print(field, step, i + 1, 100 * k + layer, float(flat[i, layer]).hex(), file=out)
    print(field, step, 0, 0, float(h3ou.h3ou_get_members(field)).hex(), file=out)


def give_table():
    recv = np.repeat(np.arange(1, CELLS + 1, 2, dtype=np.int32), 2)
    send = (recv - 1 + np.tile([0, 1], recv.size // 2)) % CELLS + 1
    h3ou.h3ou_set_interpolation_table(NAME, OTHER, f"{OTHER}_g", NAME, f"{NAME}_g", 1, send.astype(np.int32), recv,
                                      np.full(recv.size, 0.5))
    turns = np.tile([[0.6, 0.0], [0.8, 1.0]], recv.size // 2)
    h3ou.h3ou_set_interpolation_table(NAME, OTHER, f"{OTHER}_g", NAME, f"{NAME}_g", 2, send.astype(np.int32), recv,
                                      np.full(recv.size, 0.5), coef_cos=turns[0], coef_sin=turns[1])
    h3ou.h3ou_set_interpolation_table_no_index(NAME, NAME, f"{NAME}_g", OTHER, f"{OTHER}_g", 1)


def main(steps, puts, gets):
    time = np.array([2026, 1, 1, 0, 0, 0], np.int32)
    h3ou.h3ou_init(NAME, "coupling.conf")
    h3ou.h3ou_def_grid(np.arange(1, CELLS + 1, dtype=np.int32), NAME, f"{NAME}_g", LAYERS)
    h3ou.h3ou_end_grid_def()
    give_table()
    h3ou.h3ou_init_time(time)
    for field in puts:
        put(field, -1)
    with open(f"got.{h3ou.h3ou_get_my_name()}.0", "w") as out:
        for step in range(steps):
            h3ou.h3ou_set_time(NAME, time, STEP)
            for field in gets:
                get(field, step, out)
            for field in puts:
                put(field, step)
            h3ou.h3ou_inc_time(time, STEP)
    h3ou.h3ou_coupling_end(time)


if __name__ == "__main__":
    NAME, OTHER, _, cells, layers, _, steps, puts, gets = sys.argv[1:]
    CELLS, LAYERS = int(cells), int(layers)
    main(int(steps), puts.split(","), gets.split(","))
