#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""replay.py H3OU SPLIT BESIDE SEVERAL [PACKAGES valgrind]: each component of a recorded run alone gets the bits of that run, with other process counts and under each MPI;
one that puts something else is told of at the first field, time and cell; records that are cut, damaged or of something else."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / d) for d in ("lib", "restart")]
import jobs
import split

H3OU, PROGRAM, BESIDE, SEVERAL = sys.argv[1:5]
TO = split.TO


class Case:
    """A run of two components, and its record."""

    def __init__(self, folder, case, name=None):
        self.case, self.folder, self.name = case, pathlib.Path(folder), name or case
        self.record = self.folder / f"{self.name}.record"
        self.config = self.folder / f"{case}.conf"
        self.config.write_text(split.CASES[case][0])
        (self.folder / "restarts").mkdir(exist_ok=True)
        self.steps = dict(zip("AB", split.CASES[case][1:3]))
        self.ends = {"A": TO + split.CASES[case][3], "B": TO}
        self.members = split.CASES[case][4]

    def arguments(self, me, lines, begin=0, end=None, every=0, seed=1, step=None, config=None):
        program = f"A{self.members}" if me == "A" and self.members > 1 else me
        return [program, config or self.config, step or self.steps[me], seed, begin, end or self.ends[me], every, TO - every,
                self.folder / "restarts", self.folder / lines]

    def run(self, way, procs, begin=0, every=0, records=True, end=None, **more):
        """The coupled run. Returns what is wrong with it."""
        env = {"H3OU_RECORD": self.record, **more} if records else more
        parts = [(n * (self.members if me == "A" else 1), PROGRAM, self.arguments(me, f"{self.name}.whole", begin, end, every))
                 for me, n in zip("AB", procs)]
        return jobs.run(way, *parts, env=env)

    def lines(self, name, component):
        return (self.folder / f"{name}.{component}").read_text().splitlines()

    def replay(self, component, mpi, procs, *options, env=None, before=(), name=None, **more):
        """One component alone; without mpi without an mpirun. Returns the process, and the name of its lines."""
        name = name or f"{self.name}.{component}.{mpi}.{procs}"
        (self.folder / f"{name}.{component}").unlink(missing_ok=True)
        arguments = self.arguments(component[0], name, config="none", **more)
        start = [f"mpirun.{mpi}", "-n", procs] if mpi else []
        words = [H3OU, "replay", self.record, "--component", component, *options, "--", *start, *before, f"{PROGRAM}.{mpi or jobs.MPIS[0]}",
                 *arguments]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL,
                              env={**os.environ, **jobs.ENVIRONMENT, **(env or {})})
        return done, name

    def check_same(self, component, mpi, procs, **more):
        done, name = self.replay(component, mpi, procs, seed=10 * procs, **more)
        if done.returncode or "put what it put in the recorded run" not in done.stderr:
            return [f"{component} {mpi} {procs}: code {done.returncode}: {done.stderr[-2000:]}"]
        whole, alone = self.lines(f"{self.name}.whole", component), self.lines(name, component)
        return [] if whole == alone else [f"{component} {mpi} {procs}: {len(whole)} and {len(alone)} gets differ"]


def check_whole(tally, case, way, procs, counts=(1, 3), **more):
    tally.check(f"{case.name}: recorded {' '.join(way)}", jobs.problems_of(case.run(way, procs, **more)))
    names = [f"A{i:04d}" for i in range(case.members)] + ["B0000"] if case.members > 1 else ["A", "B"]
    names = [names[0], *names[-2:]] if case.members > 1 else names
    alone = [(name, jobs.MPIS[i % len(jobs.MPIS)], n) for i, (name, n) in enumerate((name, n) for name in names for n in counts)]
    begin = {"begin": more["begin"]} if "begin" in more else {}
    found = jobs.side_by_side(lambda name, mpi, n: case.check_same(name, mpi, n, **begin), alone)
    tally.check(f"{case.name}: {len(alone)} replays", sum(found, []))
    gets = sum(len(case.lines(f"{case.name}.whole", name)) for name in names)
    tally.check(f"{case.name}: gets have values", [] if gets > 100 else [f"{gets} lines"])


