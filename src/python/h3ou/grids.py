# SPDX-License-Identifier: BSD-3-Clause
"""Grids and interpolation tables."""
import numpy as np

from .arrays import DOUBLE, INT, given, of_size
from .error import ErrorCode, H3ouError
from .library import call, text
from .run import context

_LEADER, _SPREAD = 0, 1  # enum h3ou_table_mode


def h3ou_def_grid(grid_index, comp_name, grid_name, nz, lon=None, lat=None, lon_corners=None, lat_corners=None, mask=None,
                  area=None, angle=None, units="degrees", shape=None, cyclic=False, fold=False, edges=None,
                  grid_shape=None, position=None):
    """Defines a grid of my component by the cells that this process holds; all arrays are copied.

    The optional arguments say where the cells are, in the order of grid_index. They are needed where the library makes the
    weights (the key `method` of the namelist) and where it turns vectors.
      grid_index: (cells), global indices of this process's cells, from 1; each cell is held by one process
      comp_name: name of my component
      grid_name: name of the grid, 1 to 64 characters; the namelist uses it
      nz: the largest number of layers of a field on this grid
      lon, lat: (cells), centres, in `units`; both or none
      lon_corners, lat_corners: (cells, most), 3 to 1000 corners in either sense of rotation, in `units`; a cell with fewer corners
        repeats one; both or none
      mask: (cells), integers or bools: 0, the cell takes no part, and its centre and corners may be missing
      area: (cells), steradians, which norm='destarea' conserves
      angle: (cells), from local east to the first component of a vector, anticlockwise, in `units`
      units: 'degrees' or 'radians', of all coordinates and angles
      shape, grid_shape: (nx, ny) of a grid that has rows, index = x + nx * (y - 1); two names of one argument, unless position is
        given
      position: (cells, indices), where each cell stands in the arrays of fields, from 0, when these are not (cells) or (cells,
        layers); shape is then the shape of these arrays, with -1 for the index of the layers, which else is the last one. Such an
        array has 1 to 3 indices; it is read and filled at these positions alone, and order='F' is not copied. Where a process
        holds no cells, position may be an empty list
      cyclic: True: x = nx and x = 1 are neighbours; needs shape
      fold: True: the last rows meet themselves (tripolar grids, pivot T or F); needs shape
      edges: 'great_circle' or 'latitude': what runs between two corners of one latitude; by default circles of latitude where all
        cells are boxes of longitudes and latitudes, else great circles
    Collective: no, but every process of my component calls it, each grid once, before h3ou_end_grid_def.
    Errors: H3ouError: an array has another shape, or a coordinate is not on the sphere (the sentence names the cell).
    Example:
        h3ou.h3ou_def_grid(index, "ocean", "ring12", 1, lon=lon, lat=lat)
    """
    arrays_shape, shape = (None, shape) if position is None else (shape, None)
    shape = grid_shape if shape is None else shape
    if position is not None and arrays_shape is None:
        raise H3ouError(ErrorCode.EARG, "h3ou_def_grid: position needs shape, that of the arrays of fields")
    index = given(grid_index, INT, "grid_index")
    grid, n = text(grid_name, "grid_name"), index.size
    centres = _pair(lon, lat, (n,), "lon", "lat")
    corners = _pair(lon_corners, lat_corners, (n, _most(lon_corners, n)), "lon_corners", "lat_corners")
    what = f"h3ou_def_grid: grid {grid_name}"
    mask = of_size(mask, INT, (n,), f"{what}: mask")
    area = of_size(area, DOUBLE, (n,), f"{what}: area")
    angle = of_size(angle, DOUBLE, (n,), f"{what}: angle")
    ctx, units = context(), text(units, "units")
    call("h3ou_grid_define", ctx, text(comp_name, "comp_name"), grid, index.ctypes.data, n, int(nz))
    if shape is not None:
        nx, ny = shape
        call("h3ou_grid_shape", ctx, grid, int(nx), int(ny), int(bool(cyclic)), int(bool(fold)))
    elif cyclic or fold:
        raise H3ouError(ErrorCode.EARG, "h3ou_def_grid: cyclic and fold need shape=(nx, ny)")
    if mask is not None:
        call("h3ou_grid_mask", ctx, grid, mask.ctypes.data)  # first: masked cells need no centre
    if centres:
        call("h3ou_grid_centres", ctx, grid, centres[0].ctypes.data, centres[1].ctypes.data, units)
    if corners:
        call("h3ou_grid_corners", ctx, grid, corners[0].shape[1], corners[0].ctypes.data, corners[1].ctypes.data, units)
    if area is not None:
        call("h3ou_grid_area", ctx, grid, area.ctypes.data)
    if angle is not None:
        call("h3ou_grid_angle", ctx, grid, angle.ctypes.data, units)
    if edges is not None:
        call("h3ou_grid_edges", ctx, grid, text(edges, "edges"))
    if position is not None:
        _set_positions(ctx, grid, n, arrays_shape, position)


