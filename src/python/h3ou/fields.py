# SPDX-License-Identifier: BSD-3-Clause
"""Time and fields. A time array is year, month, day, hour, minute, second: 6 integers; or a datetime, a numpy.datetime64, a date
of cftime."""
import ctypes
import math

import numpy as np

from .arrays import DOUBLE, Filled, INT, given, of_size
from .dates import is_date, later, six
from .error import ErrorCode, H3ouError
from .library import call, function, text
from .run import context


def h3ou_init_time(time_array):
    """The time at which the run begins. Collective: the exchanges are planned here."""
    time = six(time_array, "time_array")
    call("h3ou_time_init", context(), time.ctypes.data)


def h3ou_set_time(my_name, time_array, delta_t):
    """The step that begins at time_array and lasts delta_t seconds. What is due leaves here."""
    time = six(time_array, "time_array")
    call("h3ou_time_set", context(), text(my_name, "my_name"), time.ctypes.data, int(delta_t))


def h3ou_set_time_seconds(my_name, seconds, delta_t):
    """The same for models that count the seconds since the start of the run; delta_t is a whole number of them."""
    call("h3ou_time_set_seconds", context(), text(my_name, "my_name"), float(seconds), float(delta_t))


def h3ou_inc_time(time_array, delta_t):
    """Adds delta_t seconds to time_array, an array, in the run's calendar, and returns it. Of a datetime, numpy.datetime64 or
    cftime's date, which cannot be changed, the later one is returned, in its own calendar."""
    if is_date(time_array):
        return later(time_array, int(delta_t))
    time = Filled(time_array, INT, "time_array")
    six(time.buffer, "time_array")
    call("h3ou_time_add", context(), time.buffer.ctypes.data, int(delta_t))
    time.give()
    return time_array


def h3ou_inc_calendar(time_array, delta_t):
    """The same as h3ou_inc_time."""
    return h3ou_inc_time(time_array, delta_t)


def _put(var_name, data, rank, data_vector, share):
    name = text(var_name, "var_name")
    what = f"field {var_name}"
    values = given(data, DOUBLE, what, rank, "F", missing=math.nan)
    n, nlayer = values.shape[0], values.shape[1] if rank == 2 else 1
    if data_vector is not None and share is not None:
        raise H3ouError(ErrorCode.EUNSUPPORTED, f"{what}: a share of a vector is not part of this version")
    if data_vector is None and share is None:
        call("h3ou_put", context(), name, values.ctypes.data, n, nlayer)
    elif share is None:
        second = of_size(data_vector, DOUBLE, values.shape, f"{what}: data_vector", "F", missing=math.nan)
        call("h3ou_put_vector", context(), name, values.ctypes.data, second.ctypes.data, n, nlayer)
    else:
        shares = of_size(share, DOUBLE, (n,), f"{what}: share")
        call("h3ou_put_share", context(), name, values.ctypes.data, shares.ctypes.data, n, nlayer)


def h3ou_put_data_1d(var_name, data, data_vector=None, share=None):
    """Puts a field: data of shape (cells), in the order of h3ou_def_grid's grid_index; it is copied. It may be an array of any real
    or integer type and layout, a list, or an xarray.DataArray; what a masked array masks is put as NaN, a missing value.

    data_vector, (cells): the second component of a vector (var_put_vec) whose first is data, along the grid's local frames.
    share, (cells): the part of each cell, 0 to 1, that counts now (sea ice, open water)."""
    _put(var_name, data, 1, data_vector, share)


def h3ou_put_data_25d(var_name, data, data_vector=None, share=None):
    """The same for a field with layers: data of shape (cells, layers), in any memory order; order='F' is not copied on the way.
    data_vector has the shape of data, share is (cells)."""
    _put(var_name, data, 2, data_vector, share)


def _get(var_name, data, rank, data_vector):
    name = text(var_name, "var_name")
    what = f"field {var_name}"
    values = Filled(data, DOUBLE, what, rank, "F")
    n, nlayer = values.buffer.shape[0], values.buffer.shape[1] if rank == 2 else 1
    ok = ctypes.c_int(0)
    if data_vector is None:
        call("h3ou_get", context(), name, values.buffer.ctypes.data, n, nlayer, ctypes.byref(ok))
        second = None
    else:
        second = Filled(data_vector, DOUBLE, what, rank, "F")
        if second.buffer.shape != values.buffer.shape:
            raise H3ouError(ErrorCode.ESIZE, f"{what}: data_vector has the shape {second.buffer.shape}, data {values.buffer.shape}")
        call("h3ou_get_vector", context(), name, values.buffer.ctypes.data, second.buffer.ctypes.data, n, nlayer,
             ctypes.byref(ok))
    if ok.value:
        missing = ctypes.c_double()
        call("h3ou_missing", context(), name, ctypes.byref(missing))
        values.give(missing.value)
        if second:
            second.give(missing.value)
    return bool(ok.value)


