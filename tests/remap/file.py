#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""method='file(file=W.nc)': a user's weights in the coupled run, the same bits for every number of processes, and what no row
serves left to the next method; a file that does not fit its grids is refused with what differs."""
import pathlib
import re
import sys
import tempfile

import netCDF4
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling log_level="WHISPER" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1, {keys} /
&h3ou_var var_put='f', var_get='f', intvl=600, lag=-1, flag='SNP' /
"""
SOURCE, TARGET = "boxes:36:18m", "points:500m"
PROCS = [((1, 1), "block", "block"), ((2, 3), "cyclic", "mixed"), ((4, 2), "mixed", "block"), ((3, 1), "block", "cyclic")]


def places(lon, lat):
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)


def sea(lon, lat):
    x, y, _ = places(lon, lat).T
    return ~((x > 0.75) | ((y > 0.97) & (lat > 0)))


def boxes(nx, ny):
    i = np.arange(nx * ny)
    return np.radians((i % nx + 0.5) * 360 / nx), np.radians(-90 + (i // nx + 0.5) * 180 / ny)


def points(n):
    i = np.arange(n)
    return np.fmod(i * np.pi * (3 - np.sqrt(5)), 2 * np.pi), np.arcsin(1 - (2 * i + 1) / n)


def field(lon, lat):
    x, y, z = places(lon, lat).T
    return 2 + x * y + 0.5 * z


class Weights:
    """Three sources of each target in the sea, but of every seventh none."""

    def __init__(self):
        self.src, self.dst = boxes(36, 18), points(500)
        self.src_sea, self.dst_sea = sea(*self.src), sea(*self.dst)
        random = np.random.default_rng(7)
        far = np.arccos(np.clip(places(*self.dst) @ places(*self.src).T, -1, 1))
        far[:, ~self.src_sea] = 9
        rows = [(t, s) for t in range(500) if self.dst_sea[t] and t % 7 for s in sorted(np.argsort(far[t])[:3])]
        self.t, self.s = np.array(rows).T
        part = random.random(len(rows))
        whole = np.zeros(500)
        np.add.at(whole, self.t, part)
        self.c = part / whole[self.t]
        self.served = np.zeros(500, bool)
        self.served[self.t] = True
        self.nearest = np.argmin(far, axis=1)

    def expected(self):
        values = np.full(500, np.nan)
        values[self.served] = 0
        np.add.at(values, self.t, self.c * field(*self.src)[self.s])
        return values

    def write(self, path, format="NETCDF4"):
        with netCDF4.Dataset(path, "w", format=format) as f:
            f.title, f.conventions, f.map_method, f.normalization = "by hand", "SCRIP", "Nearest neighbor", "none"
            for side, (lon, lat), mask in (("src", self.src, self.src_sea), ("dst", self.dst, self.dst_sea)):
                f.createDimension(f"{side}_grid_size", len(lon))
                for name, values in (("center_lon", lon), ("center_lat", lat)):
                    v = f.createVariable(f"{side}_grid_{name}", "f8", (f"{side}_grid_size",))
                    v.units = "radians"
                    v[:] = values
                f.createVariable(f"{side}_grid_imask", "i4", (f"{side}_grid_size",))[:] = mask
            f.createDimension("num_links", len(self.t))
            f.createDimension("num_wgts", 1)
            f.createVariable("src_address", "i4", ("num_links",))[:] = self.s + 1
            f.createVariable("dst_address", "i4", ("num_links",))[:] = self.t + 1
            f.createVariable("remap_matrix", "f8", ("num_links", "num_wgts"))[:] = self.c[:, None]


def go(way, program, config, procs, deals, stem, source=SOURCE, target=TARGET):
    return jobs.run(way, (procs[0], program, ["A", config, source, deals[0], stem]),
                    (procs[1], program, ["B", config, target, deals[1], stem]), env={"H3OU_PLAN_CHUNK": 100})


def read(stem, size):
    rows = np.concatenate([np.fromfile(f"{stem}.{r}", "f8").reshape(-1, 5) for r in range(size)])
    return rows[np.argsort(rows[:, 0])][:, 1]


def served(tally, program, folder):
    w = Weights()
    w.write(folder / "W.nc")
    w.write(folder / "classic.nc", "NETCDF3_CLASSIC")
    land = ~w.dst_sea
    plain = np.where(land, 77, w.expected())
    then = np.where(w.served | land, plain, field(*w.src)[w.nearest])
    value = np.where(w.served | land, plain, -5)
    # without masks in the models the file's own land is left over; without rows and columns nothing else changes
    for name, keys, source, target, want in (
            ("file", f"method='file(file={folder}/W.nc)'", SOURCE, TARGET, plain),
            ("file,nearest", f"method='file(file={folder}/classic.nc)', extrapolate='nearest'", SOURCE, TARGET, then),
            ("file,value", f"method='file(file={folder}/W.nc),value(value=-5)'", SOURCE, TARGET, value),
            ("no masks", f"method='file(file={folder}/W.nc)'", "boxes:36:18r", "points:500", w.expected())):
        config = folder / "run.conf"
        config.write_text(CONFIG.format(keys=keys))
        first = None
        for i, (procs, *deals) in enumerate(PROCS):
            way = jobs.ways()[i % len(jobs.ways())]
            results = go(way, program, config, procs, deals, folder / "got", source, target)
            found = jobs.problems_of(results)
            if not found:
                got = read(folder / "got", procs[1])
                first = got if first is None else first
                bad = ~np.isclose(got, want, rtol=1e-13, atol=0, equal_nan=True)
                if bad.any():
                    found.append(f"{bad.sum()} cells are wrong: {np.flatnonzero(bad)[:5]} {got[bad][:5]} {want[bad][:5]}")
                if got.tobytes() != first.tobytes():
                    found.append("other bits than with one process each")
                said = re.search(r"weights-made .*source=(\S+) .* file=(\d+).* left=(\d+)", results[-1].err + results[0].err)
                if not said or said[1] not in keys or int(said[2]) != w.served.sum() or int(said[3]) != np.isnan(want).sum():
                    found.append(f"the log says {said and said[0]}")
            tally.check(f"{name} {procs} {' '.join(way)}", found)


def refused(tally, program, folder):
    def change(name, what):
        w = Weights()
        what(w)
        w.write(folder / f"{name}.nc")

    def moved(lon, lat):
        lon = lon.copy()
        lon[40] += 0.01
        return lon, lat

    change("land", lambda w: w.dst_sea.__setitem__(np.flatnonzero(w.dst_sea)[3], False))
    change("lake", lambda w: w.src_sea.__setitem__(np.flatnonzero(~w.src_sea)[3], True))
    change("moved", lambda w: setattr(w, "src", moved(*w.src)))
    Weights().write(folder / "W.nc")
    (folder / "text.nc").write_text("no weights")
    file = f"method='file(file={folder}/{{}}.nc)'"
    for keys, source, target, sentence in (
            (file.format("land"), SOURCE, TARGET, r"land.nc: cell \d+ of its target is masked, in the grid B_g it is not masked"),
            (file.format("lake"), SOURCE, TARGET, r"lake.nc: cell \d+ of its source is not masked, in the grid A_g it is masked"),
            (file.format("moved"), SOURCE, TARGET, r"moved.nc: cell 41 of its source is centred at .* 0\.\d+ degrees from where the grid A_g"),
            (file.format("W"), SOURCE, "points:501m", r"W.nc: its target has 500 cells, the grid B_g has 501"),
            (file.format("W"), "boxes:36:20m", TARGET, r"W.nc: its source has 648 cells, the grid A_g has 720"),
            (file.format("none"), SOURCE, TARGET, r"none.nc: .*[Nn]o such file"),
            (file.format("text"), SOURCE, TARGET, r"text.nc: "),
            ("method='file'", SOURCE, TARGET, r"method file: it needs the file's name"),
            ("method='nearest,file(file=W.nc)'", SOURCE, TARGET, r"a table from a file must stand first"),
            ("method='file(file=W.nc),creep'", SOURCE, TARGET, r"method creep: it cannot go on from the rows of a file"),
            ("method='nearest,creep,creep'", SOURCE, TARGET, r"method creep: it stands in .* more than once")):
        config = folder / "run.conf"
        config.write_text(CONFIG.format(keys=keys))
        for way in (jobs.ways()[0], jobs.ways()[-1]):
            results = go(way, program, config, (2, 2), ("block", "mixed"), folder / "no", source, target)
            said = "".join(r.err for r in results)
            found = [] if re.search(sentence, said) and all(r.code for r in results) else [said]
            found += [f"left {r.left}" for r in results if r.left or r.timed_out]
            tally.check(f"refused: {keys.replace(str(folder), '')} {' '.join(way)}", found)


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        for part in (served, refused):
            if len(sys.argv) < 3 or part.__name__ in sys.argv[2:]:
                part(tally, program, pathlib.Path(folder))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
