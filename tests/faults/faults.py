#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of bad input, and processes killed at the start, in mid-run and at the end: each job of the run must end
at once, though its patience is an hour, with a message that names the cause, and leave no process behind.

  faults.py MODEL [input | ends]     ends: processes that end by themselves, before joining, and inside of MPI's calls"""
import os
import pathlib
import re
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs
from jobs import PATIENT


GOOD = """&h3ou_coupling log_level="SILENT" /
&h3ou_var comp_put="atmos", comp_get="ocean", grid_put="atmos_g", grid_get="ocean_g", mapping_tag=1 /
&h3ou_var var_put="atmos_v", var_get="atmos_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
&h3ou_var comp_put="ocean", comp_get="atmos", grid_put="ocean_g", grid_get="atmos_g", mapping_tag=1 /
&h3ou_var var_put="ocean_v", var_get="ocean_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
"""

STRICT = ('log_level="SILENT"', 'log_level="SILENT", strict=.true.')

# name: the fault of which model (None: neither), changes to the namelist, what some job must say, what every job must say
INPUT = {
    "component not started": (None, [("comp_put=\"ocean\"", "comp_put=\"ocaen\"")],
                              r"bad.conf:4: comp_put: component 'ocaen' was not started, did you mean 'ocean'\?"),
    "misspelt key": (None, [("intvl=1200, lag=-1, layer=1, flag='SNP' /\n&h3ou_var comp_put=\"ocean\"",
                             "intvel=1200, lag=-1, layer=1, flag='SNP' /\n&h3ou_var comp_put=\"ocean\"")],
                     r"bad.conf:3: unknown key of h3ou_var 'intvel', did you mean 'intvl'\?"),
    "missing intvl": (None, [STRICT, ("intvl=1200, ", "")], r"bad.conf:3: h3ou_var: key 'intvl' is missing"),
    "both lags 1": (None, [("lag=-1", "lag=1")], r"bad.conf:5: h3ou_var: lag=1 from ocean to atmos, and in line 3 from atmos to ocean"),
    "interval no multiple": ("atmos step", [STRICT], r"bad.conf:3: intvl=1200 of field atmos_v is no multiple of the time step of atmos, 700 s"),
    "index below 1": ("ocean index-zero", [], r"grid ocean_g: index 0 of cell \d is out of range: indices count from 1"),
    "index twice": ("ocean index-twice", [], r"grid ocean_g: index 1 is given twice, by ranks 0 and 1"),
    "index twice on one process": ("ocean index-twice-here", [], r"grid ocean_g: index 7 is given twice by this process"),
    "send index unknown": ("atmos table-send-index", [], r"send_index 11 is not a cell of grid atmos_g"),
    "recv index unknown": ("atmos table-recv-index", [], r"entry 6 of the table: recv_index 11 is not a cell of grid ocean_g"),
    "grid unknown": ("ocean grid-unknown", [], r"bad.conf:2: grid_get: component ocean defines no grid 'ocean_g', did you mean 'ocean_gird'\?"),
    "field unknown": ("ocean field-unknown", [], r"gives component ocean no field 'atmos_w' to get, did you mean 'atmos_v'\?"),
    "wrong size": ("ocean size", [], r"bad.conf:5: field ocean_v: the array has 3 cells and 1 layers, this process's part of the grid has 4 cells and the namelist says layer=1: pass 4 cells \["),
    "wrong layers": ("ocean layers", [], r"field ocean_v: the array has 4 cells and 2 layers.* layer=1"),
    "no initial value": ("atmos no-initial", [], r"bad.conf:3: field atmos_v: ocean gets it at the start, but atmos put no initial value"),
    "no table": ("atmos no-table", [], r"bad.conf:2: atmos/atmos_g -> ocean/ocean_g \(mapping_tag 1\): no interpolation table"),
    "two tables": ("atmos two-tables", [], r"both components gave an interpolation table"),
    "start times differ": ("ocean start-time", [STRICT], r"components start at different times: 2000-01-01 0[01]:00:00 here"),
    "configuration missing": (None, None, r"configuration file .*bad.conf: No such file or directory"),
}


