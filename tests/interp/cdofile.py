#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Grids that CDO writes, read and given the bounds that CDO gives them; weights passed both ways between h3ou and CDO."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

GRIDS = {  # name: operators that write it
    "gauss": ["-topo,n16"],
    "regular": ["-topo,r36x18"],
    "regional": ["-sellonlatbox,10,50,-20,40", "-topo,r72x36"],
    "curved": ["-setgridtype,curvilinear", "-topo,r36x18"],
    "hexagons": ["-setgridtype,unstructured", "-topo,gme8"],
}
PAIRS = [("gauss", "regular"), ("regular", "gauss"), ("hexagons", "gauss"), ("gauss", "hexagons"), ("hexagons", "regional"),
         ("curved", "hexagons"), ("regular", "curved")]


def call(*line, cwd):
    return subprocess.run(list(map(str, line)), cwd=cwd, capture_output=True, text=True, timeout=200)


def links(file, netCDF4):
    with netCDF4.Dataset(file) as d:
        d.set_auto_mask(False)
        return dict(zip(zip(d["src_address"][:].tolist(), d["dst_address"][:].tolist()), d["remap_matrix"][:, 0].tolist()))


def field(file, netCDF4):
    with netCDF4.Dataset(file) as d:
        return d["topo"][:].astype("f8").filled(-1e30).ravel()


def one_pair(tally, tool, folder, source, target, netCDF4):
    a, b, name = f"{source}.nc", f"{target}.nc", f"{source} to {target}"
    steps = [call(tool, "weights", "make", a, b, "-m", "conservative", "-o", "ours.nc", cwd=folder),
             call("cdo", "-s", f"gencon,{b}", a, "cdo.nc", cwd=folder),
             call("cdo", "-s", f"remap,{b},ours.nc", a, "by_ours.nc", cwd=folder),
             call("cdo", "-s", f"remap,{b},cdo.nc", a, "by_cdo.nc", cwd=folder),
             call(tool, "weights", "convert", "cdo.nc", "-f", "scrip", "-o", "back.nc", cwd=folder),
             call("cdo", "-s", f"remap,{b},back.nc", a, "by_back.nc", cwd=folder)]
    failed = [s.stdout + s.stderr for s in steps if s.returncode != 0]
    tally.check(f"{name}: both make and apply weights", failed)
    if failed:
        return
    ours, cdo = links(f"{folder}/ours.nc", netCDF4), links(f"{folder}/cdo.nc", netCDF4)
    off = max(abs(ours.get(k, 0.0) - cdo.get(k, 0.0)) for k in ours.keys() | cdo.keys())
    tally.check(f"{name}: CDO's bounds give CDO's weights", [f"they differ by {off}"] * (not off < 1e-9))
    fields = [field(f"{folder}/by_{k}.nc", netCDF4) for k in ("cdo", "ours", "back")]
    for k, what in ((1, "our file"), (2, "its own file that we read and wrote")):
        worst = abs(fields[k] - fields[0]).max()
        tally.check(f"{name}: CDO applies {what}", [f"values differ by {worst}"] * (not worst < 0.01))


def main(tool):
    tally = jobs.Tally()
    try:
        import netCDF4
    except ImportError:
        netCDF4 = None
    if not netCDF4 or not shutil.which("cdo"):
        print("cdo or Python's netCDF4 is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for name, operators in GRIDS.items():
            done = call("cdo", "-s", "-f", "nc", *operators, f"{name}.nc", cwd=folder)
            tally.check(f"CDO writes {name}", [done.stderr] * (done.returncode != 0))
        for source, target in PAIRS:
            one_pair(tally, tool, folder, source, target, netCDF4)
        done = call("cdo", "-s", "gencon2,gauss.nc", "regular.nc", "second.nc", cwd=folder)
        done = call(tool, "weights", "convert", "second.nc", "-f", "scrip", "-o", "x.nc", cwd=folder)
        tally.check("second-order weights of CDO are refused", [done.stdout + done.stderr] * (
            done.returncode == 0 or "multiply gradients" not in done.stdout + done.stderr))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
