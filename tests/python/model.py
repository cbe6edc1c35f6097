# SPDX-License-Identifier: BSD-3-Clause
"""Components that put from, and get into, all kinds of arrays, and tell the time in all kinds of dates.

    model.py A|B CONFIG
"""
import datetime
import importlib.util
import sys

import numpy as np

import h3ou

STEP, CELLS, LAYERS, HOLE = 3600, 4, 2, 2  # HOLE: the cell that is missing
MISSING = -999.0  # in the namelist, for the fields of that name


class Labelled:
    """What this package uses of xarray.DataArray, where that is not installed."""

    def __init__(self, data, dims):
        self.data, self.dims = data, dims

    def __array__(self, dtype=None):
        return np.asarray(self.data, dtype)


class Exported:
    """What this package uses of a tensor of PyTorch, where that is not installed."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **more):
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __setitem__(self, where, what):
        self.array[where] = what

    def __array__(self, dtype=None):
        return np.asarray(self.array, dtype)


def tensor(array):
    if importlib.util.find_spec("torch"):
        import torch
        return torch.from_numpy(array.copy())
    return Exported(array)


def data_array(array):
    dims = ("cell", "layer")[:array.ndim]
    if importlib.util.find_spec("xarray"):
        import xarray
        return xarray.DataArray(array, dims=dims)
    return Labelled(array, dims)


def with_gaps(array, dtype=np.float64):
    wide = np.full([2 * n for n in array.shape], 7, dtype)
    section = wide[tuple(slice(None, None, 2) for _ in array.shape)]
    section[...] = array
    return section


def with_hole(array):
    masked = np.ma.array(array)
    masked[HOLE] = np.ma.masked
    return masked


# What A puts; only the last one has no value in the cell HOLE.
PUTS = [lambda a: a, lambda a: a.astype(np.float32), lambda a: a.tolist(), data_array, with_gaps,
        lambda a: data_array(with_gaps(a, np.float32)), lambda a: a.astype(np.int16), tensor, with_hole]
# What B gets into.
GETS = [lambda a: a, lambda a: a.astype(np.float32), lambda a: a.tolist(), data_array, with_gaps,
        lambda a: data_array(with_gaps(a, np.float32)), np.ma.array, with_hole, tensor]
FIELDS = {"plain": np.nan, "missing": MISSING}
STEPS = len(PUTS) * (len(GETS) + 1)  # in which each kind of the one meets each of the other


def values_of(step, layered):
    cells = 10.0 * step + np.arange(CELLS)
    return cells[:, None] + 1000 * np.arange(LAYERS) if layered else cells


def dates(start):
    """The time of each step, in kinds that take turns."""
    kinds = [lambda d: d, np.datetime64, lambda d: np.array(np.datetime64(d, "ns")),
             lambda d: [d.year, d.month, d.day, d.hour, d.minute, d.second], lambda d: data_array(np.array(np.datetime64(d)))]
    if importlib.util.find_spec("cftime"):
        import cftime
        kinds.append(lambda d: cftime.DatetimeGregorian(d.year, d.month, d.day, d.hour))
    for step in range(STEPS):
        yield kinds[step % len(kinds)](start + datetime.timedelta(seconds=step * STEP))


def put_all(step):
    kind = PUTS[step % len(PUTS)]
    for field in FIELDS:
        h3ou.h3ou_put_data_1d(field, kind(values_of(step, False)))
        h3ou.h3ou_put_data_25d(f"{field}_layers", kind(values_of(step, True)))


def check(step, field, layered):
    """The values of the step before, with a hole when they had one."""
    kind = GETS[step % (len(GETS) + 1) - 1]
    wanted = values_of(step - 1, layered)
    has_hole = PUTS[(step - 1) % len(PUTS)] is with_hole
    into = kind(np.full_like(wanted, 5.0))
    called = h3ou.h3ou_get_data_25d if layered else h3ou.h3ou_get_data_1d
    ok = called(f"{field}_layers" if layered else field, into)
    if has_hole:
        wanted[HOLE] = FIELDS[field]
    found = np.asarray(into)
    if isinstance(into, np.ma.MaskedArray):
        mask = np.zeros(wanted.shape, bool)
        mask[HOLE] = has_hole
        same = np.array_equal(np.ma.getmaskarray(into), mask) and np.array_equal(found[~mask], wanted[~mask])
    else:
        same = np.array_equal(found, wanted, equal_nan=True)
    if ok is not True or not same:
        sys.exit(f"step {step}, field {field}, {type(into).__name__}: {ok}, {into} instead of {wanted}")


def main(me, config):
    h3ou.h3ou_init(me, config)
    cells = list(range(1, CELLS + 1))
    h3ou.h3ou_def_grid(cells, me, "g", LAYERS)
    h3ou.h3ou_end_grid_def()
    declare(me)
    pair = me, "A", "g", "B", "g", 1
    if me == "A":
        h3ou.h3ou_set_mapping_table(*pair, cells, cells)
    else:
        h3ou.h3ou_set_mapping_table_no_index(*pair)
    start = datetime.datetime(2001, 2, 28, 20)
    h3ou.h3ou_init_time(start)
    for step, date in enumerate(dates(start)):
        if me == "A" and step == 0:
            put_all(0)
        h3ou.h3ou_set_time(me, date, STEP)
        for field in FIELDS if me == "B" and step > 0 else ():
            check(step, field, False)
            check(step, field, True)
        if me == "A":
            put_all(step)
    exchange_at_once(me, h3ou.h3ou_inc_time(date, STEP))
    h3ou.h3ou_coupling_end()


def exchange_at_once(me, date):
    """A step that leaves its exchange out: what is sent at once arrives, then nothing is due."""
    h3ou.h3ou_set_time(me, date, STEP, is_exchange=False)
    if me == "A":
        h3ou.h3ou_put_data_1d("plain", np.arange(CELLS) - 7.0)
        h3ou.h3ou_send_data_immediately("A", "B")
        return
    h3ou.h3ou_recv_data_immediately("A", "B")
    into = np.zeros(CELLS)
    got = h3ou.h3ou_get_data_1d("plain", into), h3ou.h3ou_get_data_1d("plain", into)
    if got != (True, False) or list(into) != [-7, -6, -5, -4]:
        sys.exit(f"at once: {got}, {into}")


def declare(me):
    """What the namelist says may be declared again; what it does not say is an error."""
    rest = "SNP", STEP, -1, 1, 1

    def declared(field, layers):
        if me == "A":
            h3ou.h3ou_def_varp(me, field, "g", layers)
        else:
            h3ou.h3ou_def_varg(me, field, "g", layers, "A", field, *rest)

    declared("plain", 1)
    declared("plain_layers", LAYERS)
    for field, layers in (("plane", 1), ("plain", 2)):
        try:
            declared(field, layers)
        except h3ou.H3ouError:
            continue
        sys.exit(f"{field} with {layers} layers was declared")
    h3ou.h3ou_end_var_def()


main(*sys.argv[1:3])
