#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to set up an exchange, in three tables.

tables:  a table of four links a target cell from the leader (exchange.c), in both directions, of several builds in turns: seconds, peak MB
         of A's process, and the median of paired ratios to the first build
offline: weights made online (online_setup.c, one process a side) beside the command `h3ou weights make` for the same grids and method, one
         thread each, in turns: CPU seconds of all processes
growth:  weights made online by 1 to N processes a side: CPU seconds of all processes, beside those of one a side; MB that set-up adds to
         the process that needs most

    bench/setup.py tables|offline|growth NAME=BUILD... [--rounds 5] [--mpi mpich] [--most 32] [--cells 1280x512:1440x720]"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import exchange
import online_setup

METHODS = ("conservative", "bilinear", "distance(n=4)", "nearest")


def set_up(build, mpi, tables, config):
    """Seconds, and MB of A, of one run."""
    parts = [(1, build / "bench/exchange", [me, config, *tables, 1, 1, 1]) for me in "AB"]
    results = exchange.jobs.run(("mpmd", mpi), *parts, timeout=300)
    problems = exchange.jobs.problems_of(results)
    if problems:
        raise RuntimeError(problems[0])
    return [float(x) for x in results[0].out.split()[:2]]


def compare_builds(builds, o, folder):
    config = pathlib.Path(folder, "bench.conf")
    config.write_text(exchange.CONFIG.format(1))
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


def beside_offline(builds, o, folder):
    cells = [c.split("x") for c in o.cells.split(":")]
    config = pathlib.Path(folder, "bench.conf")
    for name, build in builds.items():
        for method in METHODS:
            config.write_text(online_setup.CONFIG.format(method))
            rounds = []
            for _ in range(o.rounds):
                online = online_setup.measure(build, o.mpi, config, 1, cells)[1]
                begin = child_seconds()
                subprocess.run([build / "bin/h3ou", "weights", "make", *("r" + "x".join(c) for c in cells), "-m", method, "--threads", "1",
                                "-o", pathlib.Path(folder, "w.nc")], check=True, capture_output=True)
                rounds.append((online, child_seconds() - begin))
            print(f"{name} | {method} | {' | '.join(online_setup.spread([r[k] for r in rounds]) for k in range(2))} | "
                  f"{statistics.median(a / b for a, b in rounds):.2f}", flush=True)


def growth(builds, o, folder):
    cells = [c.split("x") for c in o.cells.split(":")]
    config = pathlib.Path(folder, "bench.conf")
    config.write_text(online_setup.CONFIG.format(METHODS[0]))
    for name, build in builds.items():
        procs, alone = 1, None
        while procs <= o.most:
            runs = [online_setup.measure(build, o.mpi, config, procs, cells) for _ in range(o.rounds)]
            cpu, memory = (statistics.median(r[k] for r in runs) for k in (1, 2))
            alone = alone or cpu
            print(f"{name} | {procs} + {procs} | {cpu:.2f} | {cpu / alone:.2f} | {memory:.1f}", flush=True)
            procs *= 2


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("tables", "offline", "growth"))
    p.add_argument("builds", nargs="+", metavar="NAME=BUILD")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--mpi", default=exchange.jobs.MPIS[0])
    p.add_argument("--most", type=int, default=32)
    p.add_argument("--cells", default="1280x512:1440x720")
    o = p.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    builds = {name: pathlib.Path(folder).resolve() for name, folder in (b.split("=", 1) for b in o.builds)}
    with tempfile.TemporaryDirectory() as folder:
        {"tables": compare_builds, "offline": beside_offline, "growth": growth}[o.what](builds, o, folder)


if __name__ == "__main__":
    sys.exit(main())
