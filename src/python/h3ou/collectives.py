# SPDX-License-Identifier: BSD-3-Clause
"""Collective calls on the four kinds of communicators. Arrays, or lists, of int32, int64, float32, float64, and of bytes (uint8, int8,
bool, S1); what arrives is a new NumPy array. All processes pass the same type."""
import ctypes
import enum

import numpy as np

from .error import ErrorCode, H3ouError
from .exported import is_exported, readable
from .library import Function, call, text
from .run import context

_TYPES = {"i4": 1, "i8": 2, "f4": 3, "f8": 4, "u1": 0, "i1": 0, "b1": 0, "S1": 0}  # enum h3ou_type
_DTYPES = {0: np.uint8, 1: np.int32, 2: np.int64, 3: np.float32, 4: np.float64}


class Comm(enum.IntEnum):
    """The communicators; h3ou_comm_model returns others.

    GLOBAL: all processes of all components (with members of ensembles: of those that have the number of mine); LEADER: rank 0 of
    each component; LOCAL: my component.
    """
    GLOBAL = 0
    LEADER = 1
    LOCAL = 2


class Op(enum.IntEnum):
    """The operations of reductions; h3ou_op_create returns others."""
    SUM = 0
    MIN = 1
    MAX = 2


_functions = {}  # of h3ou_op_create: the callback of each operation, which C calls
_raised = []  # what a function of the program has raised


def _type(dtype, what):
    number = _TYPES.get(np.dtype(dtype).str[1:])
    if number is None or not np.dtype(dtype).isnative:
        raise H3ouError(ErrorCode.EARG, f"{what}: values of type {dtype}: they must be int32, int64, float32, float64 or bytes")
    return number


def _given(values, what):
    """Returns values as a contiguous array, and their type."""
    array = readable(values, what) if is_exported(values) else values
    if np.ma.is_masked(array):
        raise H3ouError(ErrorCode.EARG, f"{what}: the array has masked values: fill them")
    array = np.ascontiguousarray(array)
    return array, _type(array.dtype, what)


def _place(array):
    return None if array is None else array.ctypes.data


def _counts(values):
    return None if values is None else np.ascontiguousarray(values, np.int64)


def _made(name, *arguments):
    """Makes a call, in which a function of the program may have failed."""
    _raised.clear()
    call(name, context(), *arguments)
    if _raised:
        raise _raised[0]


def _is_root(comm, root):
    return h3ou_comm_rank(comm) == root


def _joined(parts, what):
    """Returns the parts as one array, and how many elements each has."""
    parts = [np.ravel(_given(part, what)[0]) for part in parts]
    return np.concatenate(parts) if parts else np.empty(0), _counts([part.size for part in parts])


def _cut(array, counts):
    return np.split(array, np.cumsum(counts)[:-1])


def _check_counts(counts, comm, what):
    if counts is None or len(counts) != h3ou_comm_size(comm):
        raise H3ouError(ErrorCode.EARG, f"{what}: counts must have a number for each of the {h3ou_comm_size(comm)} processes")


def h3ou_comm_model(first, second):
    """Returns the communicator of two components: the processes of the first one, then those of the second one.
      first: name of a component
      second: name of another one; one of the two is mine, and both sides name them in the same order
    Collective: no.
    Returns: a number, for the calls that have a comm.
    Errors: H3ouError: no such component, or neither is mine.
    """
    comm = ctypes.c_int()
    call("h3ou_comm_model", context(), text(first, "first"), text(second, "second"), ctypes.byref(comm))
    return comm.value


def h3ou_comm_rank(comm):
    """Returns my rank in a communicator, from 0; -1 in Comm.LEADER where I am not rank 0 of my component.
      comm: a Comm, or a number of h3ou_comm_model
    Collective: no.
    Errors: H3ouError: there is no such communicator.
    """
    rank = ctypes.c_int()
    call("h3ou_comm_rank", context(), int(comm), ctypes.byref(rank))
    return rank.value


