# SPDX-License-Identifier: BSD-3-Clause
"""When h3ou run lets the components end early: by the user, a signal, or before a time limit."""
import time

import states
import stop


class EarlyStop:
    """after: seconds, or None."""

    def __init__(self, folder, after, show):
        self.folder, self.show, self.is_asked, self.is_told = folder, show, False, False
        self.due = time.monotonic() + after if after is not None else None

    def can(self):
        """Whether every component that runs has asked whether to stop."""
        parts = states.components(self.folder)
        return bool(parts) and not stop.not_asking(parts)

    def ask(self, more):
        if self.is_asked:
            return
        self.is_asked = True
        stop.ask(self.folder)
        missing = stop.not_asking(states.components(self.folder))
        wait = f", once {', '.join(missing)} calls h3ou_should_stop" if missing else ""
        self.show.note(f"all components are to end early, at a common model time{wait}" + (f"; {more}" if more else ""))

    def tell(self, number, frame):
        """A signal came: SIGUSR1."""
        self.is_told = True

    def look(self):
        """Called again and again."""
        if self.is_told or (self.due is not None and time.monotonic() > self.due):
            self.ask("")
