# SPDX-License-Identifier: BSD-3-Clause
"""Time and fields. A time array is year, month, day, hour, minute, second: 6 integers; or a datetime, a numpy.datetime64, a date
of cftime."""
import ctypes
import math
import os

import numpy as np

from .arrays import DOUBLE, Filled, INT, KIND, REAL, given, of_size
from .dates import is_date, later, six
from .error import ErrorCode, H3ouError
from .grids import is_placed
from .library import call, function, text
from .run import context


def h3ou_init_time(time_array):
    """Says when the run begins. The library makes the weights that models did not give, and plans all exchanges.
      time_array: the start, 6 integers (year, month, day, hour, minute, second), a datetime, a numpy.datetime64,
        or a date of cftime
    Collective: all processes of all components that exchange fields.
    Errors: H3ouError: a pair has no table and no method, or a table or a grid is wrong.
    Example:
        h3ou.h3ou_init_time([2026, 1, 1, 0, 0, 0])
    """
    time = six(time_array, "time_array")
    call("h3ou_time_init", context(), time.ctypes.data)


def h3ou_set_time(my_name, time_array, delta_t, is_exchange=True):
    """Begins a time step; values that are due are sent here.
      my_name: name of my component
      time_array: beginning of the step, as of h3ou_init_time: the start plus the sum of the steps so far
      delta_t: length of the step in seconds
      is_exchange: False: the exchanges that are due do not take place, nothing is sent for them and no get of the step returns a
        value; a mean goes on to the next exchange that takes place. Both components leave out the same exchanges
    Collective: no, but every process of my component calls it once a step.
    Errors: H3ouError: an interval of a field is no multiple of delta_t, or no date.
    Example:
        h3ou.h3ou_set_time("ocean", time, 3600)
    """
    time = six(time_array, "time_array")
    begin = "h3ou_time_set" if is_exchange else "h3ou_time_pass"
    call(begin, context(), text(my_name, "my_name"), time.ctypes.data, int(delta_t))


def h3ou_send_data_immediately(send_comp, recv_comp, time_lag=-1):
    """Sends the fields that the namelist lets my component put for another one at once, whether or not they are due: what was put
    last, or what flag says of the values put since the last exchange. The exchanges that are due stay as they are.
      send_comp: name of my component
      recv_comp: name of the component that gets them; all of its processes call h3ou_recv_data_immediately
      time_lag: not used
    Collective: no, but every process of my component calls it, after h3ou_init_time.
    Errors: H3ouError: send_comp is not my component, the namelist has no field from it to the other one, or a receiver failed.
    Example:
        h3ou.h3ou_send_data_immediately("ocean", "atmos")
    """
    call("h3ou_send_now", context(), text(send_comp, "send_comp"), text(recv_comp, "recv_comp"))


def h3ou_recv_data_immediately(send_comp, recv_comp):
    """Receives what h3ou_send_data_immediately of another component sends. The next get of each of these fields in this step, or,
    before the first h3ou_set_time, in the first, returns it, whether or not an exchange is due; of a field that is due, too, the
    get after that returns the exchange.
      send_comp: name of the component that puts them
      recv_comp: name of my component
    Collective: no, but every process of my component calls it, once for each h3ou_send_data_immediately.
    Errors: H3ouError: recv_comp is not my component, the namelist has no field from the other one to it, or no value was put.
    Example:
        h3ou.h3ou_recv_data_immediately("ocean", "atmos")
    """
    call("h3ou_recv_now", context(), text(send_comp, "send_comp"), text(recv_comp, "recv_comp"))


def h3ou_set_time_seconds(my_name, seconds, delta_t):
    """As h3ou_set_time, for models that count seconds.
      seconds: beginning of the step, in seconds since the start of my component
      delta_t: length of the step in seconds. A fraction with a denominator up to 1000000 (0.1, 1/3) is counted exactly, any other
        number in whole billionths of a second
    """
    call("h3ou_time_set_seconds", context(), text(my_name, "my_name"), float(seconds), float(delta_t))


