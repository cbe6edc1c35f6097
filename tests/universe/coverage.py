#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""coverage.py MPICC_OF_MPICH MPICC...: which case of tests/universe calls each function of MPI that the universe has its own of (universe/world/layer_functions.h).

The cases are read as these compilers' preprocessors leave them, so that calls which macros make are found. A function that no case calls is told, and the exit code is
1. --table prints all functions with the files of their cases."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LAYER = HERE.parent.parent / "universe/world/layer_functions.h"

# Functions without a case: a pattern and the reason. A reason for a function that a case calls is told, too.
WITHOUT = {}
# What universe_large is made of.
LARGE = ("message_case.c", "request_case.c", "started_case.c", "neighbor_case.c")


def functions():
    text = LAYER.read_text(encoding="utf-8")
    return sorted(set(re.findall(r"\bX\((\w+)\)", text[text.index("#define UNIVERSE_LAYER"):])))


def calls_of(path, mpicc, *flags):
    """The functions of MPI that a file itself calls, without those that its headers declare."""
    text = subprocess.run([mpicc, "-E", "-D_GNU_SOURCE", f"-I{HERE.parent.parent}", *flags, str(path)], capture_output=True, text=True, check=True).stdout
    found, own = set(), False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = pathlib.Path(marker.group(1)).name == path.name
        elif own:
            found |= set(re.findall(r"\bMPI_(\w+) *\(", re.sub(r'"(\\.|[^"\\])*"', '""', line)))
    return found


def main(words):
    found = {}
    compilers = [w for w in words if not w.startswith("--")]
    large = ["-DLARGE_COUNTS", "-include", str(HERE / "large_numbers.h")]
    for path in sorted([*HERE.glob("*_case.c"), *HERE.glob("universe_cases.c"), *HERE.glob("ends/*.c")]):
        for mpicc in compilers:
            for name in calls_of(path, mpicc):
                found.setdefault(name, set()).add(path.name)
        if path.name in LARGE:
            for name in calls_of(path, compilers[0], *large):
                found.setdefault(name, set()).add(f"{path.name} with large counts")
    wrong = []
    for name in functions():
        reason = next((why for pattern, why in WITHOUT.items() if re.fullmatch(pattern, name)), None)
        if bool(found.get(name)) == bool(reason):
            wrong.append(f"MPI_{name}: " + ("a case calls it, and coverage.py says why none does" if reason else "no case calls it"))
        if "--table" in words:
            print(f"MPI_{name}: {', '.join(sorted(found.get(name, [reason or '-'])))}")
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{len(functions())} functions, {len(wrong)} wrong")
    return bool(wrong) or len(functions()) < 250 or not compilers


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