def check(name, tally, results, said, everywhere=None):
    """said: some job must say it. everywhere: every job must (default: each says something of h3ou's)."""
    problems = []
    if not any(re.search(said, r.err) for r in results):
        problems.append(f"nobody said: {said}")
    for i, r in enumerate(results):
        if r.timed_out:
            problems.append(f"job {i} did not end by itself within {jobs.LONGEST} s")
        if r.code == 0:
            problems.append(f"job {i} ended as if all was well")
        if r.left:
            problems.append(f"job {i} left processes: {r.left}")
        if re.search(r"(\w+\.conf:\d+: ).*\1", r.err):
            problems.append(f"job {i} says a position twice in one line")
        if not re.search(everywhere or r"h3ou: ", r.err):
            problems.append(f"job {i} does not say: {everywhere or 'h3ou: ...'}")
    if problems:
        problems += [f"--- job {i}\n{r.err[-1200:]}" for i, r in enumerate(results)]
    tally.check(name, problems)


def model(program, me, other, config, fault, *more):
    return [me, other, str(config), fault, *map(str, more)]


def bad_input(tally, program, folder, ways):
    def run(number, way, changes, who):
        config = pathlib.Path(folder, f"{number}.{'.'.join(way)}", "bad.conf")
        config.parent.mkdir()
        text = GOOD
        for old, new in changes or []:
            assert old in text, old
            text = text.replace(old, new)
        if changes is not None:
            config.write_text(text)
        fault = dict([who.split()]) if who else {}
        a, b = ((2, program, model(program, me, other, config, fault.get(me, "none")))
                for me, other in (("atmos", "ocean"), ("ocean", "atmos")))
        return jobs.run(way, a, b, env=PATIENT)

    # In one job and in two: the latter with the MPIs taking turns.
    cases = [(name, said, (number, way, changes, who)) for number, (name, (who, changes, said)) in enumerate(INPUT.items())
             for way in (ways[number % len(jobs.MPIS)], ways[len(jobs.MPIS) + number % (len(ways) - len(jobs.MPIS))])]
    for (name, said, (_, way, _, _)), results in zip(cases, jobs.side_by_side(run, [case for _, _, case in cases])):
        check(f"{name} ({' '.join(way)})", tally, results, said)


def start(program, mpi, me, other, config, fault, env, *more, procs=2):
    return jobs.Job(mpi, [(procs, [f"{program}.{mpi}", *model(program, me, other, config, fault, *more)])], env)


def joining(tally, program, config, mpis):
    """What can be wrong before the jobs know each other."""
    def env(port, pb, npb, **more):
        return jobs.waitio(port, pb, npb, H3OU_JOIN_PATIENCE=3, **PATIENT, **more)

    def two(port1, pb1, npb1, port2, pb2, npb2, third=None):
        started = [start(program, mpis[0], "atmos", "ocean", config, "none", env(port1, pb1, npb1)),
                   start(program, mpis[-1], "ocean", "atmos", config, "none", env(port2, pb2, npb2))]
        if third:
            started.append(start(program, mpis[0], "land", "ocean", config, "none", env(*third)))
        return jobs.wait_all(started)

    def idle():
        """Ocean waits for atmos, which does nothing for 20 s, and learns of its end afterwards."""
        port = jobs.free_port()
        patience = {"H3OU_PATIENCE": 3, "H3OU_JOIN_PATIENCE": 60}
        return jobs.wait_all([start(program, mpis[0], "atmos", "ocean", config, "idle", jobs.waitio(port, 0, 2, **patience)),
                              start(program, mpis[-1], "ocean", "atmos", config, "none", jobs.waitio(port, 1, 2, **patience))])

    def three_jobs():
        port, three = jobs.free_port(), pathlib.Path(config.parent, "three.conf")
        three.write_text(GOOD + GOOD.splitlines()[1].replace("ocean", "land") + "\n"
                         + GOOD.splitlines()[2].replace("atmos_v", "x") + "\n")
        return jobs.wait_all([start(program, mpis[i % len(mpis)], name, "atmos", three, "none", env(port, i, 2))
                              for i, name in enumerate(("atmos", "ocean", "land"))])

    alone, other = jobs.free_port(), jobs.free_port()
    port = [jobs.free_port() for _ in range(7)]
    cases = [
        ("no master", rf"127.0.0.1:{alone}",
         lambda: jobs.wait_all([start(program, mpis[0], "ocean", "atmos", config, "none", env(alone, 1, 2))])),
        ("wrong port", rf"127.0.0.1:{other}", lambda: two(port[0], 0, 2, other, 1, 2)),
        ("two jobs with PBID 1", r"WAITIO_PBID", lambda: two(port[1], 1, 3, port[1], 1, 3, (port[1], 0, 3))),
        ("two jobs with PBID 0", r"WAITIO_PBID", lambda: two(port[2], 0, 2, port[2], 0, 2)),
        ("NPB too large", r"WAITIO_NPB|PB 2", lambda: two(port[3], 0, 3, port[3], 1, 3)),
        ("NPB too small", r"WAITIO_NPB|was not started", lambda: two(port[4], 0, 1, port[4], 1, 1)),
        ("patience ends", r"component ocean rank 0: .*component atmos rank 0 was awaited for 3 s, "
                          r"which is the patience of this run \(H3OU_PATIENCE\)", idle),
        ("component not named", r"component 'land' was started, but no h3ou_var group names it",
         lambda: two(port[5], 0, 3, port[5], 1, 3, (port[5], 2, 3))),
        ("NPB one too small", r"component 'land' was not started|WAITIO_NPB", three_jobs),
        ("NPB unequal", r"WAITIO_NPB", lambda: two(port[6], 0, 2, port[6], 1, 3))]
    for (name, said, _), results in zip(cases, jobs.side_by_side(lambda run: run(), [(run,) for _, _, run in cases])):
        check(name, tally, results, said)


