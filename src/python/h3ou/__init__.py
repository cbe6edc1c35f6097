# SPDX-License-Identifier: BSD-3-Clause
"""h3ou: couples programs that were started separately. The calls of h3-Open-UTIL/MP, with NumPy arrays.

    h3ou_init, h3ou_def_grid (one or more), h3ou_end_grid_def, h3ou_set_interpolation_table (one for each pair of grids),
    h3ou_init_time, [h3ou_put_data_1d: initial values], then each step h3ou_set_time, h3ou_get_data_1d, h3ou_put_data_1d,
    and h3ou_coupling_end.

An error is an H3ouError (code, text). One that is not caught, like any exception, ends the run in every job, and each says the
sentence. A cell index counts from 1. The library is found beside the package, where the loader or pkg-config looks, or where the
variable H3OU_LIBRARY says."""
from .beside import *  # noqa: F403
from .collectives import *  # noqa: F403
from .error import ErrorCode, H3ouError
from .fields import *  # noqa: F403
from .grids import *  # noqa: F403
from .library import place as _place
from .run import *  # noqa: F403


def _version():
    if _place:
        return _place.VERSION
    from importlib import metadata  # of the wheel
    try:
        return metadata.version(__name__)
    except metadata.PackageNotFoundError:
        return "unknown"


__version__ = _version()
__all__ = sorted(name for name in globals() if name.startswith("h3ou_")) + ["Comm", "Component", "ErrorCode", "H3ouError", "Op"]
