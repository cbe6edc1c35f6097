#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One grid in every form of file that h3ou reads gives the same weights, bit for bit."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

try:
    import netCDF4
    import numpy as np
except ImportError:
    print("Python's netCDF4 is not installed")
    sys.exit(77)

NX, NY = 24, 13


def axes():
    """As LMDZ has it: from north to south, half a cell at each pole, whose centres coincide; across the date line."""
    lon, lat = -180 + 15.0 * np.arange(NX), 90 - 15.0 * np.arange(NY)
    return lon, lat, np.stack([lon - 7.5, lon + 7.5], 1), np.clip(np.stack([lat + 7.5, lat - 7.5], 1), -90, 90)


def corners():
    """[cell, corner] anticlockwise from the south-west; at a pole the two corners are one place."""
    _, _, x, y = axes()
    cx = np.tile(x[:, [0, 1, 1, 0]], (NY, 1))
    cy = np.repeat(y[:, [1, 1, 0, 0]], NX, axis=0)
    return np.where(np.abs(cy) == 90, 0, cx), cy


def centres():
    lon, lat, _, _ = axes()
    return np.tile(lon, NY), np.repeat(lat, NX)


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


def cf_axes(d, mask):
    lon, lat, x, y = axes()
    for name, size in (("lon", NX), ("lat", NY), ("two", 2)):
        d.createDimension(name, size)
    put(d, "lon", ("lon",), lon, units="degrees_east", bounds="lon_b")
    put(d, "lat", ("lat",), lat, units="degrees_north", bounds="lat_b")
    put(d, "lon_b", ("lon", "two"), x)
    put(d, "lat_b", ("lat", "two"), y)
    field(d, ("lat", "lon"), mask)


def cf_cells(d, mask, dims, shape):
    for name, size in zip(dims + ("four",), shape + (4,)):
        d.createDimension(name, size)
    for name, value, corner, units in zip(("lon", "lat"), centres(), corners(), ("degrees_east", "degrees_north")):
        put(d, name, dims, value.reshape(shape), units=units, bounds=name + "_b")
        put(d, name + "_b", dims + ("four",), corner.reshape(shape + (4,)))
    field(d, dims, mask, "lon lat")


def scrip(d, mask, dims):
    for name, size in (("grid_size", NX * NY), ("grid_corners", 6), ("grid_rank", len(dims))):
        d.createDimension(name, size)
    put(d, "grid_dims", ("grid_rank",), np.array(dims, "i4"))
    put(d, "grid_imask", ("grid_size",), mask.astype("i4"))
    for name, value, corner in zip(("lon", "lat"), centres(), corners()):
        put(d, f"grid_center_{name}", ("grid_size",), value, units="degrees")
        put(d, f"grid_corner_{name}", ("grid_size", "grid_corners"), corner[:, [0, 1, 2, 3, 3, 3]], units="degrees")


def nodes():
    """Nodes that cells share, and each cell's."""
    place, number = np.unique(np.stack(corners(), -1).reshape(-1, 2), axis=0, return_inverse=True)
    return place, number.reshape(-1, 4)


def ugrid(d, mask):
    place, node = nodes()
    for name, size in (("node", len(place)), ("face", NX * NY), ("four", 4)):
        d.createDimension(name, size)
    v = d.createVariable("mesh", "i4", ())
    v.setncatts({"cf_role": "mesh_topology", "topology_dimension": np.int32(2), "node_coordinates": "nlon nlat",
                 "face_coordinates": "flon flat", "face_node_connectivity": "list"})
    put(d, "list", ("face", "four"), node.astype("i4"), start_index=np.int32(0))
    for k, (name, units) in enumerate((("lon", "degrees_east"), ("lat", "degrees_north"))):
        put(d, "n" + name, ("node",), place[:, k], units=units)
        put(d, "f" + name, ("face",), centres()[k], units=units)
    field(d, ("face",), mask)
    d["t"].setncatts({"mesh": "mesh", "location": "face"})


