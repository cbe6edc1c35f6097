#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time and memory of h3ou_time_init when the coupler makes the weights from coordinates (online_setup.c), of several builds in
turns: wall seconds of the slowest process, CPU seconds of all, the memory that the call adds to the process that needs most.
Medians, quartiles, and the median of paired ratios to the first build.

    bench/setting_up/online_setup.py BUILD... [--rounds 7] [--mpi mpich] [--cells 1280x512:1440x720] [--docs docs/measured/online_setup.md]

BUILD: NAME=FOLDER, as now=build/release. --docs writes the table between <!-- online: begin --> and <!-- online: end -->."""
import argparse
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import jobs
import measured_page

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1, method='{}' /
&h3ou_var var_put="v", var_get="v", intvl=60, lag=-1, flag='SNP' /
"""
CASES = [("conservative", 2), ("conservative", 4), ("bilinear", 4), ("distance(n=8)", 2)]
COLUMNS = ["wall s", "CPU s", "MB"]
HEAD = ["method", "processes", "build", *COLUMNS, *(f"{c} ratio" for c in COLUMNS)]


def told_by(build, mpi, config, procs, arguments):
    """What each process prints: whether it is the first one of B, wall s, CPU s, MB before, and after. arguments: of A, and of B."""
    program = build.resolve() / "bench/online_setup"
    parts = [(procs, program, [me, config, *more]) for me, more in zip("AB", arguments)]
    results = jobs.run(("mpmd", mpi), *parts, timeout=300, env={"H3OU_PATIENCE": 250})
    problems = jobs.problems_of(results)
    if problems:
        raise RuntimeError(problems[0])
    lines = [line.split() for line in results[0].out.splitlines()]
    return [((line[0], line[5]) == ("B", "0"), *map(float, line[1:5])) for line in lines]


def measure(build, mpi, config, procs, cells):
    told = told_by(build, mpi, config, procs, cells)
    return max(t[1] for t in told), sum(t[2] for t in told), max(t[4] - t[3] for t in told)


def spread(values):
    q = statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
    return f"{statistics.median(values):.3g} ({q[0]:.3g}-{q[2]:.3g})"


def run(builds, o, folder):
    rows = []
    for method, procs in CASES:
        config = pathlib.Path(folder, "bench.conf")
        config.write_text(CONFIG.format(method))
        cells = [c.split("x") for c in o.cells.split(":")]
        got = {name: [] for name in builds}
        for _ in range(o.rounds):
            for name, build in builds.items():
                got[name].append(measure(build, o.mpi, config, procs, cells))
        first = got[next(iter(builds))]
        for name, values in got.items():
            ratios = [statistics.median(v[k] / f[k] for v, f in zip(values, first)) for k in range(3)]
            rows.append([method, f"{procs} + {procs}", name, *(spread([v[k] for v in values]) for k in range(3)),
                         *(f"{r:.2f}" for r in ratios)])
            print(" | ".join(rows[-1]), flush=True)
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("builds", nargs="+", metavar="BUILD")
    p.add_argument("--rounds", type=int, default=7)
    p.add_argument("--mpi", default=jobs.MPIS[0])
    p.add_argument("--cells", default="1280x512:1440x720")
    p.add_argument("--docs")
    o = p.parse_args()
    builds = {name: pathlib.Path(folder) for name, folder in (b.split("=", 1) for b in o.builds)}
    print(" | ".join(HEAD))
    with tempfile.TemporaryDirectory() as folder:
        rows = run(builds, o, folder)
    if o.docs:
        measured_page.replace(o.docs, "online", measured_page.table(HEAD, rows))


if __name__ == "__main__":
    sys.exit(main())