def h3ou_set_time_months(my_name, time_array, months):
    """As h3ou_set_time, for a step of whole months of the namelist's calendar.
      months: length of the step in months
    Errors: H3ouError: also when the calendar is 'none', or the step begins after day 28 of a month.
    """
    time = six(time_array, "time_array")
    call("h3ou_time_set_months", context(), text(my_name, "my_name"), time.ctypes.data, int(months))


def h3ou_write_restart(file):
    """Writes all that my component needs to go on at the end of its step: values that were put, sums of intervals, exchanges on
    their way. A run that reads it, with the same namelist and any numbers of processes, gets the same bits as one that was never
    stopped. The file is written beside its name and takes it when it is complete; the former one is then FILE.former.
      file: of my component alone; rank 0 writes it
    Collective: all processes of my component, at the end of a step, after its puts and gets; all components at the same model
      time. It waits for the sender of a field with lag=0 or below -1, until that one writes its own.
    Errors: H3ouError: it can't be written (the former file is as it was), before the first step, a component has ended, the step
      does not end at a whole second, a group of members with some keys, or lags with which restarts would wait for
      each other.
    Example:
        h3ou.h3ou_write_restart("ocean.h3ou")
    """
    call("h3ou_write_restart", context(), text(os.fspath(file), "file"))


def h3ou_read_restart(file):
    """Goes on from a restart: h3ou_init_time has said the time at which it was written. No initial values are put.
      file: of h3ou_write_restart; when it is of another time, FILE.former is read if that is of this time
    Collective: all processes of my component, between h3ou_init_time and the first step; all components read theirs.
    Errors: H3ouError: no such file, it is cut off, damaged, of another format, component or time, the namelist or a grid has
      changed, or a value was put before.
    Example:
        h3ou.h3ou_read_restart("ocean.h3ou")
    """
    call("h3ou_read_restart", context(), text(os.fspath(file), "file"))


def h3ou_should_stop():
    """Says whether to stop now, because `h3ou stop`, a signal that H3OU_STOP_SIGNAL names, or h3ou run before a time limit asked for
    it: at the end of the same model time in all components (with a lag above 1 the sender some intervals later), which then write
    their restarts and end.
    Collective: no, but every process of my component calls it, at the end of each step, or of every n-th. It waits for others only
      while a stop is being agreed on.
    Returns: bool; True: to stop now.
    Errors: H3ouError: before h3ou_init_time, the time agreed on is past since the length of my steps has changed, or the others did
      not agree.
    Example:
        if h3ou.h3ou_should_stop():
            h3ou.h3ou_write_restart("ocean.h3ou")
            raise SystemExit
    """
    stop = ctypes.c_int()
    call("h3ou_should_stop", context(), ctypes.byref(stop))
    return bool(stop.value)


def h3ou_inc_months(time_array, months):
    """Adds months to a time, in the run's calendar. A day that the month has not becomes its last. The array or list is changed.
      time_array: 6 integers (year, month, day, hour, minute, second)
      months: months to add
    Collective: no.
    Returns: time_array.
    Errors: H3ouError: no date.
    """
    time = Filled(time_array, INT, "time_array")
    six(time.buffer, "time_array")
    call("h3ou_time_add_months", context(), time.buffer.ctypes.data, int(months))
    time.give()
    return time_array


def h3ou_inc_time(time_array, delta_t):
    """Adds seconds to a time. An array or a list is changed, in the run's calendar; of a datetime, numpy.datetime64 or cftime's
    date, which cannot be changed, the later one is returned, in its own calendar.
      time_array: the time, as of h3ou_init_time
      delta_t: seconds to add
    Collective: no.
    Returns: the later time.
    Errors: H3ouError: no date.
    Example:
        time = h3ou.h3ou_inc_time(time, 3600)
    """
    if is_date(time_array):
        return later(time_array, int(delta_t))
    time = Filled(time_array, INT, "time_array")
    six(time.buffer, "time_array")
    call("h3ou_time_add", context(), time.buffer.ctypes.data, int(delta_t))
    time.give()
    return time_array


def h3ou_inc_calendar(time_array, delta_t):
    """As h3ou_inc_time."""
    return h3ou_inc_time(time_array, delta_t)


