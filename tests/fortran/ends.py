#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ends.f90: MPI_Finalize is called once, by the program or by the library at the program's end."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text("")  # the simple mode
        for mpi in jobs.MPIS:
            for way in (("mpmd", mpi), ("jobs", mpi, mpi)):
                for how in ("itself", "left"):
                    results = jobs.run(way, (2, program, ["A", config, how]), (1, program, ["B", config, how]))
                    tally.check(f"{' '.join(way)} {how}", jobs.problems_of(results))
            results = jobs.run(("mpmd", mpi), (1, program, ["A", config, "fails"]), (1, program, ["B", config, "fails"]), jobs.PATIENT)
            tally.check(f"{mpi} fails", [r.out + r.err for r in results if r.timed_out or r.code == 0 or r.left])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