def h3ou_comm_size(comm):
    """Returns the number of processes of a communicator.
      comm: a Comm, or a number of h3ou_comm_model
    Collective: no.
    Errors: H3ouError: there is no such communicator.
    """
    size = ctypes.c_int()
    call("h3ou_comm_size", context(), int(comm), ctypes.byref(size))
    return size.value


def h3ou_op_create(function, commutes=True):
    """Makes an operation of reductions of a function, such as numpy.hypot.
      function: it gets two arrays of one size and returns that of the results; the first one stands for the lower ranks. It must be
        associative. What it raises is raised by the reduction,
        on the process that called it
      commutes: whether function(a, b) is function(b, a); if not, the operands stand in the order of ranks
    Collective: no, but all processes that take part in a reduction with it make one.
    Returns: a number, for the calls that have an op.
    Errors: H3ouError: before h3ou_init or after the end.
    Example:
        longest = h3ou.h3ou_op_create(numpy.hypot)
    """
    def combine(first, second, count, kind, _):
        try:
            shape = ctypes.c_char * (count * np.dtype(_DTYPES[kind]).itemsize)
            given = np.frombuffer(shape.from_address(first), _DTYPES[kind]) if count else np.empty(0, _DTYPES[kind])
            combined = np.frombuffer(shape.from_address(second), _DTYPES[kind]) if count else given
            combined[...] = function(given.copy(), combined.copy())
        except BaseException as e:  # no exception passes through C
            _raised.append(e)

    op, callback = ctypes.c_int(), Function(combine)
    call("h3ou_op_create", context(), ctypes.cast(callback, ctypes.c_void_p), None, int(bool(commutes)), ctypes.byref(op))
    _functions[context().value, op.value] = callback
    return op.value


def h3ou_op_free(op):
    """Frees an operation of h3ou_op_create.
      op: the operation
    Collective: no.
    Errors: H3ouError: op is no such operation.
    """
    call("h3ou_op_free", context(), int(op))
    _functions.pop((context().value, int(op)), None)


def h3ou_barrier(comm):
    """Returns when all processes of a communicator have called it.
      comm: a Comm, or a number of h3ou_comm_model
    Collective: all processes of comm.
    Errors: H3ouError: other processes, which are named, did not come or have failed.
    """
    call("h3ou_barrier", context(), int(comm))


def h3ou_bcast(comm, root, data):
    """Broadcasts from one process of a communicator to all.
      comm: a Comm, or a number of h3ou_comm_model
      root: rank in comm that sends
      data: the values to send, or as many of the same type to receive; a NumPy array is filled
    Collective: all processes of comm.
    Returns: the values.
    Errors: as of h3ou_barrier.
    """
    array, kind = _given(data, "h3ou_bcast")
    array = array.copy()
    _made("h3ou_bcast", int(comm), int(root), _place(array), array.size, kind)
    if isinstance(data, np.ndarray):
        data[...] = array.reshape(data.shape)
    return array


def h3ou_gather(comm, root, data):
    """Gathers as many values from each process at the root.
      comm: a Comm, or a number of h3ou_comm_model
      root: rank in comm that gets all
      data: my values
    Collective: all processes of comm.
    Returns: at the root an array of (rank, value), elsewhere None.
    Errors: as of h3ou_barrier.
    """
    array, kind = _given(data, "h3ou_gather")
    got = np.empty((h3ou_comm_size(comm), array.size), array.dtype) if _is_root(comm, root) else None
    _made("h3ou_gather", int(comm), int(root), _place(array), array.size, _place(got), kind)
    return got


def h3ou_gatherv(comm, root, data, counts=None):
    """Gathers different numbers of values at the root.
      comm: a Comm, or a number of h3ou_comm_model
      root: rank in comm that gets all
      data: my values
      counts: at the root: how many values each rank has
    Collective: all processes of comm.
    Returns: at the root a list with the array of each rank, elsewhere None.
    Errors: as of h3ou_barrier; a process has another number of values than counts says.
    """
    array, kind = _given(data, "h3ou_gatherv")
    counts, is_root, got = _counts(counts), _is_root(comm, root), None
    if is_root:
        _check_counts(counts, comm, "h3ou_gatherv")
        got = np.empty(counts.sum(), array.dtype)
    _made("h3ou_gatherv", int(comm), int(root), _place(array), array.size, _place(got), _place(counts), None, kind)
    return _cut(got, counts) if is_root else None


