# SPDX-License-Identifier: BSD-3-Clause
"""Dates of all kinds: 6 integers (year, month, day, hour, minute, second), datetime, numpy.datetime64, cftime, and arrays of no
dimension that hold one of them."""
import datetime

import numpy as np

from .arrays import INT, given
from .error import ErrorCode, H3ouError

_PARTS = "year", "month", "day", "hour", "minute", "second"


def _single(value):
    """Returns the element of an array of no dimension, of NumPy or xarray; else value itself."""
    if isinstance(value, (np.generic, np.ndarray)) or hasattr(value, "dims"):
        array = np.asarray(value)
        if array.ndim == 0 and array.dtype.kind in "MO":
            return array[()]
    return value


def is_date(value):
    value = _single(value)
    return isinstance(value, np.datetime64) or all(hasattr(value, part) for part in _PARTS[:3])


def later(value, seconds):
    """Returns a date of the same kind."""
    value = _single(value)
    step = np.timedelta64(seconds, "s") if isinstance(value, np.datetime64) else datetime.timedelta(seconds=seconds)
    return value + step


def _parts(date, what):
    found = date.astype("datetime64[us]").item() if isinstance(date, np.datetime64) else date
    if not hasattr(found, "year"):  # NaT, or beyond the years of datetime
        raise H3ouError(ErrorCode.ETIME, f"{what}: {date} is no date of the years 1 to 9999")
    if getattr(found, "microsecond", 0):
        raise H3ouError(ErrorCode.ETIME, f"{what}: {date} has a fraction of a second: times are whole seconds")
    return [getattr(found, part, 0) for part in _PARTS]


def six(time_array, what):
    """Returns a date as the C face takes it."""
    date = _parts(_single(time_array), what) if is_date(time_array) else time_array
    array = given(date, INT, what)
    if array.size < 6:
        raise H3ouError(ErrorCode.ESIZE, f"{what} has {array.size} elements, not 6 (year, month, day, hour, minute, second)")
    return array
