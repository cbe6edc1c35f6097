#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Members of an ensemble that are slow, or that end before the run does, each in a job of its own: with ensemble_min_members the others go on, and
what the one gets is that of the members that are left; without, and where too few are left, the run ends, in seconds."""
import functools
import itertools
import pathlib
import re
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import jobs
import members

CELLS, STEPS, EVERY = members.CELLS, members.STEPS, members.EVERY
PROCESSES = {"A0000": 2, "A0001": 1, "A0002": 2, "A0003": 1, "B0000": 2}
ONES, MANY = ["B0000"], sorted(set(PROCESSES) - {"B0000"})
UP = {"mean": "", "std": "statistic='std', ", "quantile(0.3)": "statistic='quantile(0.3)', ", "stacked": "statistic='stacked', "}
DOWN = {"v_plain": "", "o_own": "to_members='own', ", "xo_own": "to_members='own', "}


def namelist(keys):
    text = f"&h3ou_coupling {keys}/\n"
    for put, get in ("AB", "BA"):
        text += f"&h3ou_var comp_put='{put}', comp_get='{get}', grid_put='{put}_g', grid_get='{get}_g', mapping_tag=1 /\n"
        for field, more in ({f"v_{k}": m for k, m in UP.items()} if put == "A" else DOWN).items():
            sent_as, kind = field.split("_")[0], "_xyz" if field[0] == "x" else ""
            text += f"&h3ou_var var_put{kind}='{sent_as}', var_get{kind}='{field}', {more}intvl=1200, lag=-1, flag='SNP' /\n"
    return text


def run(program, keys, end, order, first):
    """Returns the results of the jobs by name, and what was got. order: the names of the jobs by PBID."""
    got = {}
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "coupling.conf").write_text(namelist(keys))
        port, running = jobs.free_port(), []
        for i, name in enumerate(order):
            mpi, me = jobs.MPIS[(first + i) % len(jobs.MPIS)], name[0]
            puts, gets = ("v", ",".join(DOWN)) if me == "A" else ("v,o,xo", ",".join(f"v_{k}" for k in UP))
            command = [f"{program}.{mpi}", me, "AB".replace(me, ""), len(MANY) if me == "A" else 1, CELLS, 1, "plain", STEPS, puts, gets]
            env = {**jobs.waitio(port, i, len(order)), "MEMBERS_END": end, "H3OU_TELL_AFTER": 0.5}
            running.append(jobs.Job(mpi, [(PROCESSES[name], command)], env, before=["env", "-C", folder]))
        results = dict(zip(order, jobs.wait_all(running)))
        for file in pathlib.Path(folder).glob("got.*"):
            for line in file.read_text().splitlines():
                field, step, cell, layer, value = line.split()
                got[file.name.split(".")[1], field, int(step), int(cell), int(layer)] = float.fromhex(value)
    return results, got


@functools.lru_cache(maxsize=None)
def statistic(key, alive, time, layer):
    """What the one gets of the members that are left."""
    if key == "stacked":
        value = members.sent("v", layer, 0, time, "A", "SNP") if layer in alive else np.full(CELLS, np.nan)
        return members.interpolated(value, np.ones(CELLS))
    values = np.array([members.sent("v", m, 0, time, "A", "SNP") for m in alive])
    return members.interpolated(*members.members_make(key, values, np.ones(values.shape)))


def row(got, name, field, time, layer):
    return np.array([got.get((name, field, time, cell, layer), np.inf) for cell in range(1, CELLS + 1)])


def same(have, want):
    return np.allclose(have, want, rtol=1e-13, atol=1e-14, equal_nan=True)


def one_differs(got, lost, certain, gone):
    """What is wrong with what the one got. lost: numbers of the members that ended, in this order; until exchange `certain` all take part, from
    exchange `gone` on these do not, between the two either is right, but for all cells alike."""
    found = []
    after = [tuple(m for m in range(len(MANY)) if m not in lost[:n]) for n in range(len(lost) + 1)]  # so many have ended
    for key, time in itertools.product(UP, range(0, STEPS, EVERY)):
        groups = after[:1] if time <= certain else after[-1:] if time >= gone else after
        counted = got.get(("B0000", f"v_{key}", time, 0, 0))
        group = [g for g in groups if len(g) == counted]
        if not group:
            found.append(f"v_{key} step {time}: {counted} members")
        for layer in after[0] if group and key == "stacked" else [0] if group else []:
            have, want = row(got, "B0000", f"v_{key}", time, layer), statistic(key, group[0], time, layer)
            if not same(have, want):
                found.append(f"v_{key} step {time} layer {layer}: {have} in place of {want}")
    return found[:4]


def members_differ(got, lost):
    """What is wrong with what the members that are left got."""
    found = []
    for number, field, time in itertools.product(range(len(MANY)), DOWN, range(0, STEPS, EVERY)):
        put, is_own = field.split("_")[0], field.endswith("own")
        for k in range(3 if put == "xo" else 1):
            value = members.sent(put, 0, 100 * k + (number if is_own else 0), time, "B", "SNP")
            have, want = row(got, MANY[number], field, time, 100 * k), members.interpolated(value, np.ones(CELLS))
            if number not in lost and not same(have, want):
                found.append(f"{MANY[number]} {field} step {time}: {have} in place of {want}")
    return found[:4]


def goes_on(program, end, order, first, lost, certain, gone):
    results, got = run(program, "ensemble_min_members=2", end, order, first)
    names = [MANY[m] for m in lost]
    problems = [p for name in order if name not in names for p in jobs.problems_of([results[name]])]
    problems += [f"{name} ended well, or stays" for name in names if not results[name].code or results[name].timed_out]
    problems += [f"no warning that {name} was lost: {results['B0000'].err[-600:]}" for name in names
                 if gone < STEPS and f"member {name} was lost and is dropped" not in results["B0000"].err]
    return problems or one_differs(got, lost, certain, gone) + members_differ(got, lost)


def ends(program, keys, end, first, sentence):
    results, _ = run(program, keys, end, ["B0000", *MANY], first)
    problems = [f"{name} ended well, or stays" for name, r in results.items() if not r.code or r.timed_out or r.left]
    said = "".join(r.err for r in results.values())
    return problems or ([] if re.search(sentence, said) else [f"nothing says {sentence}: {said[:1500]}"])


B_FIRST, B_LAST = ["B0000", *MANY], [*MANY, "B0000"]
# Where a member ends; the jobs' order; how far all take part for certain, and from which exchange on the member does not. A member that has
# got an exchange knows that the one has got the one before, and no more: what is on its way when a job is lost may be lost, too.
GO_ON = [
    ("A0000 put 3 kill", B_FIRST, [0], 0, 4),
    ("A0001 set 4 kill", B_LAST, [1], 0, 4),
    ("A0000 get 2 kill", B_LAST, [0], -1, 4), # it is the first job, which the others met
    ("A0003 set 0 kill", B_FIRST, [3], -1, 2),
    ("A0002 put 2 abort", B_LAST, [2], 0, 4),
    ("A0001 get 4 exit", B_FIRST, [1], 0, 6),
    ("A0002 close 0 kill", B_FIRST, [2], 4, 7),
    ("A0000 get 2 kill,A0003 put 4 kill", B_LAST, [0, 3], -1, 6),
]
ENDS = [
    ("", "A0002 put 3 kill", "A0002|PB 3"),
    ("ensemble_min_members=4", "A0001 put 3 kill", "3 of (the )?4 members"),
    ("ensemble_min_members=2", "A0001 open 0 kill", "A0001|PB 2"),
    ("ensemble_min_members=2", "A0003 grid 0 kill", "A0003|PB 4"),
    ("ensemble_min_members=2", "B0000 put 3 kill", "B0000|PB 0"),
]


def waits(program, keys, first):
    """A slow member is waited for, and the log says for whom; nobody is missing in what is got."""
    results, got = run(program, f"{keys}log_level='WHISPER'", "A0001 put 3 slow", B_LAST, first)
    said = "".join(r.err for r in results.values())
    told = re.search(r'waiting seconds=\S+ for="[^"]*" peer="component A0001 rank 0"', said)
    problems = [p for r in results.values() for p in jobs.problems_of([r])]
    return problems or ([] if told else [f"the log names nobody: {said[-3000:]}"]) + one_differs(got, [], STEPS, STEPS)


def main(program):
    tally = jobs.Tally()
    for first, keys in enumerate(("", "ensemble_min_members=2, ")):
        tally.check(f"waits: {keys}", waits(program, keys, first))
    for first, (end, *more) in enumerate(GO_ON):
        tally.check(f"goes on: {end}", goes_on(program, end, more[0], first, *more[1:]))
    for first, (keys, end, sentence) in enumerate(ENDS):
        tally.check(f"ends: {keys} {end}", ends(program, keys, end, first, sentence))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
