#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""refused.c: after a put that is refused the exchange has what was put before, in memory of both and otherwise; cells without a row are 0 in a
restart file, whatever stood in their memory."""
import pathlib
import sys
import tempfile

import netCDF4
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="x", var_get="x", intvl=60, lag={}, flag="SNP"{} /
"""
SERVED = 2000


def cells_without_row(file):
    """What is wrong with values of an exchange that arrived ahead: cells from SERVED on have no row."""
    problems, found = [], 0
    with netCDF4.Dataset(file) as d:
        for name, variable in d.variables.items():
            if name.endswith("_value") and "ahead" in name:
                values = numpy.ma.filled(variable[:], numpy.nan).reshape(-1)
                found += 1
                is_right = (values[SERVED:] == 0.0).all() and (values[:SERVED] % 1000 == numpy.arange(SERVED) % 1000).all()
                problems += [] if is_right else [f"{name}: {values[SERVED - 1:SERVED + 3]}"]
    return problems if found else [f"{file} has no exchange that arrived ahead"]


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config, files = pathlib.Path(folder, "c.conf"), [pathlib.Path(folder, f"of_{who}.nc") for who in "ab"]
        for way in jobs.ways():
            config.write_text(CONFIG.format(-1, ""))
            for how in ("size", "share", "late_share"):
                for memory in (1, 0):
                    parts = [(1, program, [me, config, how, *files]) for me in "AB"]
                    results = jobs.run(way, *parts, env={"H3OU_SHARED_MEMORY": memory})
                    tally.check(f"{' '.join(way)}, {how}, memory {memory}", jobs.problems_of(results))
        # An unusual byte stands in memory that the C library hands out.
        config.write_text(CONFIG.format(-2, ', missing="keep"'))
        results = jobs.run(jobs.ways()[-1], *[(1, program, [me, config, "none", *files]) for me in "AB"], env={"MALLOC_PERTURB_": 165})
        problems = jobs.problems_of(results)
        tally.check("cells without a row", problems or cells_without_row(files[1]))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
