#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""arrays.f90 in every way to launch it: what models have is put and got as it lies. Half of the runs exchange it in single precision."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

PAIR = '&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=1 /\n'
SCALARS = {"negative": 1, "single": 1, "packed": 1, "reshaped": 3, "single_layers": 3, "plane": 1, "plane_inside": 1,
           "single_plane": 1, "one_layer": 1, "cube": 3, "single_cube": 3, "cube_sections": 3, "share": 1}
VECTORS = {"wind": 1, "winds": 3, "single_wind": 1, "winds_share": 3}


def variable(name, layer, suffix="", more=""):
    return f"&h3ou_var var_put{suffix}='{name}', var_get{suffix}='{name}', intvl=60, flag='SNP', layer={layer}{more} /\n"


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        configs = {kind: pathlib.Path(folder, f"{kind}.conf") for kind in ("real8", "real4")}
        for kind, config in configs.items():
            more = f", type='{kind}'"
            config.write_text(PAIR + "".join(variable(n, k, more=more) for n, k in SCALARS.items())
                              + "".join(variable(n, k, "_vec", more) for n, k in VECTORS.items())
                              + variable("members", 3, more=more + ", statistic='stacked', to_members='own'"))
        for number, way in enumerate(jobs.ways()):
            for procs, (na, nb) in enumerate(((1, 1), (4, 3), (3, 2))):
                kind = ("real8", "real4")[(number + procs) % 2]
                results = jobs.run(way, *((n, program, [me, configs[kind]]) for n, me in ((na, "A"), (nb, "B"))))
                tally.check(f"{' '.join(way)} {na}+{nb} {kind}", jobs.problems_of(results))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
