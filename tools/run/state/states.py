# SPDX-License-Identifier: BSD-3-Clause
"""What the processes of a run do at the moment: the files of its folder `state`, as src/c/comm/watch/run_state.h writes them."""
import datetime
import os
import pathlib
import struct
import time

SIZE, VERSION, MAGIC = 512, 2, b"h3ourun\0"
STARTS, COMPUTES, WAITS, ENDED = range(4)
ASKS_NOT, ASKS, STOPS, CANNOT_STOP = range(4)
HEAD = struct.Struct("=8sIIIIII3d2dqQ3d64s16s152sd160s")
DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def text_of(field):
    return field.split(b"\0")[0].decode(errors="replace")


class State:
    """One process."""

    def __init__(self, path, data):
        (_, _, self.pid, self.size, self.doing, self.changes, self.stop, self.began, self.since, self.waited, self.time, self.step, self.start,
         self.steps, self.first, self.begun, self.waited_then, host, calendar, what, self.stop_at, who) = HEAD.unpack(data[:HEAD.size])
        self.host, self.calendar, self.what, self.who = map(text_of, (host, calendar, what, who))
        self.component, _, rank = path.name.rpartition(".")
        self.rank = int(rank)

    def until(self, now):
        """The time up to which it is looked at: that of its end, if it has ended."""
        return self.since if self.doing == ENDED else now

    def is_gone(self):
        """Whether the process has ended without saying so; of processes of other hosts that is not known."""
        return self.doing != ENDED and self.host == os.uname().nodename and not os.path.exists(f"/proc/{self.pid}")

    def waits_for(self, now):
        """Seconds that it has waited, the present wait included, since its first step."""
        return self.waited - self.waited_then + (max(0.0, now - self.since) if self.doing == WAITS else 0.0)


def read(folder):
    """The states of all processes, by component and rank; files that are being made are left out."""
    found = []
    for path in pathlib.Path(folder, "state").glob("*.*"):
        for _ in range(5):  # a text may be written at this moment
            try:
                data = path.read_bytes()
            except OSError:
                break
            if len(data) != SIZE or not data.startswith(MAGIC) or struct.unpack_from("=I", data, 8)[0] != VERSION:
                break
            state = State(path, data)
            if state.changes % 2 == 0:
                found.append(state)
                break
    return sorted(found, key=lambda s: (s.component, s.rank))


def date_text(state, seconds):
    """The model time in the calendar of the run."""
    whole = state.start + int(seconds // 1)
    days, rest = divmod(whole, 86400)
    clock = f"{rest // 3600:02}:{rest % 3600 // 60:02}:{rest % 60:02}"
    if state.calendar == "gregorian":
        try:
            return f"{datetime.date(1970, 1, 1) + datetime.timedelta(days):%Y-%m-%d} {clock}"
        except OverflowError:
            pass
    months = {"360_day": [30] * 12, "noleap": DAYS_OF_MONTHS, "all_leap": [31, 29, *DAYS_OF_MONTHS[2:]]}.get(state.calendar)
    if not months:
        return f"{seconds / 86400:.2f} days"
    year, day = divmod(days, sum(months))
    month = 0
    while day >= months[month]:
        day -= months[month]
        month += 1
    return f"{1970 + year:04}-{month + 1:02}-{day + 1:02} {clock}"


class Component:
    """All processes of a component, and what is to be said of them."""

    def __init__(self, name, states):
        self.name, self.states, self.head = name, states, states[0]
        self.stepped = [s for s in states if s.steps]

    def model_time(self):
        return date_text(self.head, self.head.time) if self.stepped else "starts"

    def speed(self, now):
        """Simulated days a day, since the first step."""
        head = self.head
        if not self.stepped or head.until(now) <= head.begun:
            return None
        done = head.time - head.first + (head.step if head.doing == ENDED else 0.0)
        return max(0.0, done) / (head.until(now) - head.begun)

    def waiting(self, now):
        """The share of their time that the processes have waited, in the mean."""
        shares = [s.waits_for(now) / (s.until(now) - s.begun) for s in self.stepped if s.until(now) > s.begun]
        return sum(shares) / len(shares) if shares else None

    def doing(self, now):
        """One sentence: what its processes do."""
        gone = [s for s in self.states if s.is_gone()]
        waits = [s for s in self.states if s.doing == WAITS and s not in gone]
        ended = [s for s in self.states if s.doing == ENDED]
        if gone:
            return f"rank {gone[0].rank} is gone" + (f", and {len(gone) - 1} more" if gone[1:] else "")
        if len(ended) == len(self.states):
            return "ended"
        if waits:
            longest = min(waits, key=lambda s: s.since)
            part = "" if len(waits) == len(self.states) else f"{len(waits)} of {len(self.states)}: "
            return f"{part}waits {max(0.0, now - longest.since):.1f} s for {longest.who}: {longest.what}"
        return "computes" if self.stepped else "starts"


def components(folder):
    """The components of a run that show their states, by name."""
    found = {}
    for state in read(folder):
        found.setdefault(state.component, []).append(state)
    return [Component(name, states) for name, states in sorted(found.items())]


def speed_text(speed):
    """Simulated time in a day, in the unit that reads best."""
    if speed is None:
        return "-"
    for unit, size in (("years/day", 365.0), ("days/day", 1.0)):
        if speed >= size:
            return f"{speed / size:.3g} {unit}"
    return f"{speed * 24:.3g} hours/day"


def line_of(component, now=None):
    now = now or time.time()
    share = component.waiting(now)
    waits = "-" if share is None else f"{100 * min(1.0, share):.0f} %"
    return [component.name, str(len(component.states)), component.model_time(), speed_text(component.speed(now)), waits, component.doing(now)]


HEADS = ["component", "processes", "model time", "speed", "waits", "now"]


def table(rows):
    """Rows of texts below HEADS, in columns."""
    rows = [HEADS, *rows]
    widths = [max(len(r[i]) for r in rows) for i in range(len(HEADS))]
    return ["  ".join(f"{t:{w}}" for t, w in zip(r, widths)).rstrip() for r in rows]