def check_recording(tally, case):
    """The record changes nothing in a run."""
    whole = {me: case.lines(f"{case.name}.whole", me) for me in "AB"}
    problems = jobs.problems_of(case.run(("mpmd", jobs.MPIS[0]), (1, 2), records=False))
    tally.check("recording changes nothing", problems or [me for me in "AB" if case.lines(f"{case.name}.whole", me) != whole[me]])


def check_stopped(tally, case):
    """A run of h3ou run, recorded by the key record, that stopped early: its components stop at the same time alone, told nothing."""
    mpi, run = jobs.MPIS[-1], case.folder / "stopped.toml"
    text = f'[run]\ndirectory = "stopped.out"\nrecord = "{case.record.name}"\nreport = false\nenvironment = {{ STOP = "none.0", PAUSE = "20" }}\n'
    for me in "AB":
        words = ", ".join(f'"{a}"' for a in case.arguments(me, "stopped.whole"))
        text += f'[[job]]\nname = "{me}"\nlauncher = "{mpi}"\nexecutable = "{PROGRAM}.{mpi}"\narguments = [{words}]\n'
    run.write_text(text)
    for after in (0, 1, 3):  # a busy machine may take longer to begin the steps
        done = subprocess.run([H3OU, "run", run, "--no-check", "--stop-after", str(after)], capture_output=True, text=True, timeout=200,
                              env={**os.environ, **jobs.ENVIRONMENT})
        if done.returncode or any(line.startswith("stopped") for line in case.lines("stopped.whole", "A")):
            break
    problems = [done.stderr[-2000:]] if done.returncode or "stopped early at" not in done.stderr else []
    tally.check("a run that stops early", problems)
    begun = bool(case.lines("stopped.whole", "A"))
    tally.check("its components stop alone", problems or case.check_same("A", jobs.MPIS[0], 3) + case.check_same("B", jobs.MPIS[-1], 2)
                + ([] if begun else ["A got nothing"]))


PYTHON = """&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', mapping_tag=1 /
&h3ou_var var_put='single', var_get='single', intvl=1200, lag=-1, flag='AVR', type='real4' /
&h3ou_var var_put='mixed', var_get='mixed', intvl=1200, lag=-1, flag='SNP' /
&h3ou_var var_put='double', var_get='double', intvl=1800, lag=-1, flag='ACC', type='real4' /
&h3ou_var comp_put='B', comp_get='A', grid_put='B_g', grid_get='A_g', mapping_tag=1 /
&h3ou_var var_put='layers', var_get='layers', intvl=1200, lag=-1, layer=2, flag='SNP', type='real4' /
"""


def can_debug():
    """Whether there is a gdb, and the system lets it trace a process."""
    done = shutil.which("gdb") and subprocess.run(["gdb", "--batch", "-ex", "run", "--args", "true"], capture_output=True, text=True, timeout=200)
    return done and "exited normally" in done.stdout


