#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Masks of grids in files: where they come from, and what masked cells need not have."""
import pathlib
import re
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

NX, NY, DEGREE = 24, 14, np.pi / 180
METHODS = ["conservative", "conservative2", "bilinear", "bicubic", "nearest", "distance", "radial", "bilinear,creep"]


def rotated(lon, lat):
    """From a grid whose pole lies at 100 degrees east, 60 degrees north."""
    lon, lat = np.asarray(lon) * DEGREE, np.asarray(lat) * DEGREE
    x, y, z = np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)
    x, z = x * np.cos(30 * DEGREE) + z * np.sin(30 * DEGREE), z * np.cos(30 * DEGREE) - x * np.sin(30 * DEGREE)
    return np.arctan2(y, x) / DEGREE + 100, np.arcsin(np.clip(z, -1, 1)) / DEGREE


class Grid:
    """NX x NY cells without the caps of the pole; sea: those that take part."""

    def __init__(self):
        x, y = np.meshgrid(7.5 + 15 * np.arange(NX), -65 + 10 * np.arange(NY))
        self.lon, self.lat = (v.ravel() for v in rotated(x, y))
        self.clon, self.clat = (v.reshape(-1, 4) for v in rotated(x[..., None] + np.array([-7.5, 7.5, 7.5, -7.5]),
                                                                  y[..., None] + np.array([-5, -5, 5, 5])))
        x, y = x.ravel(), y.ravel()
        self.sea = ~((np.hypot(x - 100, y - 10) < 40) | (np.hypot(x - 300, y + 20) < 30) | (x < 20) & (y > 30))

    def with_holes(self):
        """The same without coordinates on land: NaN, and values as files have them for missing ones."""
        other = Grid()
        for k, i in enumerate(np.flatnonzero(~self.sea)):
            other.lon[i], other.lat[i] = ((np.nan, np.nan), (1e20, 1e20), (other.lon[i], np.nan), (-32767, -32767))[k % 4]
            if k % 3:
                other.clon[i], other.clat[i] = ((np.nan, np.nan), (1e20, 1e20))[k % 2]
        return other


def put(d, name, dims, value, **attributes):
    v = d.createVariable(name, np.asarray(value).dtype, dims)
    v.setncatts(attributes)
    v[:] = value
    return v


def curvilinear(file, g, bounds=True, **fields):
    with netCDF4.Dataset(file, "w") as d:
        for name, size in (("y", NY), ("x", NX), ("four", 4)):
            d.createDimension(name, size)
        for name, value, corner, word in (("lon", g.lon, g.clon, "longitude"), ("lat", g.lat, g.clat, "latitude")):
            put(d, name, ("y", "x"), value.reshape(NY, NX), units="degrees", standard_name=word)
            if bounds:
                d[name].bounds = name + "_b"
                put(d, name + "_b", ("y", "x", "four"), corner.reshape(NY, NX, 4))
        for name, value in (fields or {"sst": np.where(g.sea, 1.0, np.nan)}).items():
            put(d, name, ("y", "x"), value.reshape(NY, NX), coordinates="lon lat")


def scrip(file, g):
    with netCDF4.Dataset(file, "w") as d:
        for name, size in (("grid_size", NX * NY), ("grid_corners", 4), ("grid_rank", 2)):
            d.createDimension(name, size)
        put(d, "grid_dims", ("grid_rank",), np.array([NX, NY], "i4"))
        put(d, "grid_imask", ("grid_size",), g.sea.astype("i4"))
        put(d, "grid_area", ("grid_size",), np.where(np.isfinite(g.clon[:, 0]), 0.01, np.nan), units="steradian")
        for name, value, corner in (("lon", g.lon, g.clon), ("lat", g.lat, g.clat)):
            put(d, "grid_center_" + name, ("grid_size",), value, units="degrees")
            put(d, "grid_corner_" + name, ("grid_size", "grid_corners"), corner, units="degrees")


