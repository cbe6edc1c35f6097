#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""First-order conservative weights beside CDO's on all pairs of grids of different kinds, both directions, without and with the
land of the sample masked. Where both differ, a third way says who is right: the overlap of two convex cells as an integral along
meridians (bench/remap/remap_judge.py).

    bench/remap/remap_agreement.py H3OU [--quick] [--most 60] [--folder F] [--docs docs/measured/remap_agreement.md]

--quick: coarse grids. --most: how many of a pair's cells that both see differently are judged. Exit code 1 when a goal is not met."""
import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench"), str(ROOT / "bench/remap")]
import grids
import measured_page
import remap_judge as judge

FULL = {"icosahedral": ["gme32", "gme64"], "lon-lat": ["r180x90", "r360x180"], "Gaussian": ["n32", "n80"],
        "tripolar": ["trip180x150", "trip360x292"], "Healpix": ["hp32", "hp64"]}
QUICK = {"icosahedral": ["gme8", "gme16"], "lon-lat": ["r36x18", "r72x36"], "Gaussian": ["n8", "n16"],
         "tripolar": ["trip36x30", "trip72x60"], "Healpix": ["hp4", "hp8"]}


def pair(h3ou, folder, a, b, most):
    source, target, out = grids.make(a, folder), grids.make(b, folder), pathlib.Path(folder, "weights.nc")
    done = subprocess.run([h3ou, "weights", "make", source, target, "-m", "conservative", "-o", out], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    mine = judge.Matrix(out)
    grids.cdo("-P", "1", f"gencon,{target}", source, out)
    grid = grids.Grid(source), grids.Grid(target)
    found = judge.compare(mine, judge.Matrix(out).only(grid[1].mask), *grid, most=most)
    rows = np.bincount(mine.dst, mine.coef, mine.ndst)
    return {**found, "conservation": judge.source_conservation(mine, grid[1].mask.all() and not b.startswith("trip")), "least": float(mine.coef.min()), "rows_off": float(np.abs(rows[rows > 0] - 1).max())}


def sum_up(found):
    most, total = (lambda key: max(f.get(key, 0) for f in found)), (lambda key: sum(f.get(key, 0) for f in found))
    return {"pairs": len(found), "links": total("links"), "same": max(map(most, ("weight_rest", "fraction_rest", "source_fraction_rest"))),
            "disputed": total("rows") + total("source_cells"), "judged": total("judged"), "undecided": total("undecided"), "ours": most("ours"),
            "cdo": most("cdo"), "cdo_fraction": most("cdo_fraction"), "conservation": most("conservation"), "rows_off": most("rows_off"), "least": min(f["least"] for f in found)}


def goals(rows):
    most = lambda key: max(r[key] for r in rows)
    return [(f"{sum(r['pairs'] for r in rows)} pairs of grids, at least eight of each two kinds", min(r["pairs"] for r in rows) >= 8),
            (f"weights and fractions within 1e-10 of CDO's, cells that are judged aside (worst {most('same'):.1e})", most("same") <= 1e-10),
            (f"cells that are judged: h3ou within 1e-10 of the third way (worst {most('ours'):.1e}, CDO's weights {most('cdo'):.1e}; "
             f"{sum(r['judged'] for r in rows)} judged, {sum(r['undecided'] for r in rows)} undecided)",
             most("ours") <= 1e-10 and not most("undecided")),
            (f"source cells conserved to 1e-12 (worst {most('conservation'):.1e})", most("conservation") <= 1e-12),
            (f"rows sum to 1 within 1e-12 (worst {most('rows_off'):.1e})", most("rows_off") <= 1e-12),
            (f"no negative weight (least {min(r['least'] for r in rows):.1e})", min(r["least"] for r in rows) >= 0)]


def document(path, rows, met):
    head = ["grids, both directions", "pairs", "links", "most apart", "cells apart", "judged", "h3ou off", "CDO's weights off", "CDO's fractions off", "source cells conserved to", "least weight"]
    keys = ("pairs", "links", "same", "disputed", "judged", "ours", "cdo", "cdo_fraction", "conservation", "least")
    show = lambda v: f"{v:.1e}" if isinstance(v, float) else str(v)
    goals = measured_page.table(["", "goal"], [("met" if m else "not met", text) for text, m in met])
    pairs = measured_page.table(head, [[r["name"], *(show(r[k]) for k in keys)] for r in rows])
    measured_page.replace(path, "agreement", goals + "\n" + pairs)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("h3ou", type=pathlib.Path)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--most", type=int, default=60)
    p.add_argument("--folder")
    p.add_argument("--docs", type=pathlib.Path)
    a = p.parse_args()
    kinds, rows = QUICK if a.quick else FULL, []
    with tempfile.TemporaryDirectory() as temporary:
        for mask, (first, second) in itertools.product(("", "-coads"), itertools.combinations(kinds, 2)):
            both = [(s + mask, t + mask) for s, t in itertools.product(kinds[first], kinds[second])]
            found = [pair(a.h3ou.resolve(), a.folder or temporary, s, t, a.most) for x, y in both for s, t in ((x, y), (y, x))]
            rows.append({"name": f"{first} and {second}{', land masked' * bool(mask)}", **sum_up(found)})
            print("%(name)-38s %(links)8d links: most apart %(same).1e; %(disputed)5d cells apart, %(judged)4d judged: h3ou off %(ours).1e, CDO %(cdo).1e and %(cdo_fraction).1e; "
                  "source cells conserved to %(conservation).1e, least weight %(least).1e" % rows[-1], flush=True)
        icosahedral, regular = (grids.Grid(grids.make(name, a.folder or temporary)) for name in ("gme8", "r36x18"))
        off = judge.judge_off(icosahedral, np.linspace(0, 641, 20).astype(int), regular)
    met = [(f"the third way gives closed forms of areas to 1e-12 (off {off:.1e})", off <= 1e-12), *goals(rows)]
    for text, m in met:
        print(f"{'met    ' if m else 'NOT MET'} {text}")
    if a.docs:
        document(a.docs, rows, met)
    return 0 if all(m for _, m in met) else 1


if __name__ == "__main__":
    sys.exit(main())
