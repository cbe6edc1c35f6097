#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One grid in every form of file that h3ou reads gives the same weights, bit for bit."""
import pathlib
import shutil
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


def oasis(d, mask):
    """grids.nc with two grids; the mask of the first is beside it, in masks.nc, where 1 is masked."""
    corner = [c.reshape(NY, NX, 4).transpose(2, 0, 1) for c in corners()]
    for name, size in (("x_lmdz", NX), ("y_lmdz", NY), ("crn_lmdz", 4), ("x_torc", 2), ("y_torc", 1)):
        d.createDimension(name, size)
    for k, (name, side) in enumerate((("lon", "clo"), ("lat", "cla"))):
        put(d, f"lmdz.{name}", ("y_lmdz", "x_lmdz"), centres()[k].reshape(NY, NX), units=f"degrees_{'east' if k == 0 else 'north'}")
        put(d, f"lmdz.{side}", ("crn_lmdz", "y_lmdz", "x_lmdz"), corner[k], units="degrees")
        put(d, f"torc.{name}", ("y_torc", "x_torc"), [[1.0, 2.0]])
    with netCDF4.Dataset(pathlib.Path(d.filepath()).parent / "masks.nc", "w") as m:
        m.createDimension("x_lmdz", NX), m.createDimension("y_lmdz", NY)
        put(m, "lmdz.msk", ("y_lmdz", "x_lmdz"), (~mask).astype("i4").reshape(NY, NX))


FORMS = {"axes": cf_axes, "rows and columns": lambda d, m: cf_cells(d, m, ("y", "x"), (NY, NX)),
         "list": lambda d, m: cf_cells(d, m, ("cell",), (NX * NY,)), "scrip": lambda d, m: scrip(d, m, (NX, NY)),
         "scrip list": lambda d, m: scrip(d, m, (NX * NY,)), "ugrid": ugrid, "esmf": esmf, "grids": oasis}


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
    file = {"one.nc": "grids.nc:lmdz" if form == "grids" else f"{form}.nc"}
    done = call(tool, "weights", "make", file.get(source, source), file.get(target, target), "-m", method, *options, "-o", "w.nc", cwd=folder)
    return links(f"{folder}/w.nc") if done.returncode == 0 else done.stderr


def same_bits(tally, tool, folder):
    for task in TASKS:
        awaited = weights(tool, folder, "axes", task)
        tally.check(f"axes, {task}", [awaited] * isinstance(awaited, str))
        for form in list(FORMS)[1:]:
            found = weights(tool, folder, form, task)
            tally.check(f"{form}, {task}", [found if isinstance(found, str) else "not the bits of the grid given by its axes"] * (found != awaited))


def oasis_names(tally, tool, folder):
    """A grid of several must be named, and be there."""
    for name, said in (("grids.nc", "has the grids lmdz, torc: name one, as in grids.nc:lmdz"), ("grids.nc:nemo", "no such grid; the file has lmdz, torc"),
                       ("axes.nc:lmdz", "only files of OASIS have grids by name"), ("grids.nc:torc", "torc.msk: the file has no such variable")):
        done = call(tool, "weights", "make", name, "other.nc", "-m", "nearest", "-o", "w.nc", cwd=folder)
        tally.check(f"{name} is refused", [done.stderr] * (done.returncode != 1 or said not in done.stderr))


ROTATED = """gridtype = projection
xsize = 20
ysize = 12
xname = rlon
xunits = degrees
yname = rlat
yunits = degrees
xfirst = -9
xinc = 1
yfirst = -5
yinc = 1
grid_mapping = rotated_pole
grid_mapping_name = rotated_latitude_longitude
grid_north_pole_longitude = -162
grid_north_pole_latitude = 39.25
"""


