# SPDX-License-Identifier: BSD-3-Clause
"""Communication beside the exchange. What is received is returned as a list; an array that is passed for it is filled, too,
a list is left alone. _int is int32, _real float32, _double float64; arrays of other integers or reals are converted on the way."""
import numpy as np

from .arrays import BYTE, DOUBLE, Filled, INT, KIND, REAL, given, kind_of, kind_of_scalar
from .error import ErrorCode, H3ouError
from .exported import is_exported
from .library import call, text
from .run import context


def _out(called, where, data, dtype):
    """Sends data; where: the arguments that name the receiver."""
    array = given(data, dtype, called, rank=None)
    call(called, context(), *where, array.ctypes.data, array.size, KIND[dtype])


def _in(called, where, data, dtype):
    """Fills data, or an array made of it, and returns what arrived as a list."""
    array = data if isinstance(data, np.ndarray) or is_exported(data) else np.array(given(data, dtype, called, rank=None))
    filled = Filled(array, dtype, called, rank=None)
    call(called, context(), *where, filled.buffer.ctypes.data, filled.buffer.size, KIND[dtype])
    filled.give()
    return (array if isinstance(array, np.ndarray) else filled.buffer).tolist()


def _model(name, pe, what="target"):
    return text(name, f"{what}_name"), int(pe)


def h3ou_bcast_global_int(source_name, data):
    """Broadcasts int32 from rank 0 of one component to every process of every component.
      source_name: name of the component whose rank 0 sends
      data: the values to send, or as many to receive; an array is filled, a list is left alone
    Collective: all processes of all components.
    Returns: a list of the values.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    Example:
        numbers = h3ou.h3ou_bcast_global_int("ocean", [1, 2, 3])
    """
    return _in("h3ou_bcast_global", (text(source_name, "source_name"),), data, INT)


def h3ou_bcast_global_real(source_name, data):
    """As h3ou_bcast_global_int, of float32."""
    return _in("h3ou_bcast_global", (text(source_name, "source_name"),), data, REAL)


def h3ou_bcast_global_double(source_name, data):
    """As h3ou_bcast_global_int, of float64."""
    return _in("h3ou_bcast_global", (text(source_name, "source_name"),), data, DOUBLE)


def h3ou_bcast_global_string(source_name, str_data):
    """Broadcasts a string from rank 0 of one component to every process of every component.
      source_name: name of the component whose rank 0 sends
      str_data: the string to send; elsewhere any string
    Collective: all processes of all components.
    Returns: the string of the source, without trailing blanks.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    where = (text(source_name, "source_name"),)
    sent = str_data.encode()
    length = int(_in("h3ou_bcast_global", where, [len(sent)], INT)[0])
    letters = np.frombuffer(sent.ljust(length)[:length], np.uint8).copy()
    call("h3ou_bcast_global", context(), *where, letters.ctypes.data, length, BYTE)
    return letters.tobytes().decode(errors="replace").rstrip(" ")


def _bcast_model(source_name, target_name, data, dtype):
    return _in("h3ou_bcast_model", (text(source_name, "source_name"), text(target_name, "target_name")), data, dtype)


def h3ou_bcast_model_int(source_name, target_name, data):
    """Broadcasts int32 from rank 0 of one component to every process of two components.
      source_name: name of the component whose rank 0 sends
      target_name: name of the other component
      data: the values to send, or as many to receive; an array is filled, a list is left alone
    Collective: all processes of both components.
    Returns: a list of the values.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    return _bcast_model(source_name, target_name, data, INT)


def h3ou_bcast_model_real(source_name, target_name, data):
    """As h3ou_bcast_model_int, of float32."""
    return _bcast_model(source_name, target_name, data, REAL)


def h3ou_bcast_model_double(source_name, target_name, data):
    """As h3ou_bcast_model_int, of float64."""
    return _bcast_model(source_name, target_name, data, DOUBLE)


def h3ou_bcast_local_int(source_pe, data):
    """Broadcasts int32 inside my component.
      source_pe: rank that sends, from 0
      data: the values to send, or as many to receive; an array is filled, a list is left alone
    Collective: all processes of my component.
    Returns: a list of the values.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    return _in("h3ou_bcast_local", (int(source_pe),), data, INT)


def h3ou_bcast_local_real(source_pe, data):
    """As h3ou_bcast_local_int, of float32."""
    return _in("h3ou_bcast_local", (int(source_pe),), data, REAL)


def h3ou_bcast_local_double(source_pe, data):
    """As h3ou_bcast_local_int, of float64."""
    return _in("h3ou_bcast_local", (int(source_pe),), data, DOUBLE)


def h3ou_send_model_int(target_name, target_pe, data):
    """Sends int32 to one process of another component, which calls h3ou_recv_model_int.
      target_name: name of the component that receives
      target_pe: rank in it, from 0
      data: the values
    Collective: no.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    _out("h3ou_send_model", _model(target_name, target_pe), data, INT)


