#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The log counts the cells of a grid that nobody holds, and warns at the default level of masks that take out everything or look
inverted; of masks that are as they should be it does not. A method that serves nothing is an error, units that look wrong are asked
about."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """{level}&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", method='{method}' /
"""
INVERTED = r"^h3ou B.0: warning the mask of grid A_g of A or of grid B_g of B looks inverted: .* (\d+) of (\d+) .* (\d+) of (\d+)$"
LEFT = r"^h3ou B.0: warning weights from A/A_g to B/B_g: (\d+) of the (\d+) cells whose mask says that they take part get no value by method"
# masks, method, how often which warning comes: a mask takes out all, looks inverted, cells are left
CASES = [
    ("sea", "sea", "conservative", 0, 0, 0),
    ("sea", "none", "conservative", 0, 0, 0),
    ("none", "sea", "bilinear", 0, 0, 0),
    ("sea", "lakes", "conservative", 0, 0, 1),
    ("land", "sea", "average(n=1,radius=12)", 0, 1, 1),
    ("sea", "land", "nearest", 0, 1, 0),
    ("sea", "lakes", "nearest", 0, 0, 0),
    ("land", "land", "distance", 0, 0, 0),
    ("sea", "all", "nearest", 1, 0, 0),
]
# masks, units, method, the error
NONE = r"weights from A/A_g to B/B_g: method {} serves none of the \d+ cells of B_g that take part: A_g reaches from {}, B_g from {}: {}"
EMPTY = (r"weights from A/A_g to B/B_g: no cell of grid A_g takes part: its mask is 0, or its coordinates are missing, at every cell: "
         "set the mask to another value than 0 where the field has values")
# Of the cells that take part.
ROUND, FIRST = r"0 to 360 E, -[6-9][05] to [7-9][05] N", r"0 to 6.28319 E, -1.5708 to 1.5708 N"
REFUSED = [
    ("land", "sea", ("radians", "radians"), NONE.format("conservative", ROUND, ROUND, "do the coordinates, grid_shape and masks")),
    ("all", "none", ("radians", "radians"), EMPTY),
    ("sea", "none", ("radians", "degrees"), NONE.format("conservative", ROUND, FIRST, "is B_g in radians")),
]
ASKED = {
    "radians": None,
    "turned": None,
    "degrees": r"grid A_g was given in degrees and reaches from 0 to 6.28319 E, -1.5708 to 1.5708 N only: are these radians\?",
    "east": r"grid A_g was given in radians with longitudes as far as 7.6\d*: are these degrees\?",
    "angles": r"grid A_g: an angle of 90 was given in radians: are these degrees\?",
}


def go(program, folder, way, procs, masks, method, level="", skip=0, units=("radians", "radians")):
    config = pathlib.Path(folder, "c.conf")
    config.write_text(CONFIG.format(level=level, method=method))
    return jobs.run(way, (procs[0], program, ["A", config, 24, 12, masks[0], skip, units[0]]),
                    (procs[1], program, ["B", config, 36, 18, masks[1], 0, units[1]]))


def warnings(tally, program, folder):
    ways = jobs.ways()
    for i, (a, b, method, takes_all, inverted, left) in enumerate(CASES):
        way, procs = ways[i % len(ways)], ((1, 1), (2, 3), (3, 2))[i % 3]
        results = go(program, folder, way, procs, (a, b), method)
        text = "".join(r.err for r in results)
        found = jobs.problems_of(results)
        counts = [len(re.findall(r"^h3ou [AB].0: warning grid \w+: its mask takes out all \d+ cells", text, re.M)),
                  len(re.findall(INVERTED, text, re.M)), len(re.findall(LEFT, text, re.M)), text.count("warning")]
        if not found and counts != [takes_all, inverted, left, takes_all + inverted + left]:
            found.append(f"{counts} warnings, {takes_all}, {inverted} and {left} awaited\n{text}")
        tally.check(f"{a} -> {b} by {method} {procs} {' '.join(way)}", found)


def refused(tally, program, folder):
    """A first method that serves no cell ends the run, and both grids' ranges are shown."""
    ways = jobs.ways()
    for i, (a, b, units, said) in enumerate(REFUSED):
        way = ways[i % len(ways)]
        results = go(program, folder, way, (2, 3), (a, b), "conservative,nearest", units=units)
        text = "".join(r.err for r in results)
        found = [f"timed out: {r.timed_out}, left {r.left}, code {r.code}" for r in results if r.timed_out or r.left or not r.code]
        if not re.search("h3ou: error in .*" + said, text):
            found.append(f"does not say: {said}\n{text[-1500:]}")
        tally.check(f"{a} -> {b} in {units} {' '.join(way)}", found)


def units(tally, program, folder):
    ways = jobs.ways()
    for i, (how, said) in enumerate(ASKED.items()):
        way = ways[i % len(ways)]
        results = go(program, folder, way, (3, 1), ("none", "none"), "nearest", units=(how, "radians"))
        text = "".join(r.err for r in results)
        found = jobs.problems_of(results)
        asked = re.findall(r"^h3ou \w.\d: warning (.*)$", text, re.M)
        if not found and not (re.match(said, asked[0]) and len(asked) == 1 if said and asked else not asked and not said):
            found.append(f"asked: {asked}, awaited: {said}")
        tally.check(f"corners in {how} {' '.join(way)}", found)


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
        refused(tally, program, folder)
        units(tally, program, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
