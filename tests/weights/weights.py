#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""weights.py PART TOOL SOURCE: the command `h3ou weights` on grids that CDO writes, beside CDO and beside NumPy.

Parts: make (all methods, check, convert), apply, report, errors.
"""
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

import netCDF4
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import grids
import jobs

METHODS = ["conservative", "conservative2", "laf", "bilinear", "bicubic", "barycentric", "nearest", "distance(n=3,power=1)", "average",
           "gauss(width=2)", "radial(n=9)", "conservative,creep", "bilinear,nearest"]


class Bench:
    """A folder with grids, the tool, and what was found."""

    def __init__(self, tool, source, folder):
        self.tool, self.source, self.folder, self.tally = tool, pathlib.Path(source), pathlib.Path(folder), jobs.Tally()
        self.data = self.source / "samples/atmos_ocean/data/coads_2deg.nc"
        if not shutil.which("cdo"):
            raise SystemExit("these tests need cdo (packages.debian)")
        self.cdo("-f", "nc", "-topo,r72x36", "a.nc")
        self.cdo("-f", "nc", "-setgridtype,unstructured", "-topo,gme8", "b.nc")
        self.cdo("-f", "nc", "-topo,n16", "n.nc")
        self.cdo("-setrtomiss,-20000,0", "a.nc", "am.nc")
        self.cdo("-setrtomiss,-20000,0", "b.nc", "bm.nc")

    def call(self, *line, timeout=200):
        return subprocess.run(list(map(str, line)), cwd=self.folder, capture_output=True, text=True, timeout=timeout)

    def cdo(self, *line):
        done = self.call("cdo", "-s", *line)
        if done.returncode:
            raise SystemExit(f"cdo {line}: {done.stderr}")
        return done.stdout

    def weights(self, *line):
        return self.call(self.tool, "weights", *line)

    def expect(self, name, code, said, *line, never=()):
        """The command's exit code, and what it must and must not say."""
        done = self.weights(*line)
        text = done.stdout + done.stderr
        self.tally.check(name, [f"code {done.returncode}, awaited {code}: {text}"] * (done.returncode != code) +
                         [f"does not say {s}: {text}" for s in said if not re.search(s, text)] +
                         [f"says {s}: {text}" for s in never if re.search(s, text)])
        return done

    def run(self, *line):
        """What must work, for the sake of something else."""
        done = self.weights(*line)
        if done.returncode:
            raise SystemExit(f"{line}: {done.stdout}{done.stderr}")

    def open(self, name, mode="r"):
        return netCDF4.Dataset(self.folder / name, mode)

    def matrix(self, name):
        """Source and target cells from 0, coefficients, of a SCRIP file."""
        with self.open(name) as f:
            return (f["src_address"][:].filled() - 1, f["dst_address"][:].filled() - 1, f["remap_matrix"][:, 0].filled(),
                    len(f.dimensions["src_grid_size"]), len(f.dimensions["dst_grid_size"]))

    def field(self, name, variable="topo"):
        with self.open(name) as f:
            return np.ma.masked_invalid(f[variable][:].astype(float)).ravel()


def beside(found, awaited, slack):
    """What is wrong with masked arrays that must be the same."""
    mask = np.ma.getmaskarray(found) != np.ma.getmaskarray(awaited)
    faults = [f"{mask.sum()} cells are missing in one of both only"] * bool(mask.any())
    worst = np.abs(found - awaited).max()
    return faults + [f"differ by {worst}"] * bool(worst is not np.ma.masked and not worst <= slack)


def product(matrix, values, spread=False):
    """The remapping in NumPy: NaN where there is no value."""
    src, dst, coef, _, n = matrix
    v = values[..., src]
    out = np.full(values.shape[:-1] + (n,), np.nan)
    for at in np.ndindex(values.shape[:-1]):
        there = np.isfinite(v[at])
        whole = np.bincount(dst, coef, n)
        counted = np.bincount(dst[there], coef[there], n)
        total = np.bincount(dst[there], (coef * v[at])[there], n)
        lost = np.bincount(dst, ~there, n) > 0
        served = np.bincount(dst[there], minlength=n) > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            out[at] = np.where(served & ~(lost & spread), np.where(lost, total / counted * whole, total), np.nan)
    return out


def part_make(b):
    for source, target in (("a.nc", "b.nc"), ("b.nc", "n.nc"), ("am.nc", "b.nc")):
        for method in METHODS:
            if method == "bicubic" and source == "b.nc":
                continue
            name = f"{method}, {source} to {target}"
            b.expect(name, 0, [r"w.nc: \d+ links", "left over", f"by {re.escape(method.split(',')[0])}", "rows sum to 1 within"],
                     "make", source, target, "-m", method, "-o", "w.nc")
            b.expect(f"check of {name}", 0, ["nothing is wrong", "is the source grid", "is the target grid"],
                     "check", "w.nc", source, target)
    b.expect("destarea", 0, ["the covered share"], "make", "am.nc", "b.nc", "-m", "conservative", "--norm", "destarea", "-o", "w.nc")
    b.expect("check of destarea", 0, ["nothing is wrong"], "check", "w.nc")
    b.expect("no leftover with a fill", 0, [" 0 left over", r"by value\(value=-5\): [1-9]"], "make", "am.nc", "b.nc", "-m",
             "conservative,value(value=-5)", "-o", "v.nc")
    b.expect("left over, and where", 0, [r"left over: 3\d\d, within .* at all longitudes; cells 1, 6"], "make", "am.nc", "b.nc", "-m",
             "conservative", "-o", "w.nc")
    b.expect("defaults for all that know n and power", 0, [r"by distance\(n=3,power=1\)", r"by nearest: 0"], "make", "a.nc", "b.nc", "-m",
             "distance,nearest", "-n", "3", "-p", "1", "-o", "w.nc")
    b.expect("a method's own key goes first", 0, [r"by distance\(.*n=5\)"], "make", "a.nc", "b.nc", "-m", "distance(n=5)", "-n", "3", "-p",
             "1", "-o", "w.nc")
    b.expect("the limiter", 0, ["links"], "make", "a.nc", "b.nc", "-m", "conservative2", "--limit", "--threads=2", "-o", "w.nc")
    b.expect("info", 0, ["2592 source cells"], "info", "w.nc")
    convert(b)
    edges(b)
    guide(b)


