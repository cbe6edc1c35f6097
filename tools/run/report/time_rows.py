# SPDX-License-Identifier: BSD-3-Clause
"""The rows of the report's time line: for each component the mean over its processes, and some of its processes. Their number of items is bounded, so
that the page is: what is short beside the whole is put together, and says its shares."""
from timeline_file import COMPUTE, FINISH

BINS = 1500             # of a component's row
MOST_ROWS = 24          # processes of a component that are shown
MOST_ITEMS = 120000     # of all rows of processes together
MIXED = 0               # the kind of an item that has several activities


def chosen(timelines):
    """At most MOST_ROWS processes: the first, the last, and others evenly between them."""
    n = len(timelines)
    if n <= MOST_ROWS:
        return timelines
    return [timelines[round(i * (n - 1) / (MOST_ROWS - 1))] for i in range(MOST_ROWS)]


def origin(folder):
    """The clock of the day at which the earliest process began."""
    return min((t.began for t in folder.timelines), default=0.0)


def whole(folder):
    """Seconds from there to the last end."""
    begin = origin(folder)
    return max((t.began - begin + max(t.length, t.spans[-1][1] if t.spans else 0.0) for t in folder.timelines), default=0.0)


def bins_of(timelines, begin, length):
    """[bin][kind]: parts of the processes that did what, in thousandths."""
    bins = [[0.0] * (FINISH + 1) for _ in range(BINS)]
    width = length / BINS or 1.0
    for t in timelines:
        shift = t.began - begin
        for b, e, kind, _ in t.spans:
            b, e = (b + shift) / width, (e + shift) / width
            first, last = int(b), min(int(e), BINS - 1)
            for i in range(first, last + 1):
                part = min(e, i + 1) - max(b, i)
                if part > 0:
                    bins[i][kind] += part / len(timelines)
    return [[round(1000 * v) for v in row] for row in bins]


def items_of(t, shift, least):
    """[begin, length, kind, label, steps...] of a process, in microseconds; spans shorter than `least` seconds are put together:
    [begin, length, MIXED, shares in thousandths of the kinds from COMPUTE on]."""
    found, mixed = [], None

    def close():
        nonlocal mixed
        if mixed:
            b, e, parts = mixed
            alone = [k for k, p in enumerate(parts) if p > 0.999 * (e - b)]
            body = [alone[0], 0] if alone and e > b else [MIXED, [round(1000 * p / (e - b)) if e > b else 0 for p in parts]]
            found.append([round(1e6 * (b + shift)), round(1e6 * (e - b)), *body])
            mixed = None

    for b, e, kind, label in t.spans:
        if e - b >= least:
            close()
            found.append([round(1e6 * (b + shift)), round(1e6 * (e - b)), kind, label])
            continue
        if mixed and e - mixed[0] > 4 * least:
            close()
        if not mixed:
            mixed = [b, e, [0.0] * (FINISH + 1)]
        mixed[1] = e
        mixed[2][kind] += e - b
    close()
    return found


def least_span(timelines, budget):
    """The shortest span that is kept, such that all rows have at most `budget` items."""
    lengths = sorted((e - b for t in timelines for b, e, _, _ in t.spans), reverse=True)
    if len(lengths) <= budget:
        return 0.0
    return max(lengths[budget // 3], max(t.length for t in timelines) * len(timelines) / budget)


class TimeRows:
    def __init__(self, folder):
        self.begin, self.length = origin(folder), whole(folder)
        parts = folder.components()
        shown = {name: chosen(ts) for name, ts in parts.items()}
        if sum(map(len, shown.values())) > 40 * MOST_ROWS:  # an ensemble with many members: their components are rows enough
            shown = {name: ts[:1] for name, ts in shown.items()}
        every = [t for ts in shown.values() for t in ts]
        self.least = least_span(every, MOST_ITEMS) if every else 0.0
        self.rows = []
        for name, ts in parts.items():
            self.rows.append({"name": name, "size": ts[0].size, "processes": len(ts), "bins": self.flat(bins_of(ts, self.begin, self.length)),
                              "ranks": [self.row(t) for t in shown[name]]})

    def row(self, t):
        shift = t.began - self.begin
        items = items_of(t, shift, self.least)
        used = sorted({i[3] for i in items if i[2] != MIXED})
        number = {label: i for i, label in enumerate(used)}
        for item in items:
            if item[2] != MIXED:
                item[3] = number[item[3]]
        return {"rank": t.rank, "host": t.host, "items": items, "labels": [list(t.labels[k]) for k in used],
                "steps": [[round(1e6 * (at + shift)), time] for at, time in t.steps[::max(1, len(t.steps) // 2000)]],
                "end": round(1e6 * (t.spans[-1][1] + shift)) if t.spans else 0, "full": t.left_out > 0}

    @staticmethod
    def flat(bins):
        """Runs of equal bins: [count, shares]."""
        found = []
        for b in bins:
            if found and found[-1][1] == b:
                found[-1][0] += 1
            else:
                found.append([1, b])
        return found

    def data(self):
        return {"length": round(1e6 * self.length), "bins": BINS, "first": COMPUTE, "rows": self.rows}
