# SPDX-License-Identifier: BSD-3-Clause
"""h3ou top: what the processes of a run do, again and again. Called by the command h3ou, which has read the options:

    top RUNDIR SECONDS ONCE PROCESSES"""
import os
import pathlib
import sys
import time

import states


def rows_of(folder, each):
    """The table's lines: a component each, or a process each."""
    parts = states.components(folder)
    if each:
        parts = [states.Component(f"{c.name}.{s.rank}", [s]) for c in parts for s in c.states]
    return states.table([states.line_of(c) for c in parts]), parts


def main(folder, seconds, once, each):
    if not pathlib.Path(folder, "state").is_dir():
        print(f"h3ou top: {folder}: no folder of a run: give the one that h3ou run was given (key directory, or RUN.out)", file=sys.stderr)
        return 1
    if not states.read(folder):
        print(f"h3ou top: {folder}/state: no process has told of itself yet", file=sys.stderr)
        return 1
    is_screen = sys.stdout.isatty() and once != "once"
    while True:
        lines, parts = rows_of(folder, each == "each")
        if is_screen:
            print("\033[H\033[2J", end="")
        print("\n".join(lines), flush=True)
        if once == "once" or all(s.doing == states.ENDED or s.is_gone() for c in parts for s in c.states):
            return 0
        try:
            time.sleep(float(seconds))
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except BrokenPipeError:  # who reads the lines has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
