# SPDX-License-Identifier: BSD-3-Clause
"""What a run has left in its folder, for its report. All of it may be missing, or be damaged: then a sentence says so."""
import json
import pathlib
import re

import timeline_file

MOST_LINES, MOST_WARNINGS, MOST_SPANS = 400000, 30, 1000000
# Events of the log of which the report shows the keys (docs/user-guide.md, docs/waitio.md).
SHOWN = ("joined", "planned", "weights-made", "weights", "area", "grid", "grid-check", "progress", "algorithm", "collective", "host_block", "connected", "mpi",
         "stopped", "cache-written", "cache-ignored", "tuning", "waiting", "connection_broken", "reconnected", "job_lost")
LINE = re.compile(r"h3ou (\S+)\.(\d+): ([\w-]+) (.*)")
PAIR = re.compile(r'([\w-]+)=("[^"]*"|\S+)')


class Event:
    """A line of the log: "h3ou ocean.0: planned from=atmos/ring24 cells=12"."""

    def __init__(self, component, rank, name, text):
        self.component, self.rank, self.name, self.text = component, int(rank), name, text
        self.keys = {k: v.strip('"') for k, v in PAIR.findall(text)}


def read_log(path, problems):
    """The events of a log that are shown, each once; and the warnings."""
    found, warnings = {}, {}
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            for number, line in enumerate(f):
                match = LINE.search(line)
                if number == MOST_LINES:
                    problems.append(f"{path}: only the first {MOST_LINES} lines were read")
                    break
                if match and match[3] in ("warning", "nan", "error"):
                    warnings[match[0][:400]] = True
                elif match and match[3] in SHOWN and len(found) < 5000:
                    found.setdefault(match[0][:400], Event(*match.groups()))
                elif line.startswith("h3ou: ") or "h3ou: component" in line:
                    warnings[line.strip()[:400]] = True
    except OSError as e:
        problems.append(f"{path}: {e.strerror}")
    return list(found.values()), list(warnings)[:MOST_WARNINGS]


class RunFolder:
    def __init__(self, folder, most=MOST_SPANS):
        self.path = pathlib.Path(folder).resolve()
        self.problems = []
        self.timelines, problems = timeline_file.read(self.path, most)
        self.problems += problems
        self.about = self.read_about()
        self.events, self.warnings = [], []
        for path in sorted(self.path.glob("log/*.log")):
            events, warnings = read_log(path, self.problems)
            self.events += events
            self.warnings += warnings
        self.ledgers = sorted(self.path.glob("ledger/*.tsv"))
        self.fields = sorted(self.path.glob("monitor/*.nc"))

    def is_run(self):
        return bool(self.timelines or self.about or self.events or self.ledgers or self.fields or self.problems)

    def read_about(self):
        """What h3ou run has written of the run (run.json): jobs, times, and the coupling graph."""
        file = self.path / "run.json"
        if not file.exists():
            return {}
        try:
            about = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as e:
            self.problems.append(f"{file}: {e}")
            return {}
        return about if isinstance(about, dict) else {}

    def of(self, *names):
        """The events of these names."""
        return [e for e in self.events if e.name in names]

    def components(self):
        """{component: its time lines by rank}"""
        found = {}
        for t in self.timelines:
            found.setdefault(t.component, []).append(t)
        return found
