#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ensembles beyond the tables: members with unlike numbers of processes and other cells each, in jobs of their own or several in
one, more members of one component than of the other, shares of cells, averages over the interval, every statistic of the members,
a slice for each, perturbed values.
What is got is compared with what NumPy makes of all members' values, and bit by bit between the ways to start the same ensemble."""
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

CELLS, STEPS, EVERY, STEP = 37, 7, 2, 600  # cells of either grid, steps, steps in an interval, seconds in a step
PERTURB, SEED = 0.125, 4711


def value_of(member, cell, layer, step, name):
    z = member * 7919 + cell * 104729 + layer * 1299709 + (step + 1) * 15485863 + ord(name)
    return (z % 1000003) / 1000003.0


def share_of(member, cell):
    return ((member * 31 + cell * 17) % 5) / 4.0


def is_missing(field, member, cell, layer):
    return field == "m" and (member * 5 + cell + layer) % 11 == 0


def sent(field, member, layer, time, name, flag):
    """What one member has for the exchange at step `time`, by cell."""
    def at(step):
        return np.array([np.nan if is_missing(field, member, cell, layer) else value_of(member, cell, layer, step, name)
                         for cell in range(1, CELLS + 1)])
    if time == 0:
        return at(-1)
    return at(time - 1) if flag != "AVR" else np.mean([at(step) for step in range(time - EVERY, time)], axis=0)


def deviation(x, w, less):
    """less: what is taken from the sum of the weights."""
    total = w.sum()
    squares = (w * (x - (w * x).sum() / total) ** 2).sum()
    return np.sqrt(squares / (total - less)) if len(x) > 1 else 0 * squares


# What the members that count in a cell make of their values and shares.
STATISTICS = {
    "mean": lambda x, w: (w * x).sum() / w.sum(),
    "std": lambda x, w: deviation(x, w, 0),
    "std1": lambda x, w: deviation(x, w, (w * w).sum() / w.sum()),
    "min": lambda x, w: x.min(),
    "max": lambda x, w: x.max(),
    "median": lambda x, w: np.median(x),
    "quantile(0.3)": lambda x, w: np.quantile(x, 0.3),
    "member": lambda x, w: x[0],
    "stacked": lambda x, w: x[0],
    "own": lambda x, w: (w * x).sum() / w.sum(),
    "noise": lambda x, w: (w * x).sum() / w.sum(),
}


def members_make(statistic, values, share):
    """The statistic by cell, and the share of each cell that counts. values, share: [member][cell]."""
    made = np.zeros(CELLS)
    for i in range(CELLS):
        counts = share[:, i] > 0
        if counts.any():
            made[i] = STATISTICS[statistic](values[counts, i], share[counts, i])
    return made, np.mean(share > 0 if statistic in ("median", "quantile(0.3)") else share, axis=0)


def partners(case, name, member):
    """The members of the other component whose values a member gets."""
    mine, theirs = case["members"][name], case["members"]["AB".replace(name, "")]
    return range(member % theirs if mine > theirs else member, theirs, mine) if theirs > mine else [member % theirs]


def interpolated(value, share):
    """Odd cells are the mean of two, the others nothing (-9)."""
    got = np.full(CELLS, -9.0)
    for i in range(0, CELLS, 2):
        two = [i, (i + 1) % CELLS]
        weight = share[two].sum()
        got[i] = (value[two] * share[two])[share[two] > 0].sum() / weight if weight > 0 else np.nan
    return got


def turned(u, v, component):
    """As interpolated(), of a vector whose two sources the table turns by other angles."""
    got = np.full(CELLS, -9.0)
    for i in range(0, CELLS, 2):
        links = [(i, 0.6, 0.8), ((i + 1) % CELLS, 0.0, 1.0)]
        got[i] = sum(0.5 * (cos * u[k] - sin * v[k] if component == 0 else sin * u[k] + cos * v[k]) for k, cos, sin in links)
    return got


