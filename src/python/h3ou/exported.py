# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other libraries (PyTorch, CuPy, JAX, Numba): their memory as NumPy arrays, by the array interface or DLPack. What is in a
device's memory is copied to the host, and back, by the array's own methods."""
import numpy as np

from .error import ErrorCode, H3ouError

_ON_HOST = (1, 3, 11, 13)  # enum DLDeviceType: the CPU, memory that CUDA or ROCm pinned, memory that CUDA manages
# The method that copies to the host, the one that copies back: PyTorch, CuPy, Numba; and arrays that cannot be changed, as JAX's.
_COPIES = (("cpu", "copy_"), ("get", "set"), ("copy_to_host", "copy_to_device"), ("__array__", None))


def is_exported(values):
    """Returns True for an array that is not NumPy's and gives its memory to other libraries."""
    return not isinstance(values, (np.ndarray, np.generic)) and any(
        hasattr(values, name) for name in ("__dlpack__", "__array_interface__", "__cuda_array_interface__"))


def _fail(what, values, why):
    return H3ouError(ErrorCode.EARG, f"{what}: the array ({type(values).__module__}.{type(values).__name__}) {why}")


def _asked(what, values, verb, function, *arguments):
    """Returns what a function of the array's library returns; an exception of any class becomes an H3ouError."""
    try:
        return function(*arguments)
    except H3ouError:
        raise
    except Exception as e:  # BufferError, RuntimeError, TypeError: each library has its own
        raise _fail(what, values, f"cannot be {verb}: {e}") from e


def _is_on_host(values, what):
    if hasattr(values, "__dlpack_device__"):
        return int(_asked(what, values, "read", values.__dlpack_device__)[0]) in _ON_HOST
    return not hasattr(values, "__cuda_array_interface__")


def _copy_on_host(values, what):
    """Returns a copy on the host, and the method that copies back, or None."""
    for to_host, back in _COPIES:
        if hasattr(values, to_host):
            return _asked(what, values, "read", getattr(values, to_host)), getattr(values, back, None) if back else None
    raise _fail(what, values, "is in a device's memory, and has no method that copies it to the host: pass a copy on the host")


def _view(values, what, verb):
    """Returns the memory on the host as a NumPy array."""
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "__array_interface__") or not hasattr(values, "__dlpack__"):
        return _asked(what, values, verb, np.asarray, values)
    return _asked(what, values, verb, np.from_dlpack, values)


def readable(values, what):
    """Returns the values as a NumPy array: the same memory where it is on the host."""
    if not _is_on_host(values, what):
        values = _copy_on_host(values, what)[0]
    return _view(values, what, "read")


class _Memory:
    """NumPy marks what comes by DLPack as read-only, since that does not say whether it is: here it is known not to be."""

    def __init__(self, view):
        self._view = view  # keeps the memory
        self.__array_interface__ = {**view.__array_interface__, "data": (view.ctypes.data, False)}


def _nothing_assigned(values):
    values[0:0] = 0


def writable(values, what):
    """Returns a NumPy array to be filled, and a function to be called then, or None: the same memory where it is on the host."""
    if not _is_on_host(values, what):
        host, back = _copy_on_host(values, what)
        if back is None:
            raise _fail(what, values, "is in a device's memory, and cannot be changed: get into a NumPy array")
        array = writable(host, what)[0] if is_exported(host) else host
        return array, lambda: _asked(what, values, "filled", back, host)
    view = _view(values, what, "filled")
    if not view.flags.writeable and not hasattr(values, "__array_interface__"):
        _asked(what, values, "filled", _nothing_assigned, values)  # refused by arrays that cannot be changed
        view = np.asarray(_Memory(view))
    return view, None