def killed(tally, program, folder, config, mpis):
    """A process that is told that it may die is killed; all of both jobs must end."""
    def run(when, victim, turn):
        note, struck = pathlib.Path(folder, f"pid.{when}.{victim}.{turn}"), []

        def strike():
            if struck or not note.exists() or not note.read_text().endswith("\n"):
                return
            struck.append(int(note.read_text()))
            os.kill(struck[0], signal.SIGKILL)

        port, names = jobs.free_port(), ("atmos", "ocean")
        started = [start(program, mpis[(i + turn) % len(mpis)], names[i], names[1 - i], config, when if i == victim else "none",
                         jobs.waitio(port, i, 2, H3OU_JOIN_PATIENCE=4, **PATIENT), note) for i in (0, 1)]
        return jobs.wait_all(started, meanwhile=strike), struck

    cases = [(when, victim, turn) for when in ("die-at-start", "die-after-join", "die-in-run", "die-at-end")
             for victim in (0, 1) for turn in (0, 1)]
    for (when, victim, turn), (results, struck) in zip(cases, jobs.side_by_side(run, cases)):
        problems = [f"job {i} did not end within {jobs.LONGEST} s, or left processes: {r.left}" for i, r in enumerate(results)
                    if r.timed_out or r.left]
        if not struck:
            problems = ["nobody was killed"]
        if results[1 - victim].code == 0:
            problems.append("the other job ended as if all was well")
        if not re.search(r"h3ou: ", results[1 - victim].err):
            problems.append("the other job says nothing")
        if problems:
            problems += [f"--- job {i}: code {r.code} after {r.seconds:.1f} s\n{r.err[-1500:]}" for i, r in enumerate(results)]
        tally.check(f"{when} in {('atmos', 'ocean')[victim]} ({mpis[(victim + turn) % len(mpis)]})", problems)


# What ends a process, where, and the sentence that each job says of it (None: a signal leaves no time to say anything).
EARLY = r"component ocean rank 1: the program exited without h3ou_close"
FINALIZE = EARLY.replace("exited", "called MPI_Finalize")
AT_RUN, AT_END = " at the model time 2000-01-01 01:00:00", " at the model time 2000-01-01 01:50:00"
ENDINGS = [("kill", "run", None), ("kill", "end", None), ("kill", "finalize", None), ("segv", "run", None),
           ("segv", "end", None), ("exit0", "joined", EARLY + ","), ("exit0", "end", EARLY + AT_END),
           ("exit3", "run", EARLY + AT_RUN), ("exit3", "end", EARLY + AT_END), ("exit3", "finalize", EARLY + AT_END),
           ("abort", "run", "component ocean rank 1: "), ("abort", "end", "component ocean rank 1: "),
           ("finalize", "run", FINALIZE + AT_RUN), ("finalize", "joined", FINALIZE + ","),
           ("text", "run", "component ocean rank 1: the ice model melted"), ("mpi", "run", None)]


