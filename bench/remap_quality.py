#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Quality of the weights that `h3ou weights make` writes, beside CDO's: agreement, conservation, misfits, orders of convergence.

    bench/remap_quality.py [--quick] [--tool build/release/bin/h3ou] [--json FILE] [--docs docs/remapping.md]

--quick takes coarse grids and less than a minute; it lets bilinear misfits, of functions that such grids do not resolve, be above
CDO's by a thousandth. The exit code is 1 when a goal is not met.
"""
import argparse
import itertools
import json
import pathlib
import shutil
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import grids
import remap_matrix as rm
import remap_report as report

METHODS = ["conservative", "conservative2", "bilinear", "bicubic", "barycentric", "nearest", "distance"]
FULL = {"kinds": {"icosahedral": ["gme32", "gme64"], "lon-lat": ["r180x90", "r360x180"], "Gaussian": ["n32", "n80"],
                  "tripolar": ["trip180x150", "trip360x292"], "Healpix": ["hp32", "hp64"]},
        "show": [("gme64", "r360x180"), ("r360x180", "gme64"), ("n80", "hp64"), ("trip360x292", "gme64"), ("gme64", "trip360x292"),
                 ("hp64", "n80")],
        "order": [(5, "r180x90"), (6, "r360x180"), (7, "r720x360"), (8, "r1440x720")], "fifth": ("r360x180", "gme64"), "slack": 1e-9}
QUICK = {"kinds": {"icosahedral": ["gme8", "gme16"], "lon-lat": ["r36x18", "r72x36"], "Gaussian": ["n8", "n16"],
                   "tripolar": ["trip36x30", "trip72x60"], "Healpix": ["hp4", "hp8"]},
         "show": [("gme16", "r72x36"), ("r72x36", "gme16"), ("trip72x60", "gme16")],
         "order": [(4, "r90x45"), (5, "r180x90"), (6, "r360x180")], "fifth": ("r360x180", "gme64"), "slack": 1e-3}


class Work:
    """Grids and weights, made once, in a folder."""

    def __init__(self, tool, folder):
        self.tool, self.folder, self.grids, self.matrices = tool, pathlib.Path(folder), {}, {}

    def grid(self, name):
        if name not in self.grids:
            self.grids[name] = grids.Grid(grids.make(name, self.folder))
        return self.grids[name]

    def weights(self, a, b, method, who="ours"):
        key = (a, b, method, who)
        if key not in self.matrices:
            source, target = grids.make(a, self.folder), grids.make(b, self.folder)
            out = self.folder / "weights.nc"
            self.matrices[key] = rm.ours(self.tool, source, target, method, out) if who == "ours" else self.of_cdo(source, target, b, method, out)
        return self.matrices[key]

    def of_cdo(self, source, target, name, method, out):
        found = rm.cdos(source, target, method, out) if method in rm.CDO else None
        return found and found.only(self.grid(name).mask)

    def forget(self):
        self.matrices.clear()


def pairs_of(kinds, mask):
    """(kind, kind, source, target), both directions, the kinds differ."""
    for first, second in itertools.combinations(kinds, 2):
        for a, b in itertools.product(kinds[first], kinds[second]):
            yield first, second, a + mask, b + mask
            yield first, second, b + mask, a + mask


def agreement(work, kinds, most):
    """First-order conservative weights beside CDO's, all pairs of grids of different kinds, without and with land masks."""
    found = []
    for mask in ("", "-coads"):
        for first, second, a, b in pairs_of(kinds, mask):
            mine, theirs = work.weights(a, b, "conservative"), work.weights(a, b, "conservative", "cdo")
            source, target = work.grid(a), work.grid(b)
            r = {"kinds": [first, second], "mask": bool(mask), "source": a, "target": b, **rm.compare(mine, theirs, source, target, most=most)}
            r["conservation"], r["whole_cells"] = rm.source_conservation(mine)
            r["least"], r["row_sums"] = float(mine.coef.min()), row_sums(mine)
            found.append(r)
            work.forget()
    return found


def row_sums(m):
    return float(np.abs(m.apply(np.ones(m.nsrc)) - 1)[m.served()].max())


def polar(source, target):
    """Targets beyond the first or last row of centres of a lon-lat source."""
    return (target.lat < source.lat.min()) | (target.lat > source.lat.max())


def misfits(work, pairs):
    """Of all methods, for all pairs; conservative ones with means, the others with values at centres."""
    found = []
    for a, b in pairs:
        areas, source, target = work.weights(a, b, "conservative"), work.grid(a), work.grid(b)
        for method in METHODS:
            if method == "bicubic" and a.startswith(("gme", "hp")):
                continue
            for who in ("ours", "cdo"):
                m = work.weights(a, b, method, who)
                for name, f in grids.FUNCTIONS.items() if m else ():
                    found.append({"source": a, "target": b, "method": method, "who": who, "function": name,
                                  **rm.misfit(m, f, source, target, means=method.startswith("conservative")),
                                  "conservation": rm.global_conservation(m, f, source, areas)})
        work.forget()
    return found


