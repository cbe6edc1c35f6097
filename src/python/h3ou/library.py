# SPDX-License-Identifier: BSD-3-Clause
"""Finds libh3ou and its functions (include/h3ou.h) for ctypes. Each function is looked up at its first call, so that an older
library that lacks some of them can still be used."""
import ctypes
import os
import sys

from .error import ErrorCode, H3ouError

try:
    from . import place  # written when the package is built or installed
except ImportError:
    place = None

_SONAME = "libh3ou.so.0"
_FACE_PYTHON = 3  # enum h3ou_face
_TEXT, _INT, _LONG, _PLACE = ctypes.c_char_p, ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
_TABLE = (_PLACE, _TEXT, _TEXT, _TEXT, _TEXT, _TEXT, _INT, _PLACE, _PLACE, _PLACE)
_CORNERS = (_PLACE, _TEXT, _INT, _PLACE, _PLACE, _TEXT)
_FIELD = (_PLACE, _TEXT, _PLACE, _LONG, _INT)
_HANDLE = (_PLACE, _INT, _PLACE, _LONG, _INT)
_FIELDS = (_PLACE, _TEXT, _PLACE, _PLACE, _LONG, _INT)
_NAME = (_PLACE, _INT, _PLACE)
_MESSAGE = (_PLACE, _TEXT, _PLACE, _LONG, _INT)
_TO_RANK = (_PLACE, _TEXT, _INT, _PLACE, _LONG, _INT)

