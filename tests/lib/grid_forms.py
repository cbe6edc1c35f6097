# SPDX-License-Identifier: BSD-3-Clause
"""One grid as files of every form that h3ou reads, with the same numbers in each."""
import dataclasses
import pathlib

import netCDF4
import numpy as np


@dataclasses.dataclass
class Cells:
    """Centres [n] and corners [n, most] in degrees, 1 where a cell takes part; shape (ny, nx) of a grid with rows and columns;
    axes: (lon, lat, their bounds [n, 2]) of a regular one."""
    lon: np.ndarray
    lat: np.ndarray
    x: np.ndarray
    y: np.ndarray
    mask: np.ndarray
    shape: tuple = None
    axes: tuple = None

    @property
    def n(self):
        return self.lon.size


def regular(lon, lat, lon_bounds, lat_bounds, mask):
    """Corners anticlockwise from the south-west; at a pole the two corners are one place."""
    nx, ny = len(lon), len(lat)
    up = np.sort(lat_bounds, 1)
    x, y = np.tile(lon_bounds[:, [0, 1, 1, 0]], (ny, 1)), np.repeat(up[:, [0, 0, 1, 1]], nx, axis=0)
    return Cells(np.tile(lon, ny), np.repeat(lat, nx), np.where(np.abs(y) == 90, 0, x), y, mask, (ny, nx), (lon, lat, lon_bounds, lat_bounds))


def put(d, name, dims, value, **attributes):
    v = d.createVariable(name, np.asarray(value).dtype, dims)
    v.setncatts(attributes)
    v[:] = value
    return v


def field(d, dims, mask, coordinates=None):
    v = d.createVariable("t", "f8", dims, fill_value=-9e33)
    v[:] = np.where(mask, 1.0, -9e33).reshape(v.shape)
    if coordinates:
        v.coordinates = coordinates


def cf_axes(d, c):
    lon, lat, x, y = c.axes
    for name, size in (("lon", len(lon)), ("lat", len(lat)), ("two", 2)):
        d.createDimension(name, size)
    put(d, "lon", ("lon",), lon, units="degrees_east", bounds="lon_b")
    put(d, "lat", ("lat",), lat, units="degrees_north", bounds="lat_b")
    put(d, "lon_b", ("lon", "two"), x)
    put(d, "lat_b", ("lat", "two"), y)
    field(d, ("lat", "lon"), c.mask)


def cf_cells(d, c, dims, shape):
    for name, size in zip(dims + ("corner",), shape + c.x.shape[1:]):
        d.createDimension(name, size)
    for name, value, corner, units in (("lon", c.lon, c.x, "degrees_east"), ("lat", c.lat, c.y, "degrees_north")):
        put(d, name, dims, value.reshape(shape), units=units, bounds=name + "_b")
        put(d, name + "_b", dims + ("corner",), corner.reshape(shape + c.x.shape[1:]))
    field(d, dims, c.mask, "lon lat")


def scrip(d, c, dims, units="degrees"):
    """The last corner is there three times. Radians are calculated in another order than h3ou does."""
    if units == "radians":
        c = dataclasses.replace(c, **{k: np.pi * (getattr(c, k) / 180) for k in ("lon", "lat", "x", "y")})
    most = c.x.shape[1]
    again = [*range(most), most - 1, most - 1]
    for name, size in (("grid_size", c.n), ("grid_corners", most + 2), ("grid_rank", len(dims))):
        d.createDimension(name, size)
    put(d, "grid_dims", ("grid_rank",), np.array(dims, "i4"))
    put(d, "grid_imask", ("grid_size",), c.mask.astype("i4"))
    for name, value, corner in (("lon", c.lon, c.x), ("lat", c.lat, c.y)):
        put(d, f"grid_center_{name}", ("grid_size",), value, units=units)
        put(d, f"grid_corner_{name}", ("grid_size", "grid_corners"), corner[:, again], units=units)


def nodes(c):
    """Nodes that cells share, and each cell's."""
    place, number = np.unique(np.stack([c.x, c.y], -1).reshape(-1, 2), axis=0, return_inverse=True)
    return place, number.reshape(c.x.shape)


