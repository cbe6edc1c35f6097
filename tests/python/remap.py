#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""remap.py PACKAGES: sphere.py, alone and under each MPI, by names of fields and by handles."""
import pathlib
import sys
import tempfile

from pyjobs import SINGLE, jobs, python, two_jobs

CONFIG = """&h3ou_var comp_put="fine", comp_get="coarse", grid_put="fine_g", grid_get="coarse_g", mapping_tag=1, method="conservative" /
&h3ou_var var_put="wave", var_get="wave", intvl=3600, lag=-1, layer=2, flag='SNP' /
&h3ou_var var_put_vec="wind", var_get_vec="wind", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put_xyz="circling", var_get_vec="circling", intvl=3600, lag=-1, layer=2, flag='SNP' /
&h3ou_var var_put_vec="raised", var_get_xyz="raised", intvl=3600, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="ice", var_get="ice", intvl=3600, lag=-1, layer=1, flag='SNP', missing=-1 /
&h3ou_var var_put_xyz="floes", var_get_vec="floes", intvl=3600, lag=-1, layer=1, flag='SNP', missing=-1 /
&h3ou_var var_put_vec="drift", var_get_vec="drift", intvl=3600, lag=-1, layer=1, flag='SNP', missing=-1 /
&h3ou_var comp_put="fine", comp_get="coarse", grid_put="fine_g", grid_get="coarse_g", mapping_tag=2 /
&h3ou_var var_put_vec="turned", var_get_vec="turned", intvl=3600, lag=-1, layer=2, flag='SNP' /
"""


def main(packages):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        ways = [((SINGLE, 1), (SINGLE, 1), by) for by in ([], ["handles"])]
        ways += [((m, 2), (jobs.MPIS[-1 - i], 3), ["handles"][i % 2:]) for i, m in enumerate(jobs.MPIS)]
        for fine, coarse, by in ways:
            results = two_jobs(packages, (*fine, python("sphere.py", "fine", config, *by)),
                               (*coarse, python("sphere.py", "coarse", config, *by)))
            tally.check(f"{fine} to {coarse} {' '.join(by)}", jobs.problems_of(results))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
