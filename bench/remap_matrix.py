# SPDX-License-Identifier: BSD-3-Clause
"""Weights of h3ou and of CDO as sparse matrices: read, compared link by link, judged by a third way, applied, measured."""
import subprocess

import netCDF4
import numpy as np


class Matrix:
    """A SCRIP file. Cells count from 0; areas in steradians (None: the file has none)."""

    def __init__(self, file):
        with netCDF4.Dataset(file) as d:
            d.set_auto_mask(False)
            self.src, self.dst = (d[f"{s}_address"][:].astype(np.int64) - 1 for s in ("src", "dst"))
            self.coef = d["remap_matrix"][:, 0].astype("f8")
            self.nsrc, self.ndst = (d.dimensions[f"{s}_grid_size"].size for s in ("src", "dst"))
            self.src_area, self.dst_area = (d[f"{s}_grid_area"][:] if f"{s}_grid_area" in d.variables else None for s in ("src", "dst"))
            self.src_frac, self.dst_frac = (d[f"{s}_grid_frac"][:] for s in ("src", "dst"))

    def only(self, targets):
        """Forgets the rows of all other targets: CDO has no mask on the target side."""
        keep = targets[self.dst]
        self.src, self.dst, self.coef = self.src[keep], self.dst[keep], self.coef[keep]
        self.dst_frac = np.where(targets, self.dst_frac, 0)
        return self

    def served(self):
        return np.bincount(self.dst, minlength=self.ndst) > 0

    def apply(self, values):
        return np.bincount(self.dst, self.coef * values[self.src], self.ndst)

    def keys(self):
        """Links as sorted numbers, and their coefficients."""
        key, where = np.unique(self.dst * self.nsrc + self.src, return_inverse=True)
        return key, np.bincount(where, self.coef)

    def row(self, target):
        """{source: coefficient}"""
        at = slice(*np.searchsorted(self.dst, [target, target + 1]))
        return dict(zip(self.src[at].tolist(), self.coef[at].tolist()))


def differences(a, b):
    """Targets, sources and |coefficient of a - that of b| of all links of both; absent is 0."""
    (ka, ca), (kb, cb) = a.keys(), b.keys()
    key = np.union1d(ka, kb)
    both = np.zeros((2, key.size))
    both[0, np.searchsorted(key, ka)] = ca
    both[1, np.searchsorted(key, kb)] = cb
    return key // a.nsrc, key % a.nsrc, np.abs(both[0] - both[1])


# A third way to the area of an intersection, neither CDO's nor ours: along each meridian a convex cell is an interval of latitude,
# bounded by its edges; the intersection's area is the integral over longitude of the difference of the sines of its ends.
NODE, SHARE = np.polynomial.legendre.leggauss(24)


def bounds_of(grid, cell):
    """Half-spaces (x, y, z) of a cell's edges; or None, when it is not convex; and the box it is limited to or None."""
    if grid.box is not None:
        return np.zeros((0, 3)), grid.box[cell]
    corner = grid.corner[cell]
    keep = np.linalg.norm(corner - np.roll(corner, 1, 0), axis=1) > 1e-10
    corner = corner[keep]
    normal = np.cross(corner, np.roll(corner, -1, 0))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    side = corner @ normal.T
    if side.min() < -1e-12 and side.max() < 1e-12:
        normal, side = -normal, -side
    return (None if side.min() < -1e-12 else normal), None


def turns(normal, low, high):
    """Longitudes where the bounds' order may change: bounds cross each other, or the latitudes low and high."""
    i, j = np.triu_indices(len(normal), 1)
    a = normal[i] * normal[j, 2:] - normal[j] * normal[i, 2:]
    found = [np.arctan2(-a[:, 0], a[:, 1]), np.arctan2(-normal[:, 0], normal[:, 1])]
    found += [f + np.pi for f in found]
    for lat in (low, high):
        if abs(lat) < np.pi / 2 - 1e-12:
            size, toward = np.hypot(normal[:, 0], normal[:, 1]), np.arctan2(normal[:, 1], normal[:, 0])
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = -normal[:, 2] * np.tan(lat) / size
            ok = np.abs(ratio) <= 1
            found += [(toward + s * np.arccos(np.clip(ratio, -1, 1)))[ok] for s in (-1, 1)]
    return np.concatenate(found)


