#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""500 random runs, many in each pair of processes that is launched: every value that get returned is compared with what oracle.py
says. The oracle itself is first compared with the tables that were measured of h3-Open-UTIL/MP.

  compare.py PROGRAM [RUNS [SEED]]"""
import pathlib
import random
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import configurations
import jobs
import oracle

PROCS = [(1, 1), (2, 1), (1, 2), (3, 2)]


def measured_run(header):
    """The run of a table of tests/semantics: 8 cells, one to one; what is put is the time, half more in the first cell."""
    run = oracle.Run({}, [], {})
    for name, step, steps in re.findall(r"(\w): dt=(\d+) steps=(\d+)", header):
        run.components[name] = oracle.Component(name, list(range(1, 9)), [int(step)] * int(steps))
    for a, b, lag, flag, intvl in re.findall(r"(\w)->(\w): lag=(-?\d+) flag=(\w+) intvl=(\d+)", header):
        run.variables.append(oracle.Variable(a, a, b, 1, 0, int(intvl), int(lag), flag, 1, True))
    return run


def check_oracle_by_tables(tally):
    tables = [t for t in sorted((HERE.parent / "semantics").glob("*.txt")) if t.name != "CMakeLists.txt"]
    assert len(tables) == 6
    for table in tables:
        header, _, *rows = table.read_text().splitlines()
        run, problems = measured_run(header), []
        for row in rows:
            me, time, ok, _, last = row.split()
            [variable] = [v for v in run.variables if v.receiver == me]
            base = oracle.base_got(run, variable, int(time), 0)
            said = None if ok == "F" else float(last)
            # The probe puts -1 before the first step, the runs here -0.5.
            if base is not None and base < 0:
                base = -1.0
            if base != said:
                problems.append(f"{row}: the oracle says {base}")
        tally.check(f"the oracle and {table.stem}", problems)


def check_oracle_by_facts(tally):
    """Single facts that were measured beyond the tables."""
    def got(steps, at, flag="SNP", lag=-1, intvl=7200, initial=True, receiver=(3600,) * 6):
        run = oracle.Run({"A": oracle.Component("A", [1], list(steps)), "B": oracle.Component("B", [1], list(receiver))}, [], {})
        v = oracle.Variable("v", "A", "B", 1, 0, intvl, lag, flag, 1, initial)
        nth = {time: n for n, time in enumerate(run.components["B"].times())}
        return [oracle.base_got(run, v, time, nth[time]) for time in at]

    facts = {
        "an average weights by the step's length": got([1200, 1200, 1200, 3600, 7200], [7200], "AVR") == [2400.0],
        "a sum over time": got([1200, 1200, 1200, 3600, 7200], [0, 7200], "ACC") == [-0.5, 2400.0 * 7200],
        "a sum over an interval in which no step begins": got([7200] * 3, [3600, 7200, 10800], "ACC", intvl=3600) == [0.0, 0.0, 7200.0 * 7200],
        "a minimum and a maximum": [got([3600] * 3, [7200], flag) for flag in ("MIN", "MAX")] == [[0.0], [3600.0]],
        "true at common multiples": got([1800] * 12, [3600, 7200, 10800], intvl=5400) == [None, None, 9000.0],
        "an interval shorter than both steps": got([7200] * 3, [7200, 14400], intvl=3600, receiver=[7200] * 3) == [0.0, 7200.0],
        "no interval: at the start only": got([3600] * 6, [0, 3600, 7200], intvl=None) == [-0.5, None, None],
        "lag=0: the same step's": got([3600] * 6, [0, 3600], lag=0, initial=False) == [0.0, 3600.0],
        "lag=0: one behind after an initial put": got([3600] * 6, [0, 3600], lag=0) == [-0.5, 0.0],
    }
    for name, holds in facts.items():
        tally.check(f"the oracle: {name}", [] if holds else ["it says otherwise"])


def close(a, b, size, is_single):
    """A mean may be summed in another order, and values of this size times a few coefficients may cancel. Values in single
    precision are near 6 digits here: exchange.c compares their bits."""
    return abs(a - b) <= (3e-6 if is_single else 1e-12) * max(size, abs(a), abs(b))


def compare(run, me, gets, stride, outputs, number):
    """The lines of all ranks of a component for one run, by the line of the script."""
    problems = []
    for line, variable, time, nth in gets:
        ok, layers = oracle.answer(run, variable, time, nth)
        cells, grid = oracle.cells_of_get(run, variable)
        for rank, rows in enumerate(outputs):
            mine = [i for i in range(len(cells)) if i * (stride + grid.startswith("h")) % len(outputs) == rank]
            awaited = [layer[i] for layer in layers for i in mine]
            row = rows.get((number, line))
            size = 1e6 * max(10, variable.number) * (oracle.DAY if variable.flag == "ACC" else 1)
            if row is None or row[0] != ok or len(row[1]) != len(awaited) or not all(close(*two, size, variable.is_single()) for two in zip(row[1], awaited)):
                problems.append(f"run {number}: {variable} at {time} s in {me}.{rank}: got {row}, awaited {(ok, awaited)}")
    return problems


def read_output(path):
    rows = {}
    for text in path.read_text().splitlines():
        run, line, ok, *values = text.split()
        rows[int(run), int(line)] = (ok == "1", list(map(float, values)))
    return rows


def write_batch(rng, folder, runs):
    """Namelists, and a script for each component; returns for each run and component its gets, in lines of the whole script."""
    texts, plans = {"A": [], "B": []}, []
    for number, run in enumerate(runs):
        config = pathlib.Path(folder, f"{number}.conf")
        config.write_text(configurations.namelist(run))
        plan = {}
        for me in "AB":
            lines, gets, stride = configurations.script(rng, run, me, config, number + 1 == len(runs))
            plan[me] = [(len(texts[me]) + line, *rest) for line, *rest in gets], stride
            texts[me] += lines
        plans.append(plan)
    for me in "AB":
        pathlib.Path(folder, f"{me}.script").write_text("\n".join(texts[me]) + "\n")
    return plans


def play(program, rng, way, procs, runs, env):
    """Problems, and how many values were compared."""
    with tempfile.TemporaryDirectory() as folder:
        plans = write_batch(rng, folder, runs)
        parts = [(n, program, [me, f"{folder}/{me}.script", f"{folder}/{me}.out"]) for n, me in zip(procs, "AB")]
        problems = jobs.problems_of(jobs.run(way, *parts, env=env))
        if problems:
            return problems, 0
        compared = 0
        for n, me in zip(procs, "AB"):
            outputs = [read_output(pathlib.Path(folder, f"{me}.out.{rank}")) for rank in range(n)]
            compared += sum(len(values) for rows in outputs for _, values in rows.values())
            for number, run in enumerate(runs):
                problems += compare(run, me, *plans[number][me], outputs, number)
        return problems[:5], compared


def main(program, runs=500, seed=20261122):
    tally, rng = jobs.Tally(), random.Random(int(seed))
    check_oracle_by_tables(tally)
    check_oracle_by_facts(tally)
    ways, made = jobs.ways(), [configurations.make_run(rng, number % 3 == 0) for number in range(int(runs))]
    batches = 2 * len(ways)
    for i in range(batches):
        batch, procs = made[i::batches], PROCS[(i + i // len(PROCS)) % len(PROCS)]
        if batch:
            # Every other time messages between jobs wait for their receives, and a thread moves them.
            env = {"WAITIO_EAGER_LIMIT": 32, "WAITIO_PROGRESS": "thread"} if i >= len(ways) else None
            problems, compared = play(program, rng, ways[i % len(ways)], procs, batch, env)
            tally.check(f"{' '.join(ways[i % len(ways)])} {procs[0]}+{procs[1]}: {len(batch)} runs, {compared} values", problems)
    # The comparison can fail: the oracle is told of another run than the one that is played.
    tally.check("a wrong value is found", [] if play_wrongly(program, rng, ways[0]) else ["no difference was found"])
    return tally.end()


def play_wrongly(program, rng, way):
    run = configurations.make_run(random.Random(1))
    with tempfile.TemporaryDirectory() as folder:
        plans = write_batch(rng, folder, [run])
        parts = [(1, program, [me, f"{folder}/{me}.script", f"{folder}/{me}.out"]) for me in "AB"]
        assert not jobs.problems_of(jobs.run(way, *parts))
        problems = []
        for v in run.variables:
            v.number += 1
        for me in "AB":
            problems += compare(run, me, *plans[0][me], [read_output(pathlib.Path(folder, f"{me}.out.0"))], 0)
        return problems


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