def esmf(d, mask):
    place, node = nodes()
    for name, size in (("nodeCount", len(place)), ("elementCount", NX * NY), ("maxNodePElement", 4), ("coordDim", 2)):
        d.createDimension(name, size)
    put(d, "nodeCoords", ("nodeCount", "coordDim"), place, units="degrees")
    put(d, "elementConn", ("elementCount", "maxNodePElement"), node.astype("i4") + 1)
    put(d, "numElementConn", ("elementCount",), np.full(NX * NY, 4, "i4"))
    put(d, "centerCoords", ("elementCount", "coordDim"), np.stack(centres(), -1), units="degrees")
    put(d, "elementMask", ("elementCount",), mask.astype("i4"))


FORMS = {"axes": cf_axes, "rows and columns": lambda d, m: cf_cells(d, m, ("y", "x"), (NY, NX)),
         "list": lambda d, m: cf_cells(d, m, ("cell",), (NX * NY,)), "scrip": lambda d, m: scrip(d, m, (NX, NY)),
         "scrip list": lambda d, m: scrip(d, m, (NX * NY,)), "ugrid": ugrid, "esmf": esmf}


def other(file):
    """A grid to remap to and from that has nothing in common with the first: 20 x 11 boxes, across the poles' rows."""
    with netCDF4.Dataset(file, "w") as d:
        d.createDimension("lon", 20), d.createDimension("lat", 11)
        put(d, "lon", ("lon",), 4 + 18.0 * np.arange(20), units="degrees_east")
        put(d, "lat", ("lat",), -80 + 16.0 * np.arange(11), units="degrees_north")
        field(d, ("lat", "lon"), np.arange(220) % 7 > 0)


def polygons(file):
    """Cells that are no boxes, so that the other way of cutting is used too: the same, sheared."""
    x, y = np.meshgrid(3 + 12.0 * np.arange(30), -60 + 12.0 * np.arange(11))
    with netCDF4.Dataset(file, "w") as d:
        d.createDimension("y", 11), d.createDimension("x", 30)
        put(d, "lon", ("y", "x"), x + 0.3 * y, units="degrees_east")
        put(d, "lat", ("y", "x"), y, units="degrees_north")
        field(d, ("y", "x"), np.ones(330, bool), "lon lat")


def links(file):
    with netCDF4.Dataset(file) as d:
        d.set_auto_mask(False)
        return [d[v][:].tobytes() for v in ("src_address", "dst_address", "remap_matrix", "dst_grid_frac", "dst_grid_imask")]


def call(*line, cwd):
    return subprocess.run(list(map(str, line)), cwd=cwd, capture_output=True, text=True, timeout=100)


TASKS = [("one.nc", "other.nc", "conservative"), ("other.nc", "one.nc", "conservative2"), ("one.nc", "other.nc", "bilinear,nearest"),
         ("one.nc", "bent.nc", "conservative"), ("bent.nc", "one.nc", "conservative"), ("one.nc", "other.nc", "conservative", "--edges", "great")]


def weights(tool, folder, form, task):
    """Their bits, or what the command says when it fails."""
    source, target, method, *options = task
    file = {"one.nc": f"{form}.nc"}
    done = call(tool, "weights", "make", file.get(source, source), file.get(target, target), "-m", method, *options, "-o", "w.nc", cwd=folder)
    return links(f"{folder}/w.nc") if done.returncode == 0 else done.stderr


def same_bits(tally, tool, folder):
    for task in TASKS:
        awaited = weights(tool, folder, "axes", task)
        tally.check(f"axes, {task}", [awaited] * isinstance(awaited, str))
        for form in list(FORMS)[1:]:
            found = weights(tool, folder, form, task)
            tally.check(f"{form}, {task}", [found if isinstance(found, str) else "not the bits of the grid given by its axes"] * (found != awaited))


def main(tool):
    tally = jobs.Tally()
    mask = np.arange(NX * NY) % 11 > 0
    with tempfile.TemporaryDirectory() as folder:
        for form, write in FORMS.items():
            with netCDF4.Dataset(f"{folder}/{form}.nc", "w") as d:
                write(d, mask)
        other(f"{folder}/other.nc")
        polygons(f"{folder}/bent.nc")
        same_bits(tally, tool, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
