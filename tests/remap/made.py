#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Vectors and missing values with weights that the coupler makes (made_model.c): the wind of a rotation converges as the method
does, at the poles too, and is the same for every decomposition."""
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1, method='bilinear' /
&h3ou_var var_put_vec="wind", var_get_vec="wind", intvl=1200, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="gap", var_get="gap", intvl=1200, lag=-1, layer=1, flag='SNP' /
&h3ou_var var_put="hole", var_get="hole", intvl=1200, lag=-1, layer=1, flag='SNP', missing=-999 /
"""


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config, out = pathlib.Path(folder, "c.conf"), pathlib.Path(folder, "error")
        config.write_text(CONFIG)

        def error(way, na, nb, nx):
            out.unlink(missing_ok=True)
            results = jobs.run(way, *((n, program, [me, config, nx, out]) for n, me in ((na, "A"), (nb, "B"))))
            return jobs.problems_of(results), float(out.read_text()) if out.exists() else math.nan

        for way in jobs.ways():
            problems, coarse = error(way, 2, 3, 72)
            more, same = error(way, 1, 1, 72)
            last, fine = error(way, 3, 2, 144)
            problems += more + last
            # Linear interpolation of a wind of 1 over cells of h: h^2 / 8 in each direction, at most.
            if not 0 < coarse <= 2 * (2 * math.pi / 72) ** 2 / 8:
                problems.append(f"error {coarse} at 5 degrees")
            if not fine < coarse / 3.5:
                problems.append(f"errors {coarse} at 5 degrees, {fine} at 2.5: not of second order")
            if same != coarse:
                problems.append(f"errors {coarse} with 2+3 processes, {same} with 1+1: not the same bits")
            tally.check(f"{' '.join(way)}: errors {coarse:.2e}, {fine:.2e}", problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