def guide(b):
    """What the user's guide shows works as shown."""
    section = (b.source / "docs/user-guide.md").read_text(encoding="utf-8").split("## Weights\n")[1].split("\n## ")[0]
    lines = [shlex.split(line, comments=True) for line in re.search(r"```sh\n(.*?)```", section, re.S).group(1).splitlines()]
    for name, copy in (("a.nc", "atmos.nc"), ("b.nc", "ocean.nc"), ("a.nc", "tas_atmos.nc")):
        shutil.copy(b.folder / name, b.folder / copy)
    for words in lines:
        b.expect(f"guide: {' '.join(words)}", 0, [], *words[2:])
    found = json.loads((b.folder / "r.json").read_text())
    missing = [key for key in re.findall(r"^\| `([a-z_]+)", section, re.M) if key not in found]
    b.tally.check("guide: all it runs and names is there", ["few lines"] * (len(lines) < 5) + missing)


def edges(b):
    """The sides of lon-lat cells: both options together are --edges."""
    for name, options in (("x", ["--edges", "great"]), ("y", ["--source-edges", "great", "--target-edges", "great"]), ("z", [])):
        b.expect(f"edges {name}", 0, [], "make", "a.nc", "b.nc", "-m", "conservative", *options, "-o", f"{name}.nc")
    x, y, z = (b.matrix(f"{name}.nc") for name in "xyz")
    b.tally.check("edges of both sides", ["differ"] * (not np.array_equal(x[2], y[2])))
    b.tally.check("edges matter", ["the same"] * (len(x[2]) == len(z[2]) and np.abs(x[2] - z[2]).max() < 1e-6))


def convert(b):
    for method in ("conservative", "bilinear,nearest"):
        b.run("make", "am.nc", "b.nc", "-m", method, "-o", "w.nc")
        b.run("make", "am.nc", "b.nc", "-m", method, "-f", "esmf", "-o", "e.nc")
        b.expect(f"to esmf, {method}", 0, [r"w.nc \(scrip\) -> c.nc \(esmf\): \d+ links"], "convert", "w.nc", "-f", "esmf", "-o", "c.nc")
        b.expect(f"back, {method}", 0, [r"c.nc \(esmf\) -> d.nc \(scrip\)"], "convert", "c.nc", "-f", "scrip", "-o", "d.nc")
        b.expect(f"check of esmf, {method}", 0, ["nothing is wrong"], "check", "c.nc", "am.nc", "b.nc")
        with b.open("c.nc") as c, b.open("e.nc") as e:
            faults = [k for k in ("row", "col", "S") if not np.array_equal(c[k][:], e[k][:])]
        b.tally.check(f"converted is as made, {method}", faults)
        b.tally.check(f"there and back, {method}", [str(k) for k, (x, y) in enumerate(zip(b.matrix("w.nc"), b.matrix("d.nc")))
                                                    if not np.array_equal(x, y)])


def part_apply(b):
    for source, target in (("a.nc", "b.nc"), ("b.nc", "n.nc"), ("am.nc", "b.nc"), ("bm.nc", "a.nc"), ("n.nc", "a.nc")):
        for method in ("conservative", "bilinear", "nearest", "distance"):
            name = f"{method}, {source} to {target}, beside cdo"
            b.run("make", source, target, "-m", method, "-o", "w.nc")
            b.expect(name, 0, ["1 field of 1 layer"], "apply", "w.nc", source, "o.nc")
            b.cdo(f"-remap,{target},w.nc", source, "c.nc")
            found, awaited = b.field("o.nc"), b.field("c.nc")
            b.tally.check(f"{name}: numbers", beside(found, awaited, 2e-6 * np.abs(awaited).max()))
            text = b.cdo("infon", "o.nc")
            missing = int(np.ma.getmaskarray(found).sum())
            b.tally.check(f"{name}: cdo reads it", [text] * (not re.search(rf" {found.size} +{missing} :", text)))
    layers(b)
    shapes(b)


def write_layers(b):
    """Fields with times and levels, holes that differ by layer, packed numbers, and what is no field."""
    r = np.random.default_rng(7)
    with b.open("a.nc") as a, b.open("t.nc", "w") as f:
        for name, n in (("time", None), ("lev", 7), ("ens", 11), ("lat", 36), ("lon", 72), ("nv", 2)):
            f.createDimension(name, n)
        for name in ("lat", "lon"):
            f.createVariable(name, "f8", (name,))[:] = a[name][:]
            f[name].setncatts({k: a[name].getncattr(k) for k in a[name].ncattrs()})
        f.createVariable("time", "f8", ("time",))[:] = np.arange(5.0)
        f["time"].units = "days since 2000-01-01"
        f["time"].bounds = "time_bnds"
        f.createVariable("time_bnds", "f8", ("time", "nv"))[:] = np.arange(10.0).reshape(5, 2)
        f.createVariable("height", "f8", ())[:] = 2.0
        f.createVariable("cellarea", "f8", ("lat", "lon"))[:] = 1.0
        wind = r.normal(size=(5, 7, 11, 36, 72))
        wind[r.random(wind.shape) < 0.03] = np.nan
        v = f.createVariable("wind", "f8", ("time", "lev", "ens", "lat", "lon"), fill_value=-9e33)
        v[:] = np.where(np.isnan(wind), -9e33, wind)
        v.setncatts({"units": "m s-1", "coordinates": "height", "cell_measures": "area: cellarea", "cell_methods": "time: mean"})
        rain = r.integers(0, 1000, size=(5, 36, 72))
        v = f.createVariable("rain", "i2", ("time", "lat", "lon"), fill_value=-1)
        v.set_auto_maskandscale(False)
        v.setncatts({"scale_factor": np.float32(0.5), "add_offset": np.float32(3.0), "long_name": "packed", "valid_min": np.int16(0)})
        v[:] = rain
        f.createVariable("across", "f4", ("lon", "lat"))[:] = 1.0
        plain = r.normal(size=(36, 72)).astype("f4")
        f.createVariable("plain", "f4", ("lat", "lon"))[:] = plain
        f.history = "made"
    return wind.reshape(5, 7, 11, -1), rain.reshape(5, -1) * 0.5 + 3.0, plain.reshape(-1).astype(float)


