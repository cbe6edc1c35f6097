#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""layouts.c: random layouts of arrays in one job and in two, with few layers and many, with fields that travel in single precision, with
missing values, shares, vectors and means."""
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

KEYS = {"snap": "", "float": "type='real4'", "narrow": "type='real4'", "holes": "missing=-99", "float_holes": "type='real4', missing=-99",
        "narrow_holes": "type='real4', missing=-99", "mask": "", "narrow_mask": "type='real4'", "float_ice": "type='real4'", "ice": "missing=-99",
        "mean": "flag='AVR'", "mean_mask": "flag='AVR'", "mean_ice": "flag='AVR', missing=-99", "least": "flag='MIN', missing=-99", "wind": "",
        "float_wind": "type='real4'", "narrow_mean": "flag='AVR', type='real4'", "mean_wind": "flag='AVR'"}
LAYERS, PROCS = (1, 2, 3, 4, 7, 8, 16, 43), ((1, 1), (2, 1), (1, 3))
FEW_CELLS = 700
MANY_CELLS = {1: 30000, 16: 17000, 43: 7000}  # so that tables leave the first caches, and messages of float go past all


def configuration(layers):
    """Each field once with the suffix p, for grids whose arrays have cells alone, and once with q."""
    lines = []
    for tag, grids in ((1, "p"), (2, "q")):
        lines.append(f"&h3ou_var comp_put='A', comp_get='B', grid_put='a{grids}', grid_get='b{grids}', mapping_tag={tag} /")
        for name, keys in KEYS.items():
            kind, interval = "_vec" if "wind" in name else "", 120 if "flag" in keys else 60
            keys = keys if "flag" in keys else f"flag='SNP'{keys and ', '}{keys}"
            lines.append(f"&h3ou_var var_put{kind}='{name}_{grids}', var_get{kind}='{name}_{grids}', intvl={interval}, lag=-1, layer={layers}, {keys} /")
    return "\n".join(lines) + "\n"


def main(program, seeds):
    tally, ways = jobs.Tally(), jobs.ways()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            layers, (na, nb), way = LAYERS[seed % len(LAYERS)], PROCS[seed // 3 % len(PROCS)], ways[(seed + seed // 4) % len(ways)]
            cells = MANY_CELLS.get(layers, FEW_CELLS) if seed // 8 % 3 == 1 else FEW_CELLS
            na, nb = (na, nb) if cells == FEW_CELLS else (1, 1)
            config = pathlib.Path(folder, f"{layers}.conf")
            config.write_text(configuration(layers))
            env = {"OMP_NUM_THREADS": 1 + seed // 2 % 2, "H3OU_SHARED_MEMORY": int(seed % 5 > 0)}
            results = jobs.run(way, *((k, program, [me, config, seed, layers, cells]) for k, me in ((na, "A"), (nb, "B"))), env=env)
            tally.check(f"seed {seed}: {' '.join(way)} {na}+{nb} layers={layers} cells={cells} {env}", jobs.problems_of(results))
        results = jobs.run(ways[0], *((1, program, [me, config, seed, layers, FEW_CELLS, "other"]) for me in "AB"))
        tally.check("a difference is found", [] if results[-1].code == 1 and "mean_wind_q" in results[-1].out else [f"{r.code} {r.out}" for r in results])
    return tally.end()


if __name__ == "__main__":
    some = slice(None, None, int(os.environ.get("H3OU_TEST_STRIDE", "1")))  # of like inputs, as tests/lib/stride.h says
    sys.exit(main(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else range(24)[some]))