class _Arrays(ctypes.Structure):
    """h3ou_arrays of h3ou.h."""
    _fields_ = [("type", ctypes.c_int), ("rank", ctypes.c_int), ("extent", ctypes.c_int64 * 3), ("count", ctypes.c_int),
                ("component", ctypes.c_void_p * 3), ("share", ctypes.c_void_p), ("nshare", ctypes.c_int64)]


def _described(what, arrays, share=None):
    """Returns what C is told of arrays of one shape."""
    shape = arrays[0].shape
    if not 1 <= len(shape) <= 3:
        raise H3ouError(ErrorCode.ESIZE, f"{what}: the array has the shape {shape}: arrays have 1 to 3 indices")
    if any(a.shape != shape for a in arrays):
        raise H3ouError(ErrorCode.ESIZE, f"{what}: the arrays have the shapes {', '.join(str(a.shape) for a in arrays)}")
    places = [a.ctypes.data for a in arrays]
    return ctypes.byref(_Arrays(KIND[arrays[0].dtype], len(shape), (ctypes.c_int64 * 3)(*shape), len(arrays), (ctypes.c_void_p * 3)(*places),
                                None if share is None else share.ctypes.data, 0 if share is None else share.size))


def _is_shaped(*arrays):
    """Returns whether C is told the shape of the arrays: where h3ou_def_grid was given positions, and for (cells, layers,
    members)."""
    return is_placed() or any(getattr(a, "ndim", 0) == 3 for a in arrays)


def _type_of(*arrays):
    """Returns the type in which C is given arrays: float32 where all of them have it, so that they are not copied on the way."""
    return REAL if all(getattr(a, "dtype", None) == REAL for a in arrays if a is not None) else DOUBLE


class _Handle(int):
    """What h3ou_field returns. name: of the field."""

    def __new__(cls, value, name):
        handle = super().__new__(cls, value)
        handle.name = name
        return handle


def _named(var_name):
    """Returns whether a field is given by its handle, what C is told of it, how errors name it, and its name for C."""
    if isinstance(var_name, _Handle):
        return True, int(var_name), f"field {var_name.name}", text(var_name.name, "var_name")
    name = text(var_name, "var_name")
    return False, name, f"field {var_name}", name


def h3ou_field(data_name):
    """Returns a handle of a field, which the puts and gets take in place of its name and find without looking for it. A field that is
    both put and got has one handle. It is valid until h3ou_coupling_end, for the component that was selected.
      data_name: name of the field in the namelist
    Collective: no.
    Returns: the handle; its attribute name is the field's.
    Errors: H3ouError: the namelist has no such field of my component. With unknown_put='ignore' a put by the handle does nothing then.
    Example:
        sst = h3ou.h3ou_field("sst")
        h3ou.h3ou_put_data_1d(sst, values)
    """
    handle = ctypes.c_int(0)
    call("h3ou_field", context(), text(data_name, "data_name"), ctypes.byref(handle))
    return _Handle(handle.value, data_name)


def _put_shaped(var_name, arrays, share, rank=None):
    by_handle, field, what, _ = _named(var_name)
    dtype = _type_of(*arrays, share)
    values = [given(a, dtype, what, rank, "F", missing=math.nan) for a in arrays if a is not None]
    shares = None if share is None else given(share, dtype, f"{what}: share", None, "F")
    call("h3ou_field_put_arrays" if by_handle else "h3ou_put_arrays", context(), field, _described(what, values, shares))


def _get_shaped(var_name, arrays, rank=None):
    by_handle, field, what, name = _named(var_name)
    dtype = _type_of(*arrays)
    values = [Filled(a, dtype, what, rank, "F") for a in arrays if a is not None]
    ok, missing = ctypes.c_int(0), ctypes.c_double()
    call("h3ou_field_get_arrays" if by_handle else "h3ou_get_arrays", context(), field, _described(what, [v.buffer for v in values]), ctypes.byref(ok))
    if ok.value:
        call("h3ou_missing", context(), name, ctypes.byref(missing))
    for v in values if ok.value else []:
        v.give(missing.value)
    return bool(ok.value)


