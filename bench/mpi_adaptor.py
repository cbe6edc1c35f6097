#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""mpi_adaptor.py BUILD [REPEATS]: calls of MPI on a program's own MPI and by the adaptor, in turn: medians of REPEATS pairs of runs (9), with the range.

One line for each MPI that runs and each call: what the program takes that was built with this MPI (native), what the one takes that was built with the
other (adaptor), and the difference within a pair in nanoseconds, with its quartiles: the two runs of a pair follow each other, in alternating order, so that a
clock that changes changes both. message_of_1_MiB is one message of a stream of them between two processes.
"""
import os
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/lib"))
import jobs

BUILD = pathlib.Path(sys.argv[1]).resolve()
REPEATS = int(sys.argv[2]) if len(sys.argv) > 2 else 9
OTHER = {"mpich": "openmpi", "openmpi": "mpich"}


def times(target, built):
    command = [BUILD / "bin/h3ou", "mpirun", "--on", target, "-n", "2", BUILD / f"bench/call_cost.{built}"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=True,
                          env={**os.environ, **jobs.ENVIRONMENT})
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines() if len(line.split()) == 2)}


def show(values):
    return f"{statistics.median(values):11.1f} ({min(values):.1f} to {max(values):.1f})"


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else 3 * values
    return f"{middle:9.1f} ({low:.1f} to {high:.1f})"


def main():
    print(f"{'MPI that runs, call':32} {'native ns':>34} {'adaptor ns':>34} {'more ns':>28}")
    for target, other in OTHER.items():
        runs = {built: [] for built in (target, other)}
        for pair in range(REPEATS):
            for built in sorted(runs, reverse=pair % 2 == 1):
                runs[built].append(times(target, built))
        for call in runs[target][0]:
            native, adapted = ([run[call] for run in runs[built]] for built in (target, other))
            more = quartiles([a - n for a, n in zip(adapted, native)])
            print(f"{target + ' ' + call:32} {show(native):>34} {show(adapted):>34} {more:>28}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
