#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""positions.f90 in every way to launch it: cells that stand in regions of the models' own arrays."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

PAIR = '&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /\n'
SCALARS = {"cube": 3, "single": 3, "plane": 1, "one_layer": 1, "cells": 3, "cell": 1, "share": 3, "to_cells": 3}


def variable(name, layer, suffix=""):
    return f"&h3ou_var var_put{suffix}='{name}', var_get{suffix}='{name}', intvl=60, flag='SNP', layer={layer} /\n"


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(PAIR + "".join(variable(n, k) for n, k in SCALARS.items()) + variable("wind", 3, "_vec"))
        for way in jobs.ways():
            for na, nb in ((1, 2), (3, 1), (2, 5)):
                results = jobs.run(way, (na, program, ["A", config]), (nb, program, ["B", config]))
                tally.check(f"{' '.join(way)} {na}+{nb}", jobs.problems_of(results))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
