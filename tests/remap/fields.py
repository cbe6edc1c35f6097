#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Vectors, shares and missing values (fields_model.c) in every way to launch; and what happens when they are given wrongly."""
import itertools
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=3 /
&h3ou_var var_put_vec="wind", var_get_vec="wind", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put_vec="windmean", var_get_vec="windmean", intvl=1200, lag=-1, layer={0}, flag='AVR' /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=4 /
&h3ou_var var_put="ice", var_get="ice", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put="icemean", var_get="icemean", intvl=1200, lag=-1, layer={0}, flag='AVR' /
&h3ou_var var_put="gap", var_get="gap", intvl=1200, lag=-1, layer={0}, flag='SNP', missing=-999 /
&h3ou_var var_put="gapmean", var_get="gapmean", intvl=1200, lag=-1, layer={0}, flag='AVR', missing=-999 /
&h3ou_var var_put_vec="drift", var_get_vec="drift", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put_vec="driftmean", var_get_vec="driftmean", intvl=1200, lag=-1, layer={0}, flag='AVR' /
&h3ou_var var_put_vec="current", var_get_vec="current", intvl=1200, lag=-1, layer={0}, flag='SNP', missing=-999 /
"""
PROCS = [(1, 1), (3, 2), (2, 5)]
FAULTS = {
    "no-centres-put": r":2: vector wind: grid A_g has no centres, .*: give lon and lat to h3ou_grid_centres",
    "no-centres-get": r":2: vector wind: grid B_g has no centres, .*: give lon and lat to h3ou_grid_centres",
    "centres-twice": "h3ou_grid_centres: centres of grid ._g are given twice",
    "no-such-grid": r"h3ou_grid_shape: no grid '._gg' was defined, did you mean '._g'\?",
    "late": "h3ou_grid_edges: grid ._g: comes after h3ou_grid_end",
    "some-rotated": "coef_cos and coef_sin on some processes only",
    "no-angle": r"entry \d+: coef_cos=2 and coef_sin=\S+ are not the cosine and sine of an angle",
    "scalar-put": r"field wind is a vector .*: pass both components .* by h3ou_put_vector",
    "vector-put": "field ice is no vector: name it with var_put_vec",
    "share": r"field ice, cell \d+: share 1.01 of the cell counts: it must be 0 to 1",
    "no-array": "h3ou_put_share: field ice: an array is missing",
}


def main(program):
    tally, seed = jobs.Tally(), 0
    procs = itertools.cycle(PROCS)

    def run(way, na, nb, mode, layers, fault="none", **more):
        a, b = ((n, program, [me, config, seed, mode, layers, fault]) for n, me in ((na, "A"), (nb, "B")))
        return jobs.run(way, a, b, **more)

    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        for way in jobs.ways():
            for mode in ("leader-put", "leader-get", "spread-put", "spread-get"):
                seed += 1
                layers, chunk, (na, nb) = 1 + seed % 3, (65536, 17)[seed % 2], next(procs)
                config.write_text(CONFIG.format(layers))
                results = run(way, na, nb, mode, layers, env={"H3OU_PLAN_CHUNK": chunk})
                tally.check(f"{' '.join(way)} {mode} {na}+{nb} layers={layers} chunk={chunk}", jobs.problems_of(results))
        for fault, way in zip(FAULTS, itertools.cycle(jobs.ways())):
            results = run(way, 2, 2, "spread-put", layers, fault)
            problems = [f"timed out: {r.timed_out}, left {r.left}" for r in results if r.timed_out or r.left]
            if not any(re.search("h3ou: error in .*" + FAULTS[fault], r.err) for r in results):
                problems.append(f"does not say: {FAULTS[fault]}")
            tally.check(f"{' '.join(way)} {fault}", problems and problems + [r.out[-500:] + r.err[-1500:] for r in results])
        # The comparison itself can fail: A puts for other times than B expects.
        config.write_text(CONFIG.format(layers).replace("lag=-1", "lag=1"))
        results = run(jobs.ways()[0], 1, 1, "leader-put", layers)
        tally.check("a wrong value is found", [] if any(r.code for r in results) else ["no difference was found"])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