def layers(b):
    wind, rain, plain = write_layers(b)
    b.run("make", "a.nc", "b.nc", "-m", "conservative", "-o", "w.nc")
    matrix = b.matrix("w.nc")
    for options, spread in (([], False), (["--memory", "1"], False), (["--missing", "spread"], True)):
        b.expect(f"times and levels {options}", 0, ["3 fields of 391 layers", "'across' is left out"], "apply", "w.nc", "t.nc", "o.nc", *options)
        with b.open("o.nc") as f:
            b.tally.check(f"wind {options}", beside(np.ma.masked_invalid(f["wind"][:]), np.ma.masked_invalid(product(matrix, wind, spread)), 1e-12))
            b.tally.check(f"rain {options}", beside(f["rain"][:], np.ma.masked_invalid(product(matrix, rain)), 1e-4))
            b.tally.check(f"plain {options}", beside(f["plain"][:], np.ma.masked_invalid(product(matrix, plain)), 1e-5))
            b.tally.check(f"what stays {options}", [
                what for what, ok in {
                    "unlimited time": f.dimensions["time"].isunlimited(), "five times": len(f.dimensions["time"]) == 5,
                    "dimensions": f["wind"].dimensions == ("time", "lev", "ens", "cell"), "type": f["wind"].dtype == "f8",
                    "float": f["rain"].dtype == "f4", "units": f["wind"].units == "m s-1", "cell_methods": f["wind"].cell_methods == "time: mean",
                    "no measures": "cell_measures" not in f["wind"].ncattrs() and "cellarea" not in f.variables,
                    "no packing": "scale_factor" not in f["rain"].ncattrs() and "valid_min" not in f["rain"].ncattrs(),
                    "fill": f["wind"]._FillValue == -9e33, "coordinates": f["wind"].coordinates == "height lat lon",
                    "height": f["height"][:] == 2.0, "bounds": np.array_equal(f["time_bnds"][:], np.arange(10.0).reshape(5, 2)),
                    "history": re.search(r"Z: h3ou weights apply w.nc t.nc o.nc.*\nmade$", f.history),
                    "no source grid": "lat" not in f.dimensions,
                }.items() if not ok])
    text = b.cdo("sinfon", "o.nc")
    b.tally.check("cdo sees times and the grid", [text] * (not re.search("unstructured +: points=642", text) or "5 steps" not in text))


def shapes(b):
    """Targets: regular ones have one coordinate each, curvilinear ones two, lists one dimension."""
    x, y = np.meshgrid(np.arange(-30.0, 30.0, 4.0), np.arange(40.0, 70.0, 3.0))
    with b.open("curved.nc", "w") as f:
        f.createDimension("y", x.shape[0]), f.createDimension("x", x.shape[1])
        for name, value, units in (("lon", x + 0.3 * y, "degrees_east"), ("lat", y + 0.1 * x, "degrees_north")):
            f.createVariable(name, "f8", ("y", "x"))[:] = value
            f[name].units = units
        f.createVariable("mask", "f4", ("y", "x"))[:] = 1.0
        f["mask"].coordinates = "lon lat"
    for target, kind, dims in (("n.nc", "gaussian", ("lat", "lon")), ("curved.nc", "curvilinear", ("y", "x")), ("b.nc", "unstructured", ("cell",))):
        b.run("make", "a.nc", target, "-m", "bilinear", "-o", "w.nc")
        b.expect(f"target {kind}", 0, ["1 field"], "apply", "w.nc", "a.nc", "o.nc")
        text = b.cdo("sinfon", "o.nc")
        with b.open("o.nc") as f, b.open(target) as t:
            names = [next(v for v in t.variables if getattr(t[v], "units", "").startswith(f"degrees_{d}")) for d in ("east", "north")]
            faults = [f"{mine} is not {theirs}" for mine, theirs in zip(("lon", "lat"), names)
                      if np.abs((f[mine][:] - t[theirs][:] + 180) % 360 - 180).max() > 1e-6]
            b.tally.check(f"coordinates, {kind}", faults + [text] * (kind not in text) + ["dimensions"] * (f["topo"].dimensions != dims))
    b.run("make", "am.nc", "b.nc", "-m", "conservative,value(value=-5)", "-o", "v.nc")
    b.run("apply", "v.nc", "am.nc", "o.nc")
    found = b.field("o.nc")
    b.tally.check("a fixed value", [f"{(found == -5).sum()} cells"] * bool(found.min() != -5 or np.ma.is_masked(found) or (found == -5).sum() < 300))
    limiter(b)


