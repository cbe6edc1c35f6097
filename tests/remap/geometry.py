#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Corners that are mended are told, once and for the whole grid; others end the run with the cell's index (geometry_model.c)."""
import itertools
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling log_level='WHISPER' /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1, method='conservative' /
&h3ou_var var_put="f", var_get="f", intvl=60, flag='SNP' /
"""
POLES = "24 cells repeat a corner, which was dropped (first: 1)"
MENDED = {  # 12 x 6 cells; 24 of them touch a pole
    "none": POLES,
    "boxes": None,  # of a regular grid, whose bounds say all
    "clockwise": "24 cells are clockwise and were turned (first: 2); " + POLES,
    "masked": POLES,
    "missing": POLES,
}
REFUSED = {
    "crossing": "A_g.* 17",
    "degenerate": "A_g.* 17",
    "nan": "A_g.* 17",
    "beyond": "A_g.* 17",
    "nowhere": "h3ou_grid_centres: grid ._g, cell 17: longitude (nan|1e.20), latitude (nan|1e.20) degrees is not on the sphere",
    "shape": "grid ._g: its shape is 12 x 5 cells, but there is a cell 72",
}


def main(program):
    tally, ways = jobs.Tally(), itertools.cycle(jobs.ways())
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        for fault, said in [*MENDED.items(), *REFUSED.items()]:
            way = next(ways)
            results = jobs.run(way, (3, program, ["A", config, fault]), (2, program, ["B", config, fault]))
            err = "".join(r.err for r in results)
            if fault in REFUSED:
                problems = [f"timed out: {r.timed_out}, left {r.left}" for r in results if r.timed_out or r.left or not r.code]
                if not re.search("h3ou: error in .*" + said, err):
                    problems.append(f"does not say: {said}\n{err[-1500:]}")
            else:
                problems = jobs.problems_of(results)
                told = re.findall(r'grid-mended grid=A_g cells="(.*)"', err)
                if told != [said] * (said is not None):
                    problems.append(f"told of mended cells: {told}")
            tally.check(f"{' '.join(way)} {fault}", problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
