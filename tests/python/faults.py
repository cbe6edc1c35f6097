#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""faults.py PACKAGES MODEL: a Python component that fails ends every job, though their patience is an hour, and each says why."""
import itertools
import pathlib
import re
import sys
import tempfile

from pyjobs import SINGLE, jobs, python, two_jobs

CONFIG = """&h3ou_var comp_put="atmos", comp_get="ocean", grid_put="atmos_g", grid_get="ocean_g", mapping_tag=1 /
&h3ou_var var_put="atmos_v", var_get="atmos_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
&h3ou_var comp_put="ocean", comp_get="atmos", grid_put="ocean_g", grid_get="atmos_g", mapping_tag=1 /
&h3ou_var var_put="ocean_v", var_get="ocean_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
"""
# fault: what both jobs must say, what Python's job must say or show besides
FAULTS = {
    "exception": (r"component ocean rank \d: IndexError: index 4 is out of bounds for axis 0 with size 3 \(failing.py:\d+\)",
                  r"Traceback"),
    "exception of rank 1": (r"component ocean rank 1: RuntimeError: only here, in two lines \(failing.py:\d+\)", r"Traceback"),
    "interrupt": (r"component ocean rank \d: KeyboardInterrupt \(failing.py:\d+\)", r""),
    "own words": (r"component ocean rank \d: the model has no more salt\n", r""),
    "sys.exit": (r"component ocean rank \d: the program ended without h3ou_coupling_end at the model time 2000-01-01 0\d:", r""),
    "no end": (r"component ocean rank \d: the program ended without h3ou_coupling_end at the model time 2000-01-01 0\d:", r""),
    "own hook": (r"component ocean rank \d: ValueError: nobody shows this \(failing.py:\d+\)", r""),
    "interactive": (r"component ocean rank \d: the program ended without h3ou_coupling_end", r"ValueError: shown at a prompt"),
    "shape": (r"field ocean_v: the array has 9 cells", r"Traceback[\s\S]*failing.py[\s\S]*\[data of the wrong size\]"),
    "table": (r"(send|recv)_index \d+ is not a cell of grid (ocean|atmos)_g", r""),
    "configuration": (r"configuration file .*file.conf: No such file or directory", r""),
}


def problems_of(results, said, besides):
    found = []
    for i, r in enumerate(results):
        if r.timed_out or r.code == 0 or r.left:
            found.append(f"job {i}: code {r.code} after {r.seconds:.0f} s, left {r.left}")
        if not re.search(r"h3ou: .*" + said, r.err):
            found.append(f"job {i} does not say: {said}")
    if not re.search(besides, results[0].err):
        found.append(f"job 0 does not show: {besides}")
    return found and found + [f"--- job {i}\n{r.out[-300:]}{r.err[-1500:]}" for i, r in enumerate(results)]


def main(packages, model):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "good.conf")
        config.write_text(CONFIG)

        def couple(mpi, peer, fault, peer_fault="none"):
            program = python("failing.py", config, fault)
            if fault == "interactive":
                program[1:1] = ["-i"]
            return two_jobs(packages, (mpi, 1 if mpi == SINGLE else 2, program),
                            (peer, 2, [f"{model}.{peer}", "atmos", "ocean", config, peer_fault]), jobs.PATIENT)

        ways = itertools.cycle([(SINGLE, jobs.MPIS[0]), *((m, jobs.MPIS[-1 - i]) for i, m in enumerate(jobs.MPIS))])
        for fault in ("none", "caught", "forked child"):
            mpi, peer = (SINGLE, jobs.MPIS[-1]) if fault == "forked child" else next(ways)  # MPIs do not like forks
            tally.check(f"{fault}: {mpi} with {peer}", jobs.problems_of(couple(mpi, peer, fault)))
        cases = [(mpi, peer, fault) for fault in FAULTS for mpi, peer in (next(ways), next(ways))
                 if "rank 1" not in fault or mpi != SINGLE]
        for (mpi, peer, fault), results in zip(cases, jobs.side_by_side(couple, cases)):
            said, besides = FAULTS[fault]
            problems = problems_of(results, said, besides)
            if fault == "interactive" and problems:  # mpirun sometimes loses what Python writes at its prompt before the job ends
                problems = problems_of(couple(mpi, peer, fault), said, besides)
            if fault == "exception" and mpi == SINGLE and "said before the end" not in results[0].out:
                problems.append("what was printed before is lost")
            tally.check(f"{fault}: {mpi} with {peer}", problems)
        for mpi, peer in (next(ways), next(ways), next(ways)):
            results = couple(mpi, peer, "none", "size")
            problems = problems_of(results, "field atmos_v: the array has 3 cells", r"component ocean rank \d ends: ")
            if "Traceback" in results[0].err:
                problems.append("a traceback in a job that did nothing wrong")
            tally.check(f"the other fails: {mpi} with {peer}", problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