def h3ou_get_data_1d(var_name, data, data_vector=None):
    """Gets a field into data, an array of shape (cells), and returns True; at a time at which no exchange is due it leaves data
    alone and returns False. Cells that no source covers are left alone when a table was given; when the library made the
    weights they get the namelist's `missing`, else NaN. data may be an array of reals of any layout, a list, or an
    xarray.DataArray; in a masked array the cells without a value are masked.

    data_vector, (cells): gets the second component of a vector (var_get_vec)."""
    return _get(var_name, data, 1, data_vector)


def h3ou_get_data_25d(var_name, data, data_vector=None):
    """The same for a field with layers: data of shape (cells, layers), in any memory order; order='F' is filled in place."""
    return _get(var_name, data, 2, data_vector)


def h3ou_put_data_xyz(var_name, x, y, z):
    """Puts a vector as its three Cartesian components (var_put_xyz): arrays of one shape, (cells) or (cells, layers)."""
    what = f"field {var_name}"
    first = given(x, DOUBLE, what, np.ndim(x), "F")
    others = [of_size(a, DOUBLE, first.shape, f"{what}: {name}", "F") for a, name in ((y, "y"), (z, "z"))]
    n, nlayer = (*first.shape, 1)[:2]
    call("h3ou_put_xyz", context(), text(var_name, "var_name"), *(a.ctypes.data for a in (first, *others)), n, nlayer)


def h3ou_get_data_xyz(var_name, x, y, z):
    """Gets a vector as its three Cartesian components (var_get_xyz) into x, y and z, arrays of one shape, (cells) or
    (cells, layers), and returns True; at a time at which no exchange is due it leaves them alone and returns False."""
    what = f"field {var_name}"
    if not x.shape == y.shape == z.shape:
        raise H3ouError(ErrorCode.ESIZE, f"{what}: x, y and z have the shapes {x.shape}, {y.shape} and {z.shape}")
    arrays = [Filled(a, DOUBLE, what, a.ndim, "F") for a in (x, y, z)]
    n, nlayer = (*x.shape, 1)[:2]
    ok = ctypes.c_int(0)
    call("h3ou_get_xyz", context(), text(var_name, "var_name"), *(a.buffer.ctypes.data for a in arrays), n, nlayer,
         ctypes.byref(ok))
    for a in arrays if ok.value else []:
        a.give()
    return bool(ok.value)


def h3ou_is_wanted(data_name):
    """Does the namelist let my component put the field? With unknown_put='ignore' a put that is not wanted does nothing."""
    return bool(function("h3ou_is_wanted")(context(), text(data_name, "data_name")))


def h3ou_get_num_of_put_data():
    """How many fields the namelist makes my component put."""
    return function("h3ou_put_count")(context())


def h3ou_get_num_of_get_data():
    """How many fields the namelist lets my component get."""
    return function("h3ou_get_count")(context())


def _name_of(called, data_num, count):
    if not 0 <= int(data_num) < count:
        raise H3ouError(ErrorCode.EARG, f"there is no field number {data_num}: the fields count from 0, and there are {count}")
    name = ctypes.create_string_buffer(65)
    call(called, context(), int(data_num) + 1, name)
    return name.value.decode()


def h3ou_get_put_data_name(data_num):
    """The name of the field number data_num, from 0, that I put."""
    return _name_of("h3ou_put_name", data_num, h3ou_get_num_of_put_data())


def h3ou_get_get_data_name(data_num):
    """The name of the field number data_num, from 0, that I get."""
    return _name_of("h3ou_get_name", data_num, h3ou_get_num_of_get_data())


def h3ou_get_vlayer(data_name):
    """The number of layers of a field; of a name that is both put and got, as it is put."""
    nlayer = ctypes.c_int()
    call("h3ou_layers", context(), text(data_name, "data_name"), ctypes.byref(nlayer))
    return nlayer.value


__all__ = [name for name in globals() if name.startswith("h3ou_")]