def h3ou_send_model_real(target_name, target_pe, data):
    """As h3ou_send_model_int, of float32."""
    _out("h3ou_send_model", _model(target_name, target_pe), data, REAL)


def h3ou_send_model_double(target_name, target_pe, data):
    """As h3ou_send_model_int, of float64."""
    _out("h3ou_send_model", _model(target_name, target_pe), data, DOUBLE)


def h3ou_recv_model_int(source_name, source_pe, data):
    """Receives int32 from one process of another component, which calls h3ou_send_model_int.
      source_name: name of the component that sends
      source_pe: rank in it, from 0
      data: as many values as are sent; an array is filled, a list is left alone
    Collective: no.
    Returns: a list of the values.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    return _in("h3ou_recv_model", _model(source_name, source_pe, "source"), data, INT)


def h3ou_recv_model_real(source_name, source_pe, data):
    """As h3ou_recv_model_int, of float32."""
    return _in("h3ou_recv_model", _model(source_name, source_pe, "source"), data, REAL)


def h3ou_recv_model_double(source_name, source_pe, data):
    """As h3ou_recv_model_int, of float64."""
    return _in("h3ou_recv_model", _model(source_name, source_pe, "source"), data, DOUBLE)


def h3ou_send_local_int(target_pe, data):
    """Sends int32 to one process of my component, which calls h3ou_recv_local_int.
      target_pe: rank that receives, from 0
      data: the values
    Collective: no.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    _out("h3ou_send_local", (int(target_pe),), data, INT)


def h3ou_send_local_real(target_pe, data):
    """As h3ou_send_local_int, of float32."""
    _out("h3ou_send_local", (int(target_pe),), data, REAL)


def h3ou_send_local_double(target_pe, data):
    """As h3ou_send_local_int, of float64."""
    _out("h3ou_send_local", (int(target_pe),), data, DOUBLE)


def h3ou_recv_local_int(source_pe, data):
    """Receives int32 from one process of my component, which calls h3ou_send_local_int.
      source_pe: rank that sends, from 0
      data: as many values as are sent; an array is filled, a list is left alone
    Collective: no.
    Returns: a list of the values.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    return _in("h3ou_recv_local", (int(source_pe),), data, INT)


def h3ou_recv_local_real(source_pe, data):
    """As h3ou_recv_local_int, of float32."""
    return _in("h3ou_recv_local", (int(source_pe),), data, REAL)


def h3ou_recv_local_double(source_pe, data):
    """As h3ou_recv_local_int, of float64."""
    return _in("h3ou_recv_local", (int(source_pe),), data, DOUBLE)


def h3ou_send_scalar(target_name, val):
    """Sends a number from rank 0 of my component to every process of another one. Python's int travels as int32, its float as
    float32, Fortran's real; a NumPy number as its type says: numpy.float64(x) as float64.
      target_name: name of the component that receives
      val: the number; what rank 0 passes counts
    Collective: all processes of both components.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    _out("h3ou_send", (text(target_name, "target_name"),), val, kind_of_scalar(val, "h3ou_send_scalar"))


def h3ou_recv_scalar(target_name, val):
    """Receives a number that another component sends with h3ou_send_scalar, on every process of mine.
      target_name: name of the component that sends
      val: any number of the type that is sent, as h3ou_send_scalar says
    Collective: all processes of both components.
    Returns: the number, of the type of val.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    dtype = kind_of_scalar(val, "h3ou_recv_scalar")
    got = _in("h3ou_recv", (text(target_name, "target_name"),), [val], dtype)[0]
    return val.dtype.type(got) if isinstance(val, (np.generic, np.ndarray)) else type(val)(got)


def h3ou_send_array(target_name, val):
    """Sends an array or a string from rank 0 of my component to every process of another one.
      target_name: name of the component that receives
      val: integers, float32 or float64, or a string; what rank 0 passes counts
    Collective: all processes of both components.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
    where = (text(target_name, "target_name"),)
    if not isinstance(val, str):
        _out("h3ou_send", where, val, kind_of(val, "h3ou_send_array"))
        return
    letters = val.encode()
    _out("h3ou_send", where, [len(letters)], INT)
    call("h3ou_send", context(), *where, letters, len(letters), BYTE)


def h3ou_recv_array(target_name, val):
    """Receives an array or a string that another component sends with h3ou_send_array, on every process of mine.
      target_name: name of the component that sends
      val: an array of the type and size that are sent; an array is filled, a list is left alone; or any string
    Collective: all processes of both components.
    Returns: a list of the values; or the string, without trailing blanks.
    Errors: H3ouError: the other process has failed, patience ended, or the two sides differ in size or type.
    """
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
