#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All algorithms of collective calls inside a job by its MPI, and over WaitIO between two jobs of different MPIs."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs


def main(folder):
    tally = jobs.Tally()
    program = pathlib.Path(folder, "schedules_run")
    port, procs = jobs.free_port(), (3, 2)
    started = [jobs.Job(mpi, [(n, [f"{program}.{mpi}"])], jobs.waitio(port, pb, 2))
               for pb, (mpi, n) in enumerate(zip((jobs.MPIS[0], jobs.MPIS[-1]), procs))]
    tally.check("all algorithms", jobs.problems_of(jobs.wait_all(started)))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
