#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Set-up and step time of one exchange beside its floor (exchange.c), for several sizes and every way to launch. The tables are
real ones, four nearest neighbours between hexagons and boxes of longitude and latitude.

    bench/exchange.py [--build build/release] [--rounds 15] [--case 1] [--types] [--docs docs/measured/exchange.md]

--case N: only the case of this number; --types: each case with type='real8' and 'real4', in turns, instead; --docs writes the
table between <!-- floor: begin --> and <!-- floor: end -->, or that of --types between <!-- types: begin --> and the end."""
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
&h3ou_var var_put="A_v", var_get="A_v", intvl=60, lag=-1, layer={0}, flag='SNP', type='{1}' /
&h3ou_var comp_put="B", comp_get="A", grid_put="B_g", grid_get="A_g", mapping_tag=1 /
&h3ou_var var_put="B_v", var_get="B_v", intvl=60, lag=-1, layer={0}, flag='SNP', type='{1}' /
"""
# Columns of exchange.c's line from the fourth number on: median, least, most of each.
KINDS = ("ours", "floor", "ratio", "wire", "memory", "product_a", "product_b", "hand", "to_hand")
HEAD = ["way", "cells", "layers", "set-up s", "MB", "ours ms", "by hand ms", "floor ms", "ours / by hand", "ours / floor", "bytes by", "MPI or TCP ms", "memory ms",
        "product of A ms", "of B ms"]
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


def run(build, way, case, rounds, folder, kind=("real8", "double")):
    """The numbers that A prints, or None, and what went wrong."""
    a, b, layers, steps = case
    config = pathlib.Path(folder, "bench.conf")
    config.write_text(CONFIG.format(layers, kind[0]))
    tables = [make_table(build / "bin/h3ou", b, a, folder), make_table(build / "bin/h3ou", a, b, folder)]
    travels = "float" if kind[0] == "real4" else "double"
    parts = [(1, build / "bench/exchange", [me, config, *tables, layers, rounds, steps, travels, kind[1]]) for me in "AB"]
    results = jobs.run(way, *parts, timeout=300)
    problems = jobs.problems_of(results)
    return (None, problems[0]) if problems else ([float(x) for x in results[0].out.split()], None)


def compare_types(build, way, case, rounds, folder):
    """The row of a case for --types, or what went wrong: medians and extremes of some turns, each the median of its rounds."""
    a, b, layers, _ = case
    took = {kind: [] for kind in TYPES}
    for kind in TYPES * TURNS:
        v, problem = run(build, way, case, max(rounds // TURNS, 3), folder, kind)
        if problem:
            return None, problem
        took[kind].append(v[3])
    middle = {kind: statistics.median(some) for kind, some in took.items()}
    values = (CELLS[a] + CELLS[b]) * layers
    return [" ".join(way), f"{CELLS[a]} -> {CELLS[b]}", str(layers), f"{8e-6 * values:.3g}", f"{4e-6 * values:.3g}",
            *(f"{middle[kind]:.3g} ({min(some):.3g}-{max(some):.3g})" for kind, some in took.items()),
            *(f"{middle[kind] / middle[TYPES[0]]:.2f}" for kind in TYPES[1:])], None


def measure(build, way, case, rounds, folder):
    """The row of a case, or what went wrong."""
    a, b, layers, _ = case
    v, problem = run(build, way, case, rounds, folder)
    if problem:
        return None, problem
    at = {name: v[3 + 3 * k:6 + 3 * k] for k, name in enumerate(KINDS)}
    spread = {name: f"{m:.3g} ({least:.3g}-{most:.3g})" for name, (m, least, most) in at.items()}
    return [" ".join(way), f"{CELLS[a]} -> {CELLS[b]}", str(layers), f"{v[0]:.3f}", f"{v[1]:.0f}", spread["ours"], spread["hand"], spread["floor"],
            spread["to_hand"], spread["ratio"], "memory" if v[2] else "MPI" if way[0] == "mpmd" else "TCP",
            *(f"{at[k][0]:.3g}" for k in ("wire", "memory", "product_a", "product_b"))], None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    p.add_argument("--rounds", default=15, type=int)
    p.add_argument("--case", type=int)
    p.add_argument("--types", action="store_true")
    p.add_argument("--docs")
    o = p.parse_args()
    head, called, what = (HEAD_OF_TYPES, compare_types, "types") if o.types else (HEAD, measure, "floor")
    print("medians of a step's ms (least-most)" + ("" if o.types else "; floor: the bytes by the fastest way, and half of both products; by hand: raw/hand_step.h"))
    print(" | ".join(head))
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES if o.case is None else [CASES[o.case - 1]]:
            for way in jobs.ways():
                row, problem = called(o.build.resolve(), way, case, o.rounds, folder)
                failed = failed or row is None
                print(" | ".join(row) if row else f"{' '.join(way)} {case}: failed: {problem[:300]}", flush=True)
                rows += [row] if row else []
    if o.docs:
        measured_page.replace(o.docs, what, measured_page.table(head, rows))
    return failed


if __name__ == "__main__":
    sys.exit(main())