def _put(var_name, data, rank, data_vector, share):
    by_handle, field, what, name = _named(var_name)
    nmore = (data_vector is not None) + (share is not None)
    if is_placed() or rank == 2 and _is_shaped(data):
        _put_shaped(var_name, (data, data_vector), share)
        return
    # C takes these as arrays.
    if nmore == 2 or nmore and by_handle or _type_of(data, data_vector, share) == REAL:
        _put_shaped(var_name, (data, data_vector), share, rank)
        return
    values = given(data, DOUBLE, what, rank, "F", missing=math.nan)
    n, nlayer = values.shape[0], values.shape[1] if rank == 2 else 1
    if data_vector is None and share is None:
        call("h3ou_field_put" if by_handle else "h3ou_put", context(), field, values.ctypes.data, n, nlayer)
    elif share is None:
        second = of_size(data_vector, DOUBLE, values.shape, f"{what}: data_vector", "F", missing=math.nan)
        call("h3ou_put_vector", context(), name, values.ctypes.data, second.ctypes.data, n, nlayer)
    else:
        shares = of_size(share, DOUBLE, (n,), f"{what}: share")
        call("h3ou_put_share", context(), name, values.ctypes.data, shares.ctypes.data, n, nlayer)


def h3ou_put_data_1d(var_name, data, data_vector=None, share=None):
    """Puts a field: the library copies it, and sends it when an exchange is due. data may be an array of any real or integer
    type and layout (float32 and float64 are read where they stand), a list, an xarray.DataArray, or an array of another library (PyTorch, CuPy, JAX) that gives its memory by
    DLPack or the array interface; what a masked array masks is put as NaN, a missing value.
      var_name: name of the field in the namelist, or its handle (h3ou_field)
      data: (cells), in the order of h3ou_def_grid's grid_index; in the field's unit
      data_vector: (cells), the second component of a vector (var_put_vec) whose first is data, along the grid's local frames
      share: (cells), the part of each cell, 0 to 1, that counts now (sea ice, open water)
    Collective: no, but every process of my component calls it, once a step, and once before the first h3ou_set_time.
    Errors: H3ouError: the namelist has no such field of my component (unless unknown_put='ignore'), or an array has the wrong
      shape.
    Example:
        h3ou.h3ou_put_data_1d("sst", sst)
    """
    _put(var_name, data, 1, data_vector, share)


def h3ou_put_data_25d(var_name, data, data_vector=None, share=None):
    """As h3ou_put_data_1d, of a field with layers.
      data: (cells, layers), in any memory order; order='F' is not copied on the way; (cells, layers, members) where each member
        of an ensemble gets its own slice
      data_vector: (cells, layers), the second component of a vector
    """
    _put(var_name, data, 2, data_vector, share)


def _get(var_name, data, rank, data_vector):
    by_handle, field, what, name = _named(var_name)
    if is_placed() or rank == 2 and _is_shaped(data):
        return _get_shaped(var_name, (data, data_vector))
    if data_vector is not None and by_handle or _type_of(data, data_vector) == REAL:
        return _get_shaped(var_name, (data, data_vector), rank)
    values = Filled(data, DOUBLE, what, rank, "F")
    n, nlayer = values.buffer.shape[0], values.buffer.shape[1] if rank == 2 else 1
    ok = ctypes.c_int(0)
    if data_vector is None:
        call("h3ou_field_get" if by_handle else "h3ou_get", context(), field, values.buffer.ctypes.data, n, nlayer, ctypes.byref(ok))
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
    """Gets a field. When no exchange is due, data stay as they are. Cells that no source covers are left alone when a table was
    given; when the library made the weights they get the namelist's `missing`, else NaN. data may be an array of reals of any
    layout, a list, an xarray.DataArray, or an array of another library that can be changed; in a masked array the cells without a
    value are masked.
      var_name: name of the field in the namelist, or its handle (h3ou_field)
      data: (cells), is filled, in the order of h3ou_def_grid's grid_index
      data_vector: (cells), is filled with the second component of a vector (var_get_vec)
    Collective: no, but every process of my component calls it once a step.
    Returns: True if an exchange was due and the arrays were set, else False.
    Errors: H3ouError: the namelist has no such field of my component, an array has the wrong shape, or the sender has failed.
    Example:
        arrived = h3ou.h3ou_get_data_1d("sst", sst)
    """
    return _get(var_name, data, 1, data_vector)