def limiter(b):
    """A step of 0 to 1: the second order overshoots, its limited form does not, and both give the same integral."""
    b.cdo("-gtc,0", "a.nc", "step.nc")
    with b.open("a.nc") as a:
        lat = np.radians(a["lat"][:])
    area = np.repeat(np.sin(lat + np.radians(2.5)) - np.sin(lat - np.radians(2.5)), 72)
    integrals = [np.average(b.field("step.nc"), weights=area)]
    for options, awaited in (([], True), (["--limit"], False)):
        b.run("make", "step.nc", "b.nc", "-m", "conservative2", *options, "-o", "w.nc")
        b.run("apply", "w.nc", "step.nc", "o.nc")
        found = b.field("o.nc")
        overshoots = found.min() < -1e-6 or found.max() > 1 + 1e-6
        b.tally.check(f"second order {options}", [f"{found.min()} to {found.max()}"] * bool(overshoots != awaited))
        with b.open("w.nc") as f:
            integrals.append(np.average(found, weights=f["dst_grid_area"][:]))
    b.tally.check("the limiter conserves", [str(integrals)] * bool(np.ptp(integrals) > 1e-6))


def exact(name, lon, lat):
    """The four functions, as published (see tools/weights/analytic_fields.c), in NumPy."""
    if name == "sinusoid":
        return 2 - np.cos(np.pi * np.arccos(np.clip(np.cos(lon) * np.cos(lat), -1, 1)) / (1.2 * np.pi))
    if name == "harmonic":
        return 2 + np.sin(2 * lat) ** 16 * np.cos(16 * lon)
    if name == "vortex":
        here = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
        pole, lat0 = 5.5, 0.2
        axes = np.array([[np.sin(lat0) * np.cos(pole), np.sin(lat0) * np.sin(pole), -np.cos(lat0)], [-np.sin(pole), np.cos(pole), 0],
                         [np.cos(lat0) * np.cos(pole), np.cos(lat0) * np.sin(pole), np.sin(lat0)]])
        x, y, z = axes @ here
        rho = 3 * np.hypot(x, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            omega = np.where(rho == 0, 0, 1.5 * np.sqrt(3) / np.cosh(rho) ** 2 * np.tanh(rho) / rho)
        return 2 * (1 + np.tanh(rho / 5 * np.sin(np.arctan2(y, x) - 6 * omega)))
    east, north = np.degrees((lon + np.pi) % (2 * np.pi) - np.pi) + 80, np.degrees(lat) - 25
    r, angle = np.radians(np.hypot(east, north)), np.arctan2(north, east)
    end, fade = np.radians(np.hypot(78.2, 25)), np.radians(np.hypot(54.5, 30.5))
    strength = 1.3 * (r <= end) * np.where(r > fade, np.cos(np.pi / 2 * (r - fade) / (end - fade)), 1)
    jet = np.maximum(0, 1000 * np.sin(0.2 * r + 0.4 * angle + 0.007 * np.cos(50 * angle) + 0.37 * np.pi) - 999)
    return exact("sinusoid", lon, lat) + strength * jet


def judge(b, name, found):
    """Every number of the JSON from the file's arrays."""
    src, dst, coef, ns, nt = b.matrix(name)
    with b.open(name) as f:
        g = {k: f[k][:].filled() for k in f.variables}
    row = np.bincount(dst, coef, nt)
    has = np.bincount(dst, minlength=nt) > 0
    awaited = {("links",): len(src), ("coefficient", "least"): coef.min(), ("coefficient", "most"): coef.max(),
               ("row_sum_misfit",): np.abs(row - 1)[has].max(), ("source", "cells"): ns, ("target", "cells"): nt,
               ("target", "served"): has.sum(), ("target", "masked"): (g["dst_grid_imask"] == 0).sum(),
               ("source", "masked"): (g["src_grid_imask"] == 0).sum(), ("left_over", "cells"): (~has & (g["dst_grid_imask"] > 0)).sum(),
               ("source", "unused"): ((np.bincount(src, minlength=ns) == 0) & (g["src_grid_imask"] > 0)).sum()}
    areas = "src_grid_area" in g and "dst_grid_area" in g
    if areas:
        sa, ta = g["src_grid_area"] * (g["src_grid_imask"] > 0), g["dst_grid_area"] * g["dst_grid_frac"] * has
        given = np.bincount(src, coef * ta[dst], ns)
        awaited["source", "given_share"] = given.sum() / sa.sum()
        awaited["target", "covered_share"] = ta.sum() / (g["dst_grid_area"] * (g["dst_grid_imask"] > 0)).sum()
    for function in ("sinusoid", "harmonic", "vortex", "gulfstream"):
        source = exact(function, g["src_grid_center_lon"], g["src_grid_center_lat"])
        target = exact(function, g["dst_grid_center_lon"], g["dst_grid_center_lat"])
        remapped = np.bincount(dst, coef * source[src], nt)
        misfit = (np.abs(remapped - target) / np.abs(target))[has]
        numbers = {"mean": misfit.mean(), "max": misfit.max(), "rms": np.sqrt((misfit ** 2).mean())}
        if areas and abs(ta.sum() / sa.sum() - 1) < 0.1:
            numbers["conservation"] = abs((ta * remapped).sum() / (sa * source).sum() - 1)
        awaited.update({("functions", function, k): v for k, v in numbers.items()})
    faults = []
    for path, value in awaited.items():
        at = found
        for key in path:
            at = at[key]
        slack = 1e-13 if path[-1] in ("row_sum_misfit", "conservation") else 0
        if at is None or not np.isclose(at, value, rtol=1e-9, atol=slack):
            faults.append(f"{'.'.join(path)} is {at}, not {value}")
    return faults


def part_report(b):
    import matplotlib.image
    for source, target, method, function in (("a.nc", "b.nc", "conservative", "vortex"), ("am.nc", "bm.nc", "conservative", "sinusoid"),
                                             ("n.nc", "b.nc", "bilinear", "harmonic"), (b.data, "b.nc", "conservative,distance(n=1,radius=9)", "gulfstream")):
        name = f"{method}, {pathlib.Path(source).name} to {target}"
        b.run("make", source, target, "-m", method, "-o", "w.nc")
        b.expect(f"report of {name}", 0, ["misfit of +mean +RMS +maximum", "gulfstream +[0-9.e-]+ ", "target area that is covered"],
                 "report", "w.nc", "--json", "r.json", "--picture", "p.png", "--function", function)
        found = json.loads((b.folder / "r.json").read_text())
        b.tally.check(f"JSON of {name}", judge(b, "w.nc", found))
        served = {m["method"]: m["cells"] for m in found["served_by"]}
        b.tally.check(f"methods of {name}", [str(served)] * (sum(served.values()) != found["target"]["served"] or method.split(",")[0] not in served))
        b.tally.check(f"picture of {name}", picture(matplotlib.image.imread(b.folder / "p.png"), source != "a.nc" and source != "n.nc",
                                                    found["left_over"]["cells"], target == "bm.nc"))
    b.expect("report with grids", 0, ["misfit of"], "report", "w.nc", b.data, "b.nc")
    b.expect("a PDF", 0, ["misfit of"], "report", "w.nc", "--picture", "p.pdf")
    b.tally.check("the PDF is one page with three maps", pdf((b.folder / "p.pdf").read_bytes()))
    b.expect("no other picture", 2, [r"--picture p.jpg: .*let its name end in .png, .svg or .pdf"], "report", "w.nc", "--picture", "p.jpg")
    b.expect("an SVG", 0, ["misfit of"], "report", "w.nc", "--picture", "p.svg")
    b.tally.check("the SVG has three maps", svg((b.folder / "p.svg").read_text()))
    no_matplotlib(b)
    coastlines(b, matplotlib.image)
    odd_name(b)
    regional(b, matplotlib.image)


def odd_name(b):
    """JSON is UTF-8, whatever bytes a file's name has."""
    name = os.fsdecode(b'w "\\\xc3\xa9\xff.nc')
    shutil.copy(b.folder / "w.nc", b.folder / name)
    done = subprocess.run([b.tool, "weights", "report", name, "--json", "odd.json"], cwd=b.folder, capture_output=True, timeout=200)
    found = json.loads((b.folder / "odd.json").read_bytes())["file"] if done.returncode == 0 else os.fsdecode(done.stderr)
    b.tally.check("the name of a file in JSON", [repr(found)] * (not found.startswith('w "\\') or not found.endswith("\ufffd.nc")))


def picture(pixels, is_source_masked, left_over, is_target_masked):
    """Sizes, maps of many colours, grey where masked, red where left over."""
    faults = [f"{pixels.shape}"] * (pixels.shape[0] < 900 or pixels.shape[1] < 1500)
    colours = np.round(pixels[..., :3] * 255).astype(int)
    height, width = colours.shape[0], colours.shape[1]
    top, left, panel = 120, 64, (height - 96) // 2
    maps = [colours[top:top + 430, left:left + 860], colours[top:top + 430, width - 890:width - 30], colours[top + panel:top + panel + 430, left:left + 860]]
    for k, part in enumerate(maps):
        n = len(np.unique(part.reshape(-1, 3), axis=0))
        faults += [f"map {k} has {n} colours"] * (n < 30)
        grey = (np.abs(part - 0xb4).max(axis=-1) == 0).mean()
        red = (np.abs(part - np.array([0xe0, 0x10, 0x2a])).max(axis=-1) == 0).mean()
        awaited = is_source_masked if k == 0 else is_target_masked
        faults += [f"map {k}: {grey} is grey"] * bool((grey > 0.05) != awaited) + [f"map {k}: {red} is red"] * bool((red > 0.005) != (k > 0 and left_over > 20))
    return faults + ["source and target are the same"] * np.array_equal(maps[0], maps[1])


def pdf(content):
    """Faults of a file that must be a PDF."""
    counts = {"/MediaBox [": 1, "/Width 860": 3}
    faults = [f"{content.count(what.encode())} of {what!r}" for what, n in counts.items() if content.count(what.encode()) != n]
    return faults + ["no whole PDF"] * (not content.startswith(b"%PDF-") or not content.rstrip().endswith(b"%%EOF"))


def svg(content):
    """Faults of a file that must be an SVG with three maps, and a scale with a unit for each."""
    counts = {"<image ": 3, "<!-- vortex [1] -->": 2, "<!-- |remapped - exact| / |exact| [1] -->": 1}
    return [f"{content.count(what)} of {what!r}" for what, n in counts.items() if content.count(what) < n]


def no_matplotlib(b):
    """The numbers are there, and what is missing is said."""
    (b.folder / "matplotlib.py").write_text("raise ImportError('none here')\n")
    done = subprocess.run([b.tool, "weights", "report", "w.nc", "--json", "r.json", "--picture", "none.png"], cwd=b.folder, capture_output=True,
                          text=True, timeout=200, env={**os.environ, "PYTHONPATH": str(b.folder)})
    (b.folder / "matplotlib.py").unlink()
    said = "--picture: pictures are drawn by matplotlib"
    b.tally.check("a picture without matplotlib", [done.stderr] * (done.returncode != 1 or said not in done.stderr
                                                                   or "apt install python3-matplotlib" not in done.stderr))
    b.tally.check("the numbers without matplotlib", ["none"] * ("misfit of" not in done.stdout or not (b.folder / "r.json").exists()))
    b.tally.check("no picture without matplotlib", ["one"] * (b.folder / "none.png").exists())


def shapefile(*lines):
    """Polygons of one part each."""
    content = bytes(100)
    for k, line in enumerate(lines):
        points = np.array(line, "<f8")
        record = struct.pack("<i4d3i", 5, *points.min(axis=0), *points.max(axis=0), 1, len(line), 0) + points.tobytes()
        content += struct.pack(">2i", k + 1, len(record) // 2) + record
    return content


def coastlines(b, image):
    """The program that draws, given the coast of an island, a second time without one; then Debian's file, where it is."""
    plot = next((pathlib.Path(b.tool).parent / ".." / "libexec").glob("h3ou/plot_report.py"))
    place = importlib.util.spec_from_file_location("plot_report", plot)
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    lines = ([(0, 0), (40, 0), (40, 30), (0, 0)], [(170, -50), (190, -50), (190, -40), (170, -50), (170, -90), (170, -50)])
    (b.folder / "coast.shp").write_bytes(shapefile(*lines))
    found = module.read_lines(b.folder / "coast.shp")
    b.tally.check("lines of a shapefile", [str(found)] * (len(found) != 2 or any(not np.array_equal(f, x) for f, x in zip(found, lines))))
    data = {"report": json.loads((b.folder / "r.json").read_text()), "name": "a $ b $", "source": "a", "target": "b", "function": "vortex",
            "box": {"west": -180, "east": 180, "south": -90, "north": 90},
            "maps": [{"title": "t", "scale": "s", "pixels": ["v" * 860] * 430, "values": [1.0] * 430 * 860}] * 3}
    (b.folder / "p.json").write_text(json.dumps(data))
    seen = {}
    for name in ("coast.shp", "none.shp"):
        module.COASTS = b.folder / name
        module.main([str(b.folder / "p.json"), str(b.folder / "coast.png")])
        seen[name] = image.imread(b.folder / "coast.png")[120:550, 64:924]
    is_drawn = np.abs(seen["coast.shp"] - seen["none.shp"]).max(axis=-1) > 0.1
    y, x = np.nonzero(is_drawn)
    lon, lat = -180 + (x + 0.5) / 860 * 360, 90 - (y + 0.5) / 430 * 180
    near = ((np.abs(lon - 20) < 21) & (np.abs(lat - 15) < 16)) | ((np.abs(np.abs(lon) - 175) < 6) & (np.abs(lat + 45) < 6))
    b.tally.check("coastlines are drawn, on both edges of the map too", [f"{lon} {lat}"] * (not near.all() or not is_drawn[:, :20].any() or not is_drawn[:, -20:].any()))
    debian = pathlib.Path("/usr/share/cartopy/data/shapefiles/gshhs/c/GSHHS_c_L1.shp")
    if debian.exists():
        all_lines = module.read_lines(debian)
        beyond = [line for line in all_lines if np.abs(line[:, 1]).max() > 90 or np.abs(line[:, 0]).max() > 360]
        b.tally.check("Debian's coastlines", [f"{len(all_lines)} lines"] * (len(all_lines) < 100 or len(beyond) > 0))


def regional(b, image):
    b.cdo("-f", "nc", "-sellonlatbox,-20,40,30,70", "-topo,r180x90", "region.nc")
    b.run("make", "a.nc", "region.nc", "-m", "bilinear", "-o", "w.nc")
    b.expect("a region", 0, ["within"], "report", "w.nc", "--picture", "p.png", "--function", "sinusoid", "--json", "r.json")
    found = json.loads((b.folder / "r.json").read_text())
    pixels = np.round(image.imread(b.folder / "p.png")[..., :3] * 255)
    outside = (np.abs(pixels[120:550, -890:-30] - 0xf2).max(axis=-1) == 0).mean()
    b.tally.check("its map is zoomed", [f"{outside} of the map is outside"] * (not 0.2 < outside < 0.6))
    b.tally.check("integrals over other areas are not compared", [str(found["functions"])] * (found["functions"]["sinusoid"]["conservation"] is not None))


def spoil(b, name, variable, change):
    """w.nc with other values."""
    shutil.copy(b.folder / "w.nc", b.folder / name)
    with b.open(name, "a") as f:
        values = f[variable][:].filled()
        change(values)
        f[variable][:] = values


def part_errors(b):
    b.run("make", "a.nc", "b.nc", "-m", "conservative", "-o", "w.nc")
    usage(b)
    wrong_weights(b)
    balance(b)
    make = ["make", "a.nc", "b.nc", "-m", "nearest", "-o"]
    b.expect("no such grid", 1, ["none.nc: No such file"], "make", "none.nc", "b.nc", "-m", "nearest", "-o", "x.nc")
    b.expect("no such folder", 1, ["none/x.nc"], *make, "none/x.nc")
    b.expect("the result is the source", 1, ["a.nc is to be written, but is read as a.nc"], *make, "a.nc")
    b.expect("the result is the input", 1, ["is read as"], "apply", "w.nc", "a.nc", "./a.nc")
    os.mkfifo(b.folder / "pipe")
    for line in ([*make, "pipe"], ["apply", "w.nc", "a.nc", "pipe"], ["convert", "w.nc", "-f", "esmf", "-o", "pipe"], ["report", "w.nc", "--json", "pipe"],
                 ["report", "w.nc", "--picture", "pipe"]):
        b.expect(f"{line[0]} leaves devices and pipes alone", 1, ["pipe is a device or pipe, not a plain file"], *line)
    b.tally.check("the pipe is there", ["gone"] * (not (b.folder / "pipe").is_fifo()))
    b.expect("a field of another grid", 1, [r"n.nc: no variable is on the weights' source grid of 36 x 72 cells: it has topo\(lat=32, lon=64\)"],
             "apply", "w.nc", "n.nc", "o.nc")
    b.cdo("-invertlat", "a.nc", "south.nc")
    b.expect("the same grid in another order", 1, ["south.nc is not on the source grid of w.nc: cell 1 is at"], "apply", "w.nc", "south.nc", "o.nc")
    b.tally.check("and nothing is written", ["o.nc is there"] * (b.folder / "o.nc").exists())
    truncated(b)
    full_disk(b)
    overlaps(b)


def usage(b):
    make = ["make", "a.nc", "b.nc", "-o", "x.nc"]
    for name, code, said, line in (
            ("nothing", 2, ["usage: h3ou weights COMMAND"], []), ("unknown command", 2, ["no command 'mkae', did you mean 'make'"], ["mkae"]),
            ("unknown method", 2, ["no method 'consrvative', did you mean 'conservative'"], [*make, "-m", "consrvative"]),
            ("unknown second method", 2, ["no method 'nerest', did you mean 'nearest'"], [*make, "-m", "bilinear,nerest"]),
            ("unknown key", 2, ["method distance has no key 'm'"], [*make, "-m", "distance(m=4)"]),
            ("unknown option", 2, ["no option '--nrom', did you mean '--norm'"], [*make, "-m", "nearest", "--nrom", "x"]),
            ("unknown choice", 2, ["--norm 'destare', did you mean 'destarea'"], [*make, "-m", "nearest", "--norm", "destare"]),
            ("unknown format", 2, ["-f 'scripp', did you mean 'scrip'"], [*make, "-m", "nearest", "-f", "scripp"]),
            ("no number", 2, ["-n 'four': not a number"], [*make, "-m", "distance", "-n", "four"]),
            ("no value", 2, ["-m is the last word"], [*make, "-m"]), ("no method", 2, ["no method is given: -m"], make),
            ("no result", 2, ["no result is named: -o"], ["make", "a.nc", "b.nc", "-m", "nearest"]),
            ("one grid", 2, ["1 file given, 2 needed"], ["make", "a.nc", "-m", "nearest", "-o", "x.nc"]),
            ("three grids", 2, ["'n.nc' is one file too many"], ["make", "a.nc", "b.nc", "n.nc"]),
            ("one of two grids", 2, ["one grid file is given"], ["check", "w.nc", "a.nc"]),
            ("no format", 2, ["no format is given"], ["convert", "w.nc", "-o", "x.nc"]),
            ("unknown function", 2, ["'vortx', did you mean 'vortex'"], ["report", "w.nc", "--function", "vortx"])):
        b.expect(name, code, said, *line)
    for command, words in {"make": ["--norm", "--threads", "--edges", "--source-edges", "--limit", "-f", "conservative2", r"distance\(n power radius\)"],
                           "check": ["NaN|finite", "Exit code"], "convert": ["-f", "esmf"], "apply": ["--missing", "_FillValue"],
                           "report": ["--json", "--picture", "gulfstream"]}.items():
        done = b.expect(f"help of {command}", 0, [f"usage: h3ou weights {command}", *words], command, "--help")
        b.tally.check(f"help of {command} fits a screen", [done.stdout] * (done.stdout.count("\n") > 50 or done.stderr != ""))


def wrong_weights(b):
    def hundred(v):
        v[99] = np.nan

    def minus(v):
        v[7] = -v[7]

    def half(v):
        v[3] *= 0.5

    for name, variable, change, said in (("NaN", "remap_matrix", hundred, "finite|NaN|nan"), ("negative", "remap_matrix", minus, "WRONG: 1 coefficients .* negative"),
                                         ("rows", "remap_matrix", half, "WRONG: rows do not sum to 1: target 1 "),
                                         ("areas", "src_grid_area", lambda v: v.__imul__(1 + 1e-9), "WRONG: what a source cell gives differs")):
        spoil(b, "bad.nc", variable, change)
        b.expect(f"check finds {name}", 1, [said], "check", "bad.nc", never=["nothing is wrong"])
    spoil(b, "bad.nc", "src_address", lambda v: v.__setitem__(5, 99999))
    b.expect("a link beyond the grid", 1, ["bad.nc"], "check", "bad.nc")
    b.expect("another source grid", 1, ["WRONG: n.nc is not the source grid", "2592", "2048"], "check", "w.nc", "n.nc", "b.nc")
    b.expect("another mask", 1, ["WRONG: am.nc is not the source grid", "mask"], "check", "w.nc", "am.nc", "b.nc")
    b.expect("another target grid", 1, ["n.nc", "642|2048"], "report", "w.nc", "a.nc", "n.nc")
    b.expect("a grid is no weights", 1, ["a.nc"], "check", "a.nc")


def write_columns(b, name, west, east, masked=()):
    """A regular grid of 12 rows with these bounds of columns."""
    with b.open(name, "w") as f:
        south = np.linspace(-90, 75, 12)
        for axis, standard, low, high in (("lat", "latitude", south, south + 15), ("lon", "longitude", west, east)):
            f.createDimension(axis, len(low))
            v = f.createVariable(axis, "f8", (axis,))
            v.standard_name, v.units, v.bounds = standard, "degrees", axis + "_bounds"
            v[:] = (np.asarray(low) + high) / 2
            if "two" not in f.dimensions:
                f.createDimension("two", 2)
            f.createVariable(axis + "_bounds", "f8", (axis, "two"))[:] = np.stack([low, high], axis=1)
        v = f.createVariable("v", "f8", ("lat", "lon"), fill_value=-1.0)
        values = np.ones((12, len(west)))
        for cell in masked:
            values[cell] = -1.0
        v[:] = np.ma.masked_equal(values, -1.0)


def pick_row(b, partly):
    """The links of the row with most of them, in w.nc, of targets that sources cover wholly or partly."""
    _, row, _, _, n = b.matrix("w.nc")
    with b.open("w.nc") as f:
        frac = f["dst_grid_frac"][:].filled()
    size = np.bincount(row, minlength=n) * ((frac < 1 - 1e-6) == partly)
    return np.flatnonzero(row == np.argmax(size))


def overlaps(b):
    """Beside both grids, masked or regional, what each source cell gives is known for both orders: no right weight is blamed, and a
    part of a weight that is moved to another source, so that the row's sum stays, is found, as are sums that change."""
    for name in ("orca42x36-coads", "red16", "lmdz32x24", "rot16x16", "trip36x20-sea"):
        grids.make(name, b.folder)
    for source, target, methods in (("orca42x36-coads", "red16", ["conservative", "conservative2"]), ("red16", "orca42x36-coads", ["conservative2"]),
                                    ("orca42x36-coads", "trip36x20-sea", ["conservative2,nearest"]), ("lmdz32x24", "rot16x16", ["conservative", "conservative2"])):
        pair = f"{source}.nc", f"{target}.nc"
        for method in methods:
            b.run("make", *pair, "-m", method, "-o", "w.nc")
            name = f"{method}, {source} to {target}"
            b.expect(f"overlaps of {name}", 0, [r"(\d+) of \1 source cells are judged", "nothing is wrong"], "check", "w.nc", *pair, never=["WRONG"])
            link = pick_row(b, source.startswith("orca"))

            def move(v):
                v[link[0]] -= 1e-5
                v[link[1]] += 1e-5

            spoil(b, "bad.nc", "remap_matrix", move)
            b.expect(f"moved in {name}", 1, ["WRONG: what a source cell gives differs from its overlaps"], "check", "bad.nc", *pair, never=["rows do not sum"])
    for what, at, change in (("off", link[0], lambda x: x + 1e-5), ("dropped", link[0], lambda x: 0 * x), ("doubled", link[0], lambda x: 2 * x),
                             ("scaled", link, lambda x: x * (1 + 1e-5))):
        spoil(b, "bad.nc", "remap_matrix", lambda v: v.__setitem__(at, change(v[at])))
        b.expect(f"{what} in {name}", 1, ["WRONG: rows do not sum to 1", "differs from its overlaps"], "check", "bad.nc", *pair)
    from_others(b, pair)


def from_others(b, pair):
    """Files that do not say which method made a row: cells that targets cover in part, and their neighbours, are left out."""
    for method in ("conservative2", "conservative2,nearest"):
        b.run("make", *pair, "-m", method, "-f", "oasis", "-o", "w.nc")
        b.expect(f"overlaps of OASIS's, {method}", 0, ["source cells are judged", "nothing is wrong"], "check", "w.nc", *pair, never=["WRONG"])
        for form in ("esmf", "yac"):
            b.run("make", *pair, "-m", method, "-f", form, "-o", "v.nc")
            b.expect(f"overlaps in {form}, {method}", 0, ["nothing is wrong"], "check", "v.nc", *pair, never=["WRONG"])
    b.cdo(f"-gencon,{pair[1]}", pair[0], "cdo.nc")
    b.expect("overlaps of CDO's", 0, ["nothing is wrong"], "check", "cdo.nc", *pair, never=["WRONG"])
    b.expect("overlaps unknown", 0, ["SRC.nc and DST.nc are needed", "nothing is wrong"], "check", "w.nc", never=["WRONG", "are judged"])


def balance(b):
    """What source cells give beside their areas: no false alarm beside masked targets, none missed where targets overlap, and
    cells at one place count once, on both sides."""
    west = np.arange(24) * 15.0
    again = np.append(west, 360.0)
    near = np.append(west, 360.001)
    write_columns(b, "s.nc", west, west + 15)
    write_columns(b, "again.nc", again, again + 15)
    write_columns(b, "masked.nc", west + 2e-7, west + 15 + 2e-7, [(5, 7), (6, 7)])
    write_columns(b, "near.nc", near, near + 15)
    for source, target, code, said, never in (("s.nc", "masked.nc", 0, ["nothing is wrong"], ["WRONG"]),
                                              ("s.nc", "near.nc", 1, ["WRONG: a source cell gives more than its area by 1 "], []),
                                              ("s.nc", "again.nc", 0, ["12 target cells are at the place of another", "nothing is wrong"], ["WRONG"]),
                                              ("again.nc", "s.nc", 0, ["nothing is wrong"], ["WRONG"])):
        done = b.expect(f"{source} -> {target}", 0, [], "make", source, target, "-m", "conservative", "-o", "v.nc")
        b.expect(f"check of {source} -> {target}", code, said, "check", "v.nc", never=never)
    b.tally.check("make names cells at one place", [done.stderr] * ("again.nc: 12 cells have the corners of another cell, which "
                                                                    "stands for them (first: 25, by 1)" not in done.stderr))


def truncated(b):
    for name, line in (("w.nc", ["check", "cut.nc"]), ("w.nc", ["apply", "cut.nc", "a.nc", "o.nc"]), ("a.nc", ["make", "cut.nc", "b.nc", "-m", "nearest", "-o", "o.nc"]),
                       ("a.nc", ["apply", "w.nc", "cut.nc", "o.nc"])):
        content = (b.folder / name).read_bytes()
        (b.folder / "cut.nc").write_bytes(content[:len(content) * 2 // 3])
        b.expect(f"{line[0]} of {name} cut short", 1, ["cut.nc"], *line)
        b.tally.check("and nothing is written", ["o.nc is there"] * (b.folder / "o.nc").exists())


def full_disk(b):
    """A file system of 64 kB: nothing half-written stays on it."""
    disk = b.folder / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "h3ou-test", str(disk)], capture_output=True).returncode:
        print("skipped: a full disk needs the right to mount one")
        return
    try:
        for line in (["make", "a.nc", "b.nc", "-m", "conservative", "-o", "disk/w.nc"], ["convert", "w.nc", "-f", "esmf", "-o", "disk/w.nc"],
                     ["apply", "back.nc", "b40.nc", "disk/o.nc"], ["report", "w.nc", "--picture", "disk/p.png"],
                     ["report", "w.nc", "--picture", "disk/p.pdf"]):
            if line[0] == "apply":
                b.run("make", "b.nc", "a.nc", "-m", "nearest", "-o", "back.nc")
                b.cdo("-b", "F64", "-duplicate,10", "b.nc", "b40.nc")
            b.expect(f"{line[0]} on a full disk", 1, [f"disk/{line[-1].split('/')[1]}"], *line)
            b.tally.check(f"{line[0]}: nothing is left", [str(list(disk.iterdir()))] * bool(list(disk.iterdir())))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def main(part, tool, source):
    with tempfile.TemporaryDirectory(prefix="h3ou-weights-") as folder:
        b = Bench(tool, source, folder)
        globals()[f"part_{part}"](b)
        return b.tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
