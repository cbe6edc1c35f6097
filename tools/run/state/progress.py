# SPDX-License-Identifier: BSD-3-Clause
"""The progress of a run: on a terminal a line for each component below what the jobs write, else the same lines now and then."""
import shutil
import sys
import time

import states

EVERY = 0.5  # seconds between two pictures on a terminal


class Progress:
    def __init__(self, folder, seconds):
        self.folder, self.seconds = folder, seconds
        self.is_screen = sys.stderr.isatty()
        self.shown, self.last = 0, time.monotonic()

    def clear(self):
        """Removes the lines, before something else is written."""
        if self.shown:
            sys.stderr.write(f"\033[{self.shown}A\033[J")
            sys.stderr.flush()
            self.shown = 0

    def lines(self):
        found = states.components(self.folder)
        return states.table([states.line_of(c) for c in found]) if found else []

    def say(self, note):
        """Called all the time; note(): writes a remark."""
        now = time.monotonic()
        if self.is_screen and now > self.last + EVERY:
            self.last = now
            width = shutil.get_terminal_size().columns
            lines = [line[:width - 1] for line in self.lines()]
            self.clear()
            sys.stderr.write("".join(line + "\n" for line in lines))
            sys.stderr.flush()
            self.shown = len(lines)
        elif not self.is_screen and self.seconds and now > self.last + self.seconds:
            self.last = now
            for line in self.lines():
                note(line)
