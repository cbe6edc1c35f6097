#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The product of a sparse table with a field (remap_apply.c), on two pairs of grids in both directions, for some numbers of layers, with one thread
and two: beside copies of as many bytes; and with shares, or NaN, beside the plain product. Each ratio is a median of paired rounds; least and
most of three runs are shown.

    bench/remap/products.py [BUILD] [--rounds 15] [--layers 1,2,3,4,8,16,40] [--docs docs/measured/exchange.md]

--docs writes the tables between <!-- products: begin --> and <!-- absences: begin --> and their ends. The layers of the source stand as in a coupled
run: apart up to three, else together; those of the target stand apart."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import measured_page

GRIDS = [("gme64", "r360x180"), ("r360x180", "gme64"), ("gme256", "r1440x720"), ("r1440x720", "gme256")]
FEW = 3  # layers that stand apart
RUNS = 3
PRODUCTS = {"product, ms": "product, ms", "product / copy": "/ copy", "product / copy of half": "/ copy of half the bytes"}
ABSENCES = {"shares, all 1": "shares, all 1", "shares, a third 0": "0 in a third", "shares, none 0 or 1": "none 0 or 1",
            "new shares, a third 0": "new, 0 in a third", "new shares, none 0 or 1": "new, none 0 or 1",
            "shares beside the values, a third 0": "beside the values, 0 in a third",
            "shares beside the values, none 0 or 1": "beside the values, none 0 or 1", "NaN sought, none": "NaN sought, none",
            "NaN, a third": "NaN in a third"}
CASE = ["cells", "layers", "threads"]


def make_weights(build, folder):
    """The files of weights, and the cells of their grids."""
    files = []
    for k, (source, target) in enumerate(GRIDS):
        path = pathlib.Path(folder, f"{k}.nc")
        told = subprocess.run([build / "bin/h3ou", "weights", "make", source, target, "-m", "distance(n=4)", "-o", path], check=True, capture_output=True,
                              text=True)
        cells = re.match(r"\S+ \((\d+) cells\) -> \S+ \((\d+) cells\)", told.stdout + told.stderr)
        files.append((path, f"{int(cells[1]):,} -> {int(cells[2]):,}"))
    return files


def medians(build, path, layers, rounds):
    """For each number of threads what remap_apply prints: the median of each measure of each kind."""
    layout = "0" if layers <= FEW else "2"
    told = subprocess.run([build / "bin/remap_apply", path, str(layers), str(rounds), layout], check=True, capture_output=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    got, threads, kind = {}, None, None
    for line in told.stdout.splitlines():
        head, name, measure = (re.match(p, line) for p in (r"(\d+) threads?, ", r" (\S.*)", r"  (\S.*?)  +(\S+) \("))
        if head:
            threads = head[1]
        elif measure:
            got.setdefault(threads, {})[kind, measure[1]] = float(measure[2])
        elif name:
            kind = name[1]
    return got


def spread(values):
    """Least to most, or nothing."""
    if not values:
        return ""
    least, most = (f"{v:.1f}" if v >= 10 else f"{v:.2f}" for v in (min(values), max(values)))
    return least if least == most else f"{least}-{most}"


def measure(build, path, cells, layers, rounds):
    """The rows of both tables for a number of layers."""
    runs = [medians(build, path, layers, rounds) for _ in range(RUNS)]
    products, absences = [], []
    for threads in runs[0]:
        got = {key: [run[threads][key] for run in runs] for key in runs[0][threads]}
        case = [cells, str(layers), threads]
        products.append(case + [spread(got["plain", name]) for name in PRODUCTS])
        absences.append(case + [spread(got.get((kind, "product / plain product"))) for kind in ABSENCES])
        print(" | ".join(products[-1] + absences[-1][len(case):]), flush=True)
    return products, absences


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build", nargs="?", default=ROOT / "build/release", type=pathlib.Path)
    p.add_argument("--rounds", type=int, default=15)
    p.add_argument("--layers", default="1,2,3,4,8,16,40")
    p.add_argument("--docs")
    o = p.parse_args()
    products, absences = [], []
    print(" | ".join([*CASE, *PRODUCTS.values(), *ABSENCES.values()]))
    with tempfile.TemporaryDirectory() as folder:
        for path, cells in make_weights(o.build.resolve(), folder):
            for layers in map(int, o.layers.split(",")):
                for rows, more in zip((products, absences), measure(o.build.resolve(), path, cells, layers, o.rounds)):
                    rows += more
    if o.docs:
        measured_page.replace(o.docs, "products", measured_page.table([*CASE, *PRODUCTS.values()], products))
        measured_page.replace(o.docs, "absences", measured_page.table([*CASE, *ABSENCES.values()], absences))


if __name__ == "__main__":
    sys.exit(main())
