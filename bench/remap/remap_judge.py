# SPDX-License-Identifier: BSD-3-Clause
"""First-order conservative weights of h3ou and of CDO compared link by link, and judged by a third way where both differ."""
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
ROUNDING = 4e-14  # of shares of a cell found that way: sines are known to 1e-16, and a row of cells at a pole is some 1e-3 high in them


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


def judge_off(grid, cells, boxes):
    """How far the third way is from the closed form: the overlaps of each convex cell with boxes that cover the sphere add up to
    its area by A. Girard's theorem, the largest relative difference."""
    worst = 0.0
    for cell in cells:
        corner = grid.corner[cell]
        a, b, c = corner[0], corner[1:-1], corner[2:]
        area = 2 * np.arctan2(np.cross(b, c) @ a, 1 + b @ a + c @ a + np.einsum("ij,ij->i", b, c)).sum()
        mine = bounds_of(grid, cell)
        worst = max(worst, abs(sum(overlap(mine, bounds_of(boxes, i)) for i in range(boxes.lon.size)) / area - 1))
    return float(worst)


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
    are disputed; up to `most` of them are judged by the third way: "ours" and "cdo" say how far either is off."""
    row, _, delta = differences(ours, cdo)
    share = covered(ours, "dst", ours.dst_area), covered(cdo, "dst", ours.dst_area)
    gap = np.abs(share[0] - share[1])
    at_odds = np.union1d(row[delta > slack], np.flatnonzero(gap > slack))
    r = {"links": int(ours.coef.size), "weight": float(delta.max(initial=0)), "rows": int(at_odds.size),
         "weight_rest": float(delta[~np.isin(row, at_odds)].max(initial=0)), "fraction": float(gap.max()),
         "fraction_rest": float(np.delete(gap, at_odds).max(initial=0)), "judged": 0, "undecided": 0, "ours": 0.0, "cdo": 0.0, "cdo_fraction": 0.0}
    for t in sample(at_odds, most).tolist():
        rows = ours.row(t), cdo.row(t)
        truth = judge(target, t, source, sorted(set(rows[0]) | set(rows[1])))
        if truth is None:
            r["undecided"] += 1
            continue
        r["judged"] += 1
        total = sum(truth.values())
        # Where little of the cell is covered, the rounding is more of its weights. One that is covered by less than the slack only
        # touches: what its weights are is the corners' rounding.
        off = [max((max(0, abs(found.get(s, 0) - v / total) - ROUNDING / total) for s, v in truth.items() if total > slack), default=0) for found in rows]
        r["ours"] = max(r["ours"], off[0], abs(share[0][t] - total))
        r["cdo"], r["cdo_fraction"] = max(r["cdo"], off[1]), max(r["cdo_fraction"], abs(share[1][t] - total))
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
        for name, part in (("ours", share[0][s]), ("cdo_fraction", share[1][s])):
            r[name] = max(r[name], abs(part - sum(truth.values())))


def source_conservation(matrix, whole):
    """Largest |what a source cell gives - its area| / its area, over cells wholly under targets. Where targets are masked
    or end somewhere (not whole) a cell may be under them but for a sliver: then against the share that the file states."""
    given = np.bincount(matrix.src, matrix.coef * (matrix.dst_area * matrix.dst_frac)[matrix.dst], matrix.nsrc)
    part = given / matrix.src_area
    cells = np.abs(part - 1) < 1e-6
    return float(np.abs(part - (1 if whole else matrix.src_frac))[cells].max(initial=0))