def ugrid(d, c):
    place, node = nodes(c)
    for name, size in (("node", len(place)), ("face", c.n), ("most", node.shape[1])):
        d.createDimension(name, size)
    v = d.createVariable("mesh", "i4", ())
    v.setncatts({"cf_role": "mesh_topology", "topology_dimension": np.int32(2), "node_coordinates": "nlon nlat",
                 "face_coordinates": "flon flat", "face_node_connectivity": "list"})
    put(d, "list", ("face", "most"), node.astype("i4"), start_index=np.int32(0))
    for k, (name, units, centre) in enumerate((("lon", "degrees_east", c.lon), ("lat", "degrees_north", c.lat))):
        put(d, "n" + name, ("node",), place[:, k], units=units)
        put(d, "f" + name, ("face",), centre, units=units)
    field(d, ("face",), c.mask)
    d["t"].setncatts({"mesh": "mesh", "location": "face"})


def esmf(d, c):
    place, node = nodes(c)
    for name, size in (("nodeCount", len(place)), ("elementCount", c.n), ("maxNodePElement", node.shape[1]), ("coordDim", 2)):
        d.createDimension(name, size)
    put(d, "nodeCoords", ("nodeCount", "coordDim"), place, units="degrees")
    put(d, "elementConn", ("elementCount", "maxNodePElement"), node.astype("i4") + 1)
    put(d, "numElementConn", ("elementCount",), np.full(c.n, node.shape[1], "i4"))
    put(d, "centerCoords", ("elementCount", "coordDim"), np.stack([c.lon, c.lat], -1), units="degrees")
    put(d, "elementMask", ("elementCount",), c.mask.astype("i4"))


def oasis(d, c):
    """grids.nc with two grids; the mask of the first is beside it, where 1 is masked."""
    ny, nx = c.shape
    file = pathlib.Path(d.filepath())
    for name, size in (("x_lmdz", nx), ("y_lmdz", ny), ("crn_lmdz", c.x.shape[1]), ("x_torc", 2), ("y_torc", 1)):
        d.createDimension(name, size)
    for name, side, value, corner, units in (("lon", "clo", c.lon, c.x, "degrees_east"), ("lat", "cla", c.lat, c.y, "degrees_north")):
        put(d, f"lmdz.{name}", ("y_lmdz", "x_lmdz"), value.reshape(ny, nx), units=units)
        put(d, f"lmdz.{side}", ("crn_lmdz", "y_lmdz", "x_lmdz"), corner.T.reshape(-1, ny, nx), units="degrees")
        put(d, f"torc.{name}", ("y_torc", "x_torc"), [[1.0, 2.0]])
    with netCDF4.Dataset(file.with_name(file.name.replace("grids", "masks")), "w") as m:
        m.createDimension("x_lmdz", nx), m.createDimension("y_lmdz", ny)
        put(m, "lmdz.msk", ("y_lmdz", "x_lmdz"), (~c.mask).astype("i4").reshape(ny, nx))


BY_AXES = {"axes": cf_axes}
BY_ROWS = {"rows and columns": lambda d, c: cf_cells(d, c, ("y", "x"), c.shape), "scrip": lambda d, c: scrip(d, c, c.shape[::-1]), "grids": oasis}
BY_CELL = {"list": lambda d, c: cf_cells(d, c, ("cell",), (c.n,)), "scrip list": lambda d, c: scrip(d, c, (c.n,)), "ugrid": ugrid, "esmf": esmf}


OTHER_NUMBERS = {"radians": lambda d, c: scrip(d, c, c.shape[::-1] if c.shape else (c.n,), "radians")}


def write(folder, form, c, stem=""):
    """The name under which the command finds the grid."""
    file = pathlib.Path(folder, f"{stem}{form}.nc")
    with netCDF4.Dataset(file, "w") as d:
        {**BY_AXES, **BY_ROWS, **BY_CELL, **OTHER_NUMBERS}[form](d, c)
    return f"{file}:lmdz" if form == "grids" else file
