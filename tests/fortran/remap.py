#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""remap.f90 in every way to launch it: what the optional arguments do."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1, method='conservative' /
&h3ou_var var_put_vec="flat", var_get_vec="flat", intvl=60, flag='SNP' /
&h3ou_var var_put_vec="rank1", var_get_vec="rank1", intvl=60, layer=2, flag='SNP', method='nearest' /
&h3ou_var var_put_vec="rank2", var_get_vec="rank2", intvl=60, layer=2, flag='SNP' /
&h3ou_var var_put_vec="sections", var_get_vec="sections", intvl=60, layer=2, flag='SNP' /
&h3ou_var var_put_vec="both", var_get_vec="both", intvl=60, layer=2, flag='SNP' /
&h3ou_var var_put="ice", var_get="ice", intvl=60, flag='SNP', missing=-1 /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=2 /
&h3ou_var var_put="ices", var_get="ices", intvl=60, layer=2, flag='SNP', missing=-1 /
&h3ou_var var_put_vec="turned", var_get_vec="turned", intvl=60, layer=2, flag='SNP' /
"""


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        for way in jobs.ways():
            for na, nb in ((1, 1), (1, 3), (3, 2)):
                results = jobs.run(way, (na, program, ["A", config]), (nb, program, ["B", config]))
                tally.check(f"{' '.join(way)} {na}+{nb}", jobs.problems_of(results))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