# Every function returns an int, 0 or an error, except those of _ANSWERS. _PLACE: any pointer.
PROTOTYPES = {
    "h3ou_announce": (_INT, _PLACE),
    "h3ou_find": (_TEXT, _PLACE),
    "h3ou_open": (_TEXT, _TEXT, _INT, _PLACE),
    "h3ou_open_in": (_TEXT, _TEXT, _INT, _INT, _PLACE),
    "h3ou_close": (_PLACE, _PLACE, _INT),
    "h3ou_error": (),
    "h3ou_strerror": (_INT,),
    "h3ou_wrong": (_TEXT,),
    "h3ou_abort": (_PLACE, _INT),
    "h3ou_time_now": (_PLACE, _PLACE),
    "h3ou_set_abort_handler": (_PLACE,),
    "h3ou_abort_is_first": (),
    "h3ou_local": (_PLACE, _PLACE, _PLACE, _PLACE, _PLACE),
    "h3ou_local_named": (_PLACE, _TEXT, _PLACE, _PLACE, _PLACE, _PLACE),
    "h3ou_my_name": (_PLACE, _PLACE),
    "h3ou_is_coupled": (_PLACE,),
    "h3ou_couple_id": (_PLACE,),
    "h3ou_target_name": (_PLACE, _PLACE),
    "h3ou_component_id": (_PLACE, _TEXT, _PLACE),
    "h3ou_my_component_id": (_PLACE,),
    "h3ou_grid_define": (_PLACE, _TEXT, _TEXT, _PLACE, _LONG, _INT),
    "h3ou_grid_centres": (_PLACE, _TEXT, _PLACE, _PLACE, _TEXT),
    "h3ou_grid_corners": _CORNERS,
    "h3ou_grid_mask": (_PLACE, _TEXT, _PLACE),
    "h3ou_grid_area": (_PLACE, _TEXT, _PLACE),
    "h3ou_grid_angle": (_PLACE, _TEXT, _PLACE, _TEXT),
    "h3ou_grid_shape": (_PLACE, _TEXT, _INT, _INT, _INT, _INT),
    "h3ou_grid_edges": (_PLACE, _TEXT, _TEXT),
    "h3ou_grid_positions": (_PLACE, _TEXT, _INT, _PLACE, _PLACE),
    "h3ou_grid_end": (_PLACE,),
    "h3ou_table_set": (*_TABLE, _LONG, _INT),
    "h3ou_table_set_rotated": (*_TABLE, _PLACE, _PLACE, _LONG, _INT),
    "h3ou_time_init": (_PLACE, _PLACE),
    "h3ou_time_set": (_PLACE, _TEXT, _PLACE, _INT),
    "h3ou_time_pass": (_PLACE, _TEXT, _PLACE, _INT),
    "h3ou_send_now": (_PLACE, _TEXT, _TEXT),
    "h3ou_recv_now": (_PLACE, _TEXT, _TEXT),
    "h3ou_time_set_seconds": (_PLACE, _TEXT, ctypes.c_double, ctypes.c_double),
    "h3ou_time_set_months": (_PLACE, _TEXT, _PLACE, _INT),
    "h3ou_write_restart": (_PLACE, _TEXT),
    "h3ou_read_restart": (_PLACE, _TEXT),
    "h3ou_should_stop": (_PLACE, _PLACE),
    "h3ou_time_add_months": (_PLACE, _PLACE, _INT),
    "h3ou_time_add": (_PLACE, _PLACE, _INT),
    "h3ou_put": _FIELD,
    "h3ou_put_vector": _FIELDS,
    "h3ou_put_share": _FIELDS,
    "h3ou_put_arrays": (_PLACE, _TEXT, _PLACE),
    "h3ou_put_xyz": (_PLACE, _TEXT, _PLACE, _PLACE, _PLACE, _LONG, _INT),
    "h3ou_get": (*_FIELD, _PLACE),
    "h3ou_get_vector": (*_FIELDS, _PLACE),
    "h3ou_get_arrays": (_PLACE, _TEXT, _PLACE, _PLACE),
    "h3ou_get_xyz": (_PLACE, _TEXT, _PLACE, _PLACE, _PLACE, _LONG, _INT, _PLACE),
    "h3ou_field": (_PLACE, _TEXT, _PLACE),
    "h3ou_field_put": _HANDLE,
    "h3ou_field_put_arrays": (_PLACE, _INT, _PLACE),
    "h3ou_field_get": (*_HANDLE, _PLACE),
    "h3ou_field_get_arrays": (_PLACE, _INT, _PLACE, _PLACE),
    "h3ou_is_wanted": (_PLACE, _TEXT),
    "h3ou_put_count": (_PLACE,),
    "h3ou_get_count": (_PLACE,),
    "h3ou_put_name": _NAME,
    "h3ou_get_name": _NAME,
    "h3ou_layers": (_PLACE, _TEXT, _PLACE),
    "h3ou_members": (_PLACE, _TEXT, _PLACE),
    "h3ou_missing": (_PLACE, _TEXT, _PLACE),
    "h3ou_bcast_global": _MESSAGE,
    "h3ou_bcast_model": (_PLACE, _TEXT, _TEXT, _PLACE, _LONG, _INT),
    "h3ou_bcast_local": (_PLACE, _INT, _PLACE, _LONG, _INT),
    "h3ou_comm_model": (_PLACE, _TEXT, _TEXT, _PLACE),
    "h3ou_comm_rank": (_PLACE, _INT, _PLACE),
    "h3ou_comm_size": (_PLACE, _INT, _PLACE),
    "h3ou_op_create": (_PLACE, _PLACE, _PLACE, _INT, _PLACE),
    "h3ou_op_free": (_PLACE, _INT),
    "h3ou_barrier": (_PLACE, _INT),
    "h3ou_bcast": (_PLACE, _INT, _INT, _PLACE, _LONG, _INT),
    "h3ou_gather": (_PLACE, _INT, _INT, _PLACE, _LONG, _PLACE, _INT),
    "h3ou_gatherv": (_PLACE, _INT, _INT, _PLACE, _LONG, _PLACE, _PLACE, _PLACE, _INT),
    "h3ou_scatter": (_PLACE, _INT, _INT, _PLACE, _PLACE, _LONG, _INT),
    "h3ou_scatterv": (_PLACE, _INT, _INT, _PLACE, _PLACE, _PLACE, _PLACE, _LONG, _INT),
    "h3ou_allgather": (_PLACE, _INT, _PLACE, _LONG, _PLACE, _INT),
    "h3ou_allgatherv": (_PLACE, _INT, _PLACE, _PLACE, _PLACE, _PLACE, _INT),
    "h3ou_alltoall": (_PLACE, _INT, _PLACE, _PLACE, _LONG, _INT),
    "h3ou_alltoallv": (_PLACE, _INT, _PLACE, _PLACE, _PLACE, _PLACE, _PLACE, _PLACE, _INT),
    "h3ou_reduce": (_PLACE, _INT, _INT, _PLACE, _PLACE, _LONG, _INT, _INT),
    "h3ou_allreduce": (_PLACE, _INT, _PLACE, _PLACE, _LONG, _INT, _INT),
    "h3ou_reduce_scatter": (_PLACE, _INT, _PLACE, _PLACE, _PLACE, _INT, _INT),
    "h3ou_scan": (_PLACE, _INT, _PLACE, _PLACE, _LONG, _INT, _INT),
    "h3ou_send": _MESSAGE,
    "h3ou_recv": _MESSAGE,
    "h3ou_send_model": _TO_RANK,
    "h3ou_recv_model": _TO_RANK,
    "h3ou_send_local": (_PLACE, _INT, _PLACE, _LONG, _INT),
    "h3ou_recv_local": (_PLACE, _INT, _PLACE, _LONG, _INT),
}
_ANSWERS = {"h3ou_error": _TEXT, "h3ou_strerror": _TEXT, "h3ou_abort": None, "h3ou_set_abort_handler": None}
Function = ctypes.CFUNCTYPE(None, _PLACE, _PLACE, _LONG, _INT, _PLACE)  # h3ou_function
AbortHandler = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_char_p)

