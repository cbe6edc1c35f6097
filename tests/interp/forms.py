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
    import grid_forms
except ImportError:
    print("Python's netCDF4 is not installed")
    sys.exit(77)

NX, NY = 24, 13


def lmdz():
    """As LMDZ has it: from north to south, half a cell at each pole, whose centres coincide; across the date line."""
    lon, lat = -180 + 15.0 * np.arange(NX), 90 - 15.0 * np.arange(NY)
    bounds = np.stack([lon - 7.5, lon + 7.5], 1), np.clip(np.stack([lat + 7.5, lat - 7.5], 1), -90, 90)
    return grid_forms.regular(lon, lat, *bounds, np.arange(NX * NY) % 11 > 0)


FORMS = [*grid_forms.BY_AXES, *grid_forms.BY_ROWS, *grid_forms.BY_CELL]


def other(file):
    """A grid to remap to and from that has nothing in common with the first: 20 x 11 boxes, across the poles' rows."""
    with netCDF4.Dataset(file, "w") as d:
        d.createDimension("lon", 20), d.createDimension("lat", 11)
        grid_forms.put(d, "lon", ("lon",), 4 + 18.0 * np.arange(20), units="degrees_east")
        grid_forms.put(d, "lat", ("lat",), -80 + 16.0 * np.arange(11), units="degrees_north")
        grid_forms.field(d, ("lat", "lon"), np.arange(220) % 7 > 0)


def polygons(file):
    """Cells that are no boxes, so that the other way of cutting is used too: the same, sheared."""
    x, y = np.meshgrid(3 + 12.0 * np.arange(30), -60 + 12.0 * np.arange(11))
    with netCDF4.Dataset(file, "w") as d:
        d.createDimension("y", 11), d.createDimension("x", 30)
        grid_forms.put(d, "lon", ("y", "x"), x + 0.3 * y, units="degrees_east")
        grid_forms.put(d, "lat", ("y", "x"), y, units="degrees_north")
        grid_forms.field(d, ("y", "x"), np.ones(330, bool), "lon lat")


def links(file):
    with netCDF4.Dataset(file) as d:
        d.set_auto_mask(False)
        return [d[v][:].tobytes() for v in ("src_address", "dst_address", "remap_matrix", "dst_grid_frac", "dst_grid_imask")]


def call(*line, cwd):
    return subprocess.run(list(map(str, line)), cwd=cwd, capture_output=True, text=True, timeout=200)


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
        for form in FORMS[1:]:
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
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMS:
            grid_forms.write(folder, form, lmdz())
        other(f"{folder}/other.nc")
        polygons(f"{folder}/bent.nc")
        same_bits(tally, tool, folder)
        oasis_names(tally, tool, folder)
        cdo_names(tally, tool, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