def h3ou_scatter(comm, root, data, count, dtype=np.float64):
    """Scatters as many values to each process.
      comm: a Comm, or a number of h3ou_comm_model
      root: rank in comm that has all
      data: at the root: the values of all ranks, count each; elsewhere not used
      count: how many values each process gets
      dtype: their type
    Collective: all processes of comm.
    Returns: my values.
    Errors: as of h3ou_barrier.
    """
    kind, got, given = _type(dtype, "h3ou_scatter"), np.empty(count, dtype), None
    if _is_root(comm, root):
        given = np.ascontiguousarray(_given(data, "h3ou_scatter")[0], dtype)
        if given.size != count * h3ou_comm_size(comm):
            raise H3ouError(ErrorCode.ESIZE, f"h3ou_scatter: {given.size} values for {h3ou_comm_size(comm)} processes with {count} each")
    _made("h3ou_scatter", int(comm), int(root), _place(given), _place(got), count, kind)
    return got


def h3ou_scatterv(comm, root, parts, count, dtype=np.float64):
    """Scatters different numbers of values.
      comm: a Comm, or a number of h3ou_comm_model
      root: rank in comm that has all
      parts: at the root: a list with the values of each rank; elsewhere not used
      count: how many values this process gets
      dtype: their type
    Collective: all processes of comm.
    Returns: my values.
    Errors: as of h3ou_barrier; the root has another number of values for a process.
    """
    kind, got, given, counts = _type(dtype, "h3ou_scatterv"), np.empty(count, dtype), None, None
    if _is_root(comm, root):
        given, counts = _joined([np.asarray(part, dtype) for part in parts], "h3ou_scatterv")
        _check_counts(counts, comm, "h3ou_scatterv")
    _made("h3ou_scatterv", int(comm), int(root), _place(given), _place(counts), None, _place(got), count, kind)
    return got


def h3ou_allgather(comm, data):
    """Gathers as many values from each process at all.
      comm: a Comm, or a number of h3ou_comm_model
      data: my values
    Collective: all processes of comm.
    Returns: an array of (rank, value).
    Errors: as of h3ou_barrier.
    """
    array, kind = _given(data, "h3ou_allgather")
    got = np.empty((h3ou_comm_size(comm), array.size), array.dtype)
    _made("h3ou_allgather", int(comm), _place(array), array.size, _place(got), kind)
    return got


def h3ou_allgatherv(comm, data, counts):
    """Gathers different numbers of values at all processes.
      comm: a Comm, or a number of h3ou_comm_model
      data: my values
      counts: how many values each rank has, the same everywhere
    Collective: all processes of comm.
    Returns: a list with the array of each rank.
    Errors: as of h3ou_barrier; this process has another number of values than counts says.
    """
    array, kind = _given(data, "h3ou_allgatherv")
    counts = _counts(counts)
    _check_counts(counts, comm, "h3ou_allgatherv")
    mine = counts[h3ou_comm_rank(comm)]
    if array.size != mine:
        raise H3ouError(ErrorCode.ESIZE, f"h3ou_allgatherv: {array.size} values, counts says {mine}")
    got = np.empty(counts.sum(), array.dtype)
    _made("h3ou_allgatherv", int(comm), _place(array), _place(got), _place(counts), None, kind)
    return _cut(got, counts)


