#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_models under every MPI with several process counts: all print the same bits."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs


def main(program, climatology):
    tally, seen = jobs.Tally(), {}
    for mpi in jobs.MPIS:
        for procs in (1, 3, 4):
            results = jobs.wait_all([jobs.Job(mpi, [(procs, [f"{program}.{mpi}", climatology])])])
            bits = sorted(line for line in results[0].out.splitlines() if line.startswith("bits"))
            seen.setdefault(tuple(bits), f"{mpi} with {procs}")
            problems = jobs.problems_of(results)
            if len(bits) != 3 or len(seen) > 1:
                problems.append(f"other bits than before: {seen}")
            tally.check(f"models alone, {mpi}, {procs} processes", problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
