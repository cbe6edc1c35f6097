#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The command `h3ou weights`, and its weights in the hands of CDO where that is installed."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs


def call(*line, cwd):
    return subprocess.run(list(map(str, line)), cwd=cwd, capture_output=True, text=True, timeout=200)


def expect(tally, name, done, code, *said):
    text = done.stdout + done.stderr
    tally.check(name, [f"code {done.returncode}, awaited {code}: {text}"] * (done.returncode != code) +
                [f"does not say {s}: {text}" for s in said if not re.search(s, text)])


def with_cdo(tally, tool, folder):
    """Nearest neighbours as CDO finds them, but for targets that two sources are equally near to; and CDO applies our files."""
    call("cdo", "-s", "-f", "nc", "-topo,r72x36", "a.nc", cwd=folder)
    call("cdo", "-s", "-f", "nc", "-setgridtype,unstructured", "-topo,gme24", "b.nc", cwd=folder)
    expect(tally, "grids of CDO", call(tool, "weights", "make", "a.nc", "b.nc", "-m", "nearest", "-o", "w.nc", cwd=folder), 0, "5762 served")
    call("cdo", "-s", "gennn,b.nc", "a.nc", "cdo.nc", cwd=folder)
    addresses = []
    for file in ("w.nc", "cdo.nc"):
        text = call("ncdump", "-v", "src_address", file, cwd=folder).stdout.split("data:")[1]
        addresses.append(re.findall(r"\d+", text.split("=")[1]))
    different = sum(a != b for a, b in zip(*addresses))
    tally.check("the same neighbours as CDO's", [f"{different} of {len(addresses[0])} differ"] * (different > len(addresses[0]) * 0.02 or
                                                                                              len(addresses[0]) != len(addresses[1])))
    call(tool, "weights", "make", "a.nc", "b.nc", "-m", "distance", "-o", "d.nc", cwd=folder)
    done = call("cdo", "-s", "-output", "-fldmin", "-remap,b.nc,d.nc", "-addc,1", "-mulc,0", "a.nc", cwd=folder)
    tally.check("CDO applies our weights", [done.stdout + done.stderr] * (done.returncode != 0 or abs(float(done.stdout or 0) - 1) > 1e-6))


def groups(tally, tool, folder, data):
    """What stands in groups is not read: it is said, and how to have it read."""
    try:
        import netCDF4
    except ImportError:
        return
    with netCDF4.Dataset(data) as d, netCDF4.Dataset(f"{folder}/grouped.nc", "w") as root:
        inner = root.createGroup("inner")
        for f in (root, inner):
            for name in ("lat", "lon"):
                f.createDimension(name, d[name].size)
        for name in ("lat", "lon"):
            root.createVariable(name, "f8", (name,))[:] = d[name][:]
            root[name].units = d[name].units
        for f in (root, inner):
            f.createVariable("sst", "f8", ("lat", "lon"))[:] = 1.0
    expect(tally, "weights of a file with groups", call(tool, "weights", "make", "grouped.nc", data, "-m", "nearest", "-o", "w.nc", cwd=folder), 0)
    expect(tally, "a group is left out", call(tool, "weights", "apply", "w.nc", "grouped.nc", "o.nc", cwd=folder), 0,
           "group 'inner' is left out: .*ncks -G :")


def main(tool, source):
    tally = jobs.Tally()
    data = pathlib.Path(source, "samples/atmos_ocean/data/coads_2deg.nc")
    with tempfile.TemporaryDirectory() as folder:
        expect(tally, "no command", call(tool, cwd=folder), 2, "usage")
        expect(tally, "help", call(tool, "--help", cwd=folder), 0, "weights")
        expect(tally, "version", call(tool, "--version", cwd=folder), 0, r"h3ou \d+\.\d+")
        expect(tally, "unknown command", call(tool, "wieghts", cwd=folder), 2, "no command 'wieghts'")
        expect(tally, "weights help", call(tool, "weights", "--help", cwd=folder), 0, "make", "check", "convert", "apply", "report")
        expect(tally, "real data to itself", call(tool, "weights", "make", data, data, "-m", "distance", "-o", "w.nc", cwd=folder), 0,
               "9506 links, 16200 target cells: 9506 served, 6694 masked, 0 left over")
        expect(tally, "info", call(tool, "weights", "info", "w.nc", cwd=folder), 0, "16200 source cells", "rows sum to 1 within 0")
        expect(tally, "unknown method", call(tool, "weights", "make", data, data, "-m", "distnace", "-o", "x.nc", cwd=folder), 2,
               "no method 'distnace', did you mean 'distance'")
        expect(tally, "unknown option", call(tool, "weights", "make", data, data, "-q", "1", cwd=folder), 2, "'-q'")
        expect(tally, "not a number", call(tool, "weights", "make", data, data, "-m", "distance", "-n", "four", "-o", "x.nc", cwd=folder), 2,
               "not a number")
        expect(tally, "no such file", call(tool, "weights", "make", "none.nc", data, "-m", "nearest", "-o", "x.nc", cwd=folder), 1,
               "none.nc: No such file")
        groups(tally, tool, folder, data)
        if shutil.which("cdo") and shutil.which("ncdump"):
            with_cdo(tally, tool, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