_placed = False


def is_placed():
    """Returns True when a grid has positions: then fields may be arrays of any shape, which the library checks."""
    return _placed


def _set_positions(ctx, grid, n, shape, position):
    global _placed
    shape = given(shape, INT, "shape")
    indices = int((shape != -1).sum())
    place = of_size(position if n > 0 else np.zeros((0, indices), np.int32), INT, (n, indices), "position")
    call("h3ou_grid_positions", ctx, grid, shape.size, shape.ctypes.data, place.ctypes.data)
    _placed = True


def _pair(lon, lat, shape, lon_name, lat_name):
    """Returns both as arrays, or None if both are None."""
    if (lon is None) != (lat is None):
        raise H3ouError(ErrorCode.EARG, f"h3ou_def_grid: {lon_name} and {lat_name} must be given together")
    return None if lon is None else (of_size(lon, DOUBLE, shape, lon_name), of_size(lat, DOUBLE, shape, lat_name))


def _most(corners, n):
    """Returns the largest number of corners of a cell: the last extent."""
    if corners is None:
        return 0
    array = given(corners, DOUBLE, "lon_corners", rank=None)
    if array.ndim != 2 or array.shape[0] != n:
        raise H3ouError(ErrorCode.ESIZE, f"h3ou_def_grid: lon_corners has the shape {array.shape}, not ({n}, corners of a cell)")
    return array.shape[1]


def h3ou_end_grid_def():
    """Ends the definition of grids, and checks that no cell is held twice.
    Collective: all processes of my component.
    Errors: H3ouError: two processes hold one cell.
    """
    call("h3ou_grid_end", context())


def h3ou_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag, send_index=None, recv_index=None,
                                 coef=None, coef_cos=None, coef_sin=None, is_spread=False):
    """Gives the interpolation table of a pair of grids: target[recv_index[i]] += coef[i] * source[send_index[i]], summed in the
    order of i. One of the two components passes the arrays; what its rank 0 passes counts, unless is_spread is True. They are
    copied.
      my_name: name of my component
      send_comp, send_grid: names of the component that puts, and of its grid
      recv_comp, recv_grid: names of the component that gets, and of its grid
      map_tag: the pair's mapping_tag in the namelist
      send_index, recv_index: (links), global indices of source and target cells, from 1; None: the other component gives them
      coef: (links), coefficients, without unit; None: all are 1, with a warning
      coef_cos, coef_sin: (links), cosine and sine of the angle from the source's to the target's local frame, for vectors:
        u' = sum of coef (cos u - sin v), v' = sum of coef (sin u + cos v)
      is_spread: True on all processes of the giving component: each passes a part of the table
    Collective: no, but every process of both components calls it, after h3ou_end_grid_def and before h3ou_init_time.
    Errors: H3ouError: the arrays differ in size. Wrong indices are errors of h3ou_init_time.
    Example:
        h3ou.h3ou_set_interpolation_table("ocean", "ocean", "ring12", "atmos", "ring24", 1, send_index, recv_index, coef)
    """
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
    """As h3ou_set_interpolation_table, in the component that passes no arrays."""
    h3ou_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag)


def h3ou_set_mapping_table(my_name, send_comp, send_grid, recv_comp, recv_grid, mapping_tag, send_index, recv_index):
    """As h3ou_set_interpolation_table without coef: all coefficients are 1.
      mapping_tag: the pair's mapping_tag in the namelist
    """
    ones = None if send_index is None else [1.0] * len(send_index)
    h3ou_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, mapping_tag, send_index, recv_index, ones)


def h3ou_set_mapping_table_no_index(my_name, send_comp, send_grid, recv_comp, recv_grid, mapping_tag):
    """As h3ou_set_interpolation_table, in the component that passes no arrays.
      mapping_tag: the pair's mapping_tag in the namelist
    """
    h3ou_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, mapping_tag)


__all__ = [name for name in globals() if name.startswith("h3ou_")]
