#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""traps.f90 in every way to launch it: no call of the library lets the traps of a model that is debugged fire."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

# Of each grid: stacks and keys, and which fields travel by them.
BOXES = (("conservative", "phsvwlfgk"), ("conservative2", "phl"), ("conservative2', limit=.true., norm='fracarea", "phs"),
         ("conservative', norm='destarea', extrapolate='creep,value(value=3)", "ph"), ("bilinear,nearest", "phv"), ("bicubic", "phl"),
         ("barycentric", "p"), ("laf", "ph"), ("distance", "ps"), ("radial,gauss(n=3)", "p"))
ROWS = (("bilinear", "phsv"), ("bicubic,bilinear", "ph"), ("barycentric,nearest", "pl"), ("average(n=3)", "p"))


def write(path, log, cache, real):
    text = [f"&h3ou_coupling log_level='{log}', weights_cache='{cache}' /"]
    for pair, (letter, stacks) in enumerate((("b", BOXES), ("r", ROWS))):
        grid = {"b": "box", "r": "row"}[letter]
        text.append(f"&h3ou_var comp_put='A', comp_get='B', grid_put='A_{grid}', grid_get='B_{grid}', mapping_tag={pair} /")
        for k, (stack, kinds) in enumerate(stacks):
            text += [variable(letter, kind, f"{k}", f", method='{stack}'", flag) for kind in kinds for flag in ("SNP", "AVR")]
    text.append("&h3ou_var comp_put='A', comp_get='B', grid_put='A_row', grid_get='B_row', mapping_tag=7 /")
    text += [variable("r", kind, "t", ", missing=-999.", flag) for kind in "hsvw" for flag in ("SNP", "AVR")]
    path.write_text("\n".join(line.replace(" flag=", f" type='{real}', flag=") for line in text) + "\n")


def variable(grid, kind, number, how, flag):
    name = f"{grid}{kind}{number}{flag[0].lower()}"
    key = "_vec" if kind in "vw" else ""
    more = {"l": ", layer=9", "h": "" if "missing" in how else ", missing=-999.", "f": ", missing=-999.9",
            "g": ", missing=-1e99", "k": ", missing='keep'"}.get(kind, "")
    return f"&h3ou_var var_put{key}='{name}', var_get{key}='{name}', intvl=600, lag=-1, flag='{flag}'{more}{how} /"


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        store = pathlib.Path(folder, "store")  # read by all but the first, who writes it
        store.mkdir()
        for way in jobs.ways():
            for na, nb, log, cache, real in ((1, 1, "SILENT", "", "real4"), (1, 1, "SILENT", "", "real8"), (2, 3, "LOUD", store, "real8")):
                write(config, log, cache, real)
                results = jobs.run(way, (na, program, ["A", config]), (nb, program, ["B", config]))
                tally.check(f"{' '.join(way)} {na}+{nb} {real}", jobs.problems_of(results))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
