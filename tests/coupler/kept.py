#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kept.c: of a statistic the last value is sent alone in an interval in which no step of the sender begins, and at once. It is not kept in
each put; where it is needed and was not kept the sender says so, and it is the right one in all other runs."""
import math
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put="f", var_get="f", intvl=1200, lag=-1, flag='{}'{} /
"""
NOT_KEPT = r"c\.conf:2: field f: its last value is to be sent, and was not kept: .*Put it in that step, or in this one"
# What, the steps of A and of B, and what B gets by AVR, MIN and MAX at which second.
CASES = [
    ("a put in each step, also in one that is longer than the interval", "600p 600p 600p 600p 3600p 600p 600p", "600 " * 13,
     {"AVR": {1200: 1.5, 2400: 3.5, 3600: 5, 4800: 5, 6000: 5, 7200: 6.5}, "MIN": {1200: 1, 2400: 3, 3600: 5, 4800: 5, 6000: 5, 7200: 6},
      "MAX": {1200: 2, 2400: 4, 3600: 5, 4800: 5, 6000: 5, 7200: 7}}),
    ("a put in the first step of an interval, and none in a long step", "600p 600 600p 4200 600p 600", "600 " * 13,
     {flag: {1200: 1, 2400: 2, 3600: 2, 4800: 2, 6000: 2, 7200: 3} for flag in ("AVR", "MIN", "MAX")}),
    ("a last step without a put, before the others are kept", "600p 600p 600p 600 600p 4200 600p 600", "600 " * 15,
     {"AVR": {1200: 1.5, 2400: 3, 3600: 4, 4800: 4, 6000: 4, 7200: 4, 8400: 5},
      "MIN": {1200: 1, 2400: 3, 3600: 4, 4800: 4, 6000: 4, 7200: 4, 8400: 5},
      "MAX": {1200: 2, 2400: 3, 3600: 4, 4800: 4, 6000: 4, 7200: 4, 8400: 5}}),
    ("every second interval without a put in its last step", "600p 600p 600p 600 600p 600p 600p 600 600n 600p 600", "600 " * 8 + "600n 600 600",
     {"AVR": {1200: 1.5, 2400: 3, 3600: 4.5, 4800: 6, 6000: 7}, "MIN": {1200: 1, 2400: 3, 3600: 4, 4800: 6, 6000: 7},
      "MAX": {1200: 2, 2400: 3, 3600: 5, 4800: 6, 6000: 7}}),
    ("steps that change", "400p 400p 400p 400p 400p 400p 200p 3400 600p 600p", "600 " * 13,
     {"AVR": {1200: 2, 2400: 5, 3600: 7, 4800: 7, 6000: 7, 7200: 8.5}, "MIN": {1200: 1, 2400: 4, 3600: 7, 4800: 7, 6000: 7, 7200: 8},
      "MAX": {1200: 3, 2400: 6, 3600: 7, 4800: 7, 6000: 7, 7200: 9}}),
    ("a send at once after an exchange", "600p 600p 600p 600p 600n 600p 600p 600p 600", "600 600 600 600 600n 600 600 600 600",
     {"AVR": {1200: 1.5, 2400: 4, 3600: 5, 4800: 6.5}, "MIN": {1200: 1, 2400: 4, 3600: 5, 4800: 6}, "MAX": {1200: 2, 2400: 4, 3600: 5, 4800: 7}}),
    ("no put in a last step for the first time, and then none in a long step", "600p 600p 600p 4200", "600 " * 11, None),
    ("no put in a last step for the first time, and then a send at once", "600p 600p 600p 600 600n 600p", "600 600 600 600 600n 600", None),
]


SHARES = {"p": (1, 1, 1), "s": (1, 0, 0.6), "t": (0.3, 1, 0)}  # as kept.c has them
# What, the steps of A, of which none passes the end of an interval, and when B starts. Shares that stay are not added in each put.
SHARED = [
    ("shares that stay", "400s 400s 400s " * 3, 0),
    ("shares that stay, with another number of puts in each interval", "400s 400s 400s 600s 600s 400s 400 400s 400s 400s 400s 1200s 400s 400s 400s", 0),
    ("others in the middle of an interval, and at its beginning", "300s 300s 300t 300t 300t 300t 300t 300t 300s 300s 300s 300s 300t 300s 300t 300s", 0),
    ("no shares in the middle of an interval", "300s 300s 300p 300s 300p 300s 300s 300s 300s 300s 300s 300s 300s 300p 300p 300t", 0),
    ("steps of other lengths", "400s 400s 200s 200s 200s 200s 400s 400s 600s 600t 600s 600s 300s 900s", 0),
    ("a send at once in an interval", "400s 400s 400s 400s 400s 400ns 400s 400s 400ns 400s 400t 400nt 400s 400s 400s", 0),
    ("intervals before B starts, which are not sent", "400s 400s 400s 400s 400s 400s 400t 400t 400t 400t 400t 400t", 2400),
]


