#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whole processes that make weights, ours and CDO's in turns: grid files read, weights written, one thread each. CPU and wall
seconds, peak resident memory, as medians, spread (quartiles) and the median of paired ratios; the goals said at the end.

remap_speed.py H3OU [--rounds 10] [--small] [--large | --unstructured] [--folder F] [--docs docs/measured/remap_speed.md]. --small leaves
the largest grids out; --large measures one run each of regular grids of 10^7 cells instead, --unstructured of Healpix."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import grids
import measured_page

GEN = {"conservative": "gencon", "bilinear": "genbil", "nearest": "gennn", "distance(n=4)": "gendis"}


def measure(command, env=None):
    """CPU seconds, wall seconds and peak MB of a process."""
    begin = time.monotonic()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command}: {said.decode()}")
    return used.ru_utime + used.ru_stime, time.monotonic() - begin, used.ru_maxrss / 1024


def spread(values):
    if len(values) < 2:
        return f"{values[0]:.3g}"
    q = statistics.quantiles(values, n=4)
    return f"{statistics.median(values):.3g} ({q[0]:.3g}-{q[2]:.3g})"


class Bench:
    def __init__(self, h3ou, folder, rounds):
        self.h3ou, self.folder, self.rounds, self.rows, self.goals = pathlib.Path(h3ou).resolve(), folder, rounds, [], []

    def ours(self, s, t, method, threads=1):
        out = pathlib.Path(self.folder, "ours.nc")
        return measure([self.h3ou, "weights", "make", grids.make(s, self.folder), grids.make(t, self.folder), "-m", method,
                        "--threads", threads, "-o", out])

    def cdo(self, s, t, method):
        out = pathlib.Path(self.folder, "cdo.nc")
        return measure(["cdo", "-s", "-O", "-P", "1", f"{GEN[method]},{grids.make(t, self.folder)}", grids.make(s, self.folder), out])

    def pair(self, s, t, method, first, second, names):
        """Both in turns, the first of a round by turns as well."""
        a, b = [], []
        for i in range(self.rounds):
            for which in ((0, 1), (1, 0))[i % 2]:
                (a, b)[which].append((first, second)[which]())
        ratio = [statistics.median(x[k] / y[k] for x, y in zip(a, b)) for k in range(3)]
        row = (f"{s} -> {t}", method, names, *(spread([x[k] for x in v]) for k in range(3) for v in (a, b)), *(f"{r:.2f}" for r in ratio))
        self.rows.append(row)
        print("%-20s %-14s %-18s CPU s %s | %s  wall s %s | %s  MB %s | %s  ratios %s %s %s" % row, flush=True)
        return ratio

    def goal(self, text, met):
        self.goals.append((text, bool(met)))
        print(f"{'met    ' if met else 'NOT MET'} {text}", flush=True)


def run(b, small):
    big = [] if small else [("gme256", "r1440x720"), ("r1440x720", "gme256")]
    for s, t in [("gme64", "r360x180"), ("gme128", "r720x360"), ("r720x360", "gme128")] + big:
        r = b.pair(s, t, "conservative", lambda: b.ours(s, t, "conservative"), lambda: b.cdo(s, t, "conservative"), "ours | CDO")
        if not s.startswith("gme64"):
            b.goal(f"conservative {s} -> {t}: {r[0]:.2f} of CDO's CPU time (0.33)", r[0] <= 1 / 3)
            if "256" in s + t or small:
                b.goal(f"conservative {s} -> {t}: {r[2]:.2f} of CDO's memory (0.5)", r[2] <= 0.5)
    for s, t in [("gme128", "r720x360")] + big[:1]:
        r = b.pair(s, t, "conservative", lambda: b.ours(s, t, "conservative", 2), lambda: b.ours(s, t, "conservative"), "2 threads | 1")
        b.goal(f"conservative {s} -> {t}: two threads take {r[1]:.2f} of one's wall time (0.6)", r[1] <= 0.6)
    for method, pairs in (("bilinear", [("r720x360", "gme128")] + big[1:]), ("nearest", [("gme128", "r720x360")] + big[:1]),
                          ("distance(n=4)", [("gme128", "r720x360")] + big[:1])):
        for s, t in pairs:
            r = b.pair(s, t, method, lambda: b.ours(s, t, method), lambda: b.cdo(s, t, method), "ours | CDO")
            if method != "distance(n=4)":
                b.goal(f"{method} {s} -> {t}: {r[0]:.2f} of CDO's CPU time (1)", r[0] <= 1)
    for s, t in [("gme128", "r720x360")]:
        b.pair(s, t, "conservative2", lambda: b.ours(s, t, "conservative2"), lambda: b.ours(s, t, "conservative"), "2nd order | 1st")
    growth(b, 6 if small else 8)