def h3ou_get_data_25d(var_name, data, data_vector=None):
    """As h3ou_get_data_1d, of a field with layers.
      data: (cells, layers), is filled; any memory order, order='F' in place; (cells, layers, members) where the members of an
        ensemble are stacked
      data_vector: (cells, layers), is filled with the second component of a vector
    """
    return _get(var_name, data, 2, data_vector)


def h3ou_put_data_xyz(var_name, x, y, z, share=None):
    """Puts a vector as three Cartesian components (var_put_xyz): none is turned, and the receiver may have two components.
      var_name: name of the field in the namelist, or its handle (h3ou_field)
      x: (cells) or (cells, layers), component towards longitude 0 on the equator
      y: the same shape, component towards 90 degrees east on the equator
      z: the same shape, component towards the north pole
      share: (cells), the part of each cell, 0 to 1, that counts now
    Collective: no, but every process of my component calls it, once a step, and once before the first h3ou_set_time.
    Errors: H3ouError: the namelist has no such field of my component (unless unknown_put='ignore'), or an array has the wrong
      shape.
    """
    by_handle, _, what, name = _named(var_name)
    if share is not None or _is_shaped(x) or by_handle or _type_of(x, y, z) == REAL:
        _put_shaped(var_name, (x, y, z), share)
        return
    first = given(x, DOUBLE, what, None, "F")
    others = [of_size(a, DOUBLE, first.shape, f"{what}: {axis}", "F") for a, axis in ((y, "y"), (z, "z"))]
    n, nlayer = (*first.shape, 1)[:2]
    call("h3ou_put_xyz", context(), name, *(a.ctypes.data for a in (first, *others)), n, nlayer)


def h3ou_get_data_xyz(var_name, x, y, z):
    """Gets a vector as three Cartesian components (var_get_xyz); see h3ou_put_data_xyz.
      var_name: name of the field in the namelist, or its handle (h3ou_field)
      x, y, z: (cells) or (cells, layers), of one shape; are filled
    Collective: no, but every process of my component calls it once a step.
    Returns: True if an exchange was due and the arrays were set, else False.
    Errors: H3ouError: the namelist has no such field of my component, an array has the wrong shape, or the sender has failed.
    """
    by_handle, _, what, name = _named(var_name)
    if _is_shaped(x) or by_handle or _type_of(x, y, z) == REAL:
        return _get_shaped(var_name, (x, y, z))
    arrays = [Filled(a, DOUBLE, what, None, "F") for a in (x, y, z)]
    shapes = [a.buffer.shape for a in arrays]
    if not shapes[0] == shapes[1] == shapes[2]:
        raise H3ouError(ErrorCode.ESIZE, f"{what}: x, y and z have the shapes {shapes[0]}, {shapes[1]} and {shapes[2]}")
    n, nlayer = (*shapes[0], 1)[:2]
    ok = ctypes.c_int(0)
    call("h3ou_get_xyz", context(), name, *(a.buffer.ctypes.data for a in arrays), n, nlayer,
         ctypes.byref(ok))
    for a in arrays if ok.value else []:
        a.give()
    return bool(ok.value)


def h3ou_is_wanted(data_name):
    """Returns True if the namelist lets my component put the field. With unknown_put='ignore' a put of another field does
    nothing.
      data_name: name of the field
    Collective: no.
    Errors: none.
    """
    return bool(function("h3ou_is_wanted")(context(), text(data_name, "data_name")))


def h3ou_get_num_of_put_data():
    """Returns how many fields the namelist lets my component put.
    Collective: no.
    Errors: none.
    """
    return function("h3ou_put_count")(context())


