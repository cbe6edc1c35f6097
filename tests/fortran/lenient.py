#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""lenient.f90: it runs and warns, and with strict=.true. each case is an error."""
import itertools
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

PAIR = '&h3ou_var comp_put="A", comp_get="{0}", grid_put="A_{1}", grid_get="{0}_{1}" /\n'
VARIABLE = '&h3ou_var var_put="{0}", var_get="{0}", intvl=3600, lag=-1, flag="SNP" {1} /\n'
VARIABLES = VARIABLE.format("p", "") + PAIR.format("B", "g") + VARIABLE.format("q", "") + PAIR.format("B", "h") \
    + VARIABLE.format("r", ", grid_intpl_tag=1") + VARIABLE.format("w", ", grid_intpl_tag=10001, layer=4") \
    + PAIR.format("C", "g") + VARIABLE.format("c", "")
CONFIG = PAIR.format("B", "g") + VARIABLES
WARNINGS = ("component 'A' is not mine", "A sent 3 elements, B awaits 5", "called by component C, which is neither",
            "coef is missing, all coefficients are 1", "is none of the namelist's mapping_tags", "the same pair of grids")
SMALL = PAIR.format("B", "g") + VARIABLE.format("p", "") + PAIR.format("C", "g") + VARIABLE.format("c", "")
STRICT = "&h3ou_coupling strict=.true. /\n"
REFUSED = {  # case: the namelist, what is said
    "other": (STRICT, "is not mine: this call is about"),
    "longer": (STRICT, "A sent 3 elements, B awaits 5"),
    "third": (STRICT, "called by component C, which is neither"),
    "coef": (STRICT + SMALL, "coef is missing"),
    "late": (STRICT + SMALL, "field p comes before h3ou_init_time"),
    "late-table": (STRICT + SMALL, "no interpolation table: neither A nor "),
    "all": (STRICT + CONFIG, "the same pair of grids with mapping_tag=1 stands in line 2 already"),
}


def start(program, config, case, mpis):
    """One job, or A in one and B and C in the other."""
    def parts(mpi, names):
        return [(2 if name != "C" else 1, [f"{program}.{mpi}", name, config, case]) for name in names]

    if len(mpis) == 1:
        return [jobs.Job(mpis[0], parts(mpis[0], "ABC"), {"H3OU_PATIENCE": 60})]
    port = jobs.free_port()
    return [jobs.Job(mpi, parts(mpi, names), jobs.waitio(port, i, 2)) for i, (mpi, names) in enumerate(zip(mpis, ("A", "BC")))]


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        ways = [(m,) for m in jobs.MPIS] + [(m, n) for m in jobs.MPIS for n in jobs.MPIS if m != n]
        config.write_text(CONFIG)
        for mpis in ways:
            results = jobs.wait_all(start(program, config, "all", mpis))
            said = "".join(r.err for r in results)
            tally.check(" and ".join(mpis), jobs.problems_of(results) or [w for w in WARNINGS if w not in said])
            config.write_text(SMALL)
            for case in ("late", "late-table"):
                results = jobs.wait_all(start(program, config, case, mpis))
                said = all("it is awaited until the first h3ou_set_time" in r.err for r in results)
                tally.check(f"{' and '.join(mpis)}, {case}", jobs.problems_of(results) or not said and ["no warning"])
            config.write_text(CONFIG)
        turns = itertools.cycle(jobs.MPIS)
        for case, (text, sentence) in REFUSED.items():
            config.write_text(text)
            [r] = jobs.wait_all(start(program, config, case, [next(turns)]))
            bad = r.timed_out or r.code == 0 or r.left or "h3ou: error in" not in r.err or sentence not in r.err
            tally.check(f"strict, {case}", bad and [r.out[-500:] + r.err[-1000:]])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