class Bench:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.tally = tool, pathlib.Path(folder), jobs.Tally()

    def call(self, *line):
        return subprocess.run([self.tool, "weights", *map(str, line)], cwd=self.folder, capture_output=True, text=True, timeout=200)

    def expect(self, name, code, said, *line, never=()):
        done = self.call(*line)
        text = done.stdout + done.stderr
        self.tally.check(name, [f"code {done.returncode}, awaited {code}: {text}"] * (done.returncode != code) +
                         [f"does not say {s}: {text}" for s in said if not re.search(s, text)] +
                         [f"says {s}: {text}" for s in never if re.search(s, text)])

    def links(self, source, target, method, *options):
        """The links and the masks of the weights, or the error."""
        done = self.call("make", source, target, "-m", method, "-o", "w.nc", *options)
        if done.returncode:
            return done.stderr
        with netCDF4.Dataset(self.folder / "w.nc") as d:
            return [d[v][:].filled().ravel() for v in ("src_address", "dst_address", "remap_matrix", "src_grid_imask", "dst_grid_imask")]

    def same(self, name, one, two):
        texts = [v for v in (one, two) if isinstance(v, str)]
        self.tally.check(name, texts or ["the weights differ"] * (not all(map(np.array_equal, one, two))) + ["no links"] * (one[0].size == 0))


def part_holes(b):
    """Missing coordinates of masked cells change nothing."""
    g = Grid()
    for form, write in (("cf", curvilinear), ("scrip", scrip)):
        write(b.folder / "full.nc", g)
        write(b.folder / "holes.nc", g.with_holes())
        for method in METHODS if form == "cf" else METHODS[::4]:
            ways = ("full.nc", "r36x18"), ("r36x18", "full.nc")
            for source, target in ways[method == "bilinear,creep":]:
                b.same(f"{form}, {method}, {source} to {target}", b.links(source, target, method),
                       b.links(source.replace("full", "holes"), target.replace("full", "holes"), method))
        b.links("holes.nc", "r36x18", "conservative")
        b.expect(f"check of {form}", 0, ["nothing is wrong", "is the source grid"], "check", "w.nc", "holes.nc", "r36x18")
    bare(b, g)
    spoilt = g.with_holes()
    spoilt.sea[np.flatnonzero(~g.sea)[1]] = True
    scrip(b.folder / "spoilt.nc", spoilt)
    b.expect("a cell that takes part needs a centre", 1, [r"centre at longitude .* is not on the sphere"], "make", "spoilt.nc", "r36x18", "-m",
             "nearest", "-o", "w.nc")


def bare(b, g):
    """Corners made from the centres, on coasts too."""
    curvilinear(b.folder / "full.nc", g, bounds=False)
    curvilinear(b.folder / "holes.nc", g.with_holes(), bounds=False)
    one, two = (b.links(file, "r36x18", "conservative", "--norm", "destarea") for file in ("full.nc", "holes.nc"))
    texts = [v for v in (one, two) if isinstance(v, str)]
    if not texts:
        covered = [np.bincount(v[1], v[2]).sum() for v in (one, two)]
        texts = [f"they cover {covered}"] * (not 0.98 < covered[1] / covered[0] < 1.02)
    b.tally.check("corners are made on coasts", texts)


def lonlat(file, fields, attributes=None, times=None, levels=None):
    """36 x 18 boxes with fields; those of more dimensions change in time or by level."""
    with netCDF4.Dataset(file, "w") as d:
        for name, size in (("time", times), ("lev", levels), ("lat", 18), ("lon", 36)):
            if size:
                d.createDimension(name, size)
        put(d, "lon", ("lon",), 5.0 + 10 * np.arange(36), units="degrees_east")
        put(d, "lat", ("lat",), -85.0 + 10 * np.arange(18), units="degrees_north")
        if times:
            put(d, "time", ("time",), 1.0 * np.arange(times), units="days since 2000-01-01")
        for name, value in fields.items():
            dims = (("time",) * (value.ndim > 2 and bool(times)) + ("lev",) * (value.ndim > 2 and bool(levels)) + ("lat", "lon"))
            put(d, name, dims[-value.ndim:], value, **(attributes or {}).get(name, {}))


def masked(b, name, side=0):
    """The mask that weights of r36x18 to itself have: True where a cell takes part."""
    with netCDF4.Dataset(b.folder / name) as d:
        return d[("src_grid_imask", "dst_grid_imask")[side]][:].filled() != 0


