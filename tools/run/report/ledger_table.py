# SPDX-License-Identifier: BSD-3-Clause
"""The budget ledger of a field: ledger/SOURCE.FIELD.TARGET.FIELD.tsv."""
import math

HEAD = ["model_time_s", "source_integral", "target_integral", "difference", "relative", "correction", "source_min", "source_mean", "source_max",
        "target_min", "target_mean", "target_max"]


class LedgerTable:
    """columns: {name: [numbers]}; problem: a sentence, or ""."""

    def __init__(self, path):
        self.path, self.problem = path, ""
        self.columns = {name: [] for name in HEAD}
        words = path.name.removesuffix(".tsv").split(".")
        self.title = f"{words[0]}: {words[1]} → {words[2]}: {words[3]}" if len(words) == 4 else path.name.removesuffix(".tsv")
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError as e:
            self.problem = f"{path}: {e.strerror}"
            return
        if lines == [""]:  # no exchange took place
            return
        heads = lines[0].strip().split("\t")
        if not set(HEAD[:5]) <= set(heads):
            self.problem = f"{path}: its first line does not name the columns of a ledger"
            return
        self.read_rows(heads, lines)

    def read_rows(self, heads, lines):
        for number, line in enumerate(lines[1:-1], 2):  # a last line without its end may be cut
            words = line.split("\t")
            try:
                row = [float(w) for w in words]
            except ValueError:
                row = []
            if len(row) != len(heads):
                self.problem = f"{self.path}:{number}: no row of a ledger; what comes before is shown"
                return
            for name, value in zip(heads, row):
                if name in self.columns:
                    self.columns[name].append(value)

    def exchanges(self):
        return len(self.columns["model_time_s"])

    def range(self, side):
        """(min, mean, max) over all exchanges of a side."""
        least, mean, most = (self.finite(f"{side}_{k}") for k in ("min", "mean", "max"))
        return (min(least, default=math.nan), sum(mean) / len(mean) if mean else math.nan, max(most, default=math.nan))

    def finite(self, name):
        return [v for v in self.columns[name] if math.isfinite(v)]

    def ends(self, name):
        """The first and the last value."""
        values = self.finite(name)
        return (values[0], values[-1]) if values else (math.nan, math.nan)

    def worst(self):
        """The largest relative difference between both sides."""
        return max(map(abs, self.finite("relative")), default=math.nan)

    def summed(self):
        """What the receiver got more than the sender had, over all exchanges."""
        return math.fsum(self.finite("difference"))

    def series(self, name, most=300):
        """[(time, value)], thinned."""
        pairs = [(t, v) for t, v in zip(self.columns["model_time_s"], self.columns[name]) if math.isfinite(v)]
        return pairs[::max(1, len(pairs) // most)]
