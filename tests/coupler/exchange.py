#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random grids, tables and decompositions, exchanged in every way to launch; exchange.c compares every value to the bit."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling bundle="{1}" /
&h3ou_var comp_put="A", comp_get="B", grid_put="A_g", grid_get="B_g", mapping_tag=3 /
&h3ou_var var_put="snap", var_get="snap", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put="mean", var_get="mean", intvl=1200, lag=-1, layer={0}, flag='AVR' /
&h3ou_var var_put="wide", var_get="wide", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real8" /
&h3ou_var var_put="narrow", var_get="narrow", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4" /
&h3ou_var var_put="single", var_get="single", intvl=1200, lag=-1, layer={0}, flag='SNP', type="REAL4" /
&h3ou_var var_put="single_mean", var_get="single_mean", intvl=1200, lag=-1, layer={0}, flag='AVR', type="real4" /
&h3ou_var var_put="holes", var_get="holes", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4", missing=0.1 /
&h3ou_var var_put="narrow_holes", var_get="narrow_holes", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4", missing=0 /
&h3ou_var var_put="late_narrow", var_get="late_narrow", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4", missing=-99 /
&h3ou_var var_put="narrow_nan", var_get="narrow_nan", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4" /
&h3ou_var var_put="single_holes", var_get="single_holes", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4" /
&h3ou_var var_put="gaps", var_get="gaps", intvl=1200, lag=-1, layer={0}, flag='SNP', missing=-0.0 /
&h3ou_var var_put="late_gaps", var_get="late_gaps", intvl=1200, lag=-1, layer={0}, flag='SNP', missing=-99 /
&h3ou_var var_put="some_nan", var_get="some_nan", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put="shared", var_get="shared", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4", missing=-99 /
&h3ou_var var_put="masked", var_get="masked", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put="single_masked", var_get="single_masked", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4" /
&h3ou_var var_put="masked_nan", var_get="masked_nan", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put="single_nan", var_get="single_nan", intvl=1200, lag=-1, layer={0}, flag='SNP', type="real4" /
&h3ou_var var_put="shared_mean", var_get="shared_mean", intvl=1200, lag=-1, layer={0}, flag='AVR', missing=-99 /
&h3ou_var var_put="at_times", var_get="at_times", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put="mean_at_times", var_get="mean_at_times", intvl=1200, lag=-1, layer={0}, flag='AVR', missing=-99 /
&h3ou_var var_put="ice", var_get="ice", intvl=1200, lag=-1, layer={0}, flag='SNP' /
&h3ou_var var_put="ice_holes", var_get="ice_holes", intvl=1200, lag=-1, layer={0}, flag='SNP', missing=-99 /
&h3ou_var var_put="late_holes", var_get="late_holes", intvl=1200, lag=-1, layer={0}, flag='SNP', missing=-99 /
&h3ou_var var_put="masked_mean", var_get="masked_mean", intvl=1200, lag=-1, layer={0}, flag='AVR', missing=-99 /
"""
PROCS = [(1, 1), (3, 2), (2, 5)]


def main(program):
    tally, seed = jobs.Tally(), 0
    with tempfile.TemporaryDirectory() as folder:
        for way in jobs.ways():
            for mode in ("leader-put", "leader-get", "spread-put", "spread-get"):
                for na, nb in PROCS:
                    seed += 1
                    layers, chunk, bundle = (1, 2, 3, 9, 43)[seed % 5], (65536, 17)[seed % 2], ("auto", "always", "never")[seed // 3 % 3]
                    config = pathlib.Path(folder, f"{layers}.conf")
                    text = CONFIG.format(layers, bundle)
                    # A way to make weights of its own, which no table needs: a second plan is made of the same table.
                    config.write_text(text if seed % 3 else text.replace('type="real8"', 'type="real8", norm="destarea"'))
                    a, b = ((n, program, [me, config, seed, mode, layers]) for n, me in ((na, "A"), (nb, "B")))
                    env = {"H3OU_PLAN_CHUNK": chunk, "H3OU_DENSE_PROCESSES": 1000 * (seed % 3 > 0), "H3OU_SHARED_MEMORY": int(seed % 4 > 0)}
                    results = jobs.run(way, a, b, env=env)
                    tally.check(f"{' '.join(way)} {mode} {na}+{nb} layers={layers} bundle={bundle} {env}", jobs.problems_of(results))
            # Rows that read many cells here and there have them sent in their own order, also in few layers.
            for few in (1, 3):
                seed += 1
                config.write_text(CONFIG.format(few, "auto").replace("&h3ou_coupling", "&h3ou_coupling log_level='LOUD',"))
                a, b = ((n, program, [me, config, seed, "leader-put", few, 16000]) for n, me in ((1 + seed % 2, "A"), (1, "B")))
                results = jobs.run(way, a, b, env={"H3OU_SHARED_MEMORY": int(seed % 4 > 1)})
                problems = jobs.problems_of(results) + ["no order=rows" for r in results[-1:] if "order=rows" not in r.err]
                tally.check(f"{' '.join(way)} {few} layers, cells in the order of rows", problems)
        # The comparison itself can fail: B makes another problem than A.
        a, b = ((1, program, [me, config, s, "leader-put", layers]) for me, s in (("A", 1), ("B", 1)))
        config.write_text(CONFIG.format(layers, bundle).replace("lag=-1", "lag=1"))
        results = jobs.run(jobs.ways()[0], a, b)
        tally.check("a wrong value is found", [] if any(r.code for r in results) else ["no difference was found"])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
