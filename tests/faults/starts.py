#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are started wrongly: each says what to look for, once in each job, and ends; or warns, and goes on.

  starts.py MODEL"""
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs
from jobs import PATIENT
from faults import GOOD, check, model

ERROR = r"h3ou: error in "


def mpmd(program, mpi, config, faults, names=("atmos", "ocean"), second=None, procs=2):
    parts = [(procs, [f"{p}.{mpi}", *model(program, me, other, config, fault)])
             for p, me, other, fault in zip((program, second or program), names, names[::-1], faults)]
    return jobs.wait_all([jobs.Job(mpi, parts, {"H3OU_JOIN_PATIENCE": 3, **PATIENT})])


def judge(name, tally, results, said):
    """The run ends by itself, and each job says so in one line."""
    check(name, tally, results, said)
    counts = [len(re.findall(ERROR, r.err)) for r in results]
    tally.check(f"{name}, once", [] if max(counts) == 1 else [f"errors that were printed: {counts}", *[r.err[-2000:] for r in results]])


def waits(tally, program, config):
    """One component makes a collective call on MPI_COMM_WORLD before h3ou_init; or stops there; or has more members than processes."""
    cases = [(mpi, faults, said) for mpi in jobs.MPIS for faults, said in (
        (("collective-first", "none"),
         r"waited \d+ s \(H3OU_JOIN_PATIENCE\): h3ou_open was not called by processes 0-1 of 4 in MPI_COMM_WORLD: look there for a coll"),
        (("none", "collective-first"), r"h3ou_open was not called by processes 2-3 of 4 in MPI_COMM_WORLD"),
        (("none", "stop@init@3"), r"h3ou_open was not called by process 3 of 4 in MPI_COMM_WORLD"),
        (("ensemble", "none"), r"holds 3 members, but has only 2"), (("none", "ensemble"), r"holds 3 members, but has only 2"))]
    everything = jobs.side_by_side(lambda mpi, faults, said: mpmd(program, mpi, config, faults), cases)
    for (mpi, faults, said), results in zip(cases, everything):
        judge(f"{' '.join(faults)} ({mpi})", tally, results, said)


def wrong_mpirun(tally, program, config):
    for mpi in jobs.MPIS:
        for under in jobs.MPIS:
            if mpi != under:
                job = jobs.Job(under, [(3, [f"{program}.{mpi}", *model(program, "atmos", "ocean", config, "none")])])
                judge(f"{mpi} under {under}", tally, jobs.wait_all([job]),
                      rf"this process is alone in its MPI \({mpi}\), but the launcher started 3 of them")


def no_environment(tally, program, config):
    """Two jobs that were not told of each other."""
    started = [jobs.Job(mpi, [(2, [f"{program}.{mpi}", *model(program, me, other, config, "none")])])
               for mpi, me, other in ((jobs.MPIS[0], "atmos", "ocean"), (jobs.MPIS[-1], "ocean", "atmos"))]
    judge("without WAITIO_*", tally, jobs.wait_all(started), r"component 'ocean' was not started.* this job lacks WAITIO_MASTER_HOST")


def one_name(tally, program, folder):
    """Two programs of one name are one component: a warning at the default level. One program in two parts is no reason."""
    config = pathlib.Path(folder, "none.conf")
    config.write_text("")
    said = r"warning component atmos: process \d of the job is the program model.*, process 2 is twin"
    for mpi in jobs.MPIS:
        shutil.copy2(f"{program}.{mpi}", pathlib.Path(folder, f"twin.{mpi}"))
        for second, expected in ((pathlib.Path(folder, "twin"), 1), (None, 0)):
            results = mpmd(program, mpi, config, ("leave-after-open", "leave-after-open"), names=("atmos", "atmos"), second=second)
            found = jobs.problems_of(results)
            if len(re.findall(said, results[0].err)) != expected or len(re.findall("warning", results[0].err)) != expected:
                found.append(results[0].err[-2000:])
            tally.check(f"one name for {expected + 1} programs ({mpi})", found)


def once(tally, program, folder):
    """What all processes find wrong is said once."""
    for mpi in jobs.MPIS:
        results = mpmd(program, mpi, pathlib.Path(folder, "missing.conf"), ("none", "none"), procs=4)
        judge(f"no configuration ({mpi})", tally, results, r"configuration file .*missing.conf: No such file or directory")
        results = mpmd(program, mpi, pathlib.Path(folder, "good.conf"), ("bad-name", "bad-name"), procs=4)
        judge(f"no name ({mpi})", tally, results, r"component name '' must have")


def different_configurations(tally, program, folder):
    """Each component reads a file of its own; what both have to be told alike differs: one only has a folder for weights, or a pair's
    method, or what the members of an ensemble send or get."""
    for number, (old, new, where) in enumerate((("&h3ou_coupling ", f"&h3ou_coupling weights_cache='{folder}', ", None),
                                                ("mapping_tag=1 /", "mapping_tag=1, method='nearest' /", "comp_put"),
                                                (" flag='SNP'", " flag='SNP', statistic='max'", "var_put"),
                                                (" flag='SNP'", " to_members='own', flag='SNP'", "var_put"),
                                                (" flag='SNP'", " perturb=1, flag='SNP'", "var_put"),
                                                (" flag='SNP'", " flag='SNP', type='real4'", "var_put"))):
        line = 1 + next(i for i, text in enumerate(GOOD.splitlines()) if where in text) if where else 0
        said = fr"\.conf{f':{line}' if where else ''}: the components read different configurations \(component \w+ says 2 pairs and 2 fields\)"
        said += f"{', which differ first in the group of this line' if where else ''}: give every component the same file"
        configs = [pathlib.Path(folder, f"{name}-{number}.conf") for name in ("atmos", "ocean")]
        configs[0].write_text(GOOD)
        configs[1].write_text(GOOD.replace(old, new))
        mpi = jobs.MPIS[number % len(jobs.MPIS)]
        parts = [(2, [f"{program}.{mpi}", *model(program, me, other, config, "none")])
                 for me, other, config in zip(("atmos", "ocean"), ("ocean", "atmos"), configs)]
        judge(f"different configurations: {new.split()[1]} ({mpi})", tally, jobs.wait_all([jobs.Job(mpi, parts, PATIENT)]), said)


def main(program):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "good.conf")
        config.write_text(GOOD.replace('log_level="SILENT"', ""))
        waits(tally, program, config)
        wrong_mpirun(tally, program, config)
        no_environment(tally, program, config)
        one_name(tally, program, folder)
        once(tally, program, folder)
        different_configurations(tally, program, folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
