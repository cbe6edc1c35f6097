#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""positions.py PACKAGES: regions.py in one job under each MPI, and as two processes without one."""
import pathlib
import sys
import tempfile

from pyjobs import SINGLE, jobs, one_job, python, two_jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="cube", var_get="cube", intvl=60, lag=-1, layer=2, flag='SNP' /
&h3ou_var var_put="plane", var_get="plane", intvl=60, lag=-1, flag='SNP' /
&h3ou_var var_put_vec="wind", var_get_vec="wind", intvl=60, lag=-1, layer=2, flag='SNP' /
"""


def main(packages):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        a, b = (python("regions.py", name, config) for name in "AB")
        tally.check("two processes", jobs.problems_of(two_jobs(packages, (SINGLE, 1, a), (SINGLE, 1, b))))
        for mpi in jobs.MPIS:
            tally.check(f"one job under {mpi}", jobs.problems_of(one_job(packages, mpi, [(2, a), (2, b)])))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