def overlap(first, second):
    """Area of the intersection of two cells (results of bounds_of)."""
    normal = np.concatenate([first[0], second[0]])
    boxes = [b for b in (first[1], second[1]) if b is not None]
    west, width, low, high = -np.pi, 2 * np.pi, -np.pi / 2, np.pi / 2
    if boxes:
        west, width = boxes[0][0], boxes[0][1] - boxes[0][0]
        low, high = max(b[2] for b in boxes), min(b[3] for b in boxes)
    if low >= high:
        return 0.0
    at = [0, width, *(np.mod(e - west, 2 * np.pi) for b in boxes[1:] for e in b[:2])]
    at = np.concatenate([at, np.mod(turns(normal, low, high) - west, 2 * np.pi)])
    at = np.unique(at[at <= width]) + west
    half, middle = np.diff(at) / 2, (at[1:] + at[:-1]) / 2
    lon = middle[:, None] + half[:, None] * NODE
    bottom, top = np.full(lon.shape, np.sin(low)), np.full(lon.shape, np.sin(high))
    for x, y, z in normal:
        level = x * np.cos(lon) + y * np.sin(lon)
        if abs(z) < 1e-15:
            top = np.where(level < 0, -1, top)
            continue
        height = -level / z
        height /= np.sqrt(1 + height * height)
        if z > 0:
            bottom = np.maximum(bottom, height)
        else:
            top = np.minimum(top, height)
    inside = np.ones(lon.shape, bool)
    for b in boxes[1:]:
        inside &= np.mod(lon - b[0], 2 * np.pi) < b[1] - b[0]
    return float((half * (np.where(inside, np.maximum(0, top - bottom), 0) @ SHARE)).sum())


def judge(cell_grid, cell, grid, candidates):
    """By the third way: {candidate: share of the cell's area that it covers}; None when a cell is not convex."""
    mine = bounds_of(cell_grid, cell)
    others = [bounds_of(grid, s) for s in candidates]
    if mine[0] is None or any(o[0] is None for o in others):
        return None
    whole = overlap(mine, mine)
    return {s: overlap(mine, o) / whole for s, o in zip(candidates, others)}


def covered(matrix, side, area):
    """Share of each cell that the other grid covers. CDO's areas of cells that are covered in part are those parts; its
    fraction is then 1."""
    return getattr(matrix, f"{side}_frac") * getattr(matrix, f"{side}_area") / area


def sample(cells, most):
    return cells if cells.size <= most else cells[np.linspace(0, cells.size - 1, most).astype(int)]


def compare(ours, cdo, source, target, slack=1e-10, most=60):
    """Weights and fractions of both. Rows of targets (and source cells, for their fractions) in which both differ by more than slack
    are disputed; up to `most` of them are judged by the third way."""
    row, _, delta = differences(ours, cdo)
    share = covered(ours, "dst", ours.dst_area), covered(cdo, "dst", ours.dst_area)
    gap = np.abs(share[0] - share[1])
    at_odds = np.union1d(row[delta > slack], np.flatnonzero(gap > slack))
    r = {"links": int(ours.coef.size), "weight": float(delta.max(initial=0)), "rows": int(at_odds.size),
         "weight_rest": float(delta[~np.isin(row, at_odds)].max(initial=0)), "fraction": float(gap.max()),
         "fraction_rest": float(np.delete(gap, at_odds).max(initial=0)), "judged": 0, "undecided": 0, "ours": 0.0, "cdo": 0.0}
    for t in sample(at_odds, most).tolist():
        rows = ours.row(t), cdo.row(t)
        truth = judge(target, t, source, sorted(set(rows[0]) | set(rows[1])))
        if truth is None:
            r["undecided"] += 1
            continue
        r["judged"] += 1
        total = sum(truth.values())
        for name, found, part in zip(("ours", "cdo"), rows, (share[0][t], share[1][t])):
            off = max([abs(found.get(s, 0) - v / total) for s, v in truth.items()] if total else [0])
            r[name] = max(r[name], off, abs(part - total))
    if target.mask.all():
        compare_sources(ours, cdo, source, target, slack, most, r)
    return r


