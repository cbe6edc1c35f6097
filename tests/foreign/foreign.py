#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on unlike machines: one of this machine, one on arm64, one on s390x whose bytes stand the other way round:
foreign.py NATIVE FOLDER CASE, with tests/lib/talk.c built for this machine, and by build.py in FOLDER for the others.

Exit code 77: the programs of the other machines are not here."""
import pathlib
import re
import shutil
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import build
import jobs

RANKS = 2
FAREWELL = 'rank 7 of the test says: "enough"'


def start(commands, arguments, **env):
    """One job a command, RANKS processes each, by the variables that stand for a launcher."""
    port = jobs.free_port()
    return [jobs.Job(None, [(1, [*command, *arguments])],
                     {"WAITIO_MASTER_HOST": "127.0.0.1", "WAITIO_MASTER_PORT": port, "WAITIO_PBID": pb, "WAITIO_NPB": len(commands),
                      "WAITIO_RANK": rank, "WAITIO_SIZE": RANKS, "WAITIO_PATIENCE": 60, "WAITIO_JOIN_PATIENCE": 60, **env})
            for pb, command in enumerate(commands) for rank in range(RANKS)]


def run(started, seconds):
    try:
        return jobs.wait_all(started, seconds)
    finally:
        for process in started:
            process.kill()


def exchange(commands, tally):
    """Every pair, both ways, in turn with each machine as master: empty messages, short ones, long ones."""
    for turn in range(len(commands)):
        turned = commands[turn:] + commands[:turn]
        # By TCP, as between hosts; and by whatever the library finds here, where emulated machines share this host's memory.
        for way, env in (("TCP", {"WAITIO_COMM_TYPE": "socket"}), ("any way", {})):
            results = run(start(turned, ["exchange", 36, 0, 1048576], **env), 60)
            problems = jobs.problems_of(results)
            if not problems and not all("done" in r.out for r in results):
                problems.append("not every process came to its end")
            tally.check(f"exchange by {way}, master {pathlib.Path(turned[0][-1]).name}", problems)


def abort(commands, tally):
    """The last process ends the run; the jobs of the others hear why, each on its own machine."""
    for turn in range(len(commands)):
        turned = commands[turn:] + commands[:turn]
        results = run(start(turned, ["abort"]), 60)
        problems = jobs.problems_of(results)
        for pb in range(len(commands) - 1):
            told = [r.out for r in results[pb * RANKS:(pb + 1) * RANKS]]
            lines = [re.findall(r"^end rank=\d+ call=receive code=(-?\d+) seconds=\S+ text=(.*)$", text, re.M) for text in told]
            if any(len(line) != 1 or int(line[0][0]) >= 0 for line in lines):
                problems.append(f"job {pb}: not every process was told of an error: {lines}")
            elif FAREWELL not in lines[0][0][1]:
                problems.append(f"job {pb}: its first process did not hear the reason: {lines}")
        tally.check(f"abort by {pathlib.Path(turned[-1][-1]).name}", problems)


def main(native, folder, case):
    commands = [[str(pathlib.Path(native).resolve())]]
    for machine, (_, emulator) in build.MACHINES.items():
        program = pathlib.Path(folder, f"talk.{machine}").resolve()
        if not program.exists() or not shutil.which(emulator):
            print(f"skipped: no {program.name}, or no {emulator}: see what foreign.build says")
            return build.SKIP
        commands.append([emulator, str(program)])

    def leave(number, frame):
        raise SystemExit(128 + number)
    signal.signal(signal.SIGTERM, leave)
    tally = jobs.Tally()
    {"exchange": exchange, "abort": abort}[case](commands, tally)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
