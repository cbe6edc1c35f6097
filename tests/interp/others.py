#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our files of weights in the hands of others: NCO's ncks and ncremap, CDO, and readers of the facts that OASIS and YAC
read. All remap one field, and the results agree to 1e-12 with the product of the matrix."""
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

# CDO's grid names, and operators that make the field
GRIDS = {"regular": ("r36x18", []), "gauss": ("n16", []), "hexagons": ("gme8", ["-setgridtype,unstructured"]),
         "sea": ("r36x18", ["-setrtomiss,0,20000"]), "curved": ("r30x15", ["-setgridtype,curvilinear"])}
PAIRS = [("regular", "gauss", "conservative"), ("regular", "hexagons", "conservative2"), ("sea", "gauss", "conservative"),
         ("hexagons", "regular", "conservative"), ("regular", "curved", "bilinear,nearest")]


def call(*line, cwd):
    return subprocess.run(list(map(str, line)), cwd=cwd, capture_output=True, text=True, timeout=200)


def field(file):
    with netCDF4.Dataset(file) as d:
        return np.ma.filled(d["topo"][:].astype("f8"), np.nan).ravel()


def product(src, dst, coef, ntarget, source):
    return np.bincount(dst - 1, coef * source[src - 1], ntarget)


def by_oasis(file, source):
    """The sizes and lists that OASIS's reader of a file of weights takes, by their names and shapes there."""
    with netCDF4.Dataset(file) as d:
        links, weights = d.dimensions["num_links"].size, d.dimensions["num_wgts"].size
        sizes = [d.dimensions[f"{s}_grid_size"].size for s in ("src", "dst")]
        if d["remap_matrix"].shape != (links, weights) or sizes[0] != source.size or len(d.source_grid) != 4 or len(d.dest_grid) != 4:
            raise ValueError(f"{file} is no file of OASIS")
        src, dst = d["src_address"][:].filled(), d["dst_address"][:].filled()
        if src.dtype != "i4" or dst.dtype != "i4" or "h3ou_method" in d.ncattrs():
            raise ValueError(f"{file} has what OASIS has not")
        return product(src, dst, d["remap_matrix"][:, 0].filled(), sizes[1], source)


def by_yac(file, source, ntarget):
    with netCDF4.Dataset(file) as d:
        d.set_auto_mask(False)
        where = [netCDF4.chartostring(d[v][:]) for v in ("src_locations", "dst_location")]
        if d.version != "yac weight file 1.0" or d.contains_links != "TRUE" or [str(np.ravel(w)[0]).strip("\0") for w in where] != ["CELL", "CELL"]:
            raise ValueError(f"{file} is no file of YAC")
        if d.dimensions["max_loc_str_len"].size != 10 or d["num_links_per_src_field"][:].tolist() != [d.dimensions["num_links"].size]:
            raise ValueError(f"{file} has other sizes than YAC's")
        out = product(d["src_address"][:], d["dst_address"][:], d["remap_matrix"][:, 0], ntarget, source)
        if d.contains_fixed_dst == "TRUE":
            out[d["dst_address_fixed"][:] - 1] = np.repeat(d["fixed_values"][:], d["num_dst_per_fixed_value"][:])
        return out


def agree(tally, name, found, awaited, served):
    """Where nothing serves a cell, the programs have zero or a missing value, as they like."""
    off = np.abs(found - awaited)[served].max() / np.abs(awaited[served]).max()
    tally.check(name, [f"off by {off}"] * (not off < 1e-12) + ["another number of cells"] * (found.size != awaited.size))


