#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of samples/pheat3d in one job, by its MPI, beside the same processes in two jobs of different MPIs, by WaitIO.

    bench/pheat3d.py [--build build/release] [--cells 32] [--procs 2 4] [--repeat 5] [--rounds 3] [--precondition diagonal]
                     [--equal-shares] [--docs docs/measured/collectives.md]

The ways take turns in each round, and solve --repeat times in one run; medians over all solutions, with the quarters between which the
middle half of them lie. ratio: of the solver's median to the quicker one of the jobs by an MPI. --docs writes the
table between <!-- pheat3d: begin --> and <!-- pheat3d: end -->.
"""
import argparse
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/lib"))
import core_shares
import jobs
import measured_page

TIMES = re.compile(r"seconds solver +(\S+) +allreduce +(\S+) +send-receive +(\S+)")


def ways(procs):
    """name: jobs as (MPI, processes), and the algorithm of WaitIO's collectives, None by MPI."""
    for mpi in jobs.MPIS:
        yield f"one job, {mpi}", [(mpi, procs)], None
    halves = [(jobs.MPIS[0], procs - procs // 2), (jobs.MPIS[-1], procs // 2)]
    for algorithm in ("hybrid", "bt", "2l"):
        yield f"two jobs, {algorithm}", halves, algorithm


def solve(binaries, shape, algorithm, options):
    """(iterations, [(solver, allreduce, send-receive) of each solution]), after the first, which opens connections."""
    port, started = jobs.free_port(), []
    for pb, (mpi, procs) in enumerate(shape):
        program = f"{binaries}/pheat3d{'_waitio' if algorithm else ''}.{mpi}"
        env = {**jobs.waitio(port, pb, len(shape)), "WAITIO_MPI_ALGORITHM": algorithm} if algorithm else {}
        started.append(jobs.Job(mpi, [(procs, [program, *options])], env))
    results = jobs.wait_all(started, 300)
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0][:1000])
    out = "".join(r.out for r in results)
    return int(re.search(r"iterations (\d+)", out).group(1)), [tuple(map(float, t)) for t in TIMES.findall(out)][1:]


def quarters(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{1e3 * middle:.1f} ({1e3 * low:.1f} to {1e3 * high:.1f})"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--cells", default=32, type=int)
    options.add_argument("--procs", default=[2, 4], type=int, nargs="+")
    options.add_argument("--repeat", default=5, type=int)
    options.add_argument("--rounds", default=3, type=int)
    options.add_argument("--precondition", default="diagonal", choices=["diagonal", "ssor"])
    options.add_argument("--docs")
    core_shares.add_option(options)
    options = options.parse_args()
    shares = core_shares.prepare(options.equal_shares)
    binaries = options.build.resolve() / "samples/pheat3d"
    given = ["--cells", options.cells, "--repeat", options.repeat + 1, "--precondition", options.precondition]
    said = f"{options.cells} cells in each direction, {options.precondition}; {shares}; milliseconds: median (middle half)"
    head = ["processes", "way", "iterations", "solver", "allreduce", "send-receive", "ratio"]
    print(f"{said}\n{' | '.join(head)}")
    rows = []
    for procs in options.procs:
        every = list(ways(procs))
        found = {name: (set(), []) for name, *_ in every}
        for _ in range(options.rounds):
            for name, shape, algorithm in every:
                iterations, times = solve(binaries, shape, algorithm, list(map(str, given)))
                found[name][0].add(iterations)
                found[name][1].extend(times)
        solver = {name: statistics.median(t[0] for t in times) for name, (_, times) in found.items()}
        least = min(value for name, value in solver.items() if name.startswith("one"))
        for name, (iterations, times) in found.items():
            rows.append([str(procs), name, "/".join(map(str, sorted(iterations))), *map(quarters, zip(*times)), f"{solver[name] / least:.2f}"])
            print(" | ".join(rows[-1]), flush=True)
    if options.docs:
        measured_page.replace(options.docs, "pheat3d", f"{said}\n\n{measured_page.table(head, rows)}")


if __name__ == "__main__":
    main()
