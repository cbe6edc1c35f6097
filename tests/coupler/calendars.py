#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""calendars.py DATES: 100000 random dates and steps in every calendar, compared with the package cftime."""
import random
import subprocess
import sys

import cftime

NAMES = {"gregorian": "proleptic_gregorian", "noleap": "noleap", "360_day": "360_day", "julian": "julian", "all_leap": "all_leap"}
EPOCH = "seconds since 1970-01-01 00:00:00"


def ask(program, lines):
    out = subprocess.run([program], input="".join(lines), capture_output=True, text=True, check=True, timeout=200).stdout
    return [list(map(int, line.split())) for line in out.splitlines()]


def six(date):
    return [date.year, date.month, date.day, date.hour, date.minute, date.second]


def add_months(date, months):
    month = date.year * 12 + date.month - 1 + months
    first = date.replace(year=month // 12, month=month % 12 + 1, day=1)
    return first.replace(day=min(date.day, first.daysinmonth))


def compare(program, rng, name, number):
    """Returns what differs. Years below 1 are left out: which of them there are is not agreed on."""
    calendar, lines, awaited = NAMES[name], [], []
    starts = cftime.num2date([rng.randrange(-40_000_000_000, 40_000_000_000) for _ in range(number)], EPOCH, calendar=calendar)
    steps = [rng.choice([1, 59, 3600, 86400, -1, -86400, rng.randrange(-10**9, 10**9)]) for _ in starts]
    seconds = cftime.date2num(starts, EPOCH, calendar=calendar)
    later = cftime.num2date([a + b for a, b in zip(seconds, steps)], EPOCH, calendar=calendar)
    for start, step, second, end in zip(starts, steps, seconds, later):
        months = rng.randrange(-300, 300)
        lines.append(" ".join(map(str, [name, *six(start), step, months])) + "\n")
        awaited.append([second, 1, *six(end), *six(add_months(start, months))])
    return [f"{line.strip()}: {got}, cftime says {right}" for line, got, right in zip(lines, ask(program, lines), awaited) if got != right]


def check_days(program, name):
    """What is no date: days 29 to 31 of all months of years that leap in some calendars."""
    wrong = []
    days = [(year, month, day) for year in (1899, 1900, 2000, 2001, 2004) for month in range(1, 13) for day in (28, 29, 30, 31)]
    for date, got in zip(days, ask(program, [f"{name} {y} {m} {d} 0 0 0 0 0\n" for y, m, d in days])):
        try:
            cftime.datetime(*date, calendar=NAMES[name])
            is_date = True
        except ValueError:
            is_date = False
        if bool(got[1]) != is_date:
            wrong.append(f"{name} {date}: {got[1]}, cftime says {is_date}")
    return wrong


def main(program, number=100000, seed=1582):
    rng, wrong = random.Random(int(seed)), []
    for name in NAMES:
        wrong += compare(program, rng, name, int(number) // len(NAMES)) + check_days(program, name)
    print("\n".join([*wrong[:20], f"{number} dates compared, {len(wrong)} differ"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
