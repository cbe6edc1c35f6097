#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""interface.py PACKAGES FORTRAN: twin.py and the Fortran program it is the twin of, coupled in every way."""
import importlib.util
import os
import pathlib
import sys
import tempfile

from pyjobs import SINGLE, jobs, one_job, python, two_jobs

CONFIG = """&h3ou_coupling second_put="error" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /
&h3ou_var var_put="A_v", var_get="A_v", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="A_w", var_get="A_w", intvl=3600, lag=-1, layer=3, flag='SNP' /
&h3ou_var var_put="both", var_get="both", intvl=7200, lag=-1, layer=1, flag='SNP' /
&h3ou_var comp_put="B", comp_get="A", grid_put="B_g", grid_get="A_g", mapping_tag=1 /
&h3ou_var var_put="B_v", var_get="B_v", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="B_w", var_get="B_w", intvl=3600, lag=-1, layer=3, flag='AVR' /
&h3ou_var var_put="both", var_get="both", intvl=7200, lag=-1, layer=3, flag='SNP' /
"""


def main(packages, fortran):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        stop = jobs.EarlyStop(pathlib.Path(folder, "run"))
        os.environ.update({name: str(value) for name, value in stop.env.items()})

        def command(language, mpi, name, *more):
            return python("twin.py", name, config, *more) if language == "Python" else [f"{fortran}.{mpi}", name, config]

        def couple(a, b, *more):
            """a, b: (language, MPI, processes)"""
            stop.ask()
            results = two_jobs(packages, (a[1], a[2], command(a[0], a[1], "A", *more)),
                               (b[1], b[2], command(b[0], b[1], "B", *more)))
            tally.check(f"{a} with {b} {' '.join(more)}", stop.problems(results))

        for mpi in (SINGLE, *jobs.MPIS):
            for peer in jobs.MPIS:
                few = 1 if mpi == SINGLE else 2
                couple(("Python", mpi, few), ("Fortran", peer, 2))
                couple(("Fortran", peer, 1), ("Python", mpi, few))
        couple(("Python", SINGLE, 1), ("Python", SINGLE, 1))
        for mpi in jobs.MPIS:
            for language in ("Fortran", "Python"):
                stop.ask()
                parts = [(1, command("Python", mpi, "A")), (2, command(language, mpi, "B"))]
                tally.check(f"one job of Python and {language} under {mpi}", stop.problems(one_job(packages, mpi, parts)))
        if importlib.util.find_spec("mpi4py"):  # Debian's is made with Open MPI
            for when in ("mpi4py-before", "mpi4py-after"):
                couple(("Python", "openmpi", 1), ("Python", "openmpi", 2), when)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
