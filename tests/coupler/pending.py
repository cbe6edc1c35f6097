#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pending.c: in one job of either MPI and over two, and where no message is copied from process to process at once."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="a", var_get="a", lag=0, flag='SNP' /
&h3ou_var comp_put="B", comp_get="A", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="b", var_get="b", lag=0, flag='SNP' /
"""
BY_PIECES = {"OMPI_MCA_btl_vader_single_copy_mechanism": "none", "UCX_POSIX_USE_PROC_LINK": "n", "UCX_TLS": "self,posix"}


def parts(program, mpi, config, names):
    return [(2 if name == "A" else 1, [f"{program}.{mpi}", name, config]) for name in names]


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        for env in ({}, BY_PIECES):
            more = {"H3OU_PATIENCE": 60, **env}
            for mpi in jobs.MPIS:
                results = jobs.wait_all([jobs.Job(mpi, parts(program, mpi, config, "AB"), more)])
                tally.check(f"one job of {mpi} {'by pieces' if env else ''}", jobs.problems_of(results))
                other = jobs.MPIS[-1] if mpi == jobs.MPIS[0] else jobs.MPIS[0]
                port = jobs.free_port()
                started = [jobs.Job(m, parts(program, m, config, name), {**jobs.waitio(port, pb, 2), **more})
                           for pb, (m, name) in enumerate(((mpi, "A"), (other, "B")))]
                tally.check(f"A in a job of {mpi} {'by pieces' if env else ''}", jobs.problems_of(jobs.wait_all(started)))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
