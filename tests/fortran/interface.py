#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""interface.f90 in every way to launch it."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /
&h3ou_var var_put="A_v", var_get="A_v", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="A_w", var_get="A_w", intvl=3600, lag=-1, layer=3, flag='SNP' /
&h3ou_var var_put="both", var_get="both", intvl=7200, lag=-1, layer=1, flag='SNP' /
&h3ou_var comp_put="B", comp_get="A", grid_put="B_g", grid_get="A_g", mapping_tag=1 /
&h3ou_var var_put="B_v", var_get="B_v", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="B_w", var_get="B_w", intvl=3600, lag=-1, layer=3, flag='AVR' /
&h3ou_var var_put="both", var_get="both", intvl=7200, lag=-1, layer=3, flag='SNP' /
"""


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        stop = jobs.EarlyStop(pathlib.Path(folder, "run"))
        for way in jobs.ways():
            for na, nb in ((1, 1), (1, 3), (2, 2)):
                stop.ask()
                results = jobs.run(way, (na, program, ["A", config]), (nb, program, ["B", config]), env=stop.env)
                tally.check(f"{' '.join(way)} {na}+{nb}", stop.problems(results))
        for mpi in jobs.MPIS:  # components count by their names, whoever starts first
            results = jobs.run(("mpmd", mpi), (2, program, ["B", config]), (2, program, ["A", config]))
            tally.check(f"mpmd {mpi} B first", jobs.problems_of(results))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