def timed(steps):
    """The beginning of each step, its length, and its letters."""
    begin = 0
    for length, letters in re.findall(r"(\d+)(\w*?)(?:\s|$)", steps):
        yield begin, int(length), letters
        begin += int(length)


def mean(puts):
    weight = sum(w for w, _ in puts)
    return sum(w * value for w, value in puts) / weight


STATISTICS = {"AVR": mean, "MIN": lambda puts: min(v for _, v in puts), "MAX": lambda puts: max(v for _, v in puts)}


def statistics_of(steps, statistic):
    """What B gets at the end of each interval, by cell, of the puts in which the cell counts; NaN of none."""
    found, number, puts = {}, 0, [[], [], []]
    for begin, length, letters in timed(steps):
        for kind in set(letters) & set(SHARES):
            number += 1
            for of_cell, share in zip(puts, SHARES[kind]):
                of_cell += [(length * share, number - 100 * (kind != "p"))] if share > 0 else []
        if (begin + length) % 1200 == 0:
            found[begin + length] = [statistic(of_cell) if of_cell else math.nan for of_cell in puts]
            puts = [[], [], []]
    return found


def are_equal(value, due):
    return math.isnan(value) and math.isnan(due) or abs(value - due) <= 1e-13 * abs(due)


def check_shared(tally, program, config, flag, case, way):
    what, steps, start = case
    config.write_text("&h3ou_coupling start='2000-01-01' /\n" + CONFIG.format(flag, ""))
    at_once = {begin for begin, _, letters in timed(steps) if "n" in letters}
    wanted = {at: due for at, due in statistics_of(steps, STATISTICS[flag]).items() if at >= start}
    of_b = [f"+{start}"] + [f"100{'n' if at in at_once else ''}" for at in range(start, max(wanted) + 100, 100)]
    results = jobs.run(way, (1, program, ["A", config, *steps.split(), "100"]), (1, program, ["B", config, *of_b]))
    problems, values = jobs.problems_of(results), got(results[-1].out) or got(results[0].out)
    for at, due in wanted.items():
        there = values.get(at, ())
        there = there if isinstance(there, tuple) else (there,) * 3
        if len(there) != 3 or not all(map(are_equal, there, due)):
            problems.append([at, there, "wanted", due])
    tally.check(f"{' '.join(way)} {flag}: {what}", problems)


def got(text):
    """What B printed: the value at each second, the same in all cells."""
    rows = re.findall(r"(\d+):([-\d.eE+nan]+),([-\d.eE+nan]+),([-\d.eE+nan]+)", text)
    return {int(at): float(a) if a == b == c else (float(a), float(b), float(c)) for at, a, b, c in rows}


def problems_of(results, wanted):
    if wanted is None:
        said = " ".join(r.err for r in results)
        return [] if any(r.code for r in results) and re.search(NOT_KEPT, said) else ["no error", said]
    found = jobs.problems_of(results)
    values = got(results[-1].out) or got(results[0].out)
    return found or ([] if values == {0: -1, **wanted} else [values, "wanted after the initial value", wanted])


def main(program):
    tally, ways = jobs.Tally(), jobs.ways()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        for i, (what, of_a, of_b, wanted) in enumerate(CASES):
            for flag in ("AVR", "MIN", "MAX"):
                for more in ("", ", second_put='error'"):
                    config.write_text(CONFIG.format(flag, more))
                    way = ways[(i + len(more)) % len(ways)]
                    results = jobs.run(way, (1, program, ["A", config, *of_a.split()]), (1, program, ["B", config, *of_b.split()]))
                    tally.check(f"{' '.join(way)} {flag}{more}: {what}", problems_of(results, wanted and wanted[flag]))
        for i, case in enumerate(SHARED):
            for k, flag in enumerate(STATISTICS):
                check_shared(tally, program, config, flag, case, ways[(i + k) % len(ways)])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
