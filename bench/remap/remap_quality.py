#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The quality of weights beside CDO's, on real grids, in one run: link by link for first-order conservative ones, and by the
misfits of S. Valcke et al. (2022), mean, maximum and RMS of |remapped - exact| / |exact| over the served cells, for all methods.

remap_quality.py H3OU [--quick] [--json FILE] [--docs docs/measured/remap_quality.md]: says of each goal whether it is met; exit code 1 when
one is not. --quick: coarse grids, for the tests. --docs: writes the tables between the file's markers.

Fields are taken at cells' centres for methods between centres, as Valcke et al. do for all. A conservative method takes values
for means over cells, so for those the fields are taken at the cells' centroids: on icosahedral grids and beside the poles the
centre that a file names is elsewhere, which would be measured instead of the method."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import netCDF4
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench"), str(ROOT / "bench/remap")]
import grids
import measured_page
import remap_judge

FIELDS = {"sinusoid": grids.sinusoid, "harmonic": grids.harmonic, "vortex": grids.vortex, "gulf stream": grids.gulfstream}
CDO = {"conservative": "gencon", "bilinear": "genbil", "nearest": "gennn", "distance": "gendis"}  # genbic's weights need gradients


class Weights:
    def __init__(self, file):
        with netCDF4.Dataset(file) as d:
            self.src, self.dst = d["src_address"][:].data.astype(np.int64) - 1, d["dst_address"][:].data.astype(np.int64) - 1
            self.coef = d["remap_matrix"][:].data[:, 0]
            self.ns, self.nt = len(d.dimensions["src_grid_size"]), len(d.dimensions["dst_grid_size"])
            self.frac = {s: d[f"{s}_grid_frac"][:].data for s in ("src", "dst")}
            self.area = {s: d[f"{s}_grid_area"][:].data if f"{s}_grid_area" in d.variables else None for s in ("src", "dst")}
        self.served = np.zeros(self.nt, bool)
        self.served[self.dst] = True

    def apply(self, f):
        return np.bincount(self.dst, self.coef * f[self.src], self.nt)

    def difference(self, other, rows=None):
        """Largest, of all links (into the target cells `rows`); one that is absent counts as 0."""
        rows = np.ones(self.nt, bool) if rows is None else rows
        at = [rows[w.dst] for w in (self, other)]
        key = [(w.dst * self.ns + w.src)[i] for w, i in zip((self, other), at)]
        all_keys, number = np.unique(np.concatenate(key), return_inverse=True)
        d = np.bincount(number[:len(key[0])], self.coef[at[0]], len(all_keys)) - np.bincount(number[len(key[0]):], other.coef[at[1]], len(all_keys))
        return np.abs(d).max()


