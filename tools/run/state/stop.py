# SPDX-License-Identifier: BSD-3-Clause
"""h3ou stop: lets a run end early. Called by the command h3ou, which has read the options:

    stop RUNDIR SECONDS"""
import os
import pathlib
import sys
import time

import states


def ask(folder):
    """Makes the file that the leaders of the components look for, and remove when they have agreed."""
    file = pathlib.Path(folder, "stop")
    new = file.with_name(f"stop.{os.getpid()}")
    new.write_text("stop\n")
    new.replace(file)


def never_asked(parts):
    """Those whose models have not asked."""
    return [c for c in parts if c.head.stop == states.ASKS_NOT]


def not_asking(parts):
    """The components whose models have not asked yet, of those that run."""
    return [c.name for c in never_asked(parts) if c.head.doing != states.ENDED]


def dates_of(heads):
    """When the components end: one date, or, with a lag above 1, several with their components."""
    names = {}
    for head in heads:
        names.setdefault(states.date_text(head, head.stop_at), []).append(head.component)
    return next(iter(names)) if len(names) == 1 else ", ".join(f"{date} ({', '.join(sorted(of))})" for date, of in sorted(names.items()))


def answer(parts):
    """What the components said so far: a sentence and an exit code, or None."""
    left = [c for c in parts if c.head.doing != states.ENDED and not c.head.is_gone()]
    stops = [c for c in parts if c.head.stop == states.STOPS]
    refuse = [c for c in parts if c.head.stop == states.CANNOT_STOP]
    if refuse:
        return f"the run cannot end early: the log of component {refuse[0].name} says why (cannot_stop)", 1
    if stops and (len(stops) == len(parts) or not left):
        return f"all components end at {dates_of([c.head for c in stops])}", 0
    if parts and not left:
        names = [c.name for c in never_asked(parts)]
        return "the run has ended" + (f"; component {', '.join(names)} never called h3ou_should_stop" if names else ""), 1
    return None


def main(folder, seconds):
    if not any(pathlib.Path(folder, part).is_dir() for part in ("state", "log")):
        print(f"h3ou stop: {folder}: no folder of a run: give the one that h3ou run was given (key directory, or RUN.out)", file=sys.stderr)
        return 1
    parts = states.components(folder)
    if parts and all(c.head.doing == states.ENDED for c in parts):
        print("h3ou stop: the run has ended", file=sys.stderr)
        return 1
    try:
        if not answer(parts):
            ask(folder)
    except OSError as e:
        print(f"h3ou stop: {e.filename}: {e.strerror}", file=sys.stderr)
        return 1
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        said = answer(states.components(folder))
        if said:
            print(f"h3ou stop: {said[0]}", file=sys.stderr if said[1] else sys.stdout)
            return said[1]
        time.sleep(0.1)
    parts = states.components(folder)
    missing = not_asking(parts)
    if missing:
        print(f"h3ou stop: asked; the run goes on until component {', '.join(missing)} calls h3ou_should_stop")
    else:
        print("h3ou stop: asked; the components have not agreed on a time yet")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