def part_choice(b):
    """Where a mask comes from, and how its values are read."""
    rows, columns = np.mgrid[0:18, 0:36]
    sea = (rows - 9) ** 2 + (columns - 20) ** 2 > 30
    other = columns > 4
    lonlat(b.folder / "a.nc", {"sst": np.where(other, 280.0, np.nan), "salt": np.where(sea, 35.0, np.nan)})
    lonlat(b.folder / "m.nc", {
        "tmask": sea.astype("i1"), "torc.msk": (~sea).astype("i4"), "code": np.where(sea, 3, np.where(other, 1, 2)).astype("i4"),
        "lsm": (~sea).astype("f8"), "plain": np.where(sea, 5.5, np.nan), "three": np.where(sea, 7, 0).astype("i4"),
        "small": np.ones(36)}, {
            "code": {"flag_values": np.array([1, 2, 3], "i4"), "flag_meanings": "land dry sea"},
            "lsm": {"standard_name": "land_binary_mask"}})
    said = {
        "": (other, "mask: missing values of sst: 90 of 648 cells are masked"),
        "salt": (sea, r"mask: salt \(missing values are masked\): \d+ of 648"),
        "m.nc:tmask": (sea, r"mask: m.nc:tmask \(0 is masked\)"),
        "m.nc:tmask:masked=1": (~sea, r"1 is masked, as was said"),
        "m.nc:torc.msk": (sea, "1 is masked, as in OASIS's files"),
        "m.nc:torc.msk:masked=0": (~sea, "0 is masked, as was said"),
        "m.nc:code": (sea, "by flag_meanings, 1 and 2 are masked"),
        "m.nc:code:masked=1,3": ((rows > -1) & ~sea & ~other, "1,3 is masked"),
        "m.nc:lsm": (sea, "land_binary_mask is 1 on land"),
        "m.nc:plain": (sea, "missing values are masked"),
        "m.nc:three": (sea | True, r"0 of 648 cells are masked"),
        "m.nc:three:masked=0": (sea, "0 is masked, as was said"),
        "none": (sea | True, ""),
    }
    for wish, (awaited, words) in said.items():
        for side, option in enumerate(("--source-mask", "--target-mask")):
            files = ("a.nc", "r36x18") if side == 0 else ("r36x18", "a.nc")
            b.expect(f"{option} {wish}", 0, [words], "make", *files, "-m", "nearest", "-o", "w.nc", *((option, wish) if wish else ()))
            found = masked(b, "w.nc", side)
            b.tally.check(f"the mask of {option} {wish}", [f"{(found != awaited.ravel()).sum()} cells differ"] * bool((found != awaited.ravel()).any()) +
                          ["the other side has a mask"] * (not masked(b, "w.nc", 1 - side).all()))
    for option in ("--no-mask",), ("--mask", "m.nc:tmask"):
        b.expect(" ".join(option), 0, [], "make", "a.nc", "a.nc", "-m", "conservative", "-o", "w.nc", *option)
        awaited = sea.ravel() | (len(option) == 1)
        b.tally.check("of both sides", [] if all((masked(b, "w.nc", k) == awaited).all() for k in (0, 1)) else ["another mask"])
    b.expect("a named grid's mask", 0, ["m.nc:tmask"], "make", "r36x18", "a.nc", "-m", "bilinear", "-o", "w.nc", "--source-mask", "m.nc:tmask")
    b.tally.check("is used", [] if (masked(b, "w.nc") == sea.ravel()).all() else ["another mask"])
    b.expect("check with the mask", 0, ["nothing is wrong", "is the source grid"], "check", "w.nc", "r36x18", "a.nc", "--source-mask", "m.nc:tmask")
    b.expect("check without it", 1, ["is masked, in the grid"], "check", "w.nc", "r36x18", "a.nc")
    for wish, words in (("m.nc:small", "do not hold the 648 cells"), ("m.nc:nothing", "no such variable"), ("nofile.nc:x", "nofile.nc: No such file"),
                        ("m.nc:tmask:masked=x", "numbers with commas between"), ("m.nc:", "expected VAR")):
        b.expect(f"refused: {wish}", 1, [words], "make", "a.nc", "r36x18", "-m", "nearest", "-o", "w.nc", "--source-mask", wish)
    b.expect("refused: a variable of a named grid", 1, ["give FILE:VAR"], "make", "r36x18", "a.nc", "-m", "nearest", "-o", "w.nc", "--source-mask", "x")
    b.expect("refused: both", 2, ["leave one out"], "make", "a.nc", "a.nc", "-m", "nearest", "-o", "w.nc", "--no-mask", "--mask", "salt")


