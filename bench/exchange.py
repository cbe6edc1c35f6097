#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Set-up and step time of one exchange beside its floor (exchange.c), for several sizes and every way to launch. The tables are
real ones, four nearest neighbours between hexagons and boxes of longitude and latitude.

    bench/exchange.py [--build build/release] [--rounds 15] [--case 1] [--types | --fields] [--docs docs/measured/exchange.md]

--case N: only the case of this number; --types: each case with type='real8' and 'real4', in turns, instead; --fields: each case with
fields of which some cells do not count, that are in arrays with a halo, vectors, or averages, in turns with the plain one; --docs writes the table between
<!-- floor: begin --> and <!-- floor: end -->, or that of --types or --fields between such lines of that name."""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import netCDF4
import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import jobs
import measured_page

CASES = [("gme64", "r360x180", 1, 240), ("gme64", "r360x180", 40, 12), ("gme256", "r1440x720", 1, 12)]
CELLS = {"gme64": 40962, "r360x180": 64800, "gme256": 655362, "r1440x720": 1036800}
CONFIG = """&h3ou_coupling log_level="SILENT" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /
&h3ou_var var_put{4}="A_v", var_get{4}="A_v", intvl={2}, lag=-1, layer={0}, type='{1}'{3} /
&h3ou_var comp_put="B", comp_get="A", grid_put="B_g", grid_get="A_g", mapping_tag=1 /
&h3ou_var var_put{4}="B_v", var_get{4}="B_v", intvl={2}, lag=-1, layer={0}, type='{1}'{3} /
"""
# Columns of exchange.c's line from the fourth number on: median, least, most of each.
KINDS = ("ours", "floor", "ratio", "wire", "memory", "product_a", "product_b", "hand", "to_hand")
HEAD = ["way", "cells", "layers", "set-up s", "MB", "ours ms", "by hand ms", "floor ms", "ours / by hand", "ours / floor", "bytes by", "MPI or TCP ms", "memory ms",
        "product of A ms", "of B ms"]
BYTES_BY = ("", "memory", "memory, in order")  # by exchange.c's third number
STEP = 60  # of exchange.c
# What --fields compares: name, how cells are left out, whether those of the coast count in part, steps of an exchange, keys. The first
# one is what the others are compared to.
FIELDS = [("all cells count", None, False, 1, "flag='SNP'"),
          ("a mask", "shares", False, 1, "flag='SNP'"),
          ("fractions at the coast", "shares", True, 1, "flag='SNP'"),
          ("fractions, others each step", "melting", True, 1, "flag='SNP'"),
          ("NaN", "nan", False, 1, "flag='SNP', missing=-1e30"),
          ("a halo", "halo", False, 1, "flag='SNP'"),
          ("a vector", "vector", False, 1, "flag='SNP'"),
          ("the mean of two", None, False, 2, "flag='AVR'"),
          ("the mean of two, a mask", "shares", False, 2, "flag='AVR'"),
          ("the mean of two, a halo", "halo", False, 2, "flag='AVR'"),
          ("the mean of six", None, False, 6, "flag='AVR'"),
          ("the least of two", None, False, 2, "flag='MIN'"),
          ("the least of two, a mask", "shares", False, 2, "flag='MIN'")]
HEAD_OF_FIELDS = ["way", "cells", "layers", "field", "an exchange, ms", "beside the first"]
# What --types compares: the key and the models' arrays.
TYPES = [("real8", "double"), ("real4", "double"), ("real4", "float")]
TURNS = 3
HEAD_OF_TYPES = ["way", "cells", "layers", "MB a step, real8", "real4", "real8 ms", "real4 ms", "real4, float arrays ms", "real4 / real8",
                 "float arrays / real8"]


def make_table(h3ou, source, target, folder):
    """The file of a table, made once."""
    path = pathlib.Path(folder, f"{source}-{target}.table")
    if not path.exists():
        weights = path.with_suffix(".nc")
        subprocess.run([h3ou, "weights", "make", source, target, "-m", "distance(n=4)", "-o", weights], check=True, capture_output=True)
        with netCDF4.Dataset(weights) as w:
            order = numpy.argsort(w["dst_address"][:], kind="stable")
            col, coef = w["src_address"][:][order] - 1, w["remap_matrix"][:, 0][order]
        with path.open("wb") as f:
            for array, kind in (([CELLS[target], CELLS[source]], "i4"), (numpy.ma.filled(col), "i4"), (numpy.ma.filled(coef), "f8")):
                numpy.asarray(array, kind).tofile(f)
        weights.unlink()
    return path


def make_shares(h3ou, grid, has_coast, folder):
    """The file of the shares of a grid's cells: 0 on continents, about a third of the sphere, 1 on the ocean; with has_coast in between
    where the two meet within a cell, else the nearer of both."""
    path = pathlib.Path(folder, f"{grid}-{'coast' if has_coast else 'mask'}.shares")
    if not path.exists():
        weights = path.with_suffix(".nc")
        subprocess.run([h3ou, "weights", "make", grid, "r8x4", "-m", "nearest", "-o", weights], check=True, capture_output=True)
        with netCDF4.Dataset(weights) as w:
            lon, lat = (numpy.ma.filled(w[f"src_grid_center_{name}"][:]) for name in ("lon", "lat"))
        height = numpy.sin(2 * lon + 1) * numpy.cos(lat) + 0.5 * numpy.sin(3 * lat) + 0.4 * numpy.sin(5 * lon) * numpy.cos(2 * lat) - 0.35
        part = numpy.clip(0.5 - height / (3 * (4 * numpy.pi / CELLS[grid]) ** 0.5), 0, 1)
        (part if has_coast else numpy.round(part)).astype("f8").tofile(path)
        weights.unlink()
    return path


def run(build, way, case, rounds, folder, kind=("real8", "double"), field=FIELDS[0]):
    """The numbers that A prints, or None, and what went wrong."""
    a, b, layers, steps = case
    _, left_out, has_coast, gathers, keys = field
    config = pathlib.Path(folder, "bench.conf")
    config.write_text(CONFIG.format(layers, kind[0], STEP * gathers, ", " + keys, "_vec" if left_out == "vector" else ""))
    tables = [make_table(build / "bin/h3ou", b, a, folder), make_table(build / "bin/h3ou", a, b, folder)]
    travels = "float" if kind[0] == "real4" else "double"
    shares = [left_out, *(make_shares(build / "bin/h3ou", grid, has_coast, folder) for grid in (a, b))] if left_out else []
    parts = [(1, build / "bench/exchange", [me, config, *tables, layers, rounds, steps, travels, kind[1], *shares]) for me in "AB"]
    results = jobs.run(way, *parts, timeout=300)
    problems = jobs.problems_of(results)
    return (None, problems[0]) if problems else ([float(x) for x in results[0].out.split()], None)


def compare_types(build, way, case, rounds, folder):
    """The rows of a case for --types, or what went wrong: medians and extremes of some turns, each the median of its rounds."""
    a, b, layers, _ = case
    took = {kind: [] for kind in TYPES}
    for kind in TYPES * TURNS:
        v, problem = run(build, way, case, max(rounds // TURNS, 3), folder, kind)
        if problem:
            return None, problem
        took[kind].append(v[3])
    middle = {kind: statistics.median(some) for kind, some in took.items()}
    values = (CELLS[a] + CELLS[b]) * layers
    return [[" ".join(way), f"{CELLS[a]} -> {CELLS[b]}", str(layers), f"{8e-6 * values:.3g}", f"{4e-6 * values:.3g}",
            *(f"{middle[kind]:.3g} ({min(some):.3g}-{max(some):.3g})" for kind, some in took.items()),
            *(f"{middle[kind] / middle[TYPES[0]]:.2f}" for kind in TYPES[1:])]], None


def compare_fields(build, way, case, rounds, folder):
    """The rows of a case for --fields, or what went wrong: medians and extremes as those of --types, of an exchange."""
    a, b, layers, _ = case
    took = {field: [] for field in FIELDS}
    for field in FIELDS * TURNS:
        v, problem = run(build, way, case, max(rounds // TURNS, 3), folder, field=field)
        if problem:
            return None, problem
        took[field].append(v[3] * field[3])
    plain = statistics.median(took[FIELDS[0]])
    return [[" ".join(way), f"{CELLS[a]} -> {CELLS[b]}", str(layers), field[0],
             f"{statistics.median(some):.3g} ({min(some):.3g}-{max(some):.3g})", f"{statistics.median(some) / plain:.2f}"]
            for field, some in took.items()], None


def measure(build, way, case, rounds, folder):
    """The rows of a case, or what went wrong."""
    a, b, layers, _ = case
    v, problem = run(build, way, case, rounds, folder)
    if problem:
        return None, problem
    at = {name: v[3 + 3 * k:6 + 3 * k] for k, name in enumerate(KINDS)}
    spread = {name: f"{m:.3g} ({least:.3g}-{most:.3g})" for name, (m, least, most) in at.items()}
    return [[" ".join(way), f"{CELLS[a]} -> {CELLS[b]}", str(layers), f"{v[0]:.3f}", f"{v[1]:.0f}", spread["ours"], spread["hand"], spread["floor"],
            spread["to_hand"], spread["ratio"], BYTES_BY[int(v[2])] or ("MPI" if way[0] == "mpmd" else "TCP"),
            *(f"{at[k][0]:.3g}" for k in ("wire", "memory", "product_a", "product_b"))]], None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    p.add_argument("--rounds", default=15, type=int)
    p.add_argument("--case", type=int)
    p.add_argument("--types", dest="what", action="store_const", const="types")
    p.add_argument("--fields", dest="what", action="store_const", const="fields")
    p.add_argument("--docs")
    o = p.parse_args()
    what = o.what or "floor"
    head, called = {"floor": (HEAD, measure), "types": (HEAD_OF_TYPES, compare_types), "fields": (HEAD_OF_FIELDS, compare_fields)}[what]
    print("medians of a step's ms (least-most)" + ("" if o.what else "; floor: the bytes by the fastest way, and half of both products; by hand: raw/hand_step.h"))
    print(" | ".join(head))
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES if o.case is None else [CASES[o.case - 1]]:
            for way in jobs.ways():
                more, problem = called(o.build.resolve(), way, case, o.rounds, folder)
                failed = failed or more is None
                for row in more or []:
                    print(" | ".join(row), flush=True)
                if more is None:
                    print(f"{' '.join(way)} {case}: failed: {problem[:300]}", flush=True)
                rows += more or []
    if o.docs:
        measured_page.replace(o.docs, what, measured_page.table(head, rows))
    return failed


if __name__ == "__main__":
    sys.exit(main())