def travelled(case, values):
    """With type='real4' what members send, and what they make together, is rounded."""
    return values.astype(np.float32).astype(float) if case["type"] == "real4" else values


@functools.lru_cache(maxsize=None)
def made_by_group(number, name, field, group, place, time, layer):
    """What the members that send make, by cell, and the shares of the cells; place: of a member in the group that gets."""
    case, other, (put, statistic) = CASES[number], "AB".replace(name, ""), field.split("_")
    first, layer = layer - layer % 100, layer % 100  # of a vector's component
    if statistic == "own":
        layer += place * case["layers"]
    if statistic == "stacked":
        group, layer = group[layer // case["layers"]:][:1], layer % case["layers"]
    if statistic == "member":
        group = group[one_member(case, other):][:1]
    values = travelled(case, np.array([sent(put, m, first + layer, time, other, case["flag"]) for m in group]))
    has_shares = case["shares"] and put[0] not in "xy"
    share = np.array([[share_of(m, cell) if has_shares else 1.0 for cell in range(1, CELLS + 1)] for m in group])
    made, shares = members_make(statistic, values, share)
    return travelled(case, made), shares


def expected_of_group(number, name, field, group, place, time, layer):
    """As expected(), from the members that send."""
    def made(layer):
        return made_by_group(number, name, field, group, place, time, layer)
    if field[0] == "y":
        return turned(made(layer % 100)[0], made(100 + layer % 100)[0], layer // 100)
    return interpolated(*made(layer))


def expected(case, name, field, member, time, layer):
    """What a member gets of a field, by cell."""
    mine = case["members"]["AB".replace(name, "")]

    def exchanged(time):
        return expected_of_group(CASES.index(case), name, field, tuple(partners(case, name, member)), member // mine, time, layer)

    part, time = time % EVERY / EVERY, time - time % EVERY
    plain, former = exchanged(time), exchanged(max(time - EVERY, 0))
    if case["flag"] == "INT":
        plain = np.where(np.isnan(former), plain, former + part * (plain - former))
    if not field.endswith("_noise"):
        return plain
    noise = [deviate(field, member, cell, layer, time * STEP) for cell in range(1, CELLS + 1)]
    return np.where(plain == -9, plain, plain + PERTURB * np.array(noise))


def one_member(case, put):
    """A member that each group of a component has."""
    mine, theirs = case["members"][put], case["members"]["AB".replace(put, "")]
    return max(mine // theirs - 1, 0)


def layers(case, name, member, field):
    """The numbers of the layers that a member gets, those of a vector's components from 0, 100 and 200."""
    n = case["layers"] * (len(partners(case, name, member)) if field.endswith("stacked") else 1)
    return [100 * k + layer for k in range({"x": 3, "y": 2}.get(field[0], 1)) for layer in range(n)]


def deviate(field, member, cell, layer, time):
    """What the guide says is added: NumPy's Philox adds 1 to its counter first, and counts it as one number of 256 bits."""
    name = 0xcbf29ce484222325
    for byte in field.encode():
        name = (name ^ byte) * 0x100000001b3 % 2**64
    counter = cell + (layer << 64) + (member << 128) + (time << 192) - 1
    first, second = np.random.Philox(key=SEED + (name << 64), counter=counter).random_raw(2) >> np.uint64(11)
    return np.sqrt(-2 * np.log((int(first) + 1) / 2**53)) * np.cos(2 * np.pi * int(second) / 2**53)


def fields(case, put):
    """(name at the sender, name at the receiver, more keys) of what component `put` sends: each statistic of v, some of m."""
    keys = {key: f"statistic='{key}', " for key in STATISTICS}
    keys.update({"mean": "", "member": f"statistic='member({one_member(case, put)})', ", "own": "to_members='own', ",
                 "noise": f"perturb={PERTURB}, perturb_seed={SEED}, "})
    found = [(name, f"{name}_{key}", keys[key]) for name, some in FIELDS.items() for key in some or sorted(set(keys) - {"own"})]
    return [f for f in found if f[1] != "v_stacked" or not case["shares"]]


def namelist(case):
    text = f"&h3ou_coupling log_level='WARNING' {case['keys']}/\n"
    for put, get in ("AB", "BA"):
        for number, (sent_as, got_as, keys) in enumerate(fields(case, put)):
            kind, tag = {"x": ("_xyz", 1), "y": ("_vec", 2)}.get(sent_as[0], ("", 1))
            if number == 0 or sent_as == "y" != fields(case, put)[number - 1][0]:
                text += f"&h3ou_var comp_put='{put}', comp_get='{get}', grid_put='{put}_g', grid_get='{get}_g', mapping_tag={tag} /\n"
            text += (f"&h3ou_var var_put{kind}='{sent_as}', var_get{kind}='{got_as}', {keys}intvl=1200, lag=-1, "
                     f"layer={case['layers']}, flag='{case['flag']}', type='{case['type']}' /\n")
    return text + text.splitlines()[-1] + "\n"  # twice the same line: each component warns of it once


def command(program, case, me):
    other = "AB".replace(me, "")
    return [*program, me, other, case["members"][me], CELLS, case["layers"], "shares" if case["shares"] else "plain", STEPS,
            ",".join(sorted({f[0] for f in fields(case, me)})), ",".join(f[1] for f in fields(case, other))]


def run(program, packages, case, launch, first):
    """launch: list of jobs, each a list of (component, processes, members held or 0). Returns problems and {(member's name, field,
    step, cell, layer): value}."""
    got = {}
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "coupling.conf").write_text(namelist(case))
        port, running = jobs.free_port(), []
        for i, job in enumerate(launch):
            in_python = job[0][1] == 0  # a process without MPI
            mpi = None if in_python else jobs.MPIS[(first + i) % len(jobs.MPIS)]
            started = [sys.executable, "-B", HERE / "one.py"] if in_python else [f"{program}.{mpi}"]
            parts = [(n, command(started, case, me)) for me, n, _ in job]
            env = jobs.waitio(port, i, len(launch)) if len(launch) > 1 else {}
            env.update({"H3OU_MEMBERS": held for _, _, held in job if held})
            env.update({"PYTHONPATH": packages} if in_python else {})
            running.append(jobs.Job(mpi, parts, env, before=["env", "-C", folder]))
        results = jobs.wait_all(running)
        problems = jobs.problems_of(results)
        warnings = sum(r.err.count(" twice: it stands in line ") for r in results)
        if not problems and warnings != len(case["members"]):
            problems = [f"{warnings} warnings of a line that stands twice: {results[0].err[:500]}"]
        for file in pathlib.Path(folder).glob("got.*"):
            name = file.name.split(".")[1]
            for line in file.read_text().splitlines():
                field, step, cell, layer, value = line.split()
                got[name, field, int(step), int(cell), int(layer)] = float.fromhex(value)
    return problems, got


def differences(case, got):
    found, count = [], 0
    for name, n in case["members"].items():
        names = [f[1] for f in fields(case, "AB".replace(name, ""))]
        for member, field, time in itertools.product(range(n), names, range(0, STEPS, 1 if case["flag"] == "INT" else EVERY)):
            took_part = got.pop((f"{name}{member:04d}", field, time, 0, 0), None)
            if took_part != (1 if field.endswith("_member") else len(partners(case, name, member))):
                found.append(f"{name}{member:04d} {field} step {time}: {took_part} members")
            for layer in layers(case, name, member, field):
                full = f"{name}{member:04d}"
                have = np.array([got.pop((full, field, time, cell, layer), np.inf) for cell in range(1, CELLS + 1)])
                want = expected(case, name, field, member, time, layer)
                count += 1
                if not np.allclose(have, want, rtol=1e-13, atol=1e-14, equal_nan=True):
                    found.append(f"{full} {field} step {time} layer {layer}: {have} in place of {want}")
    return found[:4] + ([f"{len(got)} values too many"] if got else []) + ([] if count else ["nothing was compared"])


# What is found wrong when the members meet: members of A and B, keys of field v, what A puts, and the sentence that says it.
REFUSED = [
    ((2, 1), "statistic='member(2)'", "plain", r"statistic='member\(2\)': the group of A000[01] has the members 0 to 1"),
    ((2, 1), "statistic='stacked'", "shares", r"field v: with statistic='stacked' no cell counts in part: put it without share"),
]


def is_refused(program, number):
    (of_a, of_b), keys, puts, sentence = REFUSED[number]
    mpi = jobs.MPIS[number % len(jobs.MPIS)]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "coupling.conf").write_text(
            "&h3ou_var comp_put='A', comp_get='B', grid_put='A_g', grid_get='B_g', mapping_tag=1 /\n"
            f"&h3ou_var var_put='v', var_get='v', intvl=1200, lag=-1, flag='SNP', {keys} /\n"
            "&h3ou_var comp_put='B', comp_get='A', grid_put='B_g', grid_get='A_g', mapping_tag=1 /\n")
        parts = [(n, [f"{program}.{mpi}", me, other, n, CELLS, 1, puts, 1, "v" if me == "A" else "", "v" if me == "B" else ""])
                 for me, other, n in (("A", "B", of_a), ("B", "A", of_b))]
        result, = jobs.wait_all([jobs.Job(mpi, parts, before=["env", "-C", folder])])
    return [] if result.code and not result.timed_out and re.search(sentence, result.err) else [f"code {result.code}", result.err]


# The statistics of each field; v has all. Those whose names begin with x and y are vectors; of o, xo and yo the sender puts all slices.
FIELDS = {"v": [], "m": ["mean", "std1", "min", "max", "quantile(0.3)"], "x": ["mean", "std", "stacked"], "o": ["own"], "xo": ["own"],
          "y": ["mean", "std", "stacked"], "yo": ["own"]}
CASES = [
    {"members": {"A": 5, "B": 1}, "layers": 1, "flag": "SNP", "shares": False, "type": "real8", "keys": ""},
    {"members": {"A": 5, "B": 2}, "layers": 2, "flag": "AVR", "shares": False, "type": "real4", "keys": ""},
    {"members": {"A": 2, "B": 3}, "layers": 1, "flag": "SNP", "shares": True, "type": "real8", "keys": ""},
    {"members": {"A": 2, "B": 4}, "layers": 1, "flag": "INT", "shares": True, "type": "real4", "keys": ""},
]


# What each member sends by itself, instead of along the tree over the members, has the same bits.
DIRECT = "ensemble_min_members=1 "


def launches(members, packages):
    """Ways to start the ensemble with unlike numbers of processes; 0 processes: one in Python."""
    a, b = members["A"], members["B"]
    yield "one job", [[("A", a + 2, 0), ("B", b, 0)]]
    yield "two jobs", [[("B", 2 * b, 0)], [("A", a, 0)]]
    if b == 1 and packages:
        yield "the one in Python", [[("A", a, 0)], [("B", 0, 0)]]
    yield "several in a job", [[("A", a, a - 1)], [("B", b + 1, 0)], [("A", 2, 1)]]


def main(program, packages=None):
    tally = jobs.Tally()
    for case in CASES:
        before = None
        for number, (name, launch) in enumerate(launches(case["members"], packages)):
            problems, got = run(program, packages, case, launch, number)
            if before is not None and not problems and repr(sorted(before.items())) != repr(sorted(got.items())):
                problems = ["other bits than in the way before"]
            before = dict(got)
            tally.check(f"{case}, {name}", problems or differences(case, got))
        problems, got = run(program, packages, {**case, "keys": DIRECT}, launch, 1)
        tally.check(f"{case}, {DIRECT}", problems or ["other bits than along the tree"][:repr(sorted(before.items())) != repr(sorted(got.items()))])
    for number, (_, keys, _, _) in enumerate(REFUSED):
        tally.check(f"{keys} is refused", is_refused(program, number))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
