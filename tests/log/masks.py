#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The log counts the cells of a grid that nobody holds, and warns at the default level of masks that take out everything or look
inverted; of masks that are as they should be it does not."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """{level}&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", method='{method}' /
"""
INVERTED = r"^h3ou B.0: warning the mask of grid A_g of A or of grid B_g of B looks inverted: .* (\d+) of (\d+) .* (\d+) of (\d+)$"
UNSERVED = r"^h3ou B.0: warning weights from A/A_g to B/B_g: method \w+ serves no cell: "
# masks, method, how often which warning comes
CASES = [
    ("sea", "sea", "conservative", 0, 0, 0),
    ("sea", "none", "conservative", 0, 0, 0),
    ("none", "sea", "bilinear", 0, 0, 0),
    ("sea", "land", "conservative", 0, 1, 0),
    ("land", "sea", "conservative,nearest", 0, 1, 1),
    ("sea", "land", "nearest", 0, 1, 0),
    ("sea", "lakes", "nearest", 0, 0, 0),
    ("land", "land", "distance", 0, 0, 0),
    ("sea", "all", "nearest", 1, 0, 0),
    ("all", "none", "nearest", 1, 0, 1),
]


def go(program, folder, way, procs, masks, method, level="", skip=0):
    config = pathlib.Path(folder, "c.conf")
    config.write_text(CONFIG.format(level=level, method=method))
    return jobs.run(way, (procs[0], program, ["A", config, 24, 12, masks[0], skip]),
                    (procs[1], program, ["B", config, 36, 18, masks[1], 0]))


def warnings(tally, program, folder):
    ways = jobs.ways()
    for i, (a, b, method, takes_all, inverted, unserved) in enumerate(CASES):
        way, procs = ways[i % len(ways)], ((1, 1), (2, 3), (3, 2))[i % 3]
        results = go(program, folder, way, procs, (a, b), method)
        text = "".join(r.err for r in results)
        found = jobs.problems_of(results)
        counts = [len(re.findall(r"^h3ou [AB].0: warning grid \w+: its mask takes out all \d+ cells", text, re.M)),
                  len(re.findall(INVERTED, text, re.M)), len(re.findall(UNSERVED, text, re.M)), text.count("warning")]
        if not found and counts != [takes_all, inverted, unserved, takes_all + inverted + unserved]:
            found.append(f"{counts} warnings, {takes_all}, {inverted} and {unserved} awaited\n{text}")
        tally.check(f"{a} -> {b} by {method} {procs} {' '.join(way)}", found)


def cells(tally, program, folder):
    level = "&h3ou_coupling log_level='WHISPER' /\n"
    for way in jobs.ways():
        results = go(program, folder, way, (2, 3), ("none", "sea"), "nearest", level, skip=7)
        text = "".join(r.err for r in results)
        found = jobs.problems_of(results)
        told = re.findall(r"^h3ou (\w)\.(\d): grid grid=(\w+) cells=(\d+) shape=(\S+) unheld=(\d+)(?: masked=(\d+))?$", text, re.M)
        if not found and (sorted(t[:6] for t in told) != [("A", "0", "A_g", "247", "24x12", "41"), ("B", "0", "B_g", "648", "36x18", "0")] or
                          not 0 < int(max(t[6] for t in told)) < 648):
            found.append(f"{told}\n{text}")
        tally.check(f"cells that nobody holds {' '.join(way)}", found)


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        warnings(tally, program, folder)
        cells(tally, program, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