def part_time(b):
    """A mask that changes in time is said and left out; one that changes by level is that of the first."""
    ice = np.zeros((50, 18, 36))
    ice[:, 3, :10] = np.nan
    lonlat(b.folder / "still.nc", {"ice": ice}, times=50)
    ice[20:30, 5, 4:7] = np.nan
    lonlat(b.folder / "moves.nc", {"ice": ice}, times=50)
    lonlat(b.folder / "levels.nc", {"ice": ice[18:22]}, levels=4)
    for file, count, said in (("still.nc", 10, "10 of 648 cells are masked"), ("levels.nc", 10, "10 of 648 cells"),
                              ("moves.nc", 0, "the mask is left out: the missing values of ice change in time, in 3 of 648 cells")):
        b.expect(file, 0, [said], "make", file, "r36x18", "-m", "nearest", "-o", "w.nc")
        found = (~masked(b, "w.nc")).sum()
        b.tally.check(f"masked cells of {file}", [f"{found}"] * int(found != count))
    b.expect("a named mask that changes", 1, ["is no mask, because it changes in time, in 3 of 648 cells"], "make", "moves.nc", "r36x18", "-m",
             "nearest", "-o", "w.nc", "--source-mask", "ice")


def part_bad(b):
    """Bad cells are masked and listed instead of refused, and the rest is as it would be with these cells masked."""
    g = Grid()
    awaited = {}
    spoilt = Grid()
    sea = np.flatnonzero(g.sea)
    for k, (i, why) in enumerate(zip(sea[7::31], ["a centre that is not on the sphere", "a corner that is not finite", "edges that cross", "no area",
                                                  "a corner beyond a pole"])):
        awaited[i + 1] = why
        if k == 0:
            spoilt.lat[i] = 95
        elif k == 1:
            spoilt.clon[i, 2] = np.nan
        elif k == 2:
            spoilt.clon[i, [1, 2]], spoilt.clat[i, [1, 2]] = g.clon[i, [2, 1]], g.clat[i, [2, 1]]
        elif k == 3:
            spoilt.clon[i], spoilt.clat[i] = g.clon[i, 0], g.clat[i, 0]
        else:
            spoilt.clat[i, 1] = 91
        g.sea[i] = False
    for form, write in (("cf", curvilinear), ("scrip", scrip)):
        write(b.folder / "bad.nc", spoilt)
        write(b.folder / "good.nc", g)
        b.expect(f"{form}: refused without the option", 1, ["is not on the sphere"], "make", "bad.nc", "r36x18", "-m", "conservative", "-o", "w.nc")
        b.expect(f"{form}: masked with it", 0, [r"bad.nc: 5 bad cells were masked \(first: \d+\), list.txt lists them"], "make", "bad.nc", "r36x18",
                 "-m", "conservative", "-o", "w.nc", "--mask-bad", "list.txt")
        lines = (b.folder / "list.txt").read_text(encoding="utf-8").splitlines()
        listed = {int(line.split(" ", 4)[1]): line.split(" ", 4) for line in lines if line[0] != "#"}
        b.tally.check(f"{form}: the list", [f"lists {sorted(listed)}, not {sorted(awaited)}: {lines}"] * (list(listed) != sorted(awaited)) +
                      [f"cell {i}: {listed[i][4]}, not {why}" for i, why in awaited.items() if why not in listed.get(i, [""] * 5)[4]] +
                      [f"cell {i}: at {line[2:4]}" for i, line in listed.items()
                       if abs(float(line[2]) - spoilt.lon[i - 1]) > 1e-6 or abs(float(line[3]) - spoilt.lat[i - 1]) > 1e-6] +
                      [f"of the {line[0]}" for line in listed.values() if line[0] != "source"])
        for method in ("conservative", "bilinear", "distance"):
            for ways in (("{}", "r36x18"), ("r36x18", "{}")):
                one, two = [[w.format(file) for w in ways] for file in ("good.nc", "bad.nc")]
                b.same(f"{form}, {method}, {' to '.join(two)}", b.links(*one, method), b.links(*two, method, "--mask-bad", "list.txt"))
    b.expect("the list is no grid", 1, ["is to be written, but is read"], "make", "bad.nc", "r36x18", "-m", "nearest", "-o", "w.nc", "--mask-bad", "bad.nc")


def main(tool):
    with tempfile.TemporaryDirectory() as folder:
        b = Bench(tool, folder)
        part_holes(b)
        part_choice(b)
        part_time(b)
        part_bad(b)
        return b.tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
