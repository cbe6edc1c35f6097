#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Broadcasts, reductions and sums for all over two jobs of different MPIs (collectives.c): this library (hybrid), two layers one
after the other (2L) and a binomial tree (BT) over WaitIO alone, and the MPI of one job with as many processes.

    bench/collectives.py [--build build/release] [--rounds 41] [--procs 2,4,8] [--routes tcp] [--algorithms]
                         [--bytes 8,64,...]                          [--docs docs/measured/collectives.md]

--procs: processes of each job; --routes: WAITIO_ROUTES of the run. --algorithms measures, in place of these, every algorithm
between 4 and 8 jobs of one process, and the one that is selected: every second round says which algorithm is the fastest, and the
others how the selected one compares with it, since the least of a dozen medians is least by chance, too. --docs writes the table between <!-- hybrid: begin --> and
<!-- hybrid: end -->, or those of "algorithms"."""
import argparse
import math
import os
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import jobs

BYTES = ",".join(str(8 ** i) for i in range(1, 9))
HEAD = ["call", "bytes", "processes", "hybrid us", "2L us", "BT us", "MPI us", "2L / hybrid", "BT / hybrid", "hybrid / MPI",
        "hybrid / (message + two MPI broadcasts)", "hybrid / (message + copies)"]
CHOICE = ["call", "bytes", "jobs", "selected us", "fastest", "its us", "selected / fastest"]


def rows_of(text):
    """{(call, bytes): {way: [us of a round, ...]}} of what a run printed."""
    found = {}
    for line in text.splitlines():
        call, size, way, *values = line.split()
        found.setdefault((call, int(size)), {})[way] = [float(v) for v in values]
    return found


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3


def spread(values):
    """Median, and in brackets the least and the third quartile."""
    return f"{statistics.median(values):.3g} ({min(values):.3g}-{quartiles(values)[2]:.3g})"


def ratio(above, below):
    """The median of the rounds, which were measured in turns, its quartiles, and that of the least times."""
    low, middle, high = quartiles([a / b for a, b in zip(above, below)])
    return f"{middle:.2f} ({low:.2f}-{high:.2f}), {min(above) / min(below):.2f}"


def run_jobs(build, ways, mpis, procs, rounds, sizes, env):
    """What rank 0 printed; each job is a component."""
    port, started = jobs.free_port(), []
    for pb, mpi in enumerate(mpis):
        more = {**(jobs.waitio(port, pb, len(mpis)) if len(mpis) > 1 else {}), **env}
        started.append(jobs.Job(mpi, [(procs, [f"{build}/bench/collectives.{mpi}", f"c{pb}", ways, rounds, *sizes])], more))
    results = jobs.wait_all(started, 590)
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0])
    return rows_of(results[0].out)


def hybrid_rows(build, procs, rounds, sizes, env):
    """Lines of the table, and in how many sizes hybrid is at or ahead of the better of the two others."""
    two = run_jobs(build, "hybrid", [jobs.MPIS[0], jobs.MPIS[-1]], procs, rounds, sizes, env)
    plain = {mpi: run_jobs(build, "mpi", [mpi], 2 * procs, rounds, sizes, env) for mpi in jobs.MPIS}
    rows, ahead = [], 0
    for (call, size), ways in two.items():
        best_mpi = min((p[call, size]["mpi"] for p in plain.values()), key=statistics.median)
        floor = [w + 2 * i for w, i in zip(ways["wire"], ways["inside"])] if "wire" in ways else None
        hybrid = ways["hybrid"]
        others = min(statistics.median(ways[w]) for w in ("2L", "BT"))
        ahead += statistics.median(hybrid) <= others
        copies = ways.get("copies")
        rows.append([call, str(size), f"2 x {procs}", spread(hybrid), spread(ways["2L"]), spread(ways["BT"]), spread(best_mpi),
                     ratio(ways["2L"], hybrid), ratio(ways["BT"], hybrid),
                     f"{statistics.median(hybrid) / statistics.median(best_mpi):.2f}", ratio(hybrid, floor) if floor else "",
                     ratio(hybrid, copies) if copies else ""])
        if call == "bcast" and size >= 1 << 24:
            print(f"2 x {procs}: {size} bytes at {ratio(ways['wire'], hybrid)} of the bandwidth of one message between two jobs, "
                  f"which beside a copy by each other process has {ratio(ways['wire'], copies)} of it")
    print(f"2 x {procs}: hybrid is at or ahead of the better of 2L and BT in {ahead} of {len(two)} cells")
    return rows


def choice_rows(build, njob, rounds, sizes, env):
    rows, good = [], 0
    mpis = [jobs.MPIS[i % len(jobs.MPIS)] for i in range(njob)]
    for (call, size), ways in run_jobs(build, "algorithms", mpis, 1, rounds, sizes, env).items():
        name = min(ways, key=lambda w: statistics.median(ways[w][::2]) if w != "hybrid" else math.inf)
        selected, fastest = ways["hybrid"][1::2] or ways["hybrid"], ways[name][1::2] or ways[name]
        # The selected algorithm is one of the others: measured twice, it can be ahead.
        good += statistics.median(selected) <= 1.2 * statistics.median(fastest)
        rows.append([call, str(size), str(njob), spread(selected), name, spread(fastest), ratio(selected, fastest)])
    print(f"{njob} jobs: the selected algorithm is within 1.2 of the fastest in {good} of {len(rows)} cells")
    return rows


def document(path, name, head, rows):
    body = "".join("| " + " | ".join(r) + " |\n" for r in (head, ["---"] * len(head), *rows))
    text = pathlib.Path(path).read_text()
    marked = rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)"
    pathlib.Path(path).write_text(re.sub(marked, lambda m: m[1] + body + m[2], text, flags=re.S))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    p.add_argument("--rounds", default=41, type=int)
    p.add_argument("--procs", default="2,4,8")
    p.add_argument("--bytes", default=BYTES)
    p.add_argument("--routes", default="tcp")
    p.add_argument("--algorithms", action="store_true")
    p.add_argument("--docs")
    o = p.parse_args()
    env = {"WAITIO_ROUTES": o.routes, "H3OU_PATIENCE": 120, "H3OU_JOIN_PATIENCE": 30,
           **{k: v for k, v in os.environ.items() if k.startswith(("H3OU_COLL_", "MALLOC_"))}}
    head, rows = CHOICE if o.algorithms else HEAD, []
    for n in (4, 8) if o.algorithms else map(int, o.procs.split(",")):
        rows += (choice_rows if o.algorithms else hybrid_rows)(o.build.resolve(), n, o.rounds, o.bytes.split(","), env)
    for row in [head, *rows]:
        print(" | ".join(row))
    if o.docs:
        document(o.docs, "algorithms" if o.algorithms else "hybrid", head, rows)


if __name__ == "__main__":
    sys.exit(main())