def couple(program, config, way, guilty, fault, env):
    """A run of atmos and ocean, of which one has a fault."""
    a, b = ((2, program, model(program, me, other, config, fault if me == guilty else "none"))
            for me, other in (("atmos", "ocean"), ("ocean", "atmos")))
    return jobs.run(way, a, b, env=env)


def ended(tally, program, config, ways):
    """A process of ocean ends before the others, by a signal, an exit or an abort: its job ends at once, with a code that is not
    0, and so does the other one, if it still needs it."""
    cases = []
    for number, (how, where, said) in enumerate(ENDINGS):
        for way in (ways[number % len(jobs.MPIS)], ways[len(jobs.MPIS) + number % (len(ways) - len(jobs.MPIS))]):
            rank = 3 if way[0] == "mpmd" and where == "finalize" else 1  # there it is the job's rank
            cases.append((way, "ocean", f"{how}@{where}@{rank}", where, said))
    everything = jobs.side_by_side(lambda *case: couple(program, config, *case[:3], PATIENT), cases)
    for (way, _, fault, where, said), results in zip(cases, everything):
        problems = []
        for i, r in enumerate(results):
            if r.timed_out or r.left:
                problems.append(f"job {i} did not end within {jobs.LONGEST} s, or left processes: {r.left}")
        if results[-1].code == 0:
            problems.append("the job of the process that ended returned 0")
        if where != "finalize" and any(r.code == 0 for r in results):
            problems.append("another job ended as if all was well")
        silent = [i for i, r in enumerate(results) if said and not re.search(said, r.err)]
        if silent[where == "finalize" and 0 in silent:]:  # then the other job may have left
            problems.append(f"jobs {silent} do not say: {said}")
        if problems:
            problems += [f"--- job {i}: code {r.code} after {r.seconds:.1f} s\n{r.err[-1500:]}" for i, r in enumerate(results)]
        tally.check(f"{fault} ({' '.join(way)})", problems)


ONE_WAY = "\n".join([GOOD.splitlines()[0], *GOOD.splitlines()[3:], ""])
EARLIER = r"good.conf:\d: component ocean ended at 2000-01-01 01:10:00, before the get of field ocean_v by component atmos at 2000-01-01 01:20:00"


def ended_in_order(tally, program, config, ways):
    """Ocean calls h3ou_coupling_end while atmos still gets from it: every job says which component ended and when."""
    cases = [(text, way) for text, way in ((GOOD, ways[0]), (GOOD, ways[-1]), *((ONE_WAY, way) for way in ways[len(jobs.MPIS) - 1:]))]
    for number, (text, way) in enumerate(cases):
        config.write_text(text)
        check(f"h3ou_coupling_end of ocean, {'two ways' if text == GOOD else 'one way'} ({' '.join(way)})", tally,
              couple(program, config, way, "ocean", "end-early", PATIENT), EARLIER, everywhere=EARLIER)
    config.write_text(GOOD)


def never_called(tally, program, config, ways):
    """A field that the namelist gives to a component, and that its model never puts or never gets: one warning of its rank 0."""
    faults = {"atmos": "never-get", "ocean": "never-put"}
    said = {"atmos": r"h3ou atmos.0: warning \S+good.conf:5: component atmos ended and never got field ocean_v, which component ocean puts",
            "ocean": r"h3ou ocean.0: warning \S+good.conf:5: component ocean ended and never put field ocean_v, which component atmos gets"}
    config.write_text(GOOD.replace('log_level="SILENT"', ""))
    for way, guilty in ((ways[0], faults), (ways[-1], faults), (ways[1], {"atmos": "never-get"}), (ways[0], {})):
        a, b = ((2, program, model(program, me, other, config, guilty.get(me, "none"))) for me, other in
                (("atmos", "ocean"), ("ocean", "atmos")))
        results = jobs.run(way, a, b)
        text = "".join(r.err for r in results)
        problems = jobs.problems_of(results) + [s for me, s in said.items() if len(re.findall(s, text)) != (me in guilty)]
        if text.count("warning") != len(guilty):
            problems.append("other warnings")
        tally.check(f"never called by {' and '.join(guilty) or 'nobody'} ({' '.join(way)})", problems and problems + [text[-2000:]])
    config.write_text(GOOD)