def pair(tally, tool, folder, source, target, method):
    name = f"{source} to {target} by {method}"
    for form in ("scrip", "esmf", "oasis", "yac"):
        done = call(tool, "weights", "make", f"{source}.nc", f"{target}.nc", "-m", method, "-f", form, "-o", f"{form}.nc", cwd=folder)
        tally.check(f"{name}: {form} is written", [done.stderr] * (done.returncode != 0))
    with netCDF4.Dataset(f"{folder}/scrip.nc") as d:
        src, dst = d["src_address"][:].filled(), d["dst_address"][:].filled()
        n = d.dimensions["dst_grid_size"].size
        values = np.nan_to_num(field(f"{folder}/{source}.nc"))
        awaited = product(src, dst, d["remap_matrix"][:, 0].filled(), n, values)
    served = np.bincount(dst - 1, minlength=n) > 0
    agree(tally, f"{name}: OASIS", by_oasis(f"{folder}/oasis.nc", values), awaited, served)
    agree(tally, f"{name}: YAC", by_yac(f"{folder}/yac.nc", values, n), awaited, served)
    programs = {"h3ou": (tool, "weights", "apply", "scrip.nc", f"{source}.nc", "h3ou.nc")}
    if shutil.which("ncks"):
        programs["ncks"] = ("ncks", "-O", "--map=esmf.nc", f"{source}.nc", "ncks.nc")
    if shutil.which("ncremap"):
        programs["ncremap"] = ("ncremap", "-m", "esmf.nc", f"{source}.nc", "ncremap.nc")
    programs["cdo"] = ("cdo", "-s", "-b", "F64", f"remap,{target}.nc,scrip.nc", f"{source}.nc", "cdo.nc")
    for program, line in programs.items():
        done = call(*line, cwd=folder)
        tally.check(f"{name}: {program} runs", [done.stdout + done.stderr] * (done.returncode != 0))
        if done.returncode == 0:
            agree(tally, f"{name}: {program}", field(f"{folder}/{program}.nc"), awaited, served)
    for form in ("oasis", "yac"):
        done = call(tool, "weights", "convert", f"{form}.nc", f"{source}.nc", f"{target}.nc", "-f", "scrip", "-o", "back.nc", cwd=folder)
        tally.check(f"{name}: {form} and back", [done.stderr] * (done.returncode != 0))
        with netCDF4.Dataset(f"{folder}/back.nc") as d, netCDF4.Dataset(f"{folder}/scrip.nc") as e:
            tally.check(f"{name}: {form} keeps the links", [
                v for v in ("src_address", "dst_address", "remap_matrix", "dst_grid_imask") if not np.array_equal(d[v][:], e[v][:])])


def place(lon, lat):
    lon, lat = (np.radians(np.asarray(a, "f8")) for a in (lon, lat))
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)


def bounds(tally, folder, target):
    """The remapped file has the bounds of the target: of Gaussian latitudes, or the corners of hexagons, in any order."""
    with netCDF4.Dataset(f"{folder}/{target}.nc") as t, netCDF4.Dataset(f"{folder}/h3ou.nc") as f:
        if target == "gauss":
            edge, lat = np.sort(np.sort(f[f["lat"].bounds][:], 1), 0), np.sort(t["lat"][:])  # CDO's file has no bounds: they lie halfway
            off = max(np.abs(edge[1:, 0] - edge[:-1, 1]).max(), np.abs(edge[1:, 0] - (lat[1:] + lat[:-1]) / 2).max())
        else:
            mine, theirs = (place(d[d["lon"].bounds][:], d[d["lat"].bounds][:]) for d in (f, t))
            off = np.linalg.norm(mine[:, :, None] - theirs[:, None], axis=-1).min(1).max()
        tally.check(f"bounds of {target}", [f"off by {off}"] * (not off < 1e-12))


def main(tool):
    tally = jobs.Tally()
    if not shutil.which("cdo"):
        print("cdo is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for name, (grid, operators) in GRIDS.items():
            done = call("cdo", "-s", "-f", "nc", "-b", "F64", *operators, f"-topo,{grid}", f"{name}.nc", cwd=folder)
            tally.check(f"CDO writes {name}", [done.stderr] * (done.returncode != 0))
        for source, target, method in PAIRS:
            pair(tally, tool, folder, source, target, method)
            if target in ("gauss", "hexagons"):
                bounds(tally, folder, target)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