def check_python(tally, folder, packages):
    """Models in Python, with arrays of float32 and exchanges at once; in gdb, too."""
    folder, mpi = pathlib.Path(folder), jobs.MPIS[0]
    record, config, env = folder / "python.record", folder / "python.conf", {"PYTHONPATH": packages}
    config.write_text(PYTHON)
    model = [sys.executable, "-B", pathlib.Path(__file__).with_name("model.py")]
    parts = [(n, [*model, me, config, folder / "whole"]) for me, n in (("A", 2), ("B", 2))]
    tally.check("models in Python: recorded", jobs.problems_of(jobs.wait_all([jobs.Job(mpi, parts, {**env, "H3OU_RECORD": record})])))

    def lines(name, me):
        return sorted(sum((f.read_text().splitlines() for f in folder.glob(f"{name}.{me}.*")), []))

    def replay(name, me, *start, **more):
        words = [H3OU, "replay", record, "-c", me, "--", *start, *model, me, "none", folder / name]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL,
                              env={**os.environ, **jobs.ENVIRONMENT, **env, **more})
        same = lines("whole", me) == lines(name, me)
        return told(done, f"{me} put what it put", code=0) or ([] if same and len(lines(name, me)) > 100 else [f"{len(lines(name, me))} gets differ"])
    tally.check("A in Python alone", replay("alone", "A", f"mpirun.{jobs.MPIS[-1]}", "-n", 3))
    # Of `double` an exchange is due at 1800 s only; what the gets at 0 and 1200 s return was sent at once.
    tally.check("exchanges at once are got", [] if {"0", "1200", "1800"} <= {line.split()[1] for line in lines("whole", "B") if line.startswith("double")}
                else ["some are missing"])
    if can_debug():
        tally.check("B in Python alone, in gdb", replay("debugged", "B", "gdb", "--batch", "-ex", "run", "--args"))
    else:
        print("skip: there is no gdb, or it may not trace processes")
        tally.check("B in Python alone", replay("debugged", "B"))


def check_several(tally, case, folder):
    """Both components in each process, alone together, and one of them alone; one that is not named is refused."""
    words = case.arguments("A", "both.whole")
    words[0], words[2] = "AB", "{A},{B}".format(**case.steps)
    first, last = jobs.MPIS[0], jobs.MPIS[-1]
    results = jobs.wait_all([jobs.Job(first, [(3, [f"{PROGRAM}.{first}", *words])], {"H3OU_RECORD": case.record})])
    tally.check("both in one process: recorded", jobs.problems_of(results))

    def replay(component, n, **more):
        words[-1] = pathlib.Path(folder) / f"both.{n}"
        start = [H3OU, "replay", case.record, "-c", component, "--", f"mpirun.{last}", "-n", n, f"{PROGRAM}.{last}", *words]
        return subprocess.run(list(map(str, start)), capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT, **more})
    done = replay("A,B", 2)
    problems = told(done, *(f"{me} put what it put in the recorded run (processes: 2, puts" for me in "AB"), code=0)
    if not problems:
        same = [case.lines("both.whole", me) == case.lines("both.2", me) for me in "AB"]
        problems = [] if all(same) and len(case.lines("both.2", "B")) > 100 else [f"{same}"]
    tally.check("both alone", problems)
    tally.check("A of both alone", case.check_same("A", first, 2))
    program = f"{PROGRAM}.{last}"
    together = [f"mpirun.{last}", "-n", 1, program, *case.arguments("A", "job"), ":", "-n", 2, program, *case.arguments("B", "job")]
    done = subprocess.run(list(map(str, [H3OU, "replay", case.record, "-c", "A,B", "--", *together])), capture_output=True, text=True, timeout=200,
                          env={**os.environ, **jobs.ENVIRONMENT})
    problems = told(done, "A put what", "(processes: 1, puts", "B put what", "(processes: 2, puts", code=0)
    same = not problems and all(case.lines("both.whole", me) == case.lines("job", me) for me in "AB")
    tally.check("both in one job", problems or ([] if same else ["other values"]))
    done = replay("A,B", 1, CHANGE="p_AVR_m1_1800_B 1800 " + str(cells_of(1)[5]))
    tally.check("a changed value of one of both", told(done, "B differs from the recorded run, first in: field p_AVR_m1_1800_B put at 2000-02-28 23:30:00: grid B_g",
                                                       "A put what it put in the recorded run"))
    done = replay("A", 1)
    tally.check("only one of both is named", told(done, "this program is component 'B', but component 'A' of the record", "give h3ou replay the option --component A,B",
                                                  code=done.returncode or 1))


OVERLAPPING = "".join(f"""&h3ou_var comp_put='{a}', comp_get='{b}', grid_put='{a}_g', grid_get='{b}_g', mapping_tag=1 /
&h3ou_var var_put='{a.lower()}0', var_get='{a.lower()}0_{b}', intvl=600, lag=-1, flag='SNP' /
&h3ou_var var_put='{a.lower()}1', var_get='{a.lower()}1_{b}', intvl=1200, lag=-1, flag='AVR' /
""" for a, b in ("AB", "BA"))


