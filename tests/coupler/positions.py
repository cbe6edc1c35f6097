#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""positions.c in one job and in two: cells that stand in regions of a C program's own arrays."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="cube", var_get="cube", intvl=60, flag='SNP', layer=2 /
&h3ou_var var_put="single", var_get="single", intvl=60, flag='SNP', layer=2 /
&h3ou_var var_put="plane", var_get="plane", intvl=60, flag='SNP' /
&h3ou_var var_put="whole", var_get="whole", intvl=60, flag='SNP' /
&h3ou_var var_put_vec="wind", var_get_vec="wind", intvl=60, flag='SNP', layer=2 /
"""


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        for way, (na, nb) in zip(jobs.ways(), [(1, 2), (4, 1), (2, 3), (1, 1)]):
            results = jobs.run(way, (na, program, ["A", config]), (nb, program, ["B", config]))
            tally.check(f"{' '.join(way)} {na}+{nb}", jobs.problems_of(results))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