def rotated_pole(tally, tool, folder):
    """rlon, rlat and a grid_mapping, against the longitudes, latitudes and bounds that CDO makes of them."""
    pathlib.Path(folder, "rotated.txt").write_text(ROTATED)
    call("cdo", "-s", "-f", "nc", "-b", "F64", "-remapnn,rotated.txt", "-topo,r36x18", "rotated.nc", cwd=folder)
    call("cdo", "-s", "-b", "F64", "-setgridtype,curvilinear", "rotated.nc", "true.nc", cwd=folder)  # in single precision, all the same
    found = []
    for turn in (None, 0, 30):
        if turn is not None:  # the true pole's longitude in the grid: turning the grid by it changes nothing
            with netCDF4.Dataset(f"{folder}/rotated.nc", "a") as d:
                d["rlon"][:] = np.arange(-9.0, 11.0) + turn
                d["rotated_pole"].north_pole_grid_longitude = float(turn)
        file = "true.nc" if turn is None else "rotated.nc"
        done = call(tool, "weights", "make", file, "other.nc", "-m", "conservative", "-o", "w.nc", cwd=folder)
        tally.check(f"rotated pole, {turn}", [done.stderr] * (done.returncode != 0))
        with netCDF4.Dataset(f"{folder}/w.nc") as d:
            found.append({v: np.array(d[v][:]) for v in ("src_grid_center_lon", "src_grid_center_lat", "src_address", "dst_address", "remap_matrix")})
    for a, b, slack in ((0, 1, 1e-6), (1, 2, 1e-13)):
        tally.check(f"rotated pole: {'what CDO makes of it' if b == 1 else 'turned'}", [
            f"{v} differs" for v in found[0] if found[a][v].shape != found[b][v].shape or np.abs(found[a][v] - found[b][v]).max() > slack])


def cdo_names(tally, tool, folder):
    """CDO's names in place of a file: the same centres and weights as from the file that CDO writes."""
    if not shutil.which("cdo"):
        print("cdo is not installed: its names are not compared")
        return
    for name in ("r24x12", "n8", "F8", "global_15", "hp4", "hp4_ring", "gme4", "gme6"):
        listed = ["-setgridtype,unstructured"] * name.startswith("gme")  # which CDO writes in single precision
        call("cdo", "-s", "-O", "-f", "nc", "-b", "F64", *listed, f"-topo,{name}", "cdo.nc", cwd=folder)
        slack = 1e-5 if listed else 1e-13
        method = "nearest" if name.startswith("hp") else "conservative"  # of Healpix CDO writes no corners
        found = []
        for file in ("cdo.nc", name):
            call(tool, "weights", "make", file, "other.nc", "-m", method, "-o", "w.nc", cwd=folder)
            with netCDF4.Dataset(f"{folder}/w.nc") as d:
                found.append({v: np.array(d[v][:]) for v in ("src_grid_center_lon", "src_grid_center_lat", "src_address", "remap_matrix")})
            pathlib.Path(folder, "w.nc").unlink()
        places = [np.exp(1j * f["src_grid_center_lon"]) * np.cos(f["src_grid_center_lat"]) for f in found]
        for f, x in zip(found, places):
            f["src_grid_center_lon"] = x  # without jumps, and none at the poles
        tally.check(f"{name} is CDO's", [v for v in found[0] if found[0][v].shape != found[1][v].shape or np.abs(found[0][v] - found[1][v]).max() > slack])
    rotated_pole(tally, tool, folder)
    for name in ("hp4", "gme12"):
        call(tool, "weights", "make", name, "r24x12", "-m", "conservative", "-o", "w.nc", cwd=folder)
        done = call(tool, "weights", "check", "w.nc", name, "r24x12", cwd=folder)
        tally.check(f"{name} covers the sphere", [done.stdout + done.stderr] * (done.returncode != 0))
    for name, said in (("hp5", "a power of 2"), ("gme20", "or 3 times one"), ("r0x7", "are possible"), ("global_7", "not a whole number"), ("r9x9y", "No such file")):
        done = call(tool, "weights", "make", name, "other.nc", "-m", "nearest", "-o", "w.nc", cwd=folder)
        tally.check(f"{name} is refused", [done.stderr] * (done.returncode != 1 or said not in done.stderr))


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
        oasis_names(tally, tool, folder)
        cdo_names(tally, tool, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
