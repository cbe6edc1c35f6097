# SPDX-License-Identifier: BSD-3-Clause
"""How long the processes of each component did what, from the first step to the end; who waited for whom; and what fewer or more processes
would change."""
import re

from timeline_file import COMPUTE, FINISH, START, WAIT

WHO = re.compile(r"component (\S+) rank \d+")
WHAT = re.compile(r"field (\S+) (?:of|for) \S+")


def stepping(t):
    """The time from the first step of a process to the end of its last one, or None."""
    if not t.steps:
        return None
    end = next((b for b, _, kind, _ in reversed(t.spans) if kind == FINISH), t.length)
    first_end = next((b for b, _, kind, _ in t.spans if kind == FINISH), end)
    return t.steps[0][0], max(first_end, t.steps[0][0])


class Sums:
    """Of one component: means over its processes, in seconds."""

    def __init__(self, name, timelines):
        self.name, self.timelines, self.size = name, timelines, timelines[0].size
        self.by_kind, self.waits, self.work = [0.0] * (FINISH + 1), {}, []
        self.wall, self.is_partial = 0.0, False
        counted = [t for t in timelines if stepping(t)]
        for t in counted:
            self.add(t, len(counted))
        self.has_steps = bool(counted)

    def add(self, t, count):
        begin, end = stepping(t)
        own = [0.0] * (FINISH + 1)
        for b, e, kind, label in t.spans:
            b, e = max(b, begin), min(e, end)
            if b >= e or kind == START:
                continue
            own[kind] += e - b
            if kind == WAIT:
                key = t.labels[label]
                self.waits[key] = self.waits.get(key, 0.0) + (e - b) / count
        shown = t.spans[-1][1] if t.spans else 0.0
        if t.left_out or shown < end:  # the sums of the head go on where the events end
            self.is_partial = True
            before = [0.0] * (FINISH + 1)
            for b, e, kind, _ in t.spans:
                before[kind] += max(0.0, min(e, begin) - b) if b < begin else 0.0
            own = [max(0.0, t.totals[k] - before[k]) if k not in (START, FINISH) else 0.0 for k in range(FINISH + 1)]
            end = begin + sum(own)
        self.by_kind = [a + b / count for a, b in zip(self.by_kind, own)]
        self.wall += (end - begin) / count
        self.work.append(sum(own) - own[WAIT])

    def share(self, kind):
        return self.by_kind[kind] / self.wall if self.wall > 0 else 0.0

    def waits_by_partner(self):
        """[(seconds, for whom, for what)], the longest first."""
        found = {}
        for (what, who), seconds in self.waits.items():
            partner, field = WHO.fullmatch(who), WHAT.fullmatch(what)
            key = (f"component {partner[1]}" if partner else who, f"field {field[1]}" if field else what)
            found[key] = found.get(key, 0.0) + seconds
        return sorted(((s, *k) for k, s in found.items()), reverse=True)


class Advice:
    """How many processes to move from whom to whom. The model: a component's work is what its slowest process did without waiting; it is shared
    evenly by its processes, and the time of the run from the first step on is that of the component with the most, since components work at the same
    time."""

    LEAST_GAIN = 0.03  # of the time: less is said to be balanced

    def __init__(self, sums):
        self.sums = [s for s in sums if s.has_steps and s.work]
        self.now = {s.name: s.size for s in self.sums}
        self.busy = {s.name: max(s.work) for s in self.sums}
        self.wall = max((s.wall for s in self.sums), default=0.0)
        self.best = self.divide() if len(self.sums) > 1 and max(self.busy.values()) > 0 else dict(self.now)
        self.predicted = self.time_of(self.best)

    def load(self, name, processes):
        return self.busy[name] * self.now[name] / processes

    def time_of(self, processes):
        """What the run would take: waiting that comes from other causes than the load stays."""
        if not self.sums:
            return 0.0
        other = self.wall - max(self.busy.values())
        return other + max(self.load(n, p) for n, p in processes.items())

    def divide(self):
        """Gives each process to the component that has the most to do, one by one. The division that is there stays where another is not better."""
        best = {n: 1 for n in self.now}
        for _ in range(sum(self.now.values()) - len(best)):
            most = max(best, key=lambda n: (self.load(n, best[n]), n))
            best[most] += 1
        return best if self.time_of(best) < self.time_of(self.now) else dict(self.now)

    def gain(self):
        return 1.0 - self.predicted / self.wall if self.wall > 0 else 0.0

    def is_balanced(self):
        return self.best == self.now or self.gain() < self.LEAST_GAIN

    def moves(self):
        """[(number, from, to)]"""
        give = {n: self.now[n] - p for n, p in self.best.items() if self.now[n] > p}
        found = []
        for name, p in sorted(self.best.items(), key=lambda i: self.now[i[0]] - i[1]):
            needs = p - self.now[name]
            for giver in give:
                number = min(needs, give[giver])
                if number > 0:
                    found.append((number, giver, name))
                    give[giver] -= number
                    needs -= number
        return found

    def waste(self):
        """The share of all processes' time that is not work."""
        total = sum(s.wall * s.size for s in self.sums)
        return 1.0 - sum(self.busy[s.name] * s.size for s in self.sums) / total if total > 0 else 0.0


def unused(kind):
    """Whether an activity has no time in a step."""
    return kind in (0, START, FINISH)


SHOWN_KINDS = [k for k in range(COMPUTE, FINISH)]
