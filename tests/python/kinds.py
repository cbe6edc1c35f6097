#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kinds.py PACKAGES: model.py in one job under each MPI, and, with fields of type="real4", as two processes without one."""
import pathlib
import sys
import tempfile

from pyjobs import SINGLE, jobs, one_job, python, two_jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="plain", var_get="plain", intvl=3600, lag=-1, flag='SNP' /
&h3ou_var var_put="plain_layers", var_get="plain_layers", intvl=3600, lag=-1, layer=2, flag='SNP' /
&h3ou_var var_put="missing", var_get="missing", intvl=3600, lag=-1, flag='SNP', missing=-999.0 /
&h3ou_var var_put="missing_layers", var_get="missing_layers", intvl=3600, lag=-1, layer=2, flag='SNP', missing=-999.0 /
"""


def main(packages):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        a, b = (python("model.py", name, config) for name in "AB")
        config.write_text(CONFIG.replace("flag='SNP'", "flag='SNP', type='real4'"))
        tally.check("two processes, real4", jobs.problems_of(two_jobs(packages, (SINGLE, 1, a), (SINGLE, 1, b))))
        config.write_text(CONFIG)
        for mpi in jobs.MPIS:
            tally.check(f"one job under {mpi}", jobs.problems_of(one_job(packages, mpi, [(1, a), (1, b)])))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
