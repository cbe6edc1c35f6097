#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A driver whose program lost memory, wrote behind an array, or did what C does not define, fails with the name of the function, whatever
the driver itself looks at; one whose program ended by a signal of its own does not."""
import os
import pathlib
import subprocess
import sys

LIB = str(pathlib.Path(__file__).resolve().parent.parent / "lib")
sys.path.insert(0, LIB)
import jobs

DRIVER = """
import sys
sys.path.insert(0, sys.argv[1])
import jobs
results = jobs.wait_all([jobs.Job(None, [(1, sys.argv[2:])])], 30)
print("ended with", results[0].code)
"""


def problems_of(program, fault, code, text):
    """What is wrong with a driver that should end with this code, and say this text."""
    run = subprocess.run([sys.executable, "-B", "-c", DRIVER, LIB, program, fault], capture_output=True, text=True, timeout=50, check=False,
                         env={k: v for k, v in os.environ.items() if k != "ASAN_OPTIONS"})
    wrong = [] if run.returncode == code else [f"the driver ends with {run.returncode}\n{run.stdout}{run.stderr}"]
    return wrong + ([] if text in run.stdout else [f"it does not say '{text}'\n{run.stdout}{run.stderr}"])


def main(program):
    tally = jobs.Tally()
    for fault, code, text in [("none", 0, "ended with 0"), ("leak", 1, "lose_memory at "), ("overflow", 1, "write_behind at "),
                              ("undefined", 1, "signed integer overflow"), ("signal", 0, "ended with ")]:
        tally.check(fault, problems_of(program, fault, code, text))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