def check_overlapping(tally, folder):
    """Of four processes the outer ones have one component each, the inner two both, which also send messages to each other."""
    mpi, record, config = jobs.MPIS[-1], pathlib.Path(folder, "overlapping.record"), pathlib.Path(folder, "overlapping.conf")
    config.write_text(OVERLAPPING)
    words = [f"mpirun.{mpi}", "-n", "4", f"{SEVERAL}.{mpi}", "A:0-2,B:1-3", str(config), "AB,BA"]
    whole, alone = (subprocess.run([*before, *words], capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT, **env})
                    for before, env in (([], {"H3OU_RECORD": str(record)}), ([H3OU, "replay", str(record), "-c", "A,B", "--"], {})))
    lines = sorted(whole.stdout.splitlines())
    tally.check("components that share some processes: recorded", [whole.stderr] * bool(whole.returncode or len(lines) < 121))
    problems = told(alone, *(f"{me} put what it put in the recorded run (processes: 3, puts" for me in "AB"), code=0)
    tally.check("both alone, with the same processes", problems or ([] if sorted(alone.stdout.splitlines()) == lines else ["other values"]))


def told(done, *sentences, code=1):
    missing = [s for s in sentences if s not in done.stderr]
    return [f"missing: {missing}, code {done.returncode}: {done.stderr[-2500:]}"] if missing or done.returncode != code else []


def check_changed(tally, case):
    """A value that differs is told with field, time and cell, for any number of processes; another put later is not the first one."""
    cell = 17
    while not re.search(rf"^{cell}$", "\n".join(map(str, cells_of(0))), re.M):
        cell += 1
    change = {"CHANGE": f"s_AVR_m3_3600_A 7200 {cell}"}
    first = f"A differs from the recorded run, first in: field s_AVR_m3_3600_A put at 2000-02-29 01:00:00: grid A_g, cell {cell}, layer 1: "
    results = [case.replay("A", jobs.MPIS[i % len(jobs.MPIS)], n, env=change)[0] for i, n in enumerate((1, 3))]
    problems = sum((told(done, first, "fields that differ: s_AVR_m3_3600_A\n") for done in results), [])
    said = {re.search(r"first in: (.*)", done.stderr)[1] for done in results if "first in" in done.stderr}
    tally.check("a changed value is told of", problems or ([] if len(said) == 1 else [f"not the same sentence: {said}"]))
    done, _ = case.replay("A", jobs.MPIS[0], 2, "--stop", env=change)
    tally.check("--stop", [f"code 0: {done.stderr}"] if not done.returncode else told(done, "h3ou A.", "replay: field s_AVR_m3_3600_A",
                                                                                     code=done.returncode))
    done, _ = case.replay("A", jobs.MPIS[0], 1, env={"CHANGE": "z_SNP_0_1800_A -1 " + str(cell)})
    tally.check("an initial value that differs", told(done, "first in: field z_SNP_0_1800_A put before the first step"))


def cells_of(side):
    """The indices of a grid, as split.c makes them."""
    mask, seed, index, found = (1 << 64) - 1, 7 + side, 0, []
    for _ in range(60):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        index += 1 + ((z ^ (z >> 31)) & mask) % 3
        found.append(index)
    return found