def h3ou_get_num_of_get_data():
    """Returns how many fields the namelist lets my component get.
    Collective: no.
    Errors: none.
    """
    return function("h3ou_get_count")(context())


def _name_of(called, data_num, count):
    if not 0 <= int(data_num) < count:
        raise H3ouError(ErrorCode.EARG, f"there is no field number {data_num}: the fields count from 0, and there are {count}")
    name = ctypes.create_string_buffer(65)
    call(called, context(), int(data_num) + 1, name)
    return name.value.decode()


def h3ou_get_put_data_name(data_num):
    """Returns the name of a field that my component puts.
      data_num: its number, from 0
    Collective: no.
    Errors: H3ouError: no field of that number.
    """
    return _name_of("h3ou_put_name", data_num, h3ou_get_num_of_put_data())


def h3ou_get_get_data_name(data_num):
    """Returns the name of a field that my component gets.
      data_num: its number, from 0
    Collective: no.
    Errors: H3ouError: no field of that number.
    """
    return _name_of("h3ou_get_name", data_num, h3ou_get_num_of_get_data())


def h3ou_get_vlayer(data_name):
    """Returns the number of layers of a field; of a name that is both put and got, as it is put.
      data_name: name of the field
    Collective: no.
    Errors: H3ouError: no such field.
    """
    nlayer = ctypes.c_int()
    call("h3ou_layers", context(), text(data_name, "data_name"), ctypes.byref(nlayer))
    return nlayer.value


def h3ou_get_members(data_name):
    """Returns how many members of an ensemble took part in the exchange of a field that get returned last: fewer than there were at
    the start when some were lost (the key ensemble_min_members); of a statistic that has the values of one member, and of a field
    that one member sends, 1. Before the first exchange the number at the start.
      data_name: name of a field that is got
    Collective: no.
    Errors: H3ouError: no such field to get.
    """
    members = ctypes.c_int()
    call("h3ou_members", context(), text(data_name, "data_name"), ctypes.byref(members))
    return members.value


def _compare(caller, data_name, num_of_layer, names):
    """Raises an error where a declaration is not what the namelist says."""
    if data_name not in names:
        raise H3ouError(ErrorCode.ENAME, f"{caller}: the namelist has no field '{data_name}' there, only: {', '.join(names) or 'none'}")
    if h3ou_get_vlayer(data_name) != num_of_layer:
        raise H3ouError(ErrorCode.EARG, f"{caller}: field {data_name} has {h3ou_get_vlayer(data_name)} layers in the namelist, not "
                                        f"{num_of_layer}")


def h3ou_def_varp(comp_name, data_name, grid_name, num_of_layer):
    """For existing programs: declares a field that my component puts. The namelist alone says what is exchanged; this compares the
    name and the layers with it.
      comp_name, grid_name: accepted, and not used
      data_name: name of the field
      num_of_layer: its layers
    Collective: no.
    Errors: H3ouError: the namelist does not let my component put it, or with other layers.
    """
    _compare("h3ou_def_varp", data_name, num_of_layer, [h3ou_get_put_data_name(i) for i in range(h3ou_get_num_of_put_data())])


def h3ou_def_varg(comp_name, data_name, grid_name, num_of_layer, send_comp_name, send_data_name, recv_mode, intvl, time_lag,
                  mapping_tag, exchange_tag):
    """For existing programs: declares a field that my component gets, as h3ou_def_varp does one that it puts.
      comp_name, grid_name, send_comp_name, send_data_name, recv_mode, intvl, time_lag, mapping_tag, exchange_tag: accepted, and not
        used
      data_name: name of the field
      num_of_layer: its layers
    Collective: no.
    Errors: H3ouError: the namelist does not let my component get it, or with other layers.
    """
    _compare("h3ou_def_varg", data_name, num_of_layer, [h3ou_get_get_data_name(i) for i in range(h3ou_get_num_of_get_data())])


def h3ou_end_var_def():
    """For existing programs: ends the declarations. There is nothing left to do, since the namelist makes them.
    Collective: no.
    Errors: none.
    """


__all__ = [name for name in globals() if name.startswith("h3ou_")]
