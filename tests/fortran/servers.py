#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""servers.f90: models that couple in a communicator of their own (comm= of h3ou_init), beside processes that do something else."""
import itertools
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="f", var_get="f", intvl=60, flag='SNP' /
"""
# What A has put in a step and what B gets, the values of the step before: 1 + 2 + ... + 12 = 78, and 100 a step for each cell.
WRITTEN = {f"sum {me} {step} {78 + 1200 * (step - (me == 'B'))}.0" for me in "AB" for step in range(1, 5)} | {"written A", "written B"}
WRONG = {"inter": "h3ou_init: comm is an intercommunicator",
         "all": "h3ou_init was not called by process 1 of 2 in the communicator comm of h3ou_init"}


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        config.write_text(CONFIG)
        for way in jobs.ways():
            results = jobs.run(way, (3, program, ["A", config, "keep"]), (4, program, ["B", config, "keep"]))
            said = {line.strip() for r in results for line in r.out.splitlines() if line.strip()}
            tally.check(" ".join(way), jobs.problems_of(results) + ([] if said == WRITTEN else [said]))
        for name, (how, sentence) in zip(itertools.cycle(jobs.MPIS), WRONG.items()):
            [r] = jobs.wait_all([jobs.Job(name, [(2, [f"{program}.{name}", "A", config, how])], {**jobs.PATIENT, "H3OU_JOIN_PATIENCE": 1})])
            good = not r.timed_out and r.code and not r.left and sentence in r.err
            tally.check(f"{name} {how}", [] if good else [f"{r.code} {r.timed_out} {r.out} {r.err}"])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
