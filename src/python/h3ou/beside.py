# SPDX-License-Identifier: BSD-3-Clause
"""Communication beside the exchange. What is received is returned as a list; a NumPy array that is passed for it is filled, too,
a list is left alone. _int is int32, _real float32, _double float64; arrays of other integers or reals are converted on the way."""
import numpy as np

from .arrays import BYTE, DOUBLE, Filled, INT, KIND, REAL, given, kind_of, kind_of_scalar
from .error import ErrorCode, H3ouError
from .library import call, text
from .run import context, h3ou_get_my_name


def _out(called, where, data, dtype):
    """Sends data; where: the arguments that say whereto."""
    array = given(data, dtype, called, rank=None)
    call(called, context(), *where, array.ctypes.data, array.size, KIND[dtype])


def _in(called, where, data, dtype):
    """Fills data, or an array made of it, and returns what arrived as a list."""
    array = data if isinstance(data, np.ndarray) else np.array(given(data, dtype, called, rank=None))
    filled = Filled(array, dtype, called, rank=None)
    call(called, context(), *where, filled.buffer.ctypes.data, filled.buffer.size, KIND[dtype])
    filled.give()
    return array.tolist()


def _model(name, pe, what="target"):
    return text(name, f"{what}_name"), int(pe)


def _mine(pe):
    return h3ou_get_my_name().encode(), int(pe)


def h3ou_bcast_global_int(source_name, data):
    """From rank 0 of component source_name to every process of every component; all call it. Returns a list of the values, and
    fills data, if that is an array."""
    return _in("h3ou_bcast_global", (text(source_name, "source_name"),), data, INT)


def h3ou_bcast_global_real(source_name, data):
    """As h3ou_bcast_global_int, of float32."""
    return _in("h3ou_bcast_global", (text(source_name, "source_name"),), data, REAL)


def h3ou_bcast_global_double(source_name, data):
    """As h3ou_bcast_global_int, of float64."""
    return _in("h3ou_bcast_global", (text(source_name, "source_name"),), data, DOUBLE)


def h3ou_bcast_global_string(source_name, str_data):
    """As h3ou_bcast_global_int, of a string: the one of the source is returned, trailing blanks left out."""
    where = (text(source_name, "source_name"),)
    sent = str_data.encode()
    length = int(_in("h3ou_bcast_global", where, [len(sent)], INT)[0])
    letters = np.frombuffer(sent.ljust(length)[:length], np.uint8).copy()
    call("h3ou_bcast_global", context(), *where, letters.ctypes.data, length, BYTE)
    return letters.tobytes().decode(errors="replace").rstrip(" ")


def _bcast_model(source_name, target_name, data, dtype):
    return _in("h3ou_bcast_model", (text(source_name, "source_name"), text(target_name, "target_name")), data, dtype)


def h3ou_bcast_model_int(source_name, target_name, data):
    """From rank 0 of source_name to every process of these two components; all of the two call it. Returns a list of the values,
    and fills data, if that is an array."""
    return _bcast_model(source_name, target_name, data, INT)


def h3ou_bcast_model_real(source_name, target_name, data):
    """As h3ou_bcast_model_int, of float32."""
    return _bcast_model(source_name, target_name, data, REAL)


def h3ou_bcast_model_double(source_name, target_name, data):
    """As h3ou_bcast_model_int, of float64."""
    return _bcast_model(source_name, target_name, data, DOUBLE)


def h3ou_bcast_local_int(source_pe, data):
    """From rank source_pe of my component to all of it. Returns a list of the values, and fills data, if that is an array."""
    return _in("h3ou_bcast_local", (int(source_pe),), data, INT)


def h3ou_bcast_local_real(source_pe, data):
    """As h3ou_bcast_local_int, of float32."""
    return _in("h3ou_bcast_local", (int(source_pe),), data, REAL)


def h3ou_bcast_local_double(source_pe, data):
    """As h3ou_bcast_local_int, of float64."""
    return _in("h3ou_bcast_local", (int(source_pe),), data, DOUBLE)


def h3ou_send_model_int(target_name, target_pe, data):
    """To rank target_pe, from 0, of component target_name, which calls h3ou_recv_model_int."""
    _out("h3ou_send_model", _model(target_name, target_pe), data, INT)


