# SPDX-License-Identifier: BSD-3-Clause
"""Converts arrays to what the C face takes: contiguous NumPy arrays of one type. Copies only those that are not so already."""
import numpy as np

from .error import ErrorCode, H3ouError
from .exported import is_exported, readable, writable

INT, REAL, DOUBLE = np.dtype(np.int32), np.dtype(np.float32), np.dtype(np.float64)
KIND = {INT: 1, REAL: 3, DOUBLE: 4}  # enum h3ou_type
BYTE = 0


def _check_type(found, wanted, what):
    if not np.can_cast(found, wanted, "same_kind"):
        raise H3ouError(ErrorCode.EARG, f"{what}: values of type {found} are not {wanted}: convert them")


def _check_range(array, what):
    limits = np.iinfo(INT)
    if array.dtype.kind in "iu" and not np.can_cast(array.dtype, INT) and array.size \
            and (array.min() < limits.min or array.max() > limits.max):
        raise H3ouError(ErrorCode.EARG, f"{what}: an integer of 32 bits cannot hold "
                                        f"{array.max() if array.max() > limits.max else array.min()}")


def _check_rank(array, rank, what):
    if rank is not None and array.ndim != rank:
        shape = {1: "(cells)", 2: "(cells, layers)"}[rank]
        raise H3ouError(ErrorCode.ESIZE, f"{what}: the array has the shape {array.shape}, not {shape}")


def given(values, dtype, what, rank=1, order="C", missing=None):
    """Returns values that C reads: an array of dtype and rank (None: any), contiguous in that order. missing: the number that
    masked values become; None: masked values are an error."""
    array = readable(values, what) if is_exported(values) else np.asanyarray(values)
    if np.ma.is_masked(array):
        if missing is None:
            raise H3ouError(ErrorCode.EARG, f"{what}: the array has masked values: fill them")
        _check_type(array.dtype, dtype, what)
        array = array.astype(dtype).filled(missing)
    array = np.asarray(array)
    if array.size:  # NumPy takes an empty list for reals
        _check_type(array.dtype, dtype, what)
        if dtype == INT:
            _check_range(array, what)
    _check_rank(array, rank, what)
    return np.require(array, dtype, [order, "A"])


def of_size(values, dtype, shape, what, order="C", missing=None):
    """As given(), for an array of exactly that shape; None for None."""
    if values is None:
        return None
    array = given(values, dtype, what, rank=None, order=order, missing=missing)
    if array.shape != shape:
        raise H3ouError(ErrorCode.ESIZE, f"{what} has the shape {array.shape}, not {shape}")
    return array


def _memory_of(values, what):
    """Returns the NumPy array to be filled, and what is to be called then, or None: values itself, the one that a DataArray of
    xarray holds, or the memory of another library's array."""
    array = values.data if hasattr(values, "dims") and hasattr(values, "data") else values
    if is_exported(array):
        return writable(array, what)
    if not isinstance(array, np.ndarray):
        raise H3ouError(ErrorCode.EARG, f"{what} must be a NumPy array, which is filled, not {type(array).__name__}")
    return array, None


class Filled:
    """An array that C fills, or a list, a DataArray, an array of another library. `buffer` is passed to C: the array itself, or a copy, which give() copies
    back. In a masked array masked elements are NaN before the call, and those that are NaN or `missing` are masked after it."""

    def __init__(self, array, dtype, what, rank=1, order="C"):
        self._list = array if isinstance(array, list) else None
        self._filled = None  # called when the array is filled
        if self._list is not None:
            array = np.array(given(array, dtype, what, rank=None))
        else:
            array, self._filled = _memory_of(array, what)
        if not array.flags.writeable:
            raise H3ouError(ErrorCode.EARG, f"{what}: the array cannot be filled: it is read-only")
        _check_type(array.dtype, dtype, what)
        _check_type(dtype, array.dtype, what)
        if array.dtype.kind in "biu" and (array.dtype.itemsize < INT.itemsize or array.dtype.kind == "u"):
            raise H3ouError(ErrorCode.EARG, f"{what}: an array of {array.dtype} cannot hold what comes: use {dtype}")
        if dtype == INT:
            _check_range(array, what)
        _check_rank(array, rank, what)
        self._masked = array if isinstance(array, np.ma.MaskedArray) else None
        self._array = np.asarray(array)
        start = self._array if self._masked is None else self._masked.astype(dtype).filled(np.nan)
        self.buffer = np.require(start, dtype, [order, "A", "W"])

    def give(self, missing=np.nan):
        if self._masked is not None:
            self._masked[...] = np.ma.array(self.buffer, mask=np.isnan(self.buffer) | (self.buffer == missing))
        elif self.buffer is not self._array:
            self._array[...] = self.buffer
        if self._list is not None:
            self._list[:] = self._array.tolist()
        if self._filled:
            self._filled()


def kind_of_scalar(value, what):
    """Returns the type in which a number is sent: Python's float as real(4), a NumPy number by its own type."""
    return REAL if type(value) is float else kind_of(value, what)


def kind_of(values, what):
    """Returns the type in which values of any NumPy or Python type are sent."""
    dtype = (readable(values, what) if is_exported(values) else np.asarray(values)).dtype
    if dtype.kind in "biu":
        return INT
    if dtype.kind == "f" and dtype.itemsize <= DOUBLE.itemsize:
        return REAL if dtype.itemsize <= REAL.itemsize else DOUBLE
    raise H3ouError(ErrorCode.EARG, f"{what}: values of type {dtype}: only integers (32 bits), float32 and float64 travel")