def h3ou_alltoall(comm, data):
    """Sends as many values to each process, and gets as many from each.
      comm: a Comm, or a number of h3ou_comm_model
      data: the values for each rank, one rank after the other
    Collective: all processes of comm.
    Returns: an array of (rank, value).
    Errors: as of h3ou_barrier.
    """
    array, kind = _given(data, "h3ou_alltoall")
    size = h3ou_comm_size(comm)
    if array.size % size:
        raise H3ouError(ErrorCode.ESIZE, f"h3ou_alltoall: {array.size} values cannot be divided by {size} processes")
    got = np.empty((size, array.size // size), array.dtype)
    _made("h3ou_alltoall", int(comm), _place(array), _place(got), array.size // size, kind)
    return got


def h3ou_alltoallv(comm, parts, counts):
    """Sends different numbers of values to the processes.
      comm: a Comm, or a number of h3ou_comm_model
      parts: a list with the values for each rank
      counts: how many values come from each rank
    Collective: all processes of comm.
    Returns: a list with the array of each rank.
    Errors: as of h3ou_barrier; a process sends more values than counts says.
    """
    given, sent = _joined(parts, "h3ou_alltoallv")
    kind, counts = _type(given.dtype, "h3ou_alltoallv"), _counts(counts)
    _check_counts(sent, comm, "h3ou_alltoallv")
    _check_counts(counts, comm, "h3ou_alltoallv")
    got = np.empty(counts.sum(), given.dtype)
    _made("h3ou_alltoallv", int(comm), _place(given), _place(sent), None, _place(got), _place(counts), None, kind)
    return _cut(got, counts)


def _combined(call, comm, data, op):
    """A call whose result has the shape of data at all processes."""
    array, kind = _given(data, call)
    got = np.empty_like(array)
    _made(call, int(comm), _place(array), _place(got), array.size, kind, int(op))
    return got


def h3ou_reduce(comm, root, data, op=Op.SUM):
    """Combines the values of all processes at the root.
      comm: a Comm, or a number of h3ou_comm_model
      root: rank in comm that gets the result
      data: my values
      op: an Op, or an operation of h3ou_op_create
    Collective: all processes of comm.
    Returns: at the root an array of the shape of data, elsewhere None.
    Errors: as of h3ou_barrier; bytes are combined only by h3ou_op_create.
    """
    array, kind = _given(data, "h3ou_reduce")
    got = np.empty_like(array) if _is_root(comm, root) else None
    _made("h3ou_reduce", int(comm), int(root), _place(array), _place(got), array.size, kind, int(op))
    return got


def h3ou_allreduce(comm, data, op=Op.SUM):
    """Combines the values of all processes at all.
      comm: a Comm, or a number of h3ou_comm_model
      data: my values
      op: an Op, or an operation of h3ou_op_create
    Collective: all processes of comm.
    Returns: an array of the shape of data.
    Errors: as of h3ou_reduce.
    """
    return _combined("h3ou_allreduce", comm, data, op)


def h3ou_reduce_scatter(comm, data, counts, op=Op.SUM):
    """Combines parts of all processes: each gets the combination of one part.
      comm: a Comm, or a number of h3ou_comm_model
      data: the part for each rank, one after the other
      counts: how many values each part has, the same everywhere
      op: an Op, or an operation of h3ou_op_create
    Collective: all processes of comm.
    Returns: my part of the combination.
    Errors: as of h3ou_reduce.
    """
    array, kind = _given(data, "h3ou_reduce_scatter")
    counts = _counts(counts)
    _check_counts(counts, comm, "h3ou_reduce_scatter")
    if array.size != counts.sum():
        raise H3ouError(ErrorCode.ESIZE, f"h3ou_reduce_scatter: {array.size} values, counts says {counts.sum()}")
    got = np.empty(counts[h3ou_comm_rank(comm)], array.dtype)
    _made("h3ou_reduce_scatter", int(comm), _place(array), _place(got), _place(counts), kind, int(op))
    return got


def h3ou_scan(comm, data, op=Op.SUM):
    """Combines the values of the processes up to mine, in the order of ranks.
      comm: a Comm, or a number of h3ou_comm_model
      data: my values
      op: an Op, or an operation of h3ou_op_create
    Collective: all processes of comm.
    Returns: an array of the shape of data.
    Errors: as of h3ou_reduce.
    """
    return _combined("h3ou_scan", comm, data, op)


__all__ = [name for name in globals() if name.startswith("h3ou_")] + ["Comm", "Op"]