def compare_sources(ours, cdo, source, target, slack, most, r):
    share = covered(ours, "src", ours.src_area), covered(cdo, "src", ours.src_area)
    gap = np.where(source.mask, np.abs(share[0] - share[1]), 0)
    at_odds = np.flatnonzero(gap > slack)
    r.update(source_fraction=float(gap.max()), source_cells=int(at_odds.size),
             source_fraction_rest=float(np.delete(gap, at_odds).max(initial=0)))
    for s in sample(at_odds, most).tolist():
        truth = judge(source, s, target, np.unique(np.concatenate([m.dst[m.src == s] for m in (ours, cdo)])).tolist())
        if truth is None:
            r["undecided"] += 1
            continue
        r["judged"] += 1
        for name, part in (("ours", share[0][s]), ("cdo", share[1][s])):
            r[name] = max(r[name], abs(part - sum(truth.values())))


def misfit(matrix, function, source, target, means=False, only=None):
    """Mean, maximum and RMS of |remapped - exact| / |exact| over the served cells, or only those of them. means: cells stand for
    their means, which to second order are the values at their centroids; else for the values at their centres."""
    at = (lambda g: (g.mean_lon, g.mean_lat)) if means else (lambda g: (g.lon, g.lat))
    exact = function(*at(target))
    cells = matrix.served() & (True if only is None else only)
    if not cells.any():
        return None
    error = (np.abs(matrix.apply(function(*at(source))) - exact) / np.abs(exact))[cells]
    return {"mean": float(error.mean()), "max": float(error.max()), "rms": float(np.sqrt((error**2).mean())), "cells": int(cells.sum())}


def global_conservation(matrix, function, source, areas):
    """|integral over target - over source| / |over source|, fractions included; areas: a matrix that has them."""
    values = function(source.mean_lon, source.mean_lat)
    given = (values * areas.src_area * areas.src_frac).sum()
    share = areas.dst_frac if matrix.dst_area is not None else matrix.served() * areas.dst_frac
    return float(abs((matrix.apply(values) * areas.dst_area * share).sum() - given) / abs(given))


def source_conservation(matrix):
    """Largest |what a source cell gives - its area| / its area, over cells wholly under targets."""
    given = np.bincount(matrix.src, matrix.coef * (matrix.dst_area * matrix.dst_frac)[matrix.dst], matrix.nsrc)
    whole = np.abs(matrix.src_frac - 1) < 1e-9
    return float(np.abs(given[whole] / matrix.src_area[whole] - 1).max(initial=0)), int(whole.sum())


def ours(tool, source, target, method, out, threads=1):
    done = subprocess.run([tool, "weights", "make", source, target, "-m", method, "--threads", str(threads), "-o", out],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"h3ou weights make {source} {target} -m {method}: {done.stderr}")
    return Matrix(out)


CDO = {"conservative": "gencon", "conservative2": "gencon2", "bilinear": "genbil", "nearest": "gennn", "bicubic": "genbic",
       "distance": "gendis"}


def cdos(source, target, method, out):
    """None where CDO has no such method for these grids."""
    done = subprocess.run(["cdo", "-s", "-O", "-P", "1", f"{CDO[method]},{target}", source, out], capture_output=True, text=True)
    return None if done.returncode else Matrix(out)
