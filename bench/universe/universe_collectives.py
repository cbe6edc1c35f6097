#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Broadcasts and sums over two jobs of different MPIs: an MPI program in one MPI_COMM_WORLD over both (universe_collectives.c), and the
calls of this library over the same jobs (hybrid of bench/collectives.c), in turns.

    bench/universe/universe_collectives.py [--build build/release] [--turns 5] [--rounds 20] [--procs 2] [--bytes 8,4096,...] [--equal-shares]

Prints for each call and size the median and in brackets the least and the third quartile of all rounds, and the ratio of the medians of the turns."""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "bench")]
import core_shares
import jobs
from collectives import ratio, run_jobs, spread

BYTES = "8,4096,65536,1048576,8388608"


def build_programs(folder):
    """The program as users build it, without h3ou."""
    for mpi in jobs.MPIS:
        subprocess.run([f"mpicc.{mpi}", "-O2", "-D_GNU_SOURCE", str(ROOT / "bench/universe/universe_collectives.c"), "-o", f"{folder}/program.{mpi}"], check=True)


def universe_rows(build, folder, procs, rounds, sizes):
    port, started = jobs.free_port(), []
    for pb, mpi in enumerate((jobs.MPIS[0], jobs.MPIS[-1])):
        line = ["env", f"LD_PRELOAD={build}/lib/libh3ou_universe_{mpi}.so", f"{folder}/program.{mpi}", str(rounds), *sizes]
        started.append(jobs.Job(mpi, [(procs, line)], jobs.waitio(port, pb, 2)))
    results = jobs.wait_all(started, 300)
    problems = jobs.problems_of(results)
    if problems:
        sys.exit(problems[0])
    found = {}
    for line in results[0].out.splitlines():
        call, size, *values = line.split()
        found[call, int(size)] = [float(v) for v in values]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--procs", type=int, default=2)
    parser.add_argument("--bytes", default=BYTES)
    core_shares.add_option(parser)
    given = parser.parse_args()
    shares = core_shares.prepare(given.equal_shares)
    build, sizes = str(pathlib.Path(given.build).resolve()), given.bytes.split(",")
    universe, hybrid, medians = {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        build_programs(folder)
        for turn in range(given.turns):
            ours = universe_rows(build, folder, given.procs, given.rounds, sizes) if turn % 2 else None
            theirs = run_jobs(build, "only", [jobs.MPIS[0], jobs.MPIS[-1]], given.procs, (str(given.rounds), "1"), sizes, {})
            if not ours: # the world comes first and last in turn
                ours = universe_rows(build, folder, given.procs, given.rounds, sizes)
            for key, values in ours.items():
                other = theirs[key]["hybrid"]
                universe.setdefault(key, []).extend(values)
                hybrid.setdefault(key, []).extend(other)
                medians.setdefault(key, []).append((statistics.median(values), statistics.median(other)))
    print(f"{shares}\ncall bytes | universe us | hybrid of coll us | universe / hybrid (quartiles of turns), of the least times")
    for key in universe:
        print(*key, "|", spread(universe[key]), "|", spread(hybrid[key]), "|", ratio(*zip(*medians[key])))


if __name__ == "__main__":
    main()
