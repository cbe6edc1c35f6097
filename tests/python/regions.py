# SPDX-License-Identifier: BSD-3-Clause
"""Components whose cells stand in regions of arrays (inside, layer, region), with halos. B has none in its second process.

    regions.py A|B CONFIG
"""
import sys

import numpy as np

import h3ou

REGIONS, SIDE, LAYERS, STEP, OWN = 3, 2, 2, 60, -7.0
GALL = (SIDE + 2)**2
CELLS = REGIONS * SIDE**2


def deal(rank, nproc):
    """Returns the cells of this process, where they stand, and how many regions it has."""
    regions = [r for r in range(REGIONS) if r % nproc == rank]
    cells, places = [], []
    for local, region in enumerate(regions):
        for k in reversed(range(SIDE**2)):
            cells.append(region * SIDE**2 + k + 1)
            places.append((SIDE + 3 + k % SIDE + (SIDE + 2) * (k // SIDE), local))
    return np.array(cells, int), places, len(regions)


def main(me, config):
    h3ou.h3ou_init(me, config)
    rank, nproc = h3ou.h3ou_get_my_rank(), h3ou.h3ou_get_my_size()
    cells, places, regions = deal(rank, nproc if me == "A" else 1) if me == "A" or rank == 0 else ([], [], 0)
    h3ou.h3ou_def_grid(cells, me, "g", LAYERS, shape=(GALL, -1, regions), position=places, lon=10.0 * np.array(cells),
                       lat=np.zeros(len(cells)))
    h3ou.h3ou_end_grid_def()
    every = np.arange(1, CELLS + 1)
    h3ou.h3ou_set_interpolation_table(me, "A", "g", "B", "g", 1, *((every, every, np.ones(CELLS)) if me == "A" else ()))
    time = [2001, 1, 1, 0, 0, 0]
    h3ou.h3ou_init_time(time)
    inside, region = (np.array(places).T if places else np.zeros((2, 0))).astype(int)
    whole = np.full((GALL, LAYERS, regions), OWN)
    values = 10.0 * np.array(cells)[:, None] + np.arange(LAYERS)
    whole[inside, :, region] = values
    plane = np.ascontiguousarray(whole[:, 0, :])
    for step in range(2):
        if me == "A":
            h3ou.h3ou_put_data_25d("cube", whole)
            h3ou.h3ou_put_data_1d("plane", plane.astype(np.float32), share=np.ones_like(plane))
            h3ou.h3ou_put_data_25d("wind", whole, data_vector=np.asfortranarray(-whole))
        if step:
            break
        h3ou.h3ou_set_time(me, time, STEP)
        for called, field, wanted, order in ((h3ou.h3ou_get_data_25d, "cube", whole, "F"),
                                             (h3ou.h3ou_get_data_1d, "plane", plane, "C")) * (me == "B"):
            got = np.full(wanted.shape, OWN, order=order)
            if not called(field, got) or not np.array_equal(got, wanted):
                sys.exit(f"{me} {rank}: {field}: {got} instead of {wanted}")
        if me == "B":
            u, v = np.full(whole.shape, OWN), np.full(whole.shape, OWN)
            arrived = h3ou.h3ou_get_data_25d("wind", u, data_vector=v)
            v[inside, :, region] *= -1
            if not arrived or not np.allclose(u, whole) or not np.allclose(v, whole):
                sys.exit(f"{me} {rank}: wind: {u}, {v} instead of {whole}")
            wrong = np.zeros((GALL, LAYERS + 1, 2))
            try:  # where there are cells
                h3ou.h3ou_get_data_25d("cube", wrong)
                if places:
                    sys.exit("an array of another shape was taken")
            except h3ou.H3ouError as e:
                if "pass " not in e.text:
                    raise
        time = h3ou.h3ou_inc_time(time, STEP)
    h3ou.h3ou_coupling_end(time)


main(*sys.argv[1:3])
