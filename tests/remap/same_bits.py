#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The weights of one pair of grids are the same, bit for bit, from files of every form by the command and from a coupled run in
which the cells are spread over processes (remap_model.c writes them to the cache)."""
import dataclasses
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
    import grids
except ImportError:
    print("Python's netCDF4 is not installed")
    sys.exit(77)

METHODS = ["nearest", "distance(n=4)", "average(n=3)", "bilinear,nearest", "barycentric,nearest", "bicubic,bilinear,nearest",
           "conservative", "conservative2", "laf,nearest", "radial(n=9)"]
COMPARED = ["bilinear,nearest", "conservative2"]  # by these the forms of files (tests/interp/forms.py compares more)
LAYOUTS = [((2, 3), "cyclic", "mixed"), ((3, 2), "block", "block"), ((1, 1), "block", "block")]


def lmdz(nx, ny, every):
    """From north to south, half a cell at each pole, whose centres coincide; across the date line."""
    lon, lat = -180 + 360 / nx * np.arange(nx), 90 - 180 / (ny - 1) * np.arange(ny)
    half = 180 / nx, 90 / (ny - 1)
    bounds = np.stack([lon - half[0], lon + half[0]], 1), np.clip(np.stack([lat + half[1], lat - half[1]], 1), -90, 90)
    return grid_forms.regular(lon, lat, *bounds, np.arange(nx * ny) % every > 0), True, False


def inclusive(nx, ny, every):
    """Longitudes from 0 to 360, both of them."""
    lon, lat = 360 / nx * np.arange(nx + 1), -90 + 180 / ny * (np.arange(ny) + 0.5)
    bounds = np.stack([lon - 180 / nx, lon + 180 / nx], 1), np.stack([lat - 90 / ny, lat + 90 / ny], 1)
    return grid_forms.regular(lon, lat, *bounds, np.arange(lon.size * ny) % every > 0), True, False


def region(nx, ny, every):
    lon, lat = 20 + 60 / nx * (np.arange(nx) + 0.5), 10 + 45 / ny * (np.arange(ny) + 0.5)
    bounds = np.stack([lon - 30 / nx, lon + 30 / nx], 1), np.stack([lat - 22.5 / ny, lat + 22.5 / ny], 1)
    return grid_forms.regular(lon, lat, *bounds, np.arange(nx * ny) % every > 0), False, False


def reduced(rows, every):
    """Boxes in rows of unlike length, which meet in the poles."""
    number = [8 + 4 * min(i, rows - 1 - i) for i in range(rows)]
    edge = np.linspace(-90, 90, rows + 1)
    west = np.concatenate([360 / n * np.arange(n) for n in number])
    width, row = np.repeat(360 / np.array(number), number), np.repeat(np.arange(rows), number)
    x = np.stack([west, west + width, west + width, west], 1)
    y = np.stack([edge[row], edge[row], edge[row + 1], edge[row + 1]], 1)
    return grid_forms.Cells(west + width / 2, (edge[row] + edge[row + 1]) / 2, x, y, np.arange(row.size) % every > 0), False, False


def of_places(corner, every, shape=None):
    lon, lat = (a / grids.DEGREE for a in grids.centroid(corner))
    x, y = (a / grids.DEGREE for a in grids.angles(corner))
    return grid_forms.Cells(lon, lat, x, y, np.arange(lon.size) % every > 0, shape)


def tripolar(nx, ny, every):
    corner = grids.tripolar_corners(nx, ny).reshape(-1, 4, 3)
    return of_places(corner, every, (ny, nx)), True, True


def hexagons(tool, folder, n, every):
    """An icosahedral grid, as the command writes its corners; pentagons repeat one."""
    file = pathlib.Path(folder, "gme.nc")
    call(tool, "weights", "make", "r12x6", f"gme{n}", "-m", "nearest", "-o", file)
    with netCDF4.Dataset(file) as d:
        d.set_auto_mask(False)
        lon, lat, x, y = (np.degrees(v[:]) if v.units.startswith("rad") else np.array(v[:]) for v in (
            d[f"dst_grid_{part}_{name}"] for part in ("center", "corner") for name in ("lon", "lat")))
    return grid_forms.Cells(lon, lat, x, y, np.arange(lon.size) % every > 0), False, False


def pairs(tool, folder):
    hexagonal = hexagons(tool, folder, 4, 9)
    return {"lmdz to inclusive": (lmdz(24, 13, 11), inclusive(20, 10, 7)), "inclusive to reduced": (inclusive(20, 10, 9), reduced(14, 500)),
            "region to hexagons": (region(12, 9, 60), hexagonal), "reduced to lmdz": (reduced(14, 9), lmdz(24, 13, 11)),
            "tripolar to inclusive": (tripolar(36, 30, 9), inclusive(20, 10, 7)), "hexagons to tripolar": (hexagonal, tripolar(36, 30, 9))}


def call(*line):
    return subprocess.run(list(map(str, line)), capture_output=True, text=True, timeout=200)


def sorted_links(d):
    d.set_auto_mask(False)
    src, dst, coef = (np.array(d[v][:]).ravel() for v in ("src_address", "dst_address", "remap_matrix"))
    order = np.lexsort((src, dst))
    return src[order], dst[order], coef[order]


def from_files(tool, folder, source, target, method):
    file = pathlib.Path(folder, "w.nc")
    done = call(tool, "weights", "make", source, target, "-m", method, "-o", file)
    if done.returncode:
        return done.stderr
    with netCDF4.Dataset(file) as d:
        return sorted_links(d)


def difference(found, awaited, slack=0.0):
    if isinstance(found, str) or isinstance(awaited, str):
        return [] if isinstance(found, str) == isinstance(awaited, str) else [found if isinstance(found, str) else f"only the first failed: {awaited}"]
    if slack:  # links of cells that only touch may come and go
        by = {(s, t): c for s, t, c in zip(*found)}
        for s, t, c in zip(*awaited):
            by[s, t] = by.get((s, t), 0.0) - c
        far = float(max(map(abs, by.values())))
        return [f"weights differ by up to {far:.2g}"] * (far > slack)
    if any(a.tobytes() != b.tobytes() for a, b in zip(found[:2], awaited[:2])):
        return [f"{len(found[0])} links instead of {len(awaited[0])}, or others"]
    far = np.abs(found[2] - awaited[2])
    return [f"{int((far > 0).sum())} of {far.size} weights differ, by up to {far.max():.2g}"] * (found[2].tobytes() != awaited[2].tobytes())


def forms_of(cells):
    """Of a curvilinear grid those that say what its rows are: without them it is another grid, a list of cells."""
    if cells.axes:
        return [*grid_forms.BY_AXES, *grid_forms.BY_ROWS, *grid_forms.BY_CELL]
    return [*grid_forms.BY_ROWS] if cells.shape else [*grid_forms.BY_CELL]


def write_grid(file, cells, cyclic, fold):
    ny, nx = cells.shape or (0, 0)
    head = [nx, ny, cells.n, cells.x.shape[1], cyclic, fold]
    np.concatenate([np.array(v, "f8").ravel() for v in (head, cells.lon, cells.lat, cells.mask, cells.x, cells.y)]).tofile(file)


def by_files(tally, tool, folder, name, pair):
    """Returns the weights by method, after all forms were compared."""
    (a, *_), (b, *_) = pair
    sources, targets = [[grid_forms.write(folder, form, c, stem) for form in forms_of(c)] for stem, c in (("a ", a), ("b ", b))]
    made = {method: from_files(tool, folder, sources[0], targets[0], method) for method in METHODS}
    problems = []
    for k in range(1, max(len(sources), len(targets))):
        for method in COMPARED:
            ways = sources[k % len(sources)], targets[k % len(targets)]
            problems += [f"{method}, {ways[0]}, {ways[1]}: {p}" for p in difference(from_files(tool, folder, *ways, method), made[method])]
    other = [grid_forms.write(folder, "radians", c, stem) for stem, c in (("a ", a), ("b ", b))]
    for method in ("conservative", "conservative2"):  # others choose between sources that are equally near
        problems += [f"{method}, radians: {p}" for p in difference(from_files(tool, folder, *other, method), made[method], 1e-12)]
    tally.check(f"{name}: the forms of files", problems)
    return made


def run_conf(folder, methods):
    text = f"&h3ou_coupling log_level='WHISPER' weights_cache='{folder}/store' /\n"
    text += "&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', mapping_tag=1, method='nearest' /\n"
    for k, method in enumerate(methods):
        text += f"&h3ou_var var_put='f{k}', var_get='f{k}', intvl=600, lag=-1, flag='SNP', method='{method}' /\n"
    path = pathlib.Path(folder, "run.conf")
    path.write_text(text)
    return path


def read_store(store, made):
    """What the coupled run wrote, against the weights from files; and the methods."""
    problems, seen = [], set()
    for file in store.iterdir():
        with netCDF4.Dataset(file) as d:
            d.set_auto_mask(False)
            method = d.h3ou_method
            found = tuple(np.array(d[v][:-1]).ravel() for v in ("src_address", "dst_address", "remap_matrix"))
        seen.add(method)
        order = np.lexsort(found[:2])
        problems += [f"{method}: {p}" for p in difference(tuple(v[order] for v in found), made[method])]
    return problems, seen


def online(tally, program, folder, name, pair, made, layout, with_shape):
    # a stack whose first method serves no cell is an error in a run
    methods = [m for m in METHODS if not isinstance(made[m], str) and (pair[0][0].axes or "bicubic" not in m)]
    config, store, (procs, *deals) = run_conf(folder, methods), pathlib.Path(folder, "store"), layout
    for stem, (cells, cyclic, fold) in zip("ab", pair):
        if cells.axes and not with_shape:  # of a regular grid the model need not say it
            cells, cyclic = dataclasses.replace(cells, shape=None), False
        write_grid(f"{folder}/{stem}.grid", cells, cyclic, fold)
    shutil.rmtree(store, ignore_errors=True)
    store.mkdir()
    way = jobs.ways()[len(name) % len(jobs.ways())]
    results = jobs.run(way, *((procs[k], program, ["AB"[k], config, f"grid:{folder}/{'ab'[k]}.grid", deals[k], f"{folder}/got"]) for k in range(2)))
    differing, seen = read_store(store, made)
    problems = jobs.problems_of(results) + differing
    if seen != set(methods):
        problems.append(f"weights of {sorted(seen)}, not of {sorted(methods)}")
    tally.check(f"{name}, {procs} {' '.join(way)}", problems)


def main(program, tool):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, pair) in enumerate(pairs(tool, folder).items()):
            made = by_files(tally, tool, folder, name, pair)
            online(tally, program, folder, name, pair, made, LAYOUTS[number % 2], number % 2)
            if number == 0:
                online(tally, program, folder, name, pair, made, LAYOUTS[2], True)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