def h3ou_send_model_real(target_name, target_pe, data):
    """As h3ou_send_model_int, of float32."""
    _out("h3ou_send_model", _model(target_name, target_pe), data, REAL)


def h3ou_send_model_double(target_name, target_pe, data):
    """As h3ou_send_model_int, of float64."""
    _out("h3ou_send_model", _model(target_name, target_pe), data, DOUBLE)


def h3ou_recv_model_int(source_name, source_pe, data):
    """From rank source_pe, from 0, of component source_name. Returns a list of the values, and fills data, if that is an array."""
    return _in("h3ou_recv_model", _model(source_name, source_pe, "source"), data, INT)


def h3ou_recv_model_real(source_name, source_pe, data):
    """As h3ou_recv_model_int, of float32."""
    return _in("h3ou_recv_model", _model(source_name, source_pe, "source"), data, REAL)


def h3ou_recv_model_double(source_name, source_pe, data):
    """As h3ou_recv_model_int, of float64."""
    return _in("h3ou_recv_model", _model(source_name, source_pe, "source"), data, DOUBLE)


def h3ou_send_local_int(target_pe, data):
    """To rank target_pe of my component."""
    _out("h3ou_send_model", _mine(target_pe), data, INT)


def h3ou_send_local_real(target_pe, data):
    """As h3ou_send_local_int, of float32."""
    _out("h3ou_send_model", _mine(target_pe), data, REAL)


def h3ou_send_local_double(target_pe, data):
    """As h3ou_send_local_int, of float64."""
    _out("h3ou_send_model", _mine(target_pe), data, DOUBLE)


def h3ou_recv_local_int(source_pe, data):
    """From rank source_pe of my component. Returns a list of the values, and fills data, if that is an array."""
    return _in("h3ou_recv_model", _mine(source_pe), data, INT)


def h3ou_recv_local_real(source_pe, data):
    """As h3ou_recv_local_int, of float32."""
    return _in("h3ou_recv_model", _mine(source_pe), data, REAL)


def h3ou_recv_local_double(source_pe, data):
    """As h3ou_recv_local_int, of float64."""
    return _in("h3ou_recv_model", _mine(source_pe), data, DOUBLE)


def h3ou_send_scalar(target_name, val):
    """A number from my leader to all of target_name; every process of both components calls. Python's int travels as int32,
    its float as float32, Fortran's real; a NumPy number as its type says: numpy.float64(x) as float64."""
    _out("h3ou_send", (text(target_name, "target_name"),), val, kind_of_scalar(val, "h3ou_send_scalar"))


def h3ou_recv_scalar(target_name, val):
    """Returns the number that target_name sends; val is of its type, as h3ou_send_scalar says."""
    dtype = kind_of_scalar(val, "h3ou_recv_scalar")
    got = _in("h3ou_recv", (text(target_name, "target_name"),), [val], dtype)[0]
    return val.dtype.type(got) if isinstance(val, (np.generic, np.ndarray)) else type(val)(got)


def h3ou_send_array(target_name, val):
    """As h3ou_send_scalar, of an array of integers, float32 or float64, or of a string."""
    where = (text(target_name, "target_name"),)
    if not isinstance(val, str):
        _out("h3ou_send", where, val, kind_of(val, "h3ou_send_array"))
        return
    letters = val.encode()
    _out("h3ou_send", where, [len(letters)], INT)
    call("h3ou_send", context(), *where, letters, len(letters), BYTE)


def h3ou_recv_array(target_name, val):
    """What target_name sends, as a list; val is of the type and size that were sent, and is filled, if it is an array. val a
    string: a string is returned, trailing blanks left out."""
    where = (text(target_name, "target_name"),)
    if not isinstance(val, str):
        return _in("h3ou_recv", where, val, kind_of(val, "h3ou_recv_array"))
    length = int(_in("h3ou_recv", where, [0], INT)[0])
    if length < 0:
        raise H3ouError(ErrorCode.ESIZE, f"h3ou_recv_array: {target_name} did not send a string")
    letters = np.zeros(length, np.uint8)
    call("h3ou_recv", context(), *where, letters.ctypes.data, length, BYTE)
    return letters.tobytes().decode(errors="replace").rstrip(" ")


__all__ = [name for name in globals() if name.startswith("h3ou_")]