def check_other(tally, case):
    """A program that asks for what the record does not have."""
    def wrong(name, sentence, component="A", **more):
        done, _ = case.replay(component, jobs.MPIS[0], 2, **more)
        tally.check(name, [f"code 0: {done.stderr}"] if not done.returncode else told(done, sentence, code=done.returncode))
    wrong("a later time", "the record ends with the step that began at", end=TO + 1200)
    wrong("other steps", "did not get it at this time in the recorded run", step=900)
    done = subprocess.run([H3OU, "replay", str(case.record), "-c", "A", "--", f"{PROGRAM}.{jobs.MPIS[0]}",
                           *map(str, case.arguments("B", "other"))], capture_output=True, text=True, timeout=200,
                          env={**os.environ, **jobs.ENVIRONMENT})
    tally.check("the other program", told(done, "this program is component 'B', but component 'A' of the record", code=done.returncode))
    for words, sentence in ((["-c", "C", "--", "true"], "there is no component 'C'; there are: A, B"),
                            (["--", "true"], "name the component by --component; there are: A, B"),
                            (["-c", "A", "--", "true"], "no process has replayed component A"),
                            (["-c", "A", "--", "/no/such/program"], "no such command")):
        done = subprocess.run([H3OU, "replay", str(case.record), *words], capture_output=True, text=True, timeout=200)
        tally.check(" ".join(words), told(done, sentence))
    done = subprocess.run([H3OU, "replay", str(case.record)], capture_output=True, text=True, timeout=200)
    tally.check("what the record has", [] if re.search(r"^A: 2 processes, up to 21600 s after the start; .* A_g \(60 cells\)$", done.stdout, re.M)
                else [done.stdout + done.stderr])


def check_files(tally, case, other):
    """Files that are cut, damaged, missing or of another run."""
    kept = {f: f.read_bytes() for f in case.record.iterdir()}

    def wrong(name, sentence, end=None, is_fine=False):
        done, lines = case.replay("A", jobs.MPIS[0], 1, end=end)
        problems = told(done, sentence, code=0 if is_fine else done.returncode)
        tally.check(name, problems + ([] if is_fine or done.returncode else ["code 0"]))
        for file, data in kept.items():
            file.write_bytes(data)
        return lines

    first, second = case.record / "A.0", case.record / "A.1"
    half = len(kept[second]) // 2
    second.write_bytes(kept[second][:half])
    wrong("a file that is cut", "was ended")
    second.write_bytes(kept[second][:half])
    lines = wrong("a file that is cut, up to there", "put what it put in the recorded run", end=3600, is_fine=True)
    whole = [line for line in case.lines(f"{case.name}.whole", "A") if int(line.split()[1]) < 3600]
    tally.check("its gets", [] if case.lines(lines, "A") == whole else ["gets differ"])
    second.write_bytes(kept[second][:half] + bytes([kept[second][half] ^ 1]) + kept[second][half + 1:])
    wrong("a damaged file", "is damaged, or no record: the block at byte")
    second.write_text("something else\n" * 20)
    wrong("a foreign file", "is damaged, or no record")
    second.write_bytes(b"")
    wrong("an empty file", "ends before anything is recorded")
    second.unlink()
    wrong("a missing file", "A.1: No such file or directory")
    shutil.copy(other.record / "A.1", second)
    wrong("a file of another run", "belongs to another run than the file of process 0")
    shutil.copy(case.record / "B.1", second)
    wrong("a file of another component", "")
    first.write_bytes(kept[second])
    wrong("a file of another process", "was written by another process than its name says")


def check_ended(tally, folder):
    """Runs that are killed, or whose disk is full, can be replayed up to there."""
    # A process may be an interval and its lag behind the one that is killed.
    case = Case(folder, "ahead", "killed")
    whole = {me: (pathlib.Path(folder) / f"ahead.whole.{me}").read_text().splitlines() for me in "AB"}
    results = case.run(("mpmd", jobs.MPIS[0]), (2, 2), KILL="18000")
    tally.check("a run is killed", [] if all(r.code for r in results) else ["code 0"])
    for me in "AB":
        end = 9000 if me == "B" else 9600
        done, lines = case.replay(me, jobs.MPIS[-1], 1, end=end)
        problems = told(done, "put what it put in the recorded run", code=0)
        awaited = [line for line in whole[me] if int(line.split()[1]) < end]
        tally.check(f"{me} of it up to there", problems or ([] if case.lines(lines, me) == awaited else ["gets differ"]))
        done, _ = case.replay(me, jobs.MPIS[0], 2)
        # In a step, or in a call beside the exchange, by where the process was when it was killed.
        tally.check(f"{me} of it, later", told(done, "was ended", code=done.returncode or 1))
    case = Case(folder, "ahead", "full")
    results = case.run(("mpmd", jobs.MPIS[0]), (2, 2), LIMIT="150000")
    tally.check("a full disk ends no run", jobs.problems_of(results) or ([] if "nothing more is recorded by this process" in results[0].err
                                                                        else [results[0].err[-1000:]]))
    done, lines = case.replay("B", jobs.MPIS[0], 1, end=1800)
    awaited = [line for line in whole["B"] if int(line.split()[1]) < 1800]
    tally.check("and what was recorded is replayed", told(done, "put what it put in the recorded run", code=0)
                or ([] if case.lines(lines, "B") == awaited else ["gets differ"]))