def growth(b, last):
    """Seconds and memory per cell from one refinement to the next: linear when they stay."""
    per = []
    for g in range(5, last + 1):
        s, t = f"gme{2**g}", f"r{45 * 2**(g - 3)}x{45 * 2**(g - 4)}"
        cells = 10 * 4**g + 2 + 45 * 45 * 2**(2 * g - 7)
        runs = [b.ours(s, t, "conservative") for _ in range(3)]
        per.append([min(x[k] for x in runs) / cells * 1e6 for k in (0, 2)])
        print(f"g={g}: {per[-1][0]:.2f} us and {per[-1][1] / 1e6 * 2**20:.0f} bytes per cell", flush=True)
    b.goal(f"growth from g={last - 1} to g={last}: CPU time per cell times {per[-1][0] / per[-2][0]:.2f}, memory times {per[-1][1] / per[-2][1]:.2f} (1.25)",
           max(per[-1][k] / per[-2][k] for k in (0, 1)) < 1.25)


def large(b):
    """Grids of 10^7 cells, once, by one thread."""
    few, many = "r1440x720", "r4472x2236"
    for s, t, methods in ((few, many, ("conservative", "conservative2", "laf", "bilinear", "bicubic", "nearest")),
                          (many, few, ("conservative", "nearest"))):
        for method in methods:
            cpu, wall, memory = b.ours(s, t, method)
            b.rows.append((f"{s} -> {t}", method, f"{cpu:.3g}", f"{wall:.3g}", f"{memory:.0f}"))
            print("%-24s %-14s CPU s %s  wall s %s  MB %s" % b.rows[-1], flush=True)


def unstructured(b):
    """Healpix grids of 12,582,912 cells, by their name, as polygons whose neighbours are found by their corners."""
    few, many = "r1440x720", "hp1024"
    for s, t in ((many, few), (few, many)):
        for method in ("nearest", "bilinear", "conservative"):
            out = pathlib.Path(b.folder, "ours.nc")
            cpu, wall, memory = measure([b.h3ou, "weights", "make", s, t, "-m", method, "--threads", "1", "-o", out])
            b.rows.append((f"{s} -> {t}", method, f"{cpu:.3g}", f"{wall:.3g}", f"{memory:.0f}"))
            print("%-24s %-14s CPU s %s  wall s %s  MB %s" % b.rows[-1], flush=True)


def document(path, rows, goals):
    head = ["pair", "method", "", "CPU s", "", "wall s", "", "MB", "", "CPU ratio", "wall ratio", "memory ratio"]
    body = measured_page.table(["", "goal"], [["met" if m else "not met", g] for g, m in goals])
    measured_page.replace(path, "speed", body + "\n" + measured_page.table(head, rows))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("h3ou")
    p.add_argument("--rounds", type=int, default=10)
    p.add_argument("--small", action="store_true")
    p.add_argument("--large", action="store_true")
    p.add_argument("--unstructured", action="store_true")
    p.add_argument("--folder")
    p.add_argument("--docs")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        b = Bench(a.h3ou, a.folder or temporary, a.rounds)
        large(b) if a.large else unstructured(b) if a.unstructured else run(b, a.small)
    if a.docs and (a.large or a.unstructured):
        measured_page.replace(a.docs, "large" if a.large else "unstructured", measured_page.table(["pair", "method", "CPU s", "wall s", "MB"], b.rows))
    elif a.docs:
        document(a.docs, b.rows, b.goals)
    return 0 if all(m for _, m in b.goals) else 1


if __name__ == "__main__":
    sys.exit(main())