_library = None
_functions = {}


def _places():
    """Yields the files that may be the library, the likeliest first: beside the package, where CMake or a wheel installs it; where
    the loader looks (LD_LIBRARY_PATH, the system's folders); in the paths of pkg-config; below the prefix of this Python."""
    here = os.path.dirname(os.path.abspath(__file__))
    if place:
        yield os.path.join(here, place.LIBRARY)
    yield os.path.join(here, _SONAME)
    yield _SONAME
    folders = [os.path.dirname(os.path.abspath(folder)) for folder in os.environ.get("PKG_CONFIG_PATH", "").split(":")
               if os.path.exists(os.path.join(folder, "h3ou.pc"))]
    for prefix in dict.fromkeys((sys.prefix, sys.base_prefix)):
        folders += [os.path.join(prefix, "lib"), os.path.join(prefix, "lib64")]
    for folder in folders:
        yield os.path.join(folder, _SONAME)


def _load():
    """Returns the file that H3OU_LIBRARY names, else the first of _places() that exists."""
    chosen = os.environ.get("H3OU_LIBRARY")
    tried = []
    for path in [chosen] if chosen else _places():
        if not chosen and path != _SONAME and not os.path.exists(path):
            continue
        try:
            return ctypes.CDLL(path)
        except OSError as e:
            tried.append(str(e))
    raise H3ouError(ErrorCode.EENV if chosen else ErrorCode.EFILE,
                    f"the library {_SONAME} cannot be loaded ({'; '.join(tried)}): let H3OU_LIBRARY be its path")


def function(name):
    """Returns the function of that name; raises ErrorCode.EUNSUPPORTED when the library does not have it."""
    global _library
    if name not in _functions:
        if _library is None:
            _library = _load()
            if hasattr(_library, "h3ou_face"):  # errors name the calls of this package
                _library.h3ou_face(_FACE_PYTHON)
        try:
            found = getattr(_library, name)
        except AttributeError:
            raise H3ouError(ErrorCode.EUNSUPPORTED, f"{name} is not part of the library {_library._name}: it and the "
                                                    "package h3ou are of different versions") from None
        found.argtypes, found.restype = PROTOTYPES[name], _ANSWERS.get(name, _INT)
        _functions[name] = found
    return _functions[name]


def text(value, what):
    """Returns a name as bytes for C; bytes are returned unchanged."""
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        raise H3ouError(ErrorCode.EARG, f"{what} must be a string, not {type(value).__name__}")
    return value.rstrip(" ").encode()


def call(name, *arguments):
    """Calls a function that returns 0 or an error; an error is raised as H3ouError."""
    code = function(name)(*arguments)
    if code:
        said = function("h3ou_error")().decode(errors="replace")
        raise H3ouError(code, said or function("h3ou_strerror")(code).decode())
