#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A driver whose program lost memory, wrote where it must not, or did what C does not define, fails with the name of the function, whatever
the driver itself looks at; one whose program ended by a signal does not."""
import os
import pathlib
import subprocess
import sys

LIB = str(pathlib.Path(__file__).resolve().parent.parent / "lib")
sys.path.insert(0, LIB)
import jobs

DRIVER = """
import os
import sys
sys.path.insert(0, sys.argv[1])
import jobs
results = jobs.wait_all([jobs.Job(None, [(1, sys.argv[2:])])])
print("ended with", results[0].code)
"""


def problems_of(program, fault, code, text, last=""):
    """What is wrong with a driver that should end with this code, and say this text. last: what it does at its end."""
    run = subprocess.run([sys.executable, "-B", "-c", DRIVER + last, LIB, program, fault], capture_output=True, text=True, timeout=200, check=False,
                         env={k: v for k, v in os.environ.items() if k != "ASAN_OPTIONS"})
    wrong = [] if run.returncode == code else [f"the driver ends with {run.returncode}\n{run.stdout}{run.stderr}"]
    return wrong + ([] if text in run.stdout else [f"it does not say '{text}'\n{run.stdout}{run.stderr}"])


def main(program, sanitizers):
    tally = jobs.Tally()
    cases = [("none", 0, "ended with 0"), ("leak", 1, "lose_memory at "), ("overflow", 1, "write_behind at "), ("null", 1, "SEGV"),
             ("signal", 0, "ended with -11")]
    if "undefined" in sanitizers:
        cases.append(("undefined", 1, "signed integer overflow"))
    for case in cases:
        tally.check(case[0], problems_of(program, *case))
    tally.check("a leak without addr2line", problems_of(program, "leak", 1, "faulty+0x", "os.environ['PATH'] = '/nowhere'"))
    tally.check("a report that cannot be read",
                problems_of(program, "leak", 1, "Error", "for f in jobs.reports.FOLDER.iterdir(): f.unlink(); f.mkdir()"))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
