#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""universe_cost.py BUILD [REPEATS [between|inside]]: what one world over several jobs costs, medians over REPEATS runs (3), in brackets the quartiles.

Between jobs: half round trips of a world of 1 + 1 beside bare WaitIO between two jobs, runs in turn. Inside a job: calls in a world of 2 + 1 and of 1 + 2
beside the same calls of the job's own MPI, in blocks of some microseconds that alternate in one process; the median of what a block takes more than the
one beside it, by the number of calls, is what is more for each call.
"""
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests/lib"))
import jobs

BUILD = pathlib.Path(sys.argv[1]).resolve()
BLOCKS = 300
LIBRARIES = {"mpich": "libmpich.so.12", "openmpi": "libmpi.so.40"}
REPEATS = int(sys.argv[2]) if len(sys.argv) > 2 else 3


def command(mpi, preload, program, *words):
    before = ["env", f"LD_PRELOAD={BUILD / 'lib' / f'libh3ou_universe_{mpi}.so'}"] if preload else []
    return [*before, f"{BUILD / 'bench/universe' / program}.{mpi}", *words]


def lines(started):
    results = jobs.wait_all(started, 120)
    if any(r.code for r in results):
        sys.exit("".join(r.out + r.err for r in results))
    return [{name: list(map(float, values)) for name, *values in map(str.split, r.out.splitlines())} for r in results]


def world(mpis, counts, words, preload=True):
    """What each job printed."""
    port = jobs.free_port()
    return lines([jobs.Job(mpi, [(n, command(mpi, preload, *words(mpi)))], jobs.waitio(port, pb, len(mpis)))
                  for pb, (mpi, n) in enumerate(zip(mpis, counts))])


def collect(runs):
    return {name: [v for run in runs for v in run[name]] for name in runs[0]}


def show(values, digits=0):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def between():
    print(f"{'half round trip, bytes':24} {'world ns':>30} {'bare WaitIO ns':>30} {'ratio':>6}")
    mpis, runs = ("mpich", "openmpi"), {"world": [], "bare": []}
    for _ in range(REPEATS):
        runs["world"].append(world(mpis, (1, 1), lambda _: ("universe_cost", "between"))[0])
        runs["bare"].append(world(mpis, (1, 1), lambda _: ("universe_cost", "bare"), preload=False)[0])
    ours, theirs = collect(runs["world"]), collect(runs["bare"])
    for name, values in ours.items():
        print(f"{name:24} {show(values):>30} {show(theirs[name]):>30} {statistics.median(values) / statistics.median(theirs[name]):6.2f}")


def more_per_call(values):
    calls, world, native = values[0], values[1::2], values[2::2]
    return [(w - n) / calls for w, n in zip(world, native)]


def inside(mpi, other, is_first):
    mpis, counts = ((mpi, other), (2, 1)) if is_first else ((other, mpi), (1, 2))
    found = collect([world(mpis, counts, lambda name: ("universe_calls", LIBRARIES[name], BLOCKS if name == mpi else 0))[not is_first] for _ in range(REPEATS)])
    for name, values in found.items():
        run = len(values) // REPEATS
        blocks = [values[0]] + [v for r in range(REPEATS) for v in values[r * run + 1:(r + 1) * run]]
        print(f"{mpi:8} {'first' if is_first else 'second':7} {name:32} {values[0]:3.0f} {show(blocks[1::2]):>24} {show(blocks[2::2]):>24} "
              f"{show(more_per_call(blocks), 1):>24}")


def main():
    which = sys.argv[3] if len(sys.argv) > 3 else ""
    if which != "inside":
        between()
    if which != "between":
        print(f"{'inside a job of':16} {'':32} {'calls':>3} {'world ns':>22} {'native ns':>24} {'more ns a call':>24}")
        for mpi, other in (("mpich", "openmpi"), ("openmpi", "mpich")):
            for is_first in (True, False):
                inside(mpi, other, is_first)
    return 0


if __name__ == "__main__":
    sys.exit(main())