class Bench:
    def __init__(self, h3ou, folder):
        self.h3ou, self.folder, self.goals, self.found = h3ou, folder, [], {}
        self.grid = {}

    def file(self, name):
        return grids.make(name, self.folder)

    def read(self, name):
        if name not in self.grid:
            self.grid[name] = grids.Grid(self.file(name))
        return self.grid[name]

    def ours(self, source, target, method, *options):
        out = pathlib.Path(self.folder, "ours.nc")
        done = subprocess.run([self.h3ou, "weights", "make", self.file(source), self.file(target), "-m", method, "--threads", "2",
                               "-o", out, *options], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return Weights(out)

    def apply(self, source, target, x):
        """The values that the command makes of x with the weights of ours(); NaN: none."""
        field, out = (pathlib.Path(self.folder, name) for name in ("field.nc", "applied.nc"))
        grids.cdo("-b", "F64", "copy", self.file(source), field)  # topography is in single precision
        with netCDF4.Dataset(field, "a") as d:
            v = grids.field_of(d)
            missing = getattr(v, "missing_value", getattr(v, "_FillValue", None))
            v[:] = (np.where(np.isnan(x), -9e33 if missing is None else missing, x)).reshape(v.shape).astype(v.dtype)
        done = subprocess.run([self.h3ou, "weights", "apply", pathlib.Path(self.folder, "ours.nc"), field, out], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        with netCDF4.Dataset(out) as d:
            return np.ma.filled(np.ma.asarray(grids.field_of(d)[:], float), np.nan).ravel()

    def cdo(self, source, target, method):
        out = pathlib.Path(self.folder, "cdo.nc")
        grids.cdo("-P", "2", f"{CDO[method]},{self.file(target)}", self.file(source), out)
        return Weights(out)

    def misfit(self, w, source, target, method, field, rows=slice(None)):
        s, t = self.read(source), self.read(target)
        mean = method.startswith("conservative")
        x = field(s.mean_lon, s.mean_lat) if mean else field(s.lon, s.lat)
        exact = field(t.mean_lon, t.mean_lat) if mean else field(t.lon, t.lat)
        got, at = w.apply(x), w.served & t.mask
        if not isinstance(rows, slice):
            at = at & rows
        m = np.abs(got - exact)[at] / np.abs(exact)[at]
        budget = None
        if w.area["src"] is not None and w.area["dst"] is not None and mean:
            given = (w.area["src"] * s.mask * x).sum()
            budget = ((w.area["dst"] * w.frac["dst"] * got)[at].sum() - given) / given
        return m.mean(), m.max(), np.sqrt((m**2).mean()), budget

    def goal(self, text, met):
        self.goals.append((text, bool(met)))
        print(f"{'met    ' if met else 'NOT MET'} {text}", flush=True)


def conservative(b, pairs, table):
    """Every weight and fraction beside CDO's; conservation per source cell; nothing negative. A pair on which CDO is not followed
    is judged by a third way."""
    worst, wrong, judged = 0.0, [], []
    for s, t in pairs:
        w, c = b.ours(s, t, "conservative"), b.cdo(s, t, "conservative")
        whole = np.abs(c.frac["dst"] - 1) < 1e-6
        row = (f"{s} -> {t}", len(w.coef), w.difference(c), np.abs(w.frac["dst"] - c.frac["dst"])[whole & (w.frac["dst"] > 1 - 1e-6)].max(),
               per_source(w, b.read(s)), w.coef.min())
        table.append(row)
        print("%-22s links %9d  weights differ by %.1e, fractions by %.1e; source cells conserved to %.1e; least %.1e" % row, flush=True)
        apart = row[2] > 1e-10 or row[3] > 1e-10
        if apart:
            third = remap_judge.compare(*(remap_judge.Matrix(pathlib.Path(b.folder, f)) for f in ("ours.nc", "cdo.nc")), b.read(s), b.read(t), most=1000)
            judged.append(f"{row[0]}: {third['judged']} cells, h3ou off {third['ours']:.1e}, CDO {third['cdo']:.1e}")
            apart = third["ours"] > 1e-10 or third["undecided"] > 0
        else:
            worst = max(worst, row[2])
        if apart or row[4] > 1e-12 or row[5] < 0:
            wrong.append(row[0])
    b.goal(f"conservative: on {len(pairs)} pairs weights and fractions within 1e-10 of CDO's (worst {worst:.1e}"
           f"{'; judged by the third way: ' + '; '.join(judged) if judged else ''}), source cells conserved to 1e-12, nothing negative"
           f"{': not ' + ', '.join(wrong) if wrong else ''}", not wrong)


def per_source(w, grid):
    given = np.bincount(w.src, w.coef * (w.area["dst"] * w.frac["dst"])[w.dst], w.ns)
    off = np.abs(given / w.area["src"] - 1)[grid.mask]
    return off[off < 1e-6].max()  # cells that reach beyond the targets give less


def with_land(b, pairs, table):
    """The same with land masked on both sides, for the target's sea: gencon knows the source's missing values only."""
    wrong, worst = [], 0.0
    for s, t in pairs:
        w, c = b.ours(s, t, "conservative"), b.cdo(s, t, "conservative")
        d = w.difference(c, b.read(t).mask)
        table.append((f"{s} -> {t}", len(w.coef), d, per_source(w, b.read(s)), w.coef.min()))
        print(f"{s} -> {t}: links {len(w.coef)}, weights differ by {d:.1e}, least {w.coef.min():.1e}", flush=True)
        worst = max(worst, d)
        if d > 1e-10 or w.coef.min() < 0:
            wrong.append(f"{s} -> {t}")
    b.goal(f"conservative with a land mask: on {len(pairs)} pairs weights within 1e-10 of CDO's (worst {worst:.1e}){': not ' + ', '.join(wrong) if wrong else ''}",
           not wrong)


def second_order(b, pairs, table):
    """Convergence over refinements, and the gain over the first order."""
    for way in pairs:
        error = {f: [] for f in FIELDS}
        for s, t in way:
            one, two = b.ours(s, t, "conservative"), b.ours(s, t, "conservative2")
            for name, field in FIELDS.items():
                e1, e2 = b.misfit(one, s, t, "conservative", field), b.misfit(two, s, t, "conservative2", field)
                error[name].append((e1, e2))
                table.append((f"{s} -> {t}", name, e1[0], e2[0], e1[1], e2[1], e2[3]))
                print(f"{s} -> {t} {name:12s} mean {e1[0]:.2e} / {e2[0]:.2e}  max {e1[1]:.2e} / {e2[1]:.2e}  budget {e2[3]:.1e}", flush=True)
            ones = two.apply(np.ones(two.ns))[two.served]
            if np.abs(ones - 1).max() > 1e-12:
                b.goal(f"conservative2 exact for constants on {s} -> {t} (off {np.abs(ones - 1).max():.1e})", False)
        steps = len(way) - 1
        for name in ("sinusoid", "vortex"):
            order = np.log2(error[name][0][1][0] / error[name][-1][1][0]) / steps
            b.goal(f"conservative2, {way[0][0]} -> {way[0][1]} to {way[-1][0]} -> {way[-1][1]}, {name}: order {order:.2f} (1.9)", order >= 1.9)
        budget = max(abs(e[1][3]) for errors in error.values() for e in errors)
        b.goal(f"conservative2 conserves to 1e-13 (worst {budget:.1e})", budget < 1e-13)


def bilinear(b, pairs, table):
    """Mean and maximum misfit at or below CDO's, the polar rows apart."""
    wrong = []
    for s, t in pairs:
        w, c = b.ours(s, t, "bilinear"), b.cdo(s, t, "bilinear")
        both = w.served & c.served
        polar = np.abs(b.read(t).lat) > np.abs(b.read(s).lat).max() - 1e-9
        for name, field in FIELDS.items():
            x, exact = field(b.read(s).lon, b.read(s).lat), field(b.read(t).lon, b.read(t).lat)
            m = [np.abs(v.apply(x) - exact) / np.abs(exact) for v in (w, c)]
            row = (f"{s} -> {t}", name, *(f(v[both]) for f in (np.mean, np.max) for v in m),
                   *(v[both & polar].max() if (both & polar).any() else np.nan for v in m), int((c.served & ~w.served).sum()))
            table.append(row)
            print("%-22s %-12s mean ours %.3e cdo %.3e  max %.3e %.3e  polar max %.1e %.1e  CDO alone serves %d" % row, flush=True)
            if row[2] > row[3] * (1 + 1e-9) or row[4] > row[5] * (1 + 1e-9):
                wrong.append(f"{row[0]} {name}")
    b.goal(f"bilinear: mean and maximum misfit at or below CDO's on {len(pairs)} pairs{': not ' + ', '.join(wrong) if wrong else ''}", not wrong)


def nearest(b, pairs):
    """The same source cell as CDO, or one as near."""
    wrong = []
    for s, t in pairs:
        w, c = b.ours(s, t, "nearest"), b.cdo(s, t, "nearest")
        a = grids.place(b.read(s).lon, b.read(s).lat)
        q = grids.place(b.read(t).lon, b.read(t).lat)
        d = np.full((2, w.nt), np.inf)
        for k, v in enumerate((w, c)):
            d[k, v.dst] = np.linalg.norm(a[v.src] - q[v.dst], axis=1)
        sea = b.read(t).mask
        if not np.isfinite(d[0, sea]).all() or (d[0] > d[1] + 1e-12)[sea].any():  # CDO leaves what is nearest to a masked source
            wrong.append(f"{s} -> {t}")
    b.goal(f"nearest: on {len(pairs)} pairs no CDO neighbour is nearer{': not ' + ', '.join(wrong) if wrong else ''}", not wrong)


def steps(lon, lat):
    """1 and 2 in squares of 20 degrees: the values of kinds and regions, of which no mean may leave the range."""
    return 1 + np.mod(np.floor(lon / (np.pi / 9)) + np.floor(lat / (np.pi / 9)), 2)


def on_coasts(b, pairs, table):
    """Second order where the sources' land is masked, without and with the limiter: the mean misfit in target cells that the sea
    covers in part, how far values leave the range of the source, and what is conserved."""
    for s, t in pairs:
        for name, field in (*FIELDS.items(), ("steps", steps)):
            row = [f"{s} -> {t}", name]
            for options in ((), ("--limit",)):
                w = b.ours(s, t, "conservative2", *options)
                grid, target = b.read(s), b.read(t)
                x, exact = field(grid.mean_lon, grid.mean_lat), field(target.mean_lon, target.mean_lat)
                got = b.apply(s, t, np.where(grid.mask, x, np.nan))
                part = w.served & target.mask & (w.frac["dst"] < 1 - 1e-6) & np.isfinite(got)
                once = np.unique(np.round(grids.place(grid.mean_lon, grid.mean_lat)[grid.mask], 9), axis=0, return_index=True)[1]
                given = (w.area["src"] * x)[grid.mask][once].sum()  # a column that the grid has twice counts once
                over = max(np.nanmax(got[w.served]) - x[grid.mask].max(), x[grid.mask].min() - np.nanmin(got[w.served]), 0)
                row += [(np.abs(got - exact) / exact)[part].mean(), over / np.ptp(x[grid.mask]),
                        ((w.area["dst"] * w.frac["dst"] * got)[w.served].sum() - given) / given]
            table.append(tuple(row))
            print("%-30s %-12s on coasts misfit %.2e, beyond the range %.1e, budget %.1e; limited %.2e, %.1e, %.1e" % tuple(row), flush=True)
    most = max((r[6] for r in table), default=0)
    b.goal(f"conservative2 with limit on coasts: no value beyond the source's range (most {most:.1e} of it)", most < 1e-12)


def all_methods(b, pairs, table):
    """Misfits of every method, ours and CDO's where it has one, over the cells that both serve; and how many each serves."""
    for s, t in pairs:
        for method in ("conservative", "conservative2", "bilinear", "barycentric", "bicubic", "nearest", "distance", "distance(power=1)", "radial", "laf"):
            unstructured = s.startswith(("gme", "hp", "red", "lmdz"))
            if method == "bicubic" and unstructured:
                continue
            w, name_of_cdo = b.ours(s, t, method), method.split("(")[0]
            c = b.cdo(s, t, name_of_cdo) if name_of_cdo in CDO and not (unstructured and method == "bilinear") else None
            rows = w.served & c.served if c else w.served
            counts = (int(w.served.sum()), int(c.served.sum()) if c else None)
            for name, field in FIELDS.items():
                e = b.misfit(w, s, t, method, field, rows) if rows.any() else (np.nan,) * 3
                k = b.misfit(c, s, t, method, field, rows) if c and rows.any() else (np.nan,) * 3
                table.append((f"{s} -> {t}", method, name, *e[:3], *k[:3], *counts))
                print(f"{s} -> {t} {method:17s} {name:12s} mean {e[0]:.2e} max {e[1]:.2e} rms {e[2]:.2e}   CDO {k[0]:.2e} {k[1]:.2e}   cells {counts}", flush=True)


def pairs_of(quick):
    if quick:
        return {"conservative": [("gme24", "r72x36"), ("r90x45", "gme24"), ("n16", "gme24"), ("gme24", "n16"), ("r90x45", "n16"), ("n16", "r72x37"),
                                 ("hp8", "r72x36"), ("trip72x40", "gme24")],
                "land": [("gme24-sea", "r72x36-sea"), ("r90x45-sea", "gme24-sea")],
                "second": [[("r180x90", "gme32"), ("r360x180", "gme64")]],
                "bilinear": [("r90x45", "gme24"), ("n32", "r90x45"), ("trip72x40", "r72x36")],
                "nearest": [("gme24", "r72x36"), ("r72x36", "gme24")], "all": [("r90x45", "gme24"), ("orca90x60", "red24")],
                "coasts": [("r90x45-coads", "gme24")]}
    return {"conservative": [("gme32", "r180x90"), ("gme64", "r360x180"), ("r360x180", "gme64"), ("gme128", "r720x360"), ("r720x360", "gme128"),
                             ("gme64", "n80"), ("n80", "gme64"), ("n80", "r360x180"), ("r360x180", "n80"), ("r180x90", "n48"),
                             ("hp32", "r360x180"), ("r360x180", "hp32"), ("hp32", "gme64"), ("gme64", "hp32"), ("n80", "hp32"),
                             ("trip180x100", "r180x90"), ("trip180x100", "gme64"), ("gme64", "trip180x100"),
                             ("trip180x100", "n80"), ("n80", "trip180x100"), ("gme48", "hp16"), ("trip180x100", "hp32"), ("hp32", "trip180x100"),
                             ("trip180x100", "n48"), ("gme32", "trip180x100"), ("trip180x100", "gme32"), ("hp32", "n80"),
                             ("hp16", "r180x90"), ("hp32", "gme32"), ("gme32", "hp32"), ("r180x90", "trip180x100"), ("r180x90", "trip360x292"),
                             ("trip360x292", "r180x90"), ("r72x36", "gme16"), ("r360x180", "gme16"), ("gme32", "gme16")],
            "land": [("gme64-sea", "r360x180-sea"), ("r360x180-sea", "gme64-sea"), ("n80-sea", "gme64-sea"), ("trip180x100-sea", "gme64-sea"),
                     ("gme64-sea", "trip180x100-sea"), ("hp32-sea", "r180x90-sea"), ("r360x180-sea", "n80-sea"), ("r180x90-sea", "hp32-sea")],
            "second": [[("r180x90", "gme32"), ("r360x180", "gme64"), ("r720x360", "gme128"), ("r1440x720", "gme256")],
                       [("gme32", "r180x90"), ("gme64", "r360x180"), ("gme128", "r720x360"), ("gme256", "r1440x720")]],
            "bilinear": [("r360x180", "gme64"), ("r180x90", "gme64"), ("r720x360", "gme128"), ("n32", "r360x180"), ("n80", "gme64"), ("n80", "r360x180"),
                         ("r360x180", "n80"), ("r360x180", "hp32"), ("trip180x100", "r180x90"), ("trip180x100", "gme64"), ("r360x180", "trip180x100")],
            "nearest": [("gme64", "r360x180"), ("r360x180", "gme64"), ("n80", "gme64"), ("hp32", "r360x180"), ("trip180x100", "gme64"),
                        ("gme64-sea", "r360x180-sea"), ("r360x180", "n80"), ("gme64", "trip180x100")],
            "all": [("r360x180", "gme64"), ("gme64", "r360x180"), ("n80", "gme64"), ("hp32", "r360x180"), ("trip180x100", "gme64"),
                    ("orca182x150", "red48"), ("red48", "orca182x150"), ("lmdz96x96", "orca182x150"), ("orca182x150", "lmdz96x96"),
                    ("red48", "lmdz96x96"), ("lmdz96x96", "gme32"), ("r360x180", "rot80x80"), ("red48", "rot80x80"), ("red48", "hp32")],
            "coasts": [("r180x90-coads", "gme64"), ("gme64-coads", "r180x90"), ("orca182x150-coads", "red48"), ("hp32-coads", "lmdz96x96")]}


def markdown(title, head, rows):
    def cell(v):
        return v if isinstance(v, str) else "-" if v is None or (isinstance(v, float) and np.isnan(v)) else f"{v:.1e}" if isinstance(v, float) else str(v)
    return f"**{title}**\n\n" + measured_page.table(head, [[cell(float(v) if isinstance(v, np.floating) else v) for v in row] for row in rows])


def document(path, tables, goals):
    body = markdown("Goals", ["", "goal"], [("met" if met else "not met", goal) for goal, met in goals])
    for title, head, rows in tables:
        body += "\n" + markdown(title, head, rows)
    measured_page.replace(path, "quality", body)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("h3ou")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--json")
    p.add_argument("--docs")
    p.add_argument("--folder", help="where the grids are kept (a temporary one)")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        b, pairs = Bench(str(pathlib.Path(a.h3ou).resolve()), a.folder or temporary), pairs_of(a.quick)
        con, land, second, coasts, bil, every = [], [], [], [], [], []
        conservative(b, pairs["conservative"], con)
        with_land(b, pairs["land"], land)
        second_order(b, pairs["second"], second)
        if not a.quick:
            gain = {r[1]: r[2] / r[3] for r in second if r[0] == "r360x180 -> gme64"}
            least = min(gain[f] for f in ("sinusoid", "vortex"))
            b.goal(f"conservative2 on r360x180 -> gme64: mean misfit {least:.1f} times below the first order's (5)", least >= 5)
        on_coasts(b, pairs["coasts"], coasts)
        bilinear(b, pairs["bilinear"], bil)
        nearest(b, pairs["nearest"])
        all_methods(b, pairs["all"], every)
    tables = [("First-order conservative beside CDO", ["pair", "links", "largest difference of weights", "of fractions (whole cells)",
                                                       "conservation per source cell", "least weight"], con),
              ("The same with land masked on both sides", ["pair", "links", "largest difference of weights", "conservation per source cell",
                                                           "least weight"], land),
              ("Second order beside first (at centroids)", ["pair", "field", "mean 1st", "mean 2nd", "max 1st", "max 2nd", "budget 2nd"], second),
              ("Second order on partial coasts, without and with the limiter",
               ["pair", "field", "misfit", "beyond the range", "budget", "misfit, limited", "beyond the range", "budget"], coasts),
              ("Bilinear beside CDO, cells that both serve", ["pair", "field", "mean ours", "mean CDO", "max ours", "max CDO",
                                                              "polar max ours", "polar max CDO", "only CDO serves"], bil),
              ("All methods", ["pair", "method", "field", "mean", "max", "RMS", "mean CDO", "max CDO", "RMS CDO", "cells", "cells CDO"], every)]
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps({"goals": b.goals, **{t: r for t, _, r in tables}}, default=float, indent=1))
    if a.docs:
        document(a.docs, tables, b.goals)
    return 0 if all(met for _, met in b.goals) else 1


if __name__ == "__main__":
    sys.exit(main())