def check_beside(tally, folder):
    """Calls beside the exchange: broadcasts, messages between models, collective calls."""
    folder = pathlib.Path(folder)
    record = folder / "beside.record"
    results = jobs.run(jobs.ways()[-1], (2, BESIDE, ["A", folder / "talk", 0]), (2, BESIDE, ["B", folder / "talk", 0]), env={"H3OU_RECORD": record})
    tally.check("calls beside the exchange", jobs.problems_of(results))

    def replay(me, mpi, procs, changed=0, env=None):
        words = [H3OU, "replay", record, "-c", me, "--", f"mpirun.{mpi}", "-n", procs, f"{BESIDE}.{mpi}", me, folder / "alone", changed]
        return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT, **(env or {})})
    for me, mpi in zip("AB", (jobs.MPIS[0], jobs.MPIS[-1])):
        done = replay(me, mpi, 2)
        same = [(folder / f"talk.{me}.{r}").read_text() == (folder / f"alone.{me}.{r}").read_text() for r in range(2)]
        count = (folder / f"alone.{me}.0").read_text().count("\n")
        tally.check(f"{me} alone brings the same", told(done, "put what it put", code=0) or ([] if all(same) and count > 100 else [f"{same} {count}"]))
    done = replay("A", jobs.MPIS[0], 3)
    tally.check("with other processes", told(done, "did not bring the same to all processes of component A: replay it with 2 processes", code=done.returncode or 1))
    done = replay("B", jobs.MPIS[0], 2, 1)
    tally.check("one call more", told(done, "h3ou_barrier: the recorded run made fewer calls beside the exchange", code=done.returncode or 1))
    done = replay("B", jobs.MPIS[0], 2, env={"TALKS_ONLY": "1"})
    tally.check("other calls", told(done, "h3ou_bcast_global: the recorded run called h3ou_comm_size here", code=done.returncode or 1))


def main(packages="", *memcheck):
    tally = jobs.Tally()
    ways = jobs.ways()
    with tempfile.TemporaryDirectory() as folder:
        ahead, behind = Case(folder, "ahead"), Case(folder, "behind")
        check_whole(tally, ahead, ways[0], (2, 2), (1, 2, 3))
        check_recording(tally, ahead)
        check_whole(tally, behind, ways[-1], (2, 3))
        check_whole(tally, Case(folder, "members"), ways[len(ways) // 2], (1, 2), (2,))
        writing = Case(folder, "ahead", "writing")
        check_whole(tally, writing, ways[1 % len(ways)], (2, 1), every=9000, counts=(2,))
        check_whole(tally, Case(folder, "ahead", "rest"), ways[0], (1, 2), begin=9000, counts=(3,))
        check_stopped(tally, Case(folder, "ahead", "stopped"))
        check_several(tally, Case(folder, "both"), folder)
        check_overlapping(tally, folder)
        check_changed(tally, ahead)
        check_other(tally, ahead)
        check_files(tally, ahead, behind)
        check_ended(tally, folder)
        check_beside(tally, folder)
        if packages:
            check_python(tally, folder, packages)
        if memcheck and shutil.which(memcheck[0]):
            done, _ = ahead.replay("B", None, 1, before=[*memcheck, "-q", "--error-exitcode=9"], end=2700)
            tally.check("under valgrind", told(done, "put what it put in the recorded run", code=0))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[5:]))
