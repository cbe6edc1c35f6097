# SPDX-License-Identifier: BSD-3-Clause
"""Random runs of two components, A and B, in which nobody waits for ever by the rules of oracle.py; and each as a namelist and as
the two scripts that scripted.c follows."""
import datetime
import fractions
import random
import zlib

import cftime

from oracle import DAY, Clock, Component, Run, Table, Variable, base_of, cells_of_get

FLAGS = ["SNP", "SNP", "AVR", "AVR", "ACC", "MIN", "MAX", "INT", "INT"]
STEPS = [600, 900, 1200, 1800, 3600, 7200]
UNEVEN = [[1200, 1200, 1200, 3600], [600, 3000], [3600, 1800, 1800], [900, 900, 5400]]  # each lasts 7200 or 3600
INTERVALS = [600, 900, 1200, 1800, 2400, 3600, 5400, 7200, 10800]


def make_cells(rng):
    cells, index = [], 0
    for _ in range(rng.randrange(2, 9)):
        index += rng.randrange(1, 4)
        cells.append(index)
    rng.shuffle(cells)
    return cells


def make_component(rng, name, uneven):
    pattern = rng.choice(UNEVEN) if uneven else [rng.choice(STEPS)]
    return Component(name, make_cells(rng), pattern * (DAY // sum(pattern)))


def make_table(rng, sources, targets):
    n = rng.randrange(1, 3 * len(targets))
    coef = [rng.choice([1.0, 0.5, -0.25, 0.1, rng.uniform(-1, 1)]) for _ in range(n)]
    return Table([rng.choice(sources) for _ in range(n)], [rng.choice(targets) for _ in range(n)],
                 coef if rng.random() < 0.85 else None)


def ahead(rng, run, number):
    """lag=n from A to B: the interval of whatever comes back is a multiple, and is late enough, or both would wait for each other."""
    steps = {s for c in run.components.values() for s in c.steps}
    fits = [i for i in INTERVALS if DAY % i == 0 and all(i % s == 0 for s in steps)]
    if not fits or any(sum(c.steps[:4]) not in (2400, 3600, 4800, 7200, 14400, 28800) for c in run.components.values()):
        return []
    intvl = rng.choice(fits)
    back = rng.choice([i for i in INTERVALS if i % intvl == 0])
    lag = rng.choice([1, 1, 2, 3])
    late = -1 if lag == 1 else -2 - (lag - 2) * intvl // back
    run.keeps_after_end = lag > 1
    flags = [rng.choice(FLAGS) for _ in range(2)]
    return [Variable("ab_ahead", "A", "B", 1, number, intvl, lag, flags[0], rng.randrange(1, 4), rng.random() < 0.5),
            Variable("ba_back", "B", "A", 1, number + 1, back, late, flags[1], rng.randrange(1, 4), True)]


def taken_in_order(rng, run):
    """lag=0: the receiver must not get more often than the sender puts, nor earlier."""
    both = [("A", "B"), ("B", "A")]
    for sender, receiver in rng.sample(both, 2):
        one, other = (run.components[name].times() for name in (sender, receiver))
        if len(one) >= len(other) and all(a <= b for a, b in zip(one, other)):
            return sender, receiver
    return None


def make_variable(rng, run, number, lag):
    sender, receiver = rng.choice([("A", "B"), ("B", "A")])
    intvl, flag, initial = rng.choice(INTERVALS), rng.choice(FLAGS), True
    if lag == 0:
        pair = taken_in_order(rng, run)
        if pair is None:
            return None
        sender, receiver = pair
        initial = rng.random() < 0.5
    if flag == "INT" and lag == 0:
        flag = "SNP"
    if rng.random() < 0.1 and flag != "INT":
        intvl = None
    skipped = set()
    if flag == "SNP" and lag != 0 and rng.random() < 0.3:
        skipped = {i for i in range(len(run.components[sender].steps)) if rng.random() < 0.4}
    if lag < 0 and intvl:
        lag = rng.choice([-1, -1, -1, -2, -3, -7])
    return Variable(f"{sender.lower()}{receiver.lower()}_{number}", sender, receiver, rng.choice([1, 2]), number, intvl, lag, flag,
                    rng.choice([1, 1, 2, 3]), initial, skipped, rng.random() < 0.05)


def add_own(run):
    """What a component exchanges with itself, between two of its grids or on one. Each get comes before the put of its step, so with
    lag=0 something is put before the first step. The other variables are the same with it and without it."""
    rng = random.Random(repr(run))
    for me in rng.sample("AB", rng.randrange(1, 3)):
        c = run.components[me]
        c.inner = make_cells(rng) if rng.random() < 0.7 else []
        for _ in range(rng.randrange(1, 3)):
            lag, intvl, flag, skipped = rng.choice([-1, -1, -1, -2, -3, 0]), rng.choice(INTERVALS), rng.choice(FLAGS), set()
            if lag == 0 or rng.random() < 0.1:
                flag, intvl = "SNP" if lag == 0 or flag == "INT" else flag, rng.choice([intvl, None]) if lag == 0 else None
                lag = -1 if lag < -1 else lag
            elif flag == "SNP" and rng.random() < 0.3:
                skipped = {i for i in range(len(c.steps)) if rng.random() < 0.4}
            number = 40 + len(run.variables)
            run.variables.append(Variable(f"own_{number}", me, me, rng.choice([1, 2]), number, intvl, lag, flag, rng.choice([1, 1, 2, 3]),
                                          True, skipped))


def drop_empty_intervals(run):
    """A statistic of an interval in which steps begin but nothing is put is an error."""
    silent = any(c.silent for c in run.components.values())
    for v in run.variables:
        if silent and v.flag != "SNP":
            v.flag = "SNP"


def make_clock(rng):
    """Seconds in most runs; steps of fractions of a second, which models give as reals; or of months."""
    kind = rng.random()
    if kind < 0.2:
        return Clock(fractions.Fraction(rng.choice([1, 1, 3, 1000]), rng.choice([7, 10, 300, 900, 999983])))
    if kind < 0.35:
        calendar = rng.choice(["standard", "noleap", "360_day", "julian", "all_leap"])
        return Clock(calendar=calendar, month=300, start=(rng.choice([1899, 1999, 2024]), rng.randrange(1, 13), rng.choice([1, 15, 28]), 6, 0, 0))
    return Clock()


def shift_components(rng, run):
    """One component begins later than the other, or one ends before the other."""
    run.keeps_after_end = True
    for c in rng.sample(list(run.components.values()), rng.randrange(1, 3)):
        times = c.times()
        if rng.random() < 0.6:
            # A date has no fraction of a second.
            c.begin = rng.choice([begin for begin in (0, 600, 1800, 3600, 7200, 10800) if (begin * run.clock.unit).denominator == 1])
            c.steps = c.steps[:next((i for i, time in enumerate(times) if time + c.begin >= DAY), len(times))]
        if rng.random() < 0.5:
            c.steps = c.steps[:rng.randrange(1, len(c.steps) + 1)]


def make_run(rng, own=False):
    run = Run({}, [], {}, make_clock(rng))
    uneven = rng.random() < 0.25
    for name in "AB":
        run.components[name] = make_component(rng, name, uneven and rng.random() < 0.7)
    a, b = run.components["A"], run.components["B"]
    kind = rng.random()
    if kind < 0.2:
        run.variables = ahead(rng, run, 1)
    elif kind > 0.75:
        shift_components(rng, run)
    elif kind < 0.35:
        run.variables = [v for v in [make_variable(rng, run, 1, 0)] if v]
    for _ in range(rng.randrange(0 if run.variables else 1, 4)):
        if not any(v.lag > 0 for v in run.variables):
            run.variables.append(make_variable(rng, run, 10 + len(run.variables), -1))
    if all(v.lag < 0 for v in run.variables) and rng.random() < 0.15:
        for c in a, b:
            c.silent = {i for i in range(1, len(c.steps)) if rng.random() < 0.2}
    for key in sorted({(v.sender, v.receiver, v.tag) for v in run.variables} | {("A", "B", 1), ("B", "A", 1)}):
        run.tables[key] = make_table(rng, run.components[key[0]].cells, run.components[key[1]].cells)
    if own:
        add_own(run)
        for v in run.variables:
            if v.sender == v.receiver:
                run.tables.setdefault((v.sender, v.sender, v.tag), make_table(rng, run.components[v.sender].cells, cells_of_get(run, v)[0]))
    drop_empty_intervals(run)
    return run


def interval(clock, intvl):
    """As the namelist has it: seconds, a decimal fraction or any other one, or months."""
    if clock.month:
        return f"'{intvl // clock.month} month'" if intvl % 2 else f"'{intvl // clock.month} months'"
    seconds = intvl * clock.unit
    if seconds.denominator == 1:
        return str(seconds) if seconds % 60 else f"'{seconds // 60} min'"
    return f"'{seconds}'" if seconds.denominator % 10 else repr(float(seconds))


def grid_of_get(run, sender, receiver):
    return cells_of_get(run, Variable("", sender, receiver, 0, 0, None, 0, "", 1, True))[1]


def namelist(run):
    # With second_put='error' what every other variable puts leaves in put, and what is got is the same; so is what travels in bundles.
    default = "error" if zlib.crc32(repr(run.tables).encode()) % 2 else "replace"
    bundle = ("always", "auto", "always", "never")[zlib.crc32(repr(run.tables).encode()) // 2 % 4]
    keys = ['log_level="SILENT"', f"second_put='{default}'", f"bundle='{bundle}'"]
    if run.keeps_after_end:
        keys.append("after_end='keep'")
    if any(c.begin for c in run.components.values()):
        keys.append("start='{:04}-{:02}-{:02} {:02}:{:02}:{:02}'".format(*start_of(run)))
    if run.clock.month:
        keys.append(f"calendar='{CALENDARS.get(run.clock.calendar, run.clock.calendar)}'")
    text = f"&h3ou_coupling {', '.join(keys)} /\n"
    for sender, receiver, tag in run.tables:
        text += f'&h3ou_var comp_put="{sender}", comp_get="{receiver}", grid_put="g{sender}", ' \
            f'grid_get="{grid_of_get(run, sender, receiver)}", mapping_tag={tag} /\n'
        for v in run.variables:
            if (v.sender, v.receiver, v.tag) != (sender, receiver, tag):
                continue
            second = "error" if zlib.crc32(v.name.encode()) % 2 else "replace"
            said = f"second_put='{second}', " if second != default else ""
            intvl = f"intvl={interval(run.clock, v.intvl)}, " if v.intvl else ""
            text += (f"&h3ou_var var_put='{v.name}', var_get='{v.name}', grid_intpl_tag={tag}, {intvl}{said}lag={v.lag}, layer={v.layer}, "
                     f"flag='{v.flag}'{', type=' + repr('real4') if v.is_single() else ''} /\n") * (2 if v.listed_twice else 1)
    return text


CALENDARS = {"standard": "gregorian"}  # by cftime's name


def start_of(run):
    return run.clock.start or (2000, 2, 28, 21, 0, 0)


def advances(rng, run, component):
    """The lines of init_time and of every set_time."""
    clock, times = run.clock, component.times()
    if clock.month:
        six = [date.timetuple()[:6] for date in map(clock.date, times)]
        lines = [("months", *date, step // clock.month) if rng.random() < 0.5 else ("set", *date, clock.seconds(time, time + step))
                 for date, time, step in zip(six, times, component.steps)]
        return [("init", *six[0]), *lines]
    begin = cftime.datetime(*start_of(run)) + datetime.timedelta(seconds=float(component.begin * clock.unit))
    if clock.unit != 1:
        return [("init", *begin.timetuple()[:6]), *[("seconds", repr(float((time - component.begin) * clock.unit)), repr(float(step * clock.unit)))
                                                    for time, step in zip(times, component.steps)]]
    if run.keeps_after_end:
        arrays = [(begin + datetime.timedelta(seconds=time - component.begin)).timetuple()[:6] for time in times]
        start = arrays[0]
    else:
        start, arrays = dates(rng, component)
    return [("init", *start), *[("set", *array, step) for array, step in zip(arrays, component.steps)]]


def dates(rng, component):
    """The arrays of init_time and of every set_time: right, or one of those that existing programs give. None of it may matter."""
    start = datetime.datetime(2000, rng.choice([1, 2, 12]), rng.choice([27, 28, 29]), rng.choice([0, 21]))
    how = rng.choice(["right", "right", "still", "zeros", "hours", "360_day", "later"])
    times = component.times()

    def array(time):
        now = start + datetime.timedelta(seconds=0 if how == "still" else time)
        six = [now.year, now.month, now.day, now.hour, now.minute, now.second]
        if how == "zeros":
            six = [0, 0, 0, time // 3600, time // 60 % 60, time % 60]
        elif how == "hours":
            six = [start.year, start.month, start.day, start.hour + time // 3600, time // 60 % 60, time % 60]
        elif how == "360_day":
            six[:3] = [2000, 2, 30]
        return six

    later = 7200 if how == "later" else 0
    return array(0), [array(time + later) for time in times]


def script(rng, run, me, config, last):
    """The calls of component me. Also for each get its line, counted from 1: (line, variable, time, nth)."""
    component = run.components[me]
    lines, gets = [f"open {config}"], []
    nz, stride = max([v.layer for v in run.variables]), rng.choice([1, 5, 7])
    lines.append(" ".join(map(str, ["grid", f"g{me}", nz, len(component.cells), stride, *component.cells])))
    if component.inner:
        lines.append(" ".join(map(str, ["grid", f"h{me}", nz, len(component.inner), stride + 1, *component.inner])))
    lines.append("grids")
    for (sender, receiver, tag), table in run.tables.items():
        if sender == receiver != me:
            continue
        giver = me if sender == receiver else "AB"[(len(table.send) + tag) % 2]
        mode = ["leader", "spread"][len(table.send) // 2 % 2] if me == giver else "none"
        coef = table.coef or []
        lines.append(" ".join(map(str, ["table", sender, f"g{sender}", receiver, grid_of_get(run, sender, receiver), tag, mode, len(table.send),
                                        *table.send, *table.recv, len(coef), *map(repr, coef)])))
    start, *steps = advances(rng, run, component)
    lines.append(" ".join(map(str, start)))
    for v in run.variables:
        if v.sender == me and v.initial:
            lines.append(f"put {v.name} g{me} {v.layer} {base_of(v, None)!r}")
    nth = 0
    for i, time in enumerate(component.times()):
        lines.append(" ".join(map(str, steps[i])))
        if i in component.silent:
            continue
        for v in run.variables:
            if v.receiver == me:
                lines.append(f"get {v.name} {cells_of_get(run, v)[1]} {v.layer}")
                gets.append((len(lines), v, time, nth))
        nth += 1
        for v in run.variables:
            if v.sender == me and i not in v.skipped:
                lines.append(f"put {v.name} g{me} {v.layer} {base_of(v, time)!r}")
    lines.append(f"close {int(last)}")
    return lines, gets, stride
