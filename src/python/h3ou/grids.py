# SPDX-License-Identifier: BSD-3-Clause
"""Grids and interpolation tables."""
from .arrays import DOUBLE, INT, given, of_size
from .error import ErrorCode, H3ouError
from .library import call, text
from .run import context

_LEADER, _SPREAD = 0, 1  # enum h3ou_table_mode


def h3ou_def_grid(grid_index, comp_name, grid_name, nz, lon=None, lat=None, lon_corners=None, lat_corners=None, mask=None,
                  area=None, angle=None, units="degrees", shape=None, cyclic=False, fold=False, edges=None,
                  grid_shape=None):
    """A grid of my component comp_name. grid_index: the global indices, from 1, of this process's cells, each once over all
    processes; nz: layers at most. All is copied.

    The rest says where the cells of grid_index are, in their order; the library makes weights and turns vectors with it:

    lon, lat                    centres, shape (cells), in `units`, 'degrees' or 'radians', as are
    lon_corners, lat_corners    corners, shape (cells, most), 3 to 60, in either sense of rotation; a cell with fewer repeats one
    angle                       (cells): from local east to the first component of a vector, anticlockwise
    mask                        (cells), integers or bools: 0, the cell takes no part
    area                        (cells), steradians: what norm='destarea' conserves
    shape or grid_shape         (nx, ny): the grid has rows, index = x + nx * (y - 1)
    cyclic, fold                x = nx and x = 1 are neighbours; the last row meets itself, x and nx + 1 - x (tripolar grids)
    edges                       between two corners of one latitude: 'great_circle' or 'latitude' (circle); by default the latter
                                where all cells are boxes of longitudes and latitudes

    H3ouError: an array has another shape, or what the library says of the geometry."""
    shape = grid_shape if shape is None else shape
    index = given(grid_index, INT, "grid_index")
    grid, n = text(grid_name, "grid_name"), index.size
    centres = _pair(lon, lat, (n,), "lon", "lat")
    corners = _pair(lon_corners, lat_corners, (n, _most(lon_corners, n)), "lon_corners", "lat_corners")
    mask = of_size(mask, INT, (n,), "mask")
    area = of_size(area, DOUBLE, (n,), "area")
    angle = of_size(angle, DOUBLE, (n,), "angle")
    ctx, units = context(), text(units, "units")
    call("h3ou_grid_define", ctx, text(comp_name, "comp_name"), grid, index.ctypes.data, n, int(nz))
    if shape is not None:
        nx, ny = shape
        call("h3ou_grid_shape", ctx, grid, int(nx), int(ny), int(bool(cyclic)), int(bool(fold)))
    elif cyclic or fold:
        raise H3ouError(ErrorCode.EARG, "h3ou_def_grid: cyclic and fold need shape=(nx, ny)")
    if centres:
        call("h3ou_grid_centres", ctx, grid, centres[0].ctypes.data, centres[1].ctypes.data, units)
    if corners:
        call("h3ou_grid_corners", ctx, grid, corners[0].shape[1], corners[0].ctypes.data, corners[1].ctypes.data, units)
    if mask is not None:
        call("h3ou_grid_mask", ctx, grid, mask.ctypes.data)
    if area is not None:
        call("h3ou_grid_area", ctx, grid, area.ctypes.data)
    if angle is not None:
        call("h3ou_grid_angle", ctx, grid, angle.ctypes.data, units)
    if edges is not None:
        call("h3ou_grid_edges", ctx, grid, text(edges, "edges"))


def _pair(lon, lat, shape, lon_name, lat_name):
    """Both as arrays, or None where both are."""
    if (lon is None) != (lat is None):
        raise H3ouError(ErrorCode.EARG, f"h3ou_def_grid: {lon_name} and {lat_name} must be given together")
    return None if lon is None else (of_size(lon, DOUBLE, shape, lon_name), of_size(lat, DOUBLE, shape, lat_name))


def _most(corners, n):
    """The number of corners of a cell at most: the last extent."""
    if corners is None:
        return 0
    array = given(corners, DOUBLE, "lon_corners", rank=None)
    if array.ndim != 2 or array.shape[0] != n:
        raise H3ouError(ErrorCode.ESIZE, f"h3ou_def_grid: lon_corners has the shape {array.shape}, not ({n}, corners of a cell)")
    return array.shape[1]


def h3ou_end_grid_def():
    """Ends the definition of grids. Collective over my component; finds cells that are held twice."""
    call("h3ou_grid_end", context())


def h3ou_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag, send_index=None, recv_index=None,
                                 coef=None, coef_cos=None, coef_sin=None, is_spread=False):
    """target[recv_index[i]] += coef[i] * source[send_index[i]], summed in the order of i; indices count from 1; without coef all
    are 1.

    Called by every process of both components; one of the two passes arrays, which are copied, and what its rank 0 passes
    counts. is_spread=True: each process passes a part. coef_cos and coef_sin turn vectors from the source's to the target's local
    frame: u' = sum of coef (cos u - sin v), v' = sum of coef (sin u + cos v)."""
    arrays = [a if a is None else given(a, t, name) for a, t, name in (
        (send_index, INT, "send_index"), (recv_index, INT, "recv_index"), (coef, DOUBLE, "coef"))]
    turns = [a if a is None else given(a, DOUBLE, name) for a, name in ((coef_cos, "coef_cos"), (coef_sin, "coef_sin"))]
    rotated = any(a is not None for a in turns)
    sizes = {None if a is None else a.size for a in arrays[:2 if coef is None else 3] + (turns if rotated else [])}
    if len(sizes) > 1:
        names = "send_index, recv_index and coef" if not rotated else "send_index, recv_index, coef, coef_cos and coef_sin"
        raise H3ouError(ErrorCode.EARG, f"h3ou_set_interpolation_table: {names} must be given together, with one size")
    names = [text(t, name) for t, name in ((my_name, "my_name"), (send_comp, "send_comp"), (send_grid, "send_grid"),
                                           (recv_comp, "recv_comp"), (recv_grid, "recv_grid"))]
    places = [a if a is None else a.ctypes.data for a in arrays + (turns if rotated else [])]
    call("h3ou_table_set_rotated" if rotated else "h3ou_table_set", context(), *names, int(map_tag), *places,
         sizes.pop() or 0, _SPREAD if is_spread else _LEADER)


def h3ou_set_interpolation_table_no_index(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag):
    """The same call of the component that passes no arrays."""
    h3ou_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag)


__all__ = [name for name in globals() if name.startswith("h3ou_")]
