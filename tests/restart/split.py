#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are split at any time and go on from a restart, with other process counts, get the bits of the whole run: for all
flags, lags and intervals, and for steps that do not reach all exchange times. By hand, with `all`, at all times, and with names of cases only these."""
import itertools
import pathlib
import random
import sys
import tempfile
import zlib

import netCDF4
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

PAIR = """&h3ou_var comp_put="{0}", comp_get="{1}", grid_put="{0}_g", grid_get="{1}_g", mapping_tag=3 /
"""
FLAGS = ("SNP", "AVR", "ACC", "MIN", "MAX", "INT")
TO = 21600


def field(kind, flag, lag, interval, put, more=""):
    name = f"{kind}_{flag}_{lag}_{interval}_{put}".replace("-", "m")
    layer = 2 if interval == 3600 else 1
    key = "_xyz" if kind == "x" else ""
    every = f"intvl={interval}, " if interval else ""
    single = "type='real4', " if zlib.crc32(name.encode()) % 5 < 2 and not more else ""
    second = ["replace", "error"][zlib.crc32(name.encode()) % 2]  # with "error" the last exchange before a restart has left in put
    return f"""&h3ou_var var_put{key}="{name}", var_get{key}="{name}", {every}{more}{single}lag={lag}, layer={layer}, flag='{flag}', second_put='{second}' /
