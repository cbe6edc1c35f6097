#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What existing programs may do with time: it runs, get answers by the sum of the steps, and one warning tells it; with
strict=.true. it is an error. A, of two processes, puts t; B gets it."""
import dataclasses
import datetime
import itertools
import os
import pathlib
import random
import re
import sys
import tempfile

import cftime

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

START = (2000, 2, 28, 18, 0, 0)
HOUR = 3600


def day(text):
    """"2000-02-28 18" as a time array."""
    date, hour = text.split()
    return (*map(int, date.split("-")), int(hour), 0, 0)


def days(*texts):
    return [day(t) for t in texts]


GREGORIAN = days("2000-02-28 18", "2000-02-28 21", "2000-02-29 0", "2000-02-29 3")  # steps of 3 hours


@dataclasses.dataclass
class Case:
    said: list = dataclasses.field(default_factory=list)  # what exactly one warning each says; nothing else warns
    keys: str = ""
    variable: str = "intvl=21600, lag=-1, flag='SNP'"
    twice: bool = False
    start: dict = dataclasses.field(default_factory=dict)   # of A or B, when it is not the first array
    arrays: dict = dataclasses.field(default_factory=lambda: {"A": GREGORIAN, "B": GREGORIAN})
    steps: list = dataclasses.field(default_factory=lambda: [3 * HOUR] * 4)
    puts: tuple = (0, 1, 2, 3)  # the steps of A that put; what is put is the number of the step, 0.5 before the first
    got: list = dataclasses.field(default_factory=lambda: [0.5, None, 1, None])  # by B, step by step; None: false
    cells: int = 2
    strict: str = ""            # what the error says; "": none, it runs as before


def both(arrays):
    return {"A": arrays, "B": arrays}


TIME = "the time array of component {} rank 0 says {}, but the start plus the sum of the steps, {} s, is {}, and"
CASES = {
    "all is well": Case(),
    "array stands still": Case(
        [TIME.format(c, "2000-02-28 18:00:00", 10800, "2000-02-28 21:00:00") for c in "AB"], arrays=both([START] * 4),
        strict="2000-02-28 18:00:00, but the start plus the sum of the steps, 10800 s, is 2000-02-28 21:00:00"),
    # To a time of exchange, which once was taken for the one that is due.
    "array jumps": Case(
        [TIME.format("A", "2000-02-29 06:00:00", 10800, "2000-02-28 21:00:00")],
        arrays={"A": days("2000-02-28 18", "2000-02-29 6", "2000-02-29 9", "2000-02-29 12"), "B": GREGORIAN},
        strict="component A rank 0: .*rank 0 says 2000-02-29 06:00:00"),
    # Fields that no MPI sends before somebody receives them: each side once waited for the other.
    "array jumps, large fields": Case(
        [TIME.format("A", "2000-02-29 06:00:00", 10800, "2000-02-28 21:00:00")], cells=40000,
        arrays={"A": days("2000-02-28 18", "2000-02-29 6", "2000-02-29 9", "2000-02-29 12"), "B": GREGORIAN}),
    "steps longer than intervals, large fields": Case(
        [f"c.conf:3: intvl=1200 of field t is no multiple of the time step of {c}, 10800 s" for c in "AB"], cells=40000,
        variable="intvl=1200, lag=-1, flag='AVR'", got=[0.5, 0, 1, 2]),
    "first time is later": Case(
        [TIME.format("B", "2000-02-29 00:00:00", 0, "2000-02-28 18:00:00")],
        arrays={"A": GREGORIAN, "B": days("2000-02-29 0", "2000-02-29 3", "2000-02-29 6", "2000-02-29 9")}, start={"B": START},
        strict="component B rank 0 says 2000-02-29 00:00:00"),
    "time goes back": Case(
        [TIME.format("A", "2000-02-28 15:00:00", 10800, "2000-02-28 21:00:00")],
        arrays={"A": days("2000-02-28 18", "2000-02-28 15", "2000-02-29 0", "2000-02-29 3"), "B": GREGORIAN},
        strict="component A rank 0 says 2000-02-28 15:00:00"),
    "noleap, not said": Case(
        [TIME.format("B", "2000-03-01 00:00:00", 21600, "2000-02-29 00:00:00")],
        arrays={"A": GREGORIAN, "B": days("2000-02-28 18", "2000-02-28 21", "2000-03-01 0", "2000-03-01 3")},
        strict="2000-03-01 00:00:00.*calendar='gregorian'"),
    "noleap": Case(keys="calendar='noleap', strict=T",
                   arrays=both(days("2000-02-28 18", "2000-02-28 21", "2000-03-01 0", "2000-03-01 3"))),
    "360_day": Case(keys="calendar='360_day', strict=T",
                    arrays=both(days("2001-02-29 18", "2001-02-29 21", "2001-02-30 0", "2001-02-30 3"))),
    "julian": Case(keys="calendar='JULIAN', strict=T",
                   arrays=both(days("1900-02-28 18", "1900-02-28 21", "1900-02-29 0", "1900-02-29 3"))),
    "no calendar": Case(keys="calendar='none', strict=T", arrays={"A": [(0,) * 6] * 4, "B": [(2001, 13, 7, 99, 0, 0)] * 4}),
    "dates of zeros": Case(
        ["h3ou_time_init: 0000-00-00 00:00:00 is no date"] * 2, arrays=both([(0, 0, 0, h, 0, 0) for h in (0, 3, 6, 9)]),
        strict="h3ou_time_init: 0000-00-00 00:00:00 is no date"),
    "hours above 23": Case(
        ["h3ou_time_set: 2000-02-28 24:00:00 is no date"] * 2, arrays=both([(2000, 2, 28, h, 0, 0) for h in (18, 21, 24, 27)]),
        strict="h3ou_time_set: 2000-02-28 24:00:00 is no date"),
    "other starts": Case(
        ["components start at different times: 2000-02-28 18:00:00 here, 1999-01-01 00:00:00 in B",
         "components start at different times: 1999-01-01 00:00:00 here, 2000-02-28 18:00:00 in A"],
        arrays={"A": GREGORIAN, "B": days("1999-01-01 0", "1999-01-01 3", "1999-01-01 6", "1999-01-01 9")},
        strict="components start at different times"),
    "interval no multiple": Case(
        [f"c.conf:3: intvl=16200 of field t is no multiple of the time step of {c}, 10800 s" for c in "AB"],
        variable="intvl=16200, lag=-1, flag='SNP'", got=[0.5, None, None, 2], strict="intvl=16200 of field t is no multiple"),
    "steps that jump": Case(
        ["h3ou_time_set: 2000-02-29 01:00:00 jumps over the exchange of field t, due 21600 s after the start: let a step begin at that time"] * 2,
        arrays=both(days("2000-02-28 18", "2000-02-28 19", "2000-02-29 1", "2000-02-29 2")), steps=[HOUR, 6 * HOUR, HOUR, HOUR],
        got=[0.5, None, None, None], strict="2000-02-29 01:00:00 jumps over the exchange of field t, due 21600 s"),
    "no interval": Case(["c.conf:3: h3ou_var: key 'intvl' is missing"] * 2, variable="lag=-1, flag='AVR'", got=[0.5, None, None, None],
                        strict="c.conf:3: h3ou_var: key 'intvl' is missing"),
    "lag 0": Case(["c.conf:3: h3ou_var: lag=0: every get takes the oldest value"] * 2, variable="intvl=21600, lag=0, flag='AVR'", got=[0.5, 0, 1, 2],
                  strict="c.conf:3: h3ou_var: lag=0"),
    "listed twice": Case(["c.conf:4: h3ou_var: B gets 't' twice: it stands in line 3 already, and that line counts"] * 2, twice=True,
                         strict="B gets 't' twice"),
    # A warning with strict, too: nothing is wrong with it.
    "nothing new": Case(["c.conf:3: field t was not put since the exchange before that of 2000-02-28 21:00:00, 10800 s after the start"],
                        variable="intvl=10800, lag=-1, flag='SNP'", puts=(2,), got=[0.5, 0.5, 0.5, 2]),
    "nothing is said": Case([], keys="log_level='SILENT'", arrays=both([START] * 4)),
}


def namelist(case, strict):
    keys = ", ".join(filter(None, [case.keys, "strict=.true." if strict else ""]))
    variable = f"&h3ou_var var_put='t', var_get='t', {case.variable} /\n"
    return (f"&h3ou_coupling {keys} /\n&h3ou_var comp_put='A', comp_get='B', grid_put='gA', grid_get='gB' /\n" +
            variable * (2 if case.twice else 1))


def script(case, me):
    def date(numbers):
        return " ".join(map(str, numbers))

    cells = " ".join(map(str, range(1, case.cells + 1)))
    lines = ["open c.conf", f"grid g{me} 1 {case.cells} 1 {cells}", "grids"]
    lines.append("table A gA B gB 1 " + (f"leader {case.cells} {cells} {cells} {case.cells}" + " 1" * case.cells if me == "A" else "none 0 0"))
    lines.append(f"init {date(case.start.get(me, case.arrays[me][0]))}")
    if me == "A":
        lines.append("put t gA 1 0.5")
    for i, (array, step) in enumerate(zip(case.arrays[me], case.steps)):
        lines.append(f"set {date(array)} {step}")
        if me == "B":
            lines.append("get t gB 1")
        elif i in case.puts:
            lines.append(f"put t gA 1 {i}")
    return "\n".join([*lines, "close 1"]) + "\n"


def play(program, way, case, strict):
    """The results of the jobs, and what B got: the value of cell 1 less its eighth, or None."""
    pathlib.Path("c.conf").write_text(namelist(case, strict))
    for me in "AB":
        pathlib.Path(f"{me}.script").write_text(script(case, me))
    results = jobs.run(way, (2, program, ["A", "A.script", "A.out"]), (1, program, ["B", "B.script", "B.out"]))
    out = pathlib.Path("B.out.0")
    rows = [line.split() for line in out.read_text().splitlines()] if out.exists() else []
    return results, [float(row[3]) - 1 / 8 if row[2] == "1" else None for row in rows]


def check_lenient(program, way, case):
    results, got = play(program, way, case, False)
    problems = jobs.problems_of(results)
    # Of A's two processes one tells; what both components see both tell.
    warnings = [line for r in results for line in r.err.splitlines() if " warning " in line]
    for said in set(case.said):
        if sum(said in line for line in warnings) != case.said.count(said):
            problems.append(f"not told {case.said.count(said)} times: {said}")
    if len(warnings) != len(case.said):
        problems.append(f"{len(warnings)} warnings")
    if "SILENT" in case.keys and any("h3ou" in r.err for r in results):
        problems.append("something is said")
    if got != case.got:
        problems.append(f"got {got}, awaited {case.got}")
    return problems and problems + warnings


def check_strict(program, way, case):
    results, got = play(program, way, case, True)
    if not case.strict:
        return jobs.problems_of(results) + ([] if got == case.got else [f"got {got}"])
    problems = [f"job {i}: code {r.code}, timed out: {r.timed_out}, left: {r.left}" for i, r in enumerate(results)
                if r.code == 0 or r.timed_out or r.left]
    if not any(re.search("h3ou: error .*" + case.strict, r.err) for r in results):
        problems.append(f"nobody said: {case.strict}")
    return problems and problems + [r.err[-800:] for r in results]


def add_months(date, months):
    month = date.year * 12 + date.month - 1 + months
    first = date.replace(year=month // 12, month=month % 12 + 1, day=1)
    return first.replace(day=min(date.day, first.daysinmonth))


def check_adding(program, way):
    """h3ou_inc_time and h3ou_inc_months in the calendar of the namelist: random dates compared with the package cftime."""
    rng, problems = random.Random(7), []
    for calendar, name in [("gregorian", "proleptic_gregorian"), ("noleap", "noleap"), ("all_leap", "all_leap"), ("360_day", "360_day"),
                           ("julian", "julian"), ("none", "proleptic_gregorian")]:
        pathlib.Path("c.conf").write_text(f"&h3ou_coupling calendar='{calendar}' /\n")
        lines, awaited = ["open c.conf", "add 2001 2 28 23 59 59 1"], [cftime.datetime(2001, 2, 28, 23, 59, 59, calendar=name)
                                                                        + datetime.timedelta(seconds=1)]
        for number in range(100):
            date = cftime.num2date(rng.randrange(-10**10, 10**10), "seconds since 1970-01-01", calendar=name)
            months = rng.randrange(-30, 30) if number % 2 else rng.randrange(-3000, 3000)
            awaited.append(add_months(date, months))
            lines.append(f"addmonths {date.strftime('%Y %m %d %H %M %S')} {months}")
        for me in "AB":
            pathlib.Path(f"{me}.script").write_text("\n".join([*lines, "close 1"]) + "\n")
        problems += jobs.problems_of(jobs.run(way, *[(1, program, [me, f"{me}.script", f"{me}.out"]) for me in "AB"]))
        for line, got, date in zip(lines[1:], pathlib.Path("A.out.0").read_text().splitlines(), awaited, strict=True):
            if list(map(int, got.split()[3:])) != [date.year, date.month, date.day, date.hour, date.minute, date.second]:
                problems.append(f"{calendar}: {line}: {got}, cftime says {date}")
    return problems[:9]


def check_waits(program, way):
    """Fields of a bundle leave in put when they have put all of them, and before their component waits: B sends what A gets between
    two puts when it has got the first of these."""
    fields = "".join(f"&h3ou_var var_put='{name}', var_get='{name}', intvl=3600, lag={lag}, flag='SNP' /\n" for name, lag in
                     (("t1", -1), ("t2", -1)))
    config = ("&h3ou_coupling second_put='error', bundle='always' /\n"
              "&h3ou_var comp_put='A', comp_get='B', grid_put='gA', grid_get='gB' /\n" + fields +
              "&h3ou_var comp_put='B', comp_get='A', grid_put='gB', grid_get='gA' /\n"
              "&h3ou_var var_put='u', var_get='u', lag=0, flag='SNP' /\n")
    pathlib.Path("c.conf").write_text(config)
    steps = [f"set 2000 1 1 {hour} 0 0 3600" for hour in range(4)]
    begin = {me: ["open c.conf", f"grid g{me} 1 2 1 1 2", "grids",
                  "table A gA B gB 1 " + ("leader 2 1 2 1 2 2 1 1" if me == "A" else "none 0 0"),
                  "table B gB A gA 1 " + ("leader 2 1 2 1 2 2 1 1" if me == "B" else "none 0 0"), "init 2000 1 1 0 0 0"] for me in "AB"}
    a = [*begin["A"], "put t1 gA 1 0.5", "put t2 gA 1 0.5"]
    b = begin["B"]
    for i, step in enumerate(steps):
        a += [step, f"put t1 gA 1 {i}", "get u gA 1", f"put t2 gA 1 {10 + i}"]
    for i, step in enumerate([*steps, "set 2000 1 1 4 0 0 3600"]):
        b += [step, "get t1 gB 1", *([f"put u gB 1 {20 + i - 1}"] if i else []), "get t2 gB 1"]
    for me, lines in (("A", a), ("B", b)):
        pathlib.Path(f"{me}.script").write_text("\n".join([*lines, "close 1"]) + "\n")
    problems = jobs.problems_of(jobs.run(way, *[(1, program, [me, f"{me}.script", f"{me}.out"]) for me in "AB"]))
    got = {me: [float(line.split()[3]) - 1 / 8 for line in pathlib.Path(f"{me}.out.0").read_text().splitlines()] for me in "AB"
           if not problems}
    awaited = {"A": [20, 21, 22, 23], "B": [0.5, 0.5, 0, 10, 1, 11, 2, 12, 3, 13]}
    return problems or ([] if got == awaited else [f"got {got}, awaited {awaited}"])


def main(program):
    tally, ways = jobs.Tally(), itertools.cycle(jobs.ways())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, case in CASES.items():
            tally.check(name, check_lenient(program, next(ways), case))
            if case.strict or name in ("all is well", "nothing new"):
                tally.check(f"{name}, strict", check_strict(program, next(ways), case))
        tally.check("seconds and months are added in the calendar", check_adding(program, next(ways)))
        for way in jobs.ways():
            tally.check(f"{' '.join(way)}: what was put leaves before its component waits", check_waits(program, way))
        os.chdir("/")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
