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
        for name, value, corner in (("lon", g.lon, g.clon), ("lat", g.lat, g.clat)):
            put(d, "grid_center_" + name, ("grid_size",), value, units="degrees")
            put(d, "grid_corner_" + name, ("grid_size", "grid_corners"), corner, units="degrees")


class Bench:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.tally = tool, pathlib.Path(folder), jobs.Tally()

    def call(self, *line):
        return subprocess.run([self.tool, "weights", *map(str, line)], cwd=self.folder, capture_output=True, text=True, timeout=60)

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
        for method in METHODS:
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


def main(tool):
    with tempfile.TemporaryDirectory() as folder:
        b = Bench(tool, folder)
        part_holes(b)
        return b.tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