"""


def fields(put, lags, flags=FLAGS, intervals=(1800, 3600, 5400), kinds="psxq"):
    plain = [("p", flag, lag, interval) for flag, lag, interval in itertools.product(flags, lags, intervals)]
    shared = [("s", flag, lag, 3600) for flag, lag in itertools.product(flags, (lags[0], lags[-1]))]
    vector = [("x", flag, lag, 3600) for flag, lag in (("SNP", lags[0]), ("AVR", lags[-1]), ("INT", lags[0]))]
    rare = [("q", "SNP", lag, 1800) for lag in lags] + [("p", "SNP", -1, 0)]
    return "".join(field(*f, put) for f in plain + shared + vector + rare if f[0] in kinds)


def holes(put):
    """Fields of which some cells have no value, in both precisions."""
    return "".join(field(kind, flag, lag, interval, put, f"missing=-99., type='{real}', ") for kind, real in (("m", "real8"), ("n", "real4"))
                   for flag in ("SNP", "AVR") for lag, interval in ((-2, 3600), (-1, 1800)))


def zero(put):
    return field("z", "SNP", 0, 1800, put)


# Each with the steps of A and B, by how much A ends later, the members of A, the time between restarts and the times at which a run goes on.
CASES = {
    # With one layer, shares that change come to travel beside the values: the last put before a restart has them so.
    "ahead": (PAIR.format("A", "B") + fields("A", (-3, -2, -1)) + field("s", "SNP", -1, 1800, "A") + zero("A")
              + PAIR.format("B", "A") + fields("B", (-2, -1), ("SNP", "AVR", "INT"), (1800, 3600)) + zero("B"), 600, 900, 0, 1, 1800, (1800, 12600)),
    "behind": (PAIR.format("A", "B") + fields("A", (1, 2, -1)) + zero("A"), 600, 900, 10800, 1, 1800, (3600, 19800)),
    "holes": (PAIR.format("A", "B") + holes("A") + PAIR.format("B", "A") + holes("B"), 600, 900, 0, 1, 1800, (1800, 9000)),
    "late": (PAIR.format("A", "B") + fields("A", (1, -1), FLAGS, (1800, 3600)) + zero("A") + PAIR.format("B", "A")
             + field("p", "AVR", -2, 3600, "B"), 600, 900, 0, 1, 3600, (7200,)),
    "front": (PAIR.format("A", "B") + fields("A", (3, 1), FLAGS, (1800,), "p") + zero("A") + PAIR.format("B", "A")
              + fields("B", (-4, -3), ("SNP", "AVR", "INT"), (1800,), "p"), 600, 900, 3600, 1, 1800, ()),
    "both_front": (PAIR.format("A", "B") + fields("A", (2,), FLAGS, (1800,), "p") + zero("A") + PAIR.format("B", "A")
                   + fields("B", (-4,), ("SNP", "AVR", "INT"), (1800,), "p"), 600, 900, 1800, 1, 1800, ()),
    "both": (PAIR.format("A", "B") + fields("A", (-2, -1), FLAGS, (1800, 3600)) + zero("A") + PAIR.format("B", "A")
             + fields("B", (-3, -1), ("SNP", "AVR", "INT"), (1800, 3600)), 600, 900, 0, 1, 1800, (5400, 9000)),
    "jumps": (PAIR.format("A", "B") + fields("A", (-2, -1), FLAGS, (1200, 2400)) + PAIR.format("B", "A")
              + fields("B", (-2, -1), FLAGS, (1200, 1800)), 600, 3600, 0, 1, 3600, (7200, 10800)),
    "direct": (PAIR.format("A", "B") + fields("A", (-2, -1), ("SNP", "AVR", "INT"), (1800,), "ps") + zero("A")
               + field("p", "SNP", -2, 5400, "A", "statistic='stacked', ") + PAIR.format("B", "A")
               + fields("B", (-3, -1), ("SNP", "AVR", "INT"), (1800,), "p") + zero("B") + field("p", "AVR", -2, 5400, "B", "to_members='own', "),
               600, 900, 0, 3, 1800, (9000,)),
    "members": (PAIR.format("A", "B") + fields("A", (-2, -1), FLAGS, (1800, 3600), "ps") + zero("A")
                + field("p", "MAX", -1, 5400, "A", "statistic='std', ") + PAIR.format("B", "A")
                + fields("B", (-3, -1), FLAGS, (1800, 3600), "px") + zero("B") + field("p", "AVR", -1, 5400, "B", "perturb=0.5, ")
                + field("p", "INT", -2, 5400, "B", "to_members='own', "), 600, 900, 0, 3, 1800, (9000, 14400)),
}
# One put is in the sums at 1800 and 5400: a quarter of the cells have not counted yet.
CASES["extremes"] = (PAIR.format("A", "B") + "".join(field("s", flag, -lag, 3600, "A") for flag in ("MIN", "MAX") for lag in (1, 2)),
                     1800, 300, 0, 1, 1800, (1800,))
# Who asks for a stop, and when.
STOPS = {"ahead": ("A.3000", "B.1800"), "late": ("A.1200",), "members": ("B0000.1800",), "both": ("B.1800",),
         "front": ("B.1800",), "both_front": ("B.1800",)}
LEADS = {"front": 3600, "both_front": 1800}  # by how much later A stops, and goes on, with a lag above 1
SHARED = {"both": 0, "both_front": 3600}  # cases with both components in each process, and by how much A is ahead
UNEVEN = ("late", "front")  # cases with steps of changing length


class Runs:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, way, case, procs, seed, begin, end, every, lines, env=None, last=None):
        """begin: of A and of B, or of both. last: restarts are written until then, every so many seconds."""
        return jobs.problems_of(self.play(way, case, procs, seed, begin, end, every, lines, env, end - every if last is None else last))

    def play(self, way, case, procs, seed, begin, end, every, lines, env, last):
        begins = begin if isinstance(begin, tuple) else (begin, begin)
        env = {**(env or {}), **({"UNEVEN": 1} if case in UNEVEN else {})}
        config = self.folder / f"{case}.conf"
        bundle = ["always", "auto"][zlib.crc32(case.encode()) % 2]
        config.write_text(CASES[case][0] + f"&h3ou_coupling bundle='{bundle}'{', ensemble_min_members=2' * (case == 'direct')} /\n")
        restarts = self.folder / case
        restarts.mkdir(exist_ok=True)
        for old in self.folder.glob(f"{lines}.[AB]*"):
            old.unlink()
        ends = end + CASES[case][3], end
        if case in SHARED:  # both components in each process, first under the one and then under the other MPI
            env["AHEAD"] = SHARED[case]
            words = ["AB", config, *(f"{a},{b}" for a, b in (CASES[case][1:3], (seed, 0), begins, ends)), every, last, restarts, self.folder / lines]
            return jobs.wait_all([jobs.Job(way[1], [(procs[0], [f"{self.program}.{way[1]}", *words])], env)])
        members = CASES[case][4]
        names = {"A": f"A{members}" if members > 1 else "A", "B": "B"}
        parts = [(n * (members if me == "A" else 1), self.program,
                  [names[me], config, step, seed, begin, to, every, last, restarts, self.folder / lines])
                 for me, n, step, begin, to in zip("AB", procs, CASES[case][1:3], begins, ends)]
        return jobs.run(way, *parts, env=env)

    def lines(self, name):
        return [f"{file.suffix[1:]} {line}" for file in sorted(self.folder.glob(f"{name}.[AB]*")) for line in file.read_text().splitlines()]


def differences(whole, parts):
    found, awaited = set(parts), set(whole)
    return [f"{len(found - awaited)} gets differ: {sorted(found - awaited)[:3]}, {len(awaited - found)} are missing: "
            f"{sorted(awaited - found)[:3]}"] if found != awaited or len(parts) != len(whole) else []


def stop_times(lines):
    return {line.split()[0]: int(line.split()[2]) for line in lines if line.split()[1] == "stopped"}


def check_stop(tally, runs, case, way, other, wish):
    """A run that is told to stop by one of its processes, and goes on."""
    whole = runs.lines("whole")
    for pause in (10, 40, 160):  # a busy machine may take longer to agree than the run lasts
        problems = runs.run(way, case, (2, 3), 11, 0, TO, 0, "stopped", {"H3OU_STOP_SIGNAL": "USR1", "STOP": wish, "PAUSE": pause})
        lines = runs.lines("stopped")
        times = stop_times(lines)
        if problems or (times and min(times.values()) < TO):
            break
    wanted = int(wish.split(".")[1])
    members, lead = CASES[case][4], LEADS.get(case, 0)
    meant = {name: time - (lead if name[0] == "A" else 0) for name, time in times.items()}
    if not problems and (len(times) != members + 1 or len(set(meant.values())) != 1 or not wanted < min(times.values()) < TO):
        problems = [f"stopped at {times}"]
    tally.check(f"{case}: told to stop {wish} {' '.join(way)}", problems)
    if problems:
        return
    begin = min(times.values()) + lead, min(times.values())
    problems = runs.run(other, case, (3, 1), 12, begin, TO, 0, "rest")
    kept = [line for line in lines if line.split()[1] != "stopped"]
    tally.check(f"{case}: stopped at {begin[1]}, goes on {' '.join(other)}", problems or differences(whole, kept + runs.lines("rest")))


def check_kill(tally, runs, case, way, other):
    """A run that is killed while B, which A is ahead of, writes its third restart goes on from the second one, which each still has."""
    whole = [line for line in runs.lines("whole") if int(line.split()[2]) >= 7200]
    after = random.randrange(10000)
    results = runs.play(way, case, (2, 2), 21, 0, TO, 3600, "killed", {"FORMER": 1, "KILL_WRITE": f"B 10800 {after}"}, 10800)
    tally.check(f"{case}: B is killed {after} us after it began to write {' '.join(way)}",
                [r.out + r.err for r in results if r.timed_out or r.left or not r.code])
    problems = runs.run(other, case, (1, 3), 22, 7200, TO, 0, "rest", {"FORMER": 1})
    tally.check(f"{case}: goes on from what was written before {' '.join(other)}", problems or differences(whole, runs.lines("rest")))


def mixed(number):
    """As restart_file.c mixes bits."""
    number &= 2**64 - 1
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = ((number ^ number >> shift) * factor) & 2**64 - 1
    return (number ^ number >> 31) >> 32


def make_older(path):
    """Gives the extremes of cells that have not counted yet another value, as earlier versions wrote one. Returns of how many."""
    count = 0
    with netCDF4.Dataset(path, "a") as file:
        for name in [v for v in file.variables if v.endswith("_sum") and not v.endswith("share_sum")]:
            sums, check = file[name][:].data, int(file[name].getncattr("check"))
            for row, at in numpy.argwhere(numpy.isinf(sums)):
                place = mixed((int(at) + 1) * 0x10001 + int(row))
                check += mixed(place) - mixed(place + int(sums[row, at].view(numpy.uint64)))
                sums[row, at] = 0.0
                count += 1
            file[name][:] = sums
            file[name].setncattr("check", numpy.int64(check))
    return count


def check_older(tally, runs, case, way):
    """Files of versions that wrote any number as the extreme of a cell that had not counted yet."""
    count = make_older(runs.folder / case / "A.1800")
    problems = runs.run(way, case, (1, 2), 9, 1800, TO, 0, "rest")
    late = [line for line in runs.lines("whole") if int(line.split()[2]) >= 1800]
    tally.check(f"{case}: goes on from an older file {' '.join(way)}",
                problems or differences(late, runs.lines("rest")) + ["no cell was without a value"] * (count == 0))


def check_case(tally, runs, case, ways, is_full):
    every, times = CASES[case][5:]
    tally.check(f"{case}: the whole run", runs.run(ways[0], case, (2, 2), 1, 0, TO, 0, "whole"))
    whole = runs.lines("whole")
    tally.check(f"{case}: gets have values", [] if len(whole) > (100 if case != "extremes" else 20) else [f"{len(whole)} lines"])
    if times:
        tally.check(f"{case}: the run that writes restarts", runs.run(ways[-1], case, (3, 2), 2, 0, TO, every, "writing"))
        tally.check(f"{case}: restarts change nothing", differences(whole, runs.lines("writing")))
    for i, wish in enumerate(STOPS.get(case, ()), len(case)):
        check_stop(tally, runs, case, ways[i % len(ways)], ways[(i + 1) % len(ways)], wish)
    for i in range(2 if case == "late" else 0):
        check_kill(tally, runs, case, ways[i % len(ways)], ways[(i + 2) % len(ways)])
    for i, begin in enumerate(range(every, TO, every) if is_full and times else times):
        way, procs = ways[(i + len(case)) % len(ways)], ((1, 1), (2, 3), (3, 1))[(i + len(case)) % 3]
        problems = runs.run(way, case, procs, 3 + i, begin, TO, 0, "rest")
        late = [line for line in whole if int(line.split()[2]) >= begin]
        tally.check(f"{case}: goes on at {begin} {' '.join(way)} {procs}", problems or differences(late, runs.lines("rest")))
    if case == "ahead":
        check_empty(tally, runs, case, ways[-1], ways[0])
    if case == "extremes":
        check_older(tally, runs, case, ways[-1])


def check_empty(tally, runs, case, way, other):
    """Restarts in the middle of intervals, of components whose rank 0 has no cells and puts nothing."""
    problems = runs.run(way, case, (3, 2), 31, 0, TO, 1800, "empty", {"EMPTY": 1})
    tally.check(f"{case}: rank 0 has no cells {' '.join(way)}", problems or differences(runs.lines("whole"), runs.lines("empty")))
    problems = runs.run(other, case, (2, 2), 32, 1800, TO, 0, "rest")
    late = [line for line in runs.lines("whole") if int(line.split()[2]) >= 1800]
    tally.check(f"{case}: goes on from there {' '.join(other)}", problems or differences(late, runs.lines("rest")))


def check_circle(tally, program, folder):
    """Lags with which restarts would wait for each other are refused at the first of them."""
    CASES["circle"] = (PAIR.format("A", "B") + field("p", "SNP", -2, 1800, "A") + PAIR.format("B", "A") + field("p", "SNP", 2, 1800, "B"),
                       600, 900, 0, 1, 1800, ())
    said = " ".join(Runs(program, folder).run(jobs.ways()[-1], "circle", (1, 1), 1, 0, TO, 1800, "circle"))
    sentence = "h3ou_write_restart: with lag=-2 of field p_SNP_m2_1800_A, which B gets from A, and lag=2 of field p_SNP_2_1800_B (line 4), the components"
    tally.check("a circle of lags is refused", [] if "circle.conf:2: " + sentence in said else [said])


def check_lost(tally, runs):
    """Members in jobs of their own, one of which is killed while all agree on a stop, before the others write restarts: they stop, and a
    run that would go on says why none goes on from there."""
    def play(begin, of_one, of_all):
        port, running = jobs.free_port(), []
        for i, (me, step) in enumerate((("A3", 600), ("A3", 600), ("A3", 600), ("B", 900))):
            mpi = jobs.MPIS[i % len(jobs.MPIS)]
            command = [f"{runs.program}.{mpi}", me, runs.folder / "direct.conf", step, 5, begin, TO, 0, 0, runs.folder / "direct",
                       runs.folder / "lost"]
            running.append(jobs.Job(mpi, [(1, command)], {**jobs.waitio(port, i, 4), **of_all, **(of_one if i == 1 else {})}))
        return jobs.wait_all(running)
    for pause in (20, 80, 320):  # a busy machine may take longer to agree than the run lasts
        results = play(0, {"KILL": 3600}, {"H3OU_STOP_SIGNAL": "USR1", "STOP": "B0000.1800", "PAUSE": pause})
        problems = jobs.problems_of([r for i, r in enumerate(results) if i != 1])
        times = stop_times([line for line in runs.lines("lost") if not line.startswith("A0001")])
        if problems or (times and min(times.values()) < TO):
            break
    if not problems and (len(times) != 3 or len(set(times.values())) != 1 or not 1800 < min(times.values()) < TO):
        problems = [f"stopped at {times}"]
    tally.check("direct: a member is lost while the components agree on a stop, the others stop", problems)
    if problems:
        return
    said = "".join(r.err for r in play(min(times.values()), {}, {}))
    awaited = f"B0000.{min(times.values())}: was written after member A0001 of field"
    tally.check("direct: no run goes on from there", [] if awaited in said else [said])


def main(program, *full):
    """full: cases to be run alone, or `all`: all at all times."""
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        check_circle(tally, program, folder)
        for case in [c for c in CASES if c != "circle" and (not full or c in full or "all" in full)]:
            check_case(tally, Runs(program, folder), case, jobs.ways(), "all" in full)
            if case == "direct":
                check_lost(tally, Runs(program, folder))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
