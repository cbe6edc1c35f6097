#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to set up an exchange, in four tables.

tables:  a table of four links a target cell from the leader (exchange.c), in both directions, of several builds in turns: seconds, peak MB
         of the process that needs most, and the median of paired ratios to the first build
offline: weights made online (online_setup.c, one process a side) beside the command `h3ou weights make` for the same grids and method, one
         thread each, in turns: CPU seconds of all processes, wall seconds
growth:  weights made online by 1 to N processes a side, with each MPI of this machine: CPU seconds of all processes, beside those of one a side;
         wall seconds; MB that set-up adds to the leader of B, and to the process of the others that needs most; --mpi has no effect
growth-table: the same for a table of four links a target cell from the leader of B

    bench/setting_up/setup.py tables|offline|growth|growth-table NAME=BUILD... [--rounds 5] [--mpi mpich] [--most 32] [--cells 320x128:360x180,1280x512:1440x720]
                    [--docs docs/measured/online_setup.md]

--docs writes the table of offline, growth or growth-table. The last two measure the last of the sizes."""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import exchange
import measured_page
import online_setup

METHODS = ("conservative", "bilinear", "distance(n=4)", "nearest")


def set_up(build, mpi, tables, config):
    """Seconds, and MB of the process that needs most, of one run."""
    parts = [(1, build / "bench/exchange", [me, config, *tables, 1, 1, 1]) for me in "AB"]
    results = exchange.jobs.run(("mpmd", mpi), *parts, timeout=300)
    problems = exchange.jobs.problems_of(results)
    if problems:
        raise RuntimeError(problems[0])
    return [float(x) for x in results[0].out.split()[:2]]


def compare_builds(builds, o, folder):
    config = pathlib.Path(folder, "bench.conf")
    config.write_text(exchange.CONFIG.format(1, "real8", exchange.STEP, ", flag='SNP'", ""))
    h3ou = next(b for b in map(lambda f: f / "bin/h3ou", builds.values()) if b.exists())
    for a, b in (("gme64", "r360x180"), ("gme256", "r1440x720")):
        tables = [exchange.make_table(h3ou, b, a, folder), exchange.make_table(h3ou, a, b, folder)]
        got = {name: [] for name in builds}
        for _ in range(o.rounds):
            for name, build in builds.items():
                got[name].append(set_up(build, o.mpi, tables, config))
        first = got[next(iter(builds))]
        for name, values in got.items():
            ratio = statistics.median(v[0] / f[0] for v, f in zip(values, first))
            print(f"{a} {b} | {name} | {online_setup.spread([v[0] for v in values])} s | {values[-1][1]:.0f} MB | {ratio:.2f}", flush=True)


def child_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


OFFLINE = ["cells", "method", "build", "online CPU s", "command CPU s", "ratio", "online wall s", "command wall s", "ratio"]


def make_offline(build, cells, method, folder):
    """Wall and CPU seconds of the command."""
    began, begin = time.monotonic(), child_seconds()
    subprocess.run([build / "bin/h3ou", "weights", "make", *("r" + "x".join(c) for c in cells), "-m", method, "--threads", "1",
                    "-o", pathlib.Path(folder, "w.nc")], check=True, capture_output=True)
    return time.monotonic() - began, child_seconds() - begin


def beside_offline(builds, o, folder):
    config = pathlib.Path(folder, "bench.conf")
    rows = []
    for sizes in o.cells.split(","):
        cells = [c.split("x") for c in sizes.split(":")]
        for method in METHODS:
            config.write_text(online_setup.CONFIG.format(method))
            rounds = {name: [] for name in builds}
            for _ in range(o.rounds):
                for name, build in builds.items():
                    rounds[name].append((online_setup.measure(build, o.mpi, config, 1, cells)[:2], make_offline(build, cells, method, folder)))
            for name, got in rounds.items():
                row = [sizes.replace(":", " to "), method, name]
                for k in (1, 0):
                    row += [online_setup.spread([r[who][k] for r in got]) for who in (0, 1)]
                    row.append(f"{statistics.median(a[k] / b[k] for a, b in got):.2f}")
                rows.append(row)
                print(" | ".join(row), flush=True)
    return "offline", OFFLINE, rows


GROWTH = ["MPI", "processes", "build", "CPU s", "of 1 + 1", "wall s", "MB of the leader", "MB of others"]


def set_up_by(build, mpi, config, procs, arguments):
    """CPU seconds of all, wall seconds of the slowest, MB that the leader of B, and of the others the one that needs most, takes."""
    told = online_setup.told_by(build, mpi, config, procs, arguments)
    added = {leads: max(t[4] - t[3] for t in told if t[0] == leads) for leads in (True, False)}
    return sum(t[2] for t in told), max(t[1] for t in told), added[True], added[False]


def grow(builds, o, folder, key, is_table):
    """The rows of growth and growth-table. key: of the configuration, which says how the weights come about."""
    cells = [c.split("x") for c in o.cells.split(",")[-1].split(":")]
    arguments = (cells[0], cells[1] + cells[0]) if is_table else cells
    config = pathlib.Path(folder, "bench.conf")
    config.write_text(online_setup.CONFIG.replace(", method='{}'", key))
    rows = []
    for mpi in exchange.jobs.MPIS:
        alone, procs = {}, 1
        while procs <= o.most:
            runs = {name: [] for name in builds}
            for _ in range(o.rounds):
                for name, build in builds.items():
                    runs[name].append(set_up_by(build, mpi, config, procs, arguments))
            for name, got in runs.items():
                cpu, wall, leader, others = (statistics.median(r[k] for r in got) for k in range(4))
                alone.setdefault(name, cpu)
                rows.append([mpi, f"{procs} + {procs}", name, f"{cpu:.2f}", f"{cpu / alone[name]:.2f}", f"{wall:.2f}", f"{leader:.1f}",
                             f"{others:.1f}"])
                print(" | ".join(rows[-1]), flush=True)
            procs *= 2
    return rows


def growth(builds, o, folder):
    return "growth", GROWTH, grow(builds, o, folder, f", method='{METHODS[0]}'", False)


def growth_of_table(builds, o, folder):
    return "growth-table", GROWTH, grow(builds, o, folder, "", True)


MEASURES = {"tables": compare_builds, "offline": beside_offline, "growth": growth, "growth-table": growth_of_table}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=MEASURES)
    p.add_argument("builds", nargs="+", metavar="NAME=BUILD")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--mpi", default=exchange.jobs.MPIS[0])
    p.add_argument("--most", type=int, default=32)
    p.add_argument("--cells", default="320x128:360x180,1280x512:1440x720")
    p.add_argument("--docs")
    o = p.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    builds = {name: pathlib.Path(folder).resolve() for name, folder in (b.split("=", 1) for b in o.builds)}
    with tempfile.TemporaryDirectory() as folder:
        found = MEASURES[o.what](builds, o, folder)
    if o.docs and found:
        name, head, rows = found
        measured_page.replace(o.docs, name, measured_page.table(head, rows))


if __name__ == "__main__":
    sys.exit(main())