def before_joining(tally, program, config, ways):
    """An error of h3ou in one job, before it joined, reaches the other, whose patience would last for an hour."""
    cases = [(way, guilty, fault) for way in ways[len(jobs.MPIS):] 
             for fault in ("bad-name", "abort@start@0", "exit3@start@0", "exit0@init@0")
             for guilty in ("atmos", "ocean")]
    everything = jobs.side_by_side(lambda *case: couple(program, config, *case, {**PATIENT, "H3OU_JOIN_PATIENCE": 3600}), cases)
    for (way, guilty, fault), results in zip(cases, everything):
        check(f"{fault} of {guilty} ({' '.join(way)})", tally, results,
              r"h3ou: component \w+ rank 0 ends: component \(unnamed\)")


def together(tally, program, folder, config, mpis):
    """MPI_Finalize of a job begins when all of its processes have called it."""
    for mpi in mpis:
        note = pathlib.Path(folder, f"inside.{mpi}")
        a, b = ((2, program, model(program, me, other, config, "late-finalize", note))
                for me, other in (("atmos", "ocean"), ("ocean", "atmos")))
        problems = jobs.problems_of(jobs.run(("mpmd", mpi), a, b))
        if not note.exists():
            problems.append("nobody was inside MPI_Finalize")
        tally.check(f"MPI_Finalize together ({mpi})", problems)


STUCK = [("exit0@start@1", r"MPI_Init waits for a process of this job that has ended without calling it"),
         ("stop@start@1", r"MPI_Init has not returned within 8 s, 5 s more than the patience of joining"),
         ("stop@finalize@1", r"MPI_Finalize has not returned within 3 s \(H3OU_END_PATIENCE\)"),
         ("stop@own-finalize@1", r"MPI_Finalize has not returned within 3 s \(H3OU_END_PATIENCE\)")]


def stuck(tally, program, config, mpis):
    """Processes of a job that MPI does not let go on end themselves: one never calls MPI_Init, one stops inside MPI_Finalize."""
    def run(mpi, fault, said):
        port = jobs.free_port()
        patience = {"H3OU_JOIN_PATIENCE": 3600 if "exit0" in fault and mpi != "openmpi" else 3, "H3OU_END_PATIENCE": 3}
        started = [start(program, mpis[0], "atmos", "ocean", config, "none", jobs.waitio(port, 0, 2, **patience)),
                   start(program, mpi, "ocean", "atmos", config, fault, jobs.waitio(port, 1, 2, **patience))]
        return jobs.wait_all(started)

    cases = [(mpi, *case) for mpi in mpis for case in STUCK]
    for (mpi, fault, said), results in zip(cases, jobs.side_by_side(run, cases)):
        problems = [f"job {i} did not end, or left {r.left}" for i, r in enumerate(results) if r.timed_out or r.left]
        if results[1].code == 0:
            problems.append("the job whose process was missing returned 0")
        # Open MPI's launcher ends a job of which a process ends without MPI_Finalize by itself.
        if not re.search(said, results[1].err) and (mpi != "openmpi" or "exit0" not in fault):
            problems.append(f"nobody said: {said}")
        tally.check(f"{fault} ({mpi})", problems and problems + [r.err[-1500:] for r in results])


def communicator(tally, program, config, ways):
    """The communicator of a component lives until MPI_Finalize."""
    for way in ways:
        a, b = ((2, program, model(program, me, other, config, "meet-after-end"))
                for me, other in (("atmos", "ocean"), ("ocean", "atmos")))
        tally.check(f"meet after the end ({' '.join(way)})", jobs.problems_of(jobs.run(way, a, b)))


def main(program, part):
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "good.conf")
        config.write_text(GOOD)
        a, b = ((2, program, model(program, me, other, config, "none")) for me, other in (("atmos", "ocean"), ("ocean", "atmos")))
        if part == "ends":
            ended(tally, program, config, jobs.ways())
            ended_in_order(tally, program, config, jobs.ways())
            never_called(tally, program, config, jobs.ways())
            before_joining(tally, program, config, jobs.ways())
            stuck(tally, program, config, jobs.MPIS)
            together(tally, program, folder, config, jobs.MPIS)
            communicator(tally, program, config, jobs.ways()[:len(jobs.MPIS) + 1])
            return tally.end()
        for way in jobs.ways():
            tally.check(f"no fault ({' '.join(way)})", jobs.problems_of(jobs.run(way, a, b)))
        bad_input(tally, program, folder, jobs.ways())
        joining(tally, program, config, jobs.MPIS)
        killed(tally, program, folder, config, jobs.MPIS)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "input"))