def bilinear(work, kinds):
    """Beside CDO, over the targets that both serve, from all grids that CDO can take as source; polar rows also apart."""
    found = []
    for mask in ("", "-coads"):
        for _, _, a, b in pairs_of(kinds, mask):
            theirs = None if a.startswith(("gme", "hp")) else work.weights(a, b, "bilinear", "cdo")
            if theirs is None:
                continue
            mine, source, target = work.weights(a, b, "bilinear"), work.grid(a), work.grid(b)
            both = mine.served() & theirs.served()
            rows = {"all": both, "polar rows": both & polar(source, target) if source.regular else np.zeros_like(both)}
            for (name, f), (where, cells) in itertools.product(grids.FUNCTIONS.items(), rows.items()):
                if cells.any():
                    found.append({"source": a, "target": b, "mask": bool(mask), "function": name, "where": where,
                                  "served": [int(m.served().sum()) for m in (mine, theirs)],
                                  "ours": rm.misfit(mine, f, source, target, only=cells),
                                  "cdo": rm.misfit(theirs, f, source, target, only=cells)})
            work.forget()
    return found


def nearest(work, kinds):
    """Share of targets with CDO's neighbour, and the distances where it is another: equally near, or not."""
    found = []
    for mask in ("", "-coads"):
        for _, _, a, b in pairs_of(kinds, mask):
            mine, theirs, source, target = *(work.weights(a, b, "nearest", w) for w in ("ours", "cdo")), work.grid(a), work.grid(b)
            if theirs is None:
                continue
            one, two = (dict(zip(m.dst.tolist(), m.src.tolist())) for m in (mine, theirs))
            other = np.array([t for t in one if t in two and one[t] != two[t]], int)
            x = grids.place(target.lon, target.lat)[other]
            near = [np.linalg.norm(x - grids.place(source.lon, source.lat)[[n[t] for t in other.tolist()]], axis=1) for n in (one, two)]
            found.append({"source": a, "target": b, "targets": len(one), "unserved_by_one": len(set(one) ^ set(two)), "others": int(other.size),
                          "farther": float((near[0] - near[1]).max(initial=0))})
            work.forget()
    return found


def orders(work, steps):
    """Mean and RMS misfit of the conservative methods from icosahedral to lon-lat grids and back, each step halving the cells."""
    found = []
    for name, there in itertools.product(("sinusoid", "vortex"), (True, False)):
        for method in ("conservative", "conservative2"):
            found.append({"function": name, "method": method, "to": "lon-lat" if there else "icosahedral", "level": [], "mean": [], "max": [],
                          "constant": [], "conservation": []})
    for level, regular in steps:
        for there, method in itertools.product((True, False), ("conservative", "conservative2")):
            a, b = (f"gme{2**level}", regular) if there else (regular, f"gme{2**level}")
            m, source, target = work.weights(a, b, method), work.grid(a), work.grid(b)
            for r in found:
                if r["method"] == method and r["to"] == ("lon-lat" if there else "icosahedral"):
                    f = grids.FUNCTIONS[r["function"]]
                    error = rm.misfit(m, f, source, target, means=True)
                    for key, value in (("level", level), ("mean", error["mean"]), ("max", error["max"]), ("constant", row_sums(m)),
                                       ("conservation", rm.global_conservation(m, f, source, m))):
                        r[key].append(value)
            work.forget()
    for r in found:
        for key in ("mean", "max"):
            r[f"order_{key}"] = float(-np.polyfit(r["level"], np.log2(r[key]), 1)[0])
    return found


def times_below(work, pair):
    """How many times the second order's mean misfit is below the first's."""
    source, target = map(work.grid, pair)
    return {name: rm.misfit(work.weights(*pair, "conservative"), f, source, target, True)["mean"] /
            rm.misfit(work.weights(*pair, "conservative2"), f, source, target, True)["mean"] for name, f in grids.FUNCTIONS.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--tool", default=ROOT / "build/release/bin/h3ou", type=pathlib.Path)
    options.add_argument("--json", type=pathlib.Path)
    options.add_argument("--docs", type=pathlib.Path)
    options.add_argument("--most", type=int, default=60, help="disputed cells of a pair that are judged")
    options = options.parse_args()
    if not shutil.which("cdo"):
        raise SystemExit("this program needs cdo (packages.debian)")
    plan = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        work = Work(options.tool.resolve(), folder)
        result = {}
        for name, part in (("agreement", lambda: agreement(work, plan["kinds"], options.most)), ("nearest", lambda: nearest(work, plan["kinds"])),
                           ("bilinear", lambda: bilinear(work, plan["kinds"])), ("orders", lambda: orders(work, plan["order"])),
                           ("times_below", lambda: times_below(work, plan["fifth"])), ("misfits", lambda: misfits(work, plan["show"]))):
            result[name] = part()
            print(f"\n{report.TABLES[name](result[name])}", flush=True)
    goals = report.goals(result, plan["slack"])
    print("\n" + report.goal_table(goals))
    if options.json:
        options.json.write_text(json.dumps({**result, "goals": goals}, indent=1) + "\n")
    if options.docs:
        for name, table in report.TABLES.items():
            report.put(options.docs, name, table(result[name]))
        report.put(options.docs, "goals", report.goal_table(goals))
    return any(not met for _, met, _ in goals)


if __name__ == "__main__":
    sys.exit(main())
