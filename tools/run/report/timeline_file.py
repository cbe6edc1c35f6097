# SPDX-License-Identifier: BSD-3-Clause
"""A file of a run's folder `timeline`: what a process did, and when. src/c/comm/watch/timeline.c writes it, docs/adr/0028-the-timelines-file.md
describes it. Nothing of it is believed before it is checked: a file that is cut is read up to its last whole event."""
import pathlib
import re
import struct

MAGIC, VERSION, HEAD, WINDOW = b"h3outime", 1, 512, 1 << 16
ACTIVITIES = ["", "start", "compute", "wait", "send", "receive", "remap", "exchange", "finish"]
START, COMPUTE, WAIT, SEND, RECEIVE, REMAP, EXCHANGE, FINISH = range(1, 9)
STEP, LABEL = 14, 15
FIXED = struct.Struct("<8sIIIIIIqQQQQQ9Q")


class TimelineError(Exception):
    """One sentence for the user."""


class Cut(Exception):
    """The file ends inside an event."""


def text_of(data):
    return data.split(b"\0")[0].decode(errors="replace")


class Timeline:
    """One process. spans: [(begin, end, activity, label)] in seconds since its file was made; steps: [(begin, model time)]. most: spans that
    are read at most."""

    def __init__(self, path, most=None):
        self.path = pathlib.Path(path)
        try:
            data = self.path.read_bytes()
        except OSError as e:
            raise TimelineError(f"{path}: {e.strerror}") from None
        self.read_head(data)
        self.labels, self.spans, self.steps, self.problem, self.is_short = [("", "")], [], [], "", False
        self.read_events(data, most or len(data))

    def fail(self, sentence):
        raise TimelineError(f"{self.path}: {sentence}")

    def read_head(self, data):
        if len(data) < HEAD:
            self.fail(f"{len(data)} bytes, which is shorter than the head of a time line")
        (magic, version, head, _, self.size, self.rank, tick, began, latest, self.ended, last, self.left_out, _, *totals) = FIXED.unpack_from(data)
        if magic != MAGIC:
            self.fail("no time line of h3ou")
        if version != VERSION or head != HEAD:
            self.fail(f"a time line of version {version}, this h3ou reads version {VERSION}")
        if not 0 < tick <= 10**9 or not 0 < self.size <= 2**31 or self.rank >= self.size:
            self.fail("its head is damaged")
        self.tick, self.began = tick * 1e-9, began * 1e-9
        self.host, self.component, self.mpi = map(text_of, (data[192:256], data[256:336], data[336:HEAD]))
        self.length = (last if self.ended else latest) * self.tick
        self.totals = [t * self.tick for t in totals]
        if self.length > 1e10 or not re.fullmatch(r"[^\x00-\x1f]{1,80}", self.component):
            self.fail("its head is damaged")

    def read_events(self, data, most):
        at, now, time, step, present = HEAD, 0, 0, 0, None
        try:
            while at < len(data):
                if len(self.spans) >= most:
                    self.is_short = True
                    break
                if data[at] == 0:  # nothing more, or nothing more before the border of a window
                    at = (at // WINDOW + 1) * WINDOW
                    if at >= len(data) or data[at] == 0:
                        break
                kind, number, at = self.read_kind(data, at)
                if kind == LABEL:
                    what, at = self.read_text(data, at)
                    who, at = self.read_text(data, at)
                    self.labels.append((what, who))
                    continue
                ticks, at = read_number(data, at)
                now += ticks
                if now * self.tick > 1e10:
                    self.problem = "an event is not of this run: the file is damaged there"
                    break
                if kind == STEP:
                    more, at = read_number(data, at)
                    step += (more >> 1) ^ -(more & 1)
                    time += step
                    self.steps.append((now * self.tick, time * 1e-6))
                    continue
                if present:
                    self.spans.append((present[0] * self.tick, now * self.tick, *present[1:]))
                present = (now, kind, number)
        except Cut:
            self.problem = "it ends inside an event"
        except ValueError as e:
            self.problem = str(e)
        if present:
            end = max(self.length, now * self.tick) if not self.problem and not self.left_out and not self.is_short else now * self.tick
            self.spans.append((present[0] * self.tick, end, *present[1:]))

    def read_kind(self, data, at):
        """The kind of the event and its number, of a label that is known."""
        value, at = read_number(data, at)
        kind, number = value & 15, value >> 4
        if kind not in (STEP, LABEL) and kind >= len(ACTIVITIES) or number >= len(self.labels):
            raise ValueError(f"the event at byte {at} is none: the file is damaged there")
        return kind, number, at

    def read_text(self, data, at):
        length, at = read_number(data, at)
        if at + length > len(data):
            raise Cut
        if length > 4096:
            raise ValueError(f"the text at byte {at} is too long: the file is damaged there")
        return data[at:at + length].decode(errors="replace"), at + length


def read_number(data, at):
    """A number in groups of seven bits, the lowest first, and where what follows begins."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise Cut
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
    raise ValueError(f"the number at byte {at} is too long: the file is damaged there")


def read(folder, most=None):
    """The time lines of a run's folder by component and rank, and a sentence for each file that is none, or not read to its end. most: spans
    of all of them that are read at most."""
    found, problems = [], []
    paths = sorted(pathlib.Path(folder, "timeline").glob("*"))
    for path in paths:
        try:
            timeline = Timeline(path, most and max(most // len(paths), 200))
            found.append(timeline)
            if timeline.problem:
                problems.append(f"{path}: {timeline.problem}; what comes before is shown")
        except TimelineError as e:
            problems.append(str(e))
    return sorted(found, key=lambda t: (t.component, t.rank)), problems
