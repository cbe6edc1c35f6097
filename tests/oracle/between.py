#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""flag='INT' with shares of cells, missing values and vectors, in double and single precision: what get returns in each step
against a model of the rules in NumPy, between two components and inside one.

  between.py PROGRAM"""
import math
import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

A_CELLS, B_CELLS = [3, 1, 4, 2, 6, 5, 9, 8], [2, 5, 1, 7, 3]
SEND, RECV = [1, 4, 2, 6, 3, 5, 8, 9, 1, 2], [1, 1, 2, 2, 2, 3, 5, 5, 5, 3]  # cell 7 has no row
COEF = [0.5, 0.25, 1.0, 2.0, 0.5, 1.5, 0.75, 0.25, 1.0, 0.5]
ANGLES = [0.3 * i for i in range(10)]
STEPS, STEP, INTERVAL, BEFORE = {"A": 8, "B": 16}, {"A": 600, "B": 300}, 1200, -999.0
# name: what is put, components, layers, lag, key missing and what a target cell without a value has (None: NaN)
FIELDS = {
    "share": ("share", 1, 1, -1, "", None), "share_late": ("share", 1, 2, -2, "missing=-77", -77.0),
    "share_kept": ("share", 1, 1, -1, "missing='keep'", BEFORE), "hole": ("hole", 1, 2, -1, "missing=-77", -77.0),
    "hole_kept": ("hole", 1, 1, -1, "missing='keep'", BEFORE), "xyz": ("vector", 3, 2, -1, "", None),
    "xyz_hole": ("holes", 3, 1, -1, "missing=-77", -77.0), "turned": ("vector", 2, 1, -1, "", None),
    "turned_hole": ("holes", 2, 2, -1, "missing='keep'", BEFORE),
}


REAL4 = {"share_late", "share_kept", "hole", "xyz_hole", "turned", "turned_hole"}  # the fields with type='real4'


def put_line(name, step):
    """step -1: the initial value."""
    kind, count, layers, *_ = FIELDS[name]
    base, phase = base_of(step), step + 1
    if kind in ("vector", "holes"):
        return f"putvector {name} gA {layers} {base} {count} {phase + 1 if kind == 'holes' else 0}"
    return f"put{kind} {name} gA {layers} {base} {phase}"


def base_of(step):
    return (step * 7919 + 50021) % 2003 / 4 + 0.1


def source(name, step, layer):
    """[component][cell] values as they travel, and [cell] shares that were put."""
    kind, count, *_ = FIELDS[name]
    index = np.array(A_CELLS)
    value = np.array([base_of(step) + 100 * k + index / 8 + 1000 * layer for k in range(count)])
    holes = (index + step + 1 + (kind == "holes")) % 3 == 0
    if kind == "hole":
        value[:, holes] = np.nan
    elif kind == "holes":  # one component
        value[1, holes] = np.nan
    if name in REAL4:
        value = value.astype(np.float32).astype(float)
    return value, (index * 3 + step + 1) % 4 / 4 if kind == "share" else np.ones(len(index))


def exchange(name, step, layer):
    """[component][target cell]: what the rows make of what was put in a step; NaN: no value."""
    count, missing = FIELDS[name][1], FIELDS[name][4]
    value, share = source(name, step, layer)
    got = np.full((count, len(B_CELLS)), np.nan)
    for i, target in enumerate(B_CELLS):
        links = [(A_CELLS.index(s), c, a) for s, r, c, a in zip(SEND, RECV, COEF, ANGLES) if r == target]
        # A vector of which one component has no value has none.
        counts = [link for link in links if share[link[0]] > 0 and not (missing and np.isnan(value[:, link[0]]).any())]
        weight = sum(c * share[s] for s, c, _ in counts)
        if weight > 0:
            total = sum(c * share[s] * turn(value[:, s], a, name) for s, c, a in counts)
            got[:, i] = total / weight * sum(c for _, c, _ in links)
    return got


def turn(vector, angle, name):
    if not name.startswith("turned"):
        return vector
    u, v = vector
    return np.array([math.cos(angle) * u - math.sin(angle) * v, math.sin(angle) * u + math.cos(angle) * v])


def expected(name, time):
    """[component][layer][cell] at a time of the receiver."""
    _, count, layers, lag, _, nothing = FIELDS[name]
    k = time // INTERVAL

    def put_for(exchange):
        """The last step before the interval of an exchange ends."""
        return max((exchange + lag + 1) * INTERVAL // STEP["A"] - 1, -1)

    has_row = np.isin(B_CELLS, RECV)
    got = np.empty((count, layers, len(B_CELLS)))
    for layer in range(layers):
        last, former = exchange(name, put_for(k), layer), exchange(name, put_for(max(k - 1, 0)), layer)
        part = time % INTERVAL / INTERVAL
        between = np.where(np.isnan(former), last, former + part * (last - former))
        if nothing is not None:
            between = np.where(np.isnan(between), nothing, between)
        got[:, layer] = np.where(has_row, between, BEFORE)
    return got


def namelist(a, b):
    text = ""
    for tag, names in ((1, [n for n in FIELDS if "turned" not in n]), (2, [n for n in FIELDS if "turned" in n])):
        text += f"&h3ou_var comp_put='{a}', comp_get='{b}', grid_put='gA', grid_get='gB', mapping_tag={tag} /\n"
        for name in names:
            _, count, layers, lag, missing, _ = FIELDS[name]
            kind = {1: "", 2: "_vec", 3: "_xyz"}[count]
            text += (f"&h3ou_var var_put{kind}='{name}', var_get{kind}='{name}', intvl={INTERVAL}, lag={lag}, layer={layers}, flag='INT'"
                     f"{', ' + missing if missing else ''}{', type=' + repr('real4') if name in REAL4 else ''} /\n")
    return "&h3ou_coupling log_level='SILENT' /\n" + text


def script(config, me, a, b):
    """me: A, B, or S, which is both with the steps of B; also the lines of the gets: (line, name, time)."""
    def numbers(*lists):
        return " ".join(str(x) for some in lists for x in some)

    lines, gets, n = [f"open {config}"], [], len(SEND)
    for name, cells in (("A", A_CELLS), ("B", B_CELLS)):
        if me in (name, "S"):
            lines.append(f"grid g{name} 2 {len(cells)} {1 if name == 'A' else 2} {numbers(cells)}")
    lines.append("grids")
    turns = [f(angle) for f in (math.cos, math.sin) for angle in ANGLES]
    if me in ("B", "S"):
        lines += [f"table {a} gA {b} gB 1 spread {n} {numbers(SEND, RECV)} {n} {numbers(COEF)}",
                  f"turns {a} gA {b} gB 2 {n} {numbers(SEND, RECV, COEF, turns)}"]
    else:
        lines += [f"table {a} gA {b} gB 1 none 0 0", f"turns {a} gA {b} gB 2 0"]
    lines.append("init 2000 1 1 0 0 0")
    if me in ("A", "S"):
        lines += [put_line(name, -1) for name in FIELDS]
    step = STEP["A" if me == "A" else "B"]
    for i in range(STEPS["A" if me == "A" else "B"]):
        lines.append(f"seconds {i * step} {step}")
        for name, (_, count, layers, *_) in FIELDS.items():
            if me in ("B", "S"):
                lines.append(f"get{'vector' if count > 1 else ''} {name} gB {layers}{f' {count}' if count > 1 else ''}")
                gets.append((len(lines), name, i * step))
        if me in ("A", "S") and i * step % STEP["A"] == 0:
            lines += [put_line(name, i * step // STEP["A"]) for name in FIELDS]
    return "\n".join([*lines, "close 1"]) + "\n", gets


def compare(out, size, gets):
    problems = []
    for rank in range(size):
        rows = {int(line.split()[1]): line.split()[2:] for line in pathlib.Path(f"{out}.{rank}").read_text().splitlines()}
        mine = [i for i in range(len(B_CELLS)) if i * 2 % size == rank]
        for line, name, time in gets:
            ok, *values = rows[line]
            want = expected(name, time)[:, :, mine].ravel()
            if ok != "1" or not np.allclose(np.array(values, float), want, rtol=1e-12, atol=1e-12, equal_nan=True):
                problems.append(f"{name} at {time} s on rank {rank}: {ok} {values}, awaited {want}")
    return problems[:6]


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config, out = pathlib.Path(folder, "c.conf"), pathlib.Path(folder, "out")
        for number, way in enumerate([*jobs.ways(), "own"]):
            own = way == "own"
            a, b = "SS" if own else "AB"
            config.write_text(namelist(a, b))
            scripts, size = {}, (2, 3, 1)[number % 3]
            for me in "S" if own else "AB":
                text, scripts[me] = script(config, me, a, b)
                pathlib.Path(folder, f"{me}.script").write_text(text)
            parts = {me: [me, pathlib.Path(folder, f"{me}.script"), f"{out}{me}"] for me in scripts}
            if own:
                size = 2
                results = jobs.wait_all([jobs.Job(jobs.MPIS[-1], [(size, [f"{program}.{jobs.MPIS[-1]}", *parts["S"]])])])
            else:
                results = jobs.run(way, (3 - number % 2, program, parts["A"]), (size, program, parts["B"]))
            last = max(scripts)
            tally.check(f"{way} {size}", jobs.problems_of(results) or compare(f"{out}{last}", size, scripts[last]))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
