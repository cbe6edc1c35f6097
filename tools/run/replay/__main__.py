# SPDX-License-Identifier: BSD-3-Clause
"""h3ou replay: a component of a recorded run alone, or several of one job. Called by the command h3ou, which has read the options:

    replay FOLDER COMPONENT stop|"go on" COMMAND...

COMPONENT: "" where the record has one only; several between commas. Without a command prints what the record has."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
from fractions import Fraction

import record_file

LONG = "1000000000"  # seconds: no wait ends by patience


def seconds(time):
    return f"{float(time):.10g} s"


def line_of(name, parts):
    cells = ", ".join(f"{grid} ({sum(p.grids.get(grid, 0) for p in parts)} cells)" for grid in parts[0].grids)
    lasts = [p.last for p in parts if p.last]
    until = f"up to {seconds(min(last[0] + last[1] for last in lasts))} after the start" if len(lasts) == len(parts) else "no step"
    how = "" if all(p.ended for p in parts) else ", the run was ended there"
    return f"{name}: {len(parts)} processes, {until}{how}; {parts[0].puts} puts, {parts[0].gets} gets of process 0; grids: {cells or 'none'}"


def choose(folder, component):
    """The names of the components that are to be replayed."""
    found = record_file.components(folder)
    names = ", ".join(found)
    asked = [component] if component in found else [name.strip() for name in component.split(",") if name.strip()]
    missing = [name for name in asked if name not in found]
    if missing:
        raise record_file.RecordError(f"{folder}: there is no component '{missing[0]}'; there are: {names}")
    if not asked and len(found) > 1:
        raise record_file.RecordError(f"{folder}: name the component by --component; there are: {names}")
    return asked or list(found)


class Report:
    """What the processes wrote (coupler/record/replay_report.h)."""

    def __init__(self, path):
        lines = [line.split("\t") for line in pathlib.Path(path).read_text(errors="replace").splitlines()] if os.path.exists(path) else []
        self.ends = [line for line in lines if line[0] == "end" and len(line) == 5]
        self.all_differences = [d for d in lines if d[0] == "difference" and len(d) == 9]

    def differences(self, component):
        # Before the first step or not, time, which put of the process, cell: the first one is the same for any number of processes.
        return sorted(((int(d[2]), Fraction(int(d[3]), int(d[4])), int(d[5]), int(d[6])), d[8]) for d in self.all_differences if d[1] == component)

    def say(self, component, folder):
        """A sentence or two of one component, and whether it is as in the recorded run."""
        differences, ends = self.differences(component), [end for end in self.ends if end[1] == component]
        if differences:
            fields = {sentence.split()[1] for _, sentence in differences}
            return [f"{component} differs from the recorded run, first in: {differences[0][1]}", f"fields that differ: {', '.join(sorted(fields))}"], False
        if ends:
            puts = sum(int(end[2]) for end in ends)
            return [f"{component} put what it put in the recorded run (processes: {len(ends)}, puts compared bit for bit: {puts})"], True
        return [f"no process has replayed component {component} of {folder} to its end"], False


def run(folder, components, stops, command):
    if not shutil.which(command[0]):
        raise record_file.RecordError(f"{command[0]}: no such command")
    with tempfile.TemporaryDirectory(prefix="h3ou-replay-") as place:
        report = os.path.join(place, "report")
        new = {"H3OU_REPLAY": os.path.abspath(folder), "H3OU_REPLAY_COMPONENT": ",".join(components), "H3OU_REPLAY_REPORT": report,
               "H3OU_REPLAY_STOP": "1" if stops else ""}
        new |= {name: LONG for name in ("H3OU_JOIN_PATIENCE", "H3OU_END_PATIENCE") if name not in os.environ}
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command
        code = subprocess.call(command, env={**os.environ, **new}, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        found = Report(report)
    is_same = True
    for component in components:
        sentences, is_right = found.say(component, folder)
        is_same &= is_right
        for sentence in sentences:
            print(f"h3ou replay: {sentence}", file=sys.stderr)
    if code:
        print(f"h3ou replay: {command[0]} ended with code {code}", file=sys.stderr)
    return (code if code > 0 else 1) if code else 0 if is_same else 1


def main(folder, component, how, *command):
    try:
        if not command:
            for name, parts in record_file.components(folder).items():
                if not component or name in choose(folder, component):
                    print(line_of(name, parts))
            return 0
        return run(folder, choose(folder, component), how == "stop", command)
    except record_file.RecordError as e:
        print(f"h3ou replay: {e}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
