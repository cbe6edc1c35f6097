# SPDX-License-Identifier: BSD-3-Clause
"""libh3ou as ctypes sees it: where it is, and the functions of include/h3ou.h, each looked up at its first call, so that a
library that has not all of them serves the others."""
import ctypes
import os

from .error import ErrorCode, H3ouError

try:
    from . import place  # written when the package is built or installed
except ImportError:
    place = None

_SONAME = "libh3ou.so.0"
_TEXT, _INT, _LONG, _PLACE = ctypes.c_char_p, ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
_TABLE = (_PLACE, _TEXT, _TEXT, _TEXT, _TEXT, _TEXT, _INT, _PLACE, _PLACE, _PLACE)
_CORNERS = (_PLACE, _TEXT, _INT, _PLACE, _PLACE, _TEXT)
_FIELD = (_PLACE, _TEXT, _PLACE, _LONG, _INT)
_FIELDS = (_PLACE, _TEXT, _PLACE, _PLACE, _LONG, _INT)
_NAME = (_PLACE, _INT, _PLACE)
_MESSAGE = (_PLACE, _TEXT, _PLACE, _LONG, _INT)
_TO_RANK = (_PLACE, _TEXT, _INT, _PLACE, _LONG, _INT)

# Every function answers an int, 0 or an error, but for those of _ANSWERS. _PLACE: any pointer.
PROTOTYPES = {
    "h3ou_open": (_TEXT, _TEXT, _INT, _PLACE),
    "h3ou_close": (_PLACE, _PLACE, _INT),
    "h3ou_error": (),
    "h3ou_strerror": (_INT,),
    "h3ou_wrong": (_TEXT,),
    "h3ou_abort": (_PLACE, _INT),
    "h3ou_set_abort_handler": (_PLACE,),
    "h3ou_local": (_PLACE, _PLACE, _PLACE, _PLACE, _PLACE),
    "h3ou_my_name": (_PLACE, _PLACE),
    "h3ou_is_coupled": (_PLACE,),
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
    "h3ou_grid_end": (_PLACE,),
    "h3ou_table_set": (*_TABLE, _LONG, _INT),
    "h3ou_table_set_rotated": (*_TABLE, _PLACE, _PLACE, _LONG, _INT),
    "h3ou_time_init": (_PLACE, _PLACE),
    "h3ou_time_set": (_PLACE, _TEXT, _PLACE, _INT),
    "h3ou_time_add": (_PLACE, _PLACE, _INT),
    "h3ou_put": _FIELD,
    "h3ou_put_vector": _FIELDS,
    "h3ou_put_share": _FIELDS,
    "h3ou_get": (*_FIELD, _PLACE),
    "h3ou_get_vector": (*_FIELDS, _PLACE),
    "h3ou_put_count": (_PLACE,),
    "h3ou_get_count": (_PLACE,),
    "h3ou_put_name": _NAME,
    "h3ou_get_name": _NAME,
    "h3ou_layers": (_PLACE, _TEXT, _PLACE),
    "h3ou_bcast_global": _MESSAGE,
    "h3ou_bcast_model": (_PLACE, _TEXT, _TEXT, _PLACE, _LONG, _INT),
    "h3ou_bcast_local": (_PLACE, _INT, _PLACE, _LONG, _INT),
    "h3ou_send": _MESSAGE,
    "h3ou_recv": _MESSAGE,
    "h3ou_send_model": _TO_RANK,
    "h3ou_recv_model": _TO_RANK,
}
_ANSWERS = {"h3ou_error": _TEXT, "h3ou_strerror": _TEXT, "h3ou_abort": None, "h3ou_set_abort_handler": None}
AbortHandler = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_char_p)

_library = None
_functions = {}


def _load():
    """H3OU_LIBRARY, else the library this package was built or installed with, else what the loader finds."""
    chosen = os.environ.get("H3OU_LIBRARY")
    beside = os.path.join(os.path.dirname(__file__), place.LIBRARY) if place else None
    tried = []
    for path in [chosen] if chosen else filter(None, [beside, _SONAME]):
        try:
            return ctypes.CDLL(path)
        except OSError as e:
            tried.append(str(e))
    raise H3ouError(ErrorCode.EENV if chosen else ErrorCode.EFILE,
                    f"the library {_SONAME} cannot be loaded ({'; '.join(tried)}): let H3OU_LIBRARY be its path")


def function(name):
    """The function of that name; ErrorCode.EUNSUPPORTED when the library has none."""
    global _library
    if name not in _functions:
        _library = _library or _load()
        try:
            found = getattr(_library, name)
        except AttributeError:
            raise H3ouError(ErrorCode.EUNSUPPORTED, f"{name} is not part of the library {_library._name}: it and the "
                                                    "package h3ou are of different versions") from None
        found.argtypes, found.restype = PROTOTYPES[name], _ANSWERS.get(name, _INT)
        _functions[name] = found
    return _functions[name]


def text(value, what):
    """A name for C. bytes are taken as they are."""
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        raise H3ouError(ErrorCode.EARG, f"{what} must be a string, not {type(value).__name__}")
    return value.rstrip(" ").encode()


def call(name, *arguments):
    """Calls a function that answers 0 or an error; the error becomes an H3ouError."""
    code = function(name)(*arguments)
    if code:
        said = function("h3ou_error")().decode(errors="replace")
        raise H3ouError(code, said or function("h3ou_strerror")(code).decode())
