# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run: HTML with everything in it. Texts of the run are escaped; nothing is loaded from anywhere, and the page says so to the browser."""
import html
import json
import math
import pathlib
import re
import time

import activity_sums
import coupling_graph
import ledger_table
import time_rows
import weight_quality
from states import speed_text
from timeline_file import COMPUTE, EXCHANGE, FINISH, RECEIVE, REMAP, SEND, START, WAIT

HERE = pathlib.Path(__file__).resolve().parent
# Of each activity: what it is called, its colour (Okabe and Ito), and its hatching, by which it is known without colour sight.
STYLES = {START: ("start", "#bbbbbb", "plain"), COMPUTE: ("compute", "#009E73", "plain"), WAIT: ("wait", "#D55E00", "slant"),
          SEND: ("send", "#0072B2", "upright"), RECEIVE: ("receive", "#56B4E9", "level"), REMAP: ("remap", "#E69F00", "dots"),
          EXCHANGE: ("other exchange", "#CC79A7", "cross"), FINISH: ("finish", "#8c8c8c", "level")}
HATCHES = {"slant": "M-2 2L2 -2M0 8L8 0M6 10L10 6", "upright": "M4 0V8", "level": "M0 4H8", "cross": "M0 0L8 8M0 8L8 0", "dots": "M3 4h2"}
MOST_ROWS = 40  # of a table
WAYS = {"memory": "memory that both share", "copy": "copy in a process", "mpi": "the job's MPI", "waitio": "WaitIO"}  # the others are its routes


def text(value):
    return html.escape(str(value))


def number(value, digits=4):
    return "–" if value is None or not math.isfinite(value) else f"{value:.{digits}g}"


def seconds(value):
    """Seconds in the unit that reads best."""
    for unit, size in (("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{1e6 * value:.3g} µs"


def percent(share):
    return f"{100 * share:.3g} %"


def table(heads, rows, numbers=()):
    """Rows of texts that are escaped here. numbers: the columns that have numbers. On a phone each row becomes a block, with the heads before
    the values."""
    if not rows:
        return ""
    empty = [i for i in range(len(heads)) if all(row[i] == "" for row in rows)]
    if empty:
        kept = [i for i in range(len(heads)) if i not in empty]
        return table([heads[i] for i in kept], [[row[i] for i in kept] for row in rows], [k for k, i in enumerate(kept) if i in numbers])
    more = f'<p class="small">{len(rows) - MOST_ROWS} more are not shown.</p>' if len(rows) > MOST_ROWS else ""
    cells = ["".join(f'<td data-head="{text(h)}"{" class=n" if i in numbers else ""}>{text(v)}</td>' for i, (h, v) in enumerate(zip(heads, row)))
             for row in rows[:MOST_ROWS]]
    top = "".join(f'<th{" class=n" if i in numbers else ""}>{text(h)}</th>' for i, h in enumerate(heads))
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(f'<tr>{c}</tr>' for c in cells)}</tbody></table>{more}"


def patterns():
    """The hatchings, once for all pictures of the page."""
    found = []
    for kind, (_, colour, hatch) in STYLES.items():
        lines = f'<path d="{HATCHES[hatch]}" stroke="#fff" stroke-width="{3 if hatch == "dots" else 1.6}" fill="none"/>' if hatch in HATCHES else ""
        found.append(f'<pattern id="k{kind}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="{colour}"/>{lines}</pattern>')
    return f'<svg width="0" height="0" class="hidden" aria-hidden="true"><defs>{"".join(found)}</defs></svg>'


def legend():
    keys = "".join(f'<span class="key"><svg width="26" height="14"><rect width="26" height="14" fill="url(#k{k})" stroke="#222"/></svg> {text(s[0])}</span>'
                   for k, s in STYLES.items())
    return f'<p class="legend">{keys}</p>'


def bar(sums):
    """The shares of a component as one bar; those that are wide enough say how large they are."""
    x, parts, said = 0.0, [], []
    for kind in activity_sums.SHOWN_KINDS:
        width = 100 * sums.share(kind)
        said.append(f"{STYLES[kind][0]} {percent(sums.share(kind))}")
        parts.append(f'<rect x="{x:.2f}%" width="{width:.2f}%" height="30" fill="url(#k{kind})"/>')
        if width > 15:
            parts.append(f'<text x="{x + width / 2:.1f}%" y="21" text-anchor="middle">{percent(sums.share(kind))}</text>')
        x += width
    return (f'<svg class="bar" role="img" aria-label="{text(sums.name + ": " + ", ".join(said))}">'
            f'{"".join(parts)}</svg>')


class RecordedField:
    """A field of the graph that is drawn from what the run recorded."""

    def __init__(self, pair, name, exchanges):
        self.pair, self.name, self.exchanges = pair, name, exchanges

    def label(self):
        return self.name, f"{self.exchanges} exchanges"


def recorded_graph(folder):
    """The coupling graph of the time lines alone: who sent which fields to whom. Each pair of components is one of the graph."""
    graph, sent = coupling_graph.Graph([]), {}
    for name, timelines in folder.components().items():
        t = timelines[0]
        for label in {s[3] for s in t.spans if s[2] == SEND}:
            count = sum(1 for s in t.spans if s[2] == SEND and s[3] == label)
            sent.setdefault((name, t.labels[label][1]), []).append((t.labels[label][0], count))
    for i, ((source, target), fields) in enumerate(sorted(sent.items())):
        graph.pairs.append([str(i), source, "sends", target, target, "as recorded"])
        graph.fields += [RecordedField(i, name, count) for name, count in sorted(fields)]
    graph.components = list(dict.fromkeys(n for pair in graph.pairs for n in (pair[1], pair[3])))
    return graph


def lines_chart(series):
    """Curves over model time in one picture: [(words, points, is dashed)]."""
    every = [p for _, points, _ in series for p in points]
    if len(series[0][1]) < 2:
        return ""
    left, right = min(p[0] for p in every), max(p[0] for p in every)
    low, high = min(p[1] for p in every), max(p[1] for p in every)
    wide, tall = right - left or 1.0, high - low or 1.0
    paths = []
    for i, (words, points, is_dashed) in enumerate(series):
        path = "L".join(f"{6 + 588 * (x - left) / wide:.1f} {86 - 72 * (y - low) / tall:.1f}" for x, y in points)
        paths.append(f'<path d="M{path}" fill="none" stroke="{("#0072B2", "#D55E00")[i % 2]}" stroke-width="2.5"'
                     f'{" stroke-dasharray=" + chr(34) + "9 6" + chr(34) if is_dashed else ""}><title>{text(words)}</title></path>')
    said = "; ".join(f"{'dashed' if d else 'full line'}: {w}" for w, _, d in series)
    return (f'<figure><svg class="chart" viewBox="0 0 600 92" preserveAspectRatio="none" role="img" aria-label="{text(said)}"><rect width="600" height="92" fill="#fff"/>'
            f'{"".join(paths)}</svg><figcaption>{text(said)}; {number(low)} to {number(high)} over {seconds(wide)} of model time</figcaption></figure>')


class Page:
    def __init__(self, folder, maps, weights, version):
        self.folder, self.maps, self.weight_files, self.version = folder, maps, weights, version
        self.sums = [activity_sums.Sums(n, ts) for n, ts in folder.components().items()]

    def html(self):
        sections = [("Summary", "summary", self.summary()), ("Coupling graph", "graph", self.graph()), ("Time line", "time", self.time_line()),
                    ("Load balance", "balance", self.balance()), ("Who waited for whom", "waits", self.waits()),
                    ("Fields and budgets", "fields", self.ledgers()), ("Maps", "maps", self.pictures()), ("Weights", "weights", self.weights()),
                    ("Jobs, versions and hosts", "hosts", self.hosts()), ("Routes and algorithms", "routes", self.choices()),
                    ("Warnings", "warnings", self.warnings())]
        sections = [s for s in sections if s[2]]
        contents = "".join(f'<a href="#{name}">{text(title)}</a>' for title, name, _ in sections)
        body = "".join(f'<section id="{name}"><h2>{text(title)}</h2>{content}</section>' for title, name, content in sections)
        template = (HERE / "report_page.html").read_text(encoding="utf-8")
        parts = {"title": text(self.name()), "style": (HERE / "report_page.css").read_text(encoding="utf-8"), "patterns": patterns(),
                 "contents": contents, "body": body, "data": self.data(), "script": (HERE / "time_view.js").read_text(encoding="utf-8"),
                 "made": text(f"Made by h3ou report {self.version} on {time.strftime('%Y-%m-%d %H:%M:%S')} from {self.folder.path}")}
        head, *rest = template.split("@@")
        return head + "".join(parts[word] if i % 2 == 0 else word for i, word in enumerate(rest))

    def name(self):
        return f"Coupled run: {pathlib.Path(self.folder.about.get('file', self.folder.path.name)).stem}"

    def data(self):
        """What the time line draws, for the script of the page; no text in it can end the script."""
        styles = {k: [name, colour, hatch] for k, (name, colour, hatch) in STYLES.items()}
        found = {**time_rows.TimeRows(self.folder).data(), "styles": styles} if self.folder.timelines else {}
        return json.dumps(found, separators=(",", ":")).replace("<", "\\u003c").replace("\u2028", "").replace("\u2029", "")

    def summary(self):
        about, said = self.folder.about, []
        if "began" in about:
            said.append(f"Started {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(about['began']))}; it took {seconds(about.get('seconds', 0.0))}.")
        if about.get("end"):
            said.append(f"Its end: {about['end']}.")
        rows = []
        for s in self.sums:
            rows.append([s.name, s.size, seconds(s.wall) if s.has_steps else "no step", self.speed_of(s),
                         *(percent(s.share(k)) for k in activity_sums.SHOWN_KINDS)])
        bars = "".join(f'<div class="part"><b>{text(s.name)}</b>{bar(s)}</div>' for s in self.sums if s.has_steps)
        return (f"<p>{text(' '.join(said))}</p>" if said else "") + (bars and legend() + bars) + table(
            ["component", "processes", "steps took", "speed", *(STYLES[k][0] for k in activity_sums.SHOWN_KINDS)], rows, range(1, 10)) + (
            '<p class="small">From the first step to the end, means over the processes. What a model does itself, its own communication too, counts as compute.</p>'
            if rows else "")

    @staticmethod
    def speed_of(sums):
        t = next((t for t in sums.timelines if len(t.steps) > 1), None)
        if not t or t.steps[-1][0] <= t.steps[0][0]:
            return "–"
        return speed_text((t.steps[-1][1] - t.steps[0][1]) / (t.steps[-1][0] - t.steps[0][0]))

    def graph(self):
        findings = [tuple(f) for f in self.folder.about.get("graph", []) if isinstance(f, list) and len(f) == 2 and all(isinstance(x, str) for x in f)]
        try:
            graph = coupling_graph.Graph(findings)
        except (ValueError, IndexError):
            self.folder.problems.append(f"{self.folder.path / 'run.json'}: its coupling graph is damaged")
            graph = coupling_graph.Graph([])
        if not graph.pairs:
            graph = recorded_graph(self.folder)
        if not graph.pairs:
            return ""
        rows = [[f"{p[1]} → {p[3]}", f"{p[2]} → {p[4]}: {p[5]}" if findings else "", *f.label()] for p in graph.pairs for f in graph.fields_of(p)]
        heads = ["from → to", "grids: method", "field", "when"]
        if not findings:
            rows, heads = [r[:1] + r[2:] for r in rows], [heads[0], *heads[2:]]
        return f'<div class="graph">{graph.svg()}</div>{table(heads, rows)}'

    def time_line(self):
        if not self.folder.timelines:
            return ""
        hosts = len({t.host for t in self.folder.timelines})
        notes = ["Times of several hosts are compared by their clocks of the day."] if hosts > 1 else []
        notes += [f"The record of {t.component} rank {t.rank} was full or not read to its end: it is shown up to its last event." for t in self.folder.timelines
                  if t.left_out or t.is_short][:5]
        return (legend() + '<div id="tools"><button id="closer">closer</button><button id="wider">wider</button><button id="earlier">earlier</button>'
                '<button id="later">later</button><button id="all">all</button></div><div id="view"><canvas id="canvas" tabindex="0" '
                'aria-label="time line; plus and minus zoom, arrows move"></canvas></div><p id="said">Tap or point at the time line to read what was done. Drag to move, '
                'pinch or Ctrl and wheel to zoom; the name of a component opens its processes.</p>' + "".join(f'<p class="small">{text(n)}</p>' for n in notes))

    def balance(self):
        advice = activity_sums.Advice(self.sums)
        if len(advice.sums) < 2 or not advice.wall:
            return ""
        if advice.is_balanced():
            words = "No other division of the processes is predicted to be more than 3 % faster: leave it as it is."
        else:
            moves = ", ".join(f"{n} process{'es' if n > 1 else ''} from {a} to {b}" for n, a, b in advice.moves())
            words = (f"Move {moves}: the steps are predicted to take {seconds(advice.predicted)} in place of {seconds(advice.wall)}, "
                     f"{percent(advice.gain())} less.")
        rows = [[s.name, s.size, seconds(advice.busy[s.name]), seconds(s.by_kind[WAIT]), advice.best[s.name] if not advice.is_balanced() else s.size,
                 seconds(advice.load(s.name, advice.best[s.name] if not advice.is_balanced() else s.size))] for s in advice.sums]
        return (f'<p class="advice">{text(words)}</p>' + table(["component", "processes", "work of the slowest", "waits, mean", "advised processes", "predicted work"],
                                                           rows, range(1, 6)) +
                f'<p class="small">The model: all components work at the same time, the work of a component, which is what its slowest process did without waiting, is shared evenly '
                f'by its processes, and the run takes as long as the component with the most. Without exchange costs that change with the division, limits of the '
                f'models\' own scaling, or fields with lag 0, which make components take turns. {percent(advice.waste())} of all processes\' time was no such work.</p>')

    def waits(self):
        rows = [[s.name, who, what, seconds(t), percent(t / s.wall if s.wall else 0.0)] for s in self.sums for t, who, what in s.waits_by_partner()[:12] if t > 0]
        partial = [s.name for s in self.sums if s.is_partial]
        return table(["component", "waited for", "for what", "time", "share"], rows, (3, 4)) + (
            f'<p class="small">Of {text(", ".join(partial))} only the part of the run that was recorded and read.</p>' if rows and partial else "")

    def ledgers(self):
        found = []
        for path in self.folder.ledgers:
            ledger = ledger_table.LedgerTable(path)
            if ledger.problem:
                self.folder.problems.append(ledger.problem)
            if not ledger.exchanges():
                continue
            rows = []
            for side in ("source", "target"):
                least, mean, most = ledger.range(side)
                first, last = ledger.ends(f"{side}_integral")
                rows.append([side, *map(number, (least, mean, most)), number(first, 9), number(last, 9), number(last - first)])
            found.append(f"<h3>{text(ledger.title)}</h3>" + table(["side", "min", "mean", "max", "first integral", "last integral", "drift"], rows, range(1, 7)) +
                         f"<p>{ledger.exchanges()} exchange{'s' if ledger.exchanges() > 1 else ''}. The sides differ by at most {number(ledger.worst())} of the integral; summed over the exchanges the target "
                         f"got {number(ledger.summed())} more than the source had.</p>" +
                         lines_chart([("source integral", ledger.series("source_integral"), False), ("target integral", ledger.series("target_integral"), True)]) +
                         lines_chart([("target less source", ledger.series("difference"), False)]))
        return "".join(found)

    def pictures(self):
        if not self.folder.fields:
            return ""
        import field_maps  # which takes a second to load what draws

        found = []
        for title, maps in field_maps.all_maps(self.folder.fields, self.maps, self.folder.problems):
            images = "".join(f'<figure><img alt="{text(title)}: {text(what)}" src="data:image/png;base64,{data}"><figcaption>{text(what)}</figcaption></figure>'
                             for what, data in maps)
            found.append(f'<h3>{text(title)}</h3><div class="maps">{images}</div>')
        return "".join(found)

    def weights(self):
        """How good the weights are whose files are known, and what the processes said of them while they planned the exchanges."""
        quality = table(weight_quality.HEADS, weight_quality.rows(self.folder, self.weight_files), range(2, 9))
        found = [f"<h3>Quality</h3>{quality}" + '<p class="small">The misfits are those of four functions, relative, on the target: the largest of their means, and of all.</p>'] if quality else []
        for name, words in (("planned", "The plans"), ("weights-made", "Weights that were made"), ("weights", "Weights from files"), ("area", "Areas"),
                            ("grid-check", "Checks of grids"), ("cache-written", "Written to the cache"), ("cache-ignored", "Not taken from the cache")):
            rows = self.folder.of(name)
            keys = list(dict.fromkeys(k for e in rows for k in e.keys))[:10]
            if keys:
                found.append(f"<h3>{words}</h3>" + table(["component", *keys], list(dict.fromkeys((e.component, *(e.keys.get(k, "") for k in keys)) for e in rows))))
        return "".join(found)

    def hosts(self):
        rows = []
        for name, timelines in self.folder.components().items():
            for host in dict.fromkeys(t.host for t in timelines):
                mine = [t for t in timelines if t.host == host]
                rows.append([name, host, len(mine), (mine[0].mpi.splitlines() or [""])[0]])
        jobs = [[j.get(k, "") for k in ("name", "processes", "command", "hosts", "code")] for j in self.folder.about.get("jobs", []) if isinstance(j, dict)]
        return table(["component", "host", "processes", "MPI"], rows, (2,)) + (jobs and "<h3>Jobs</h3>" + table(["job", "processes", "command", "hosts", "exit code"], jobs, (1, 4)) or "")

    def ways(self):
        """By which ways the messages of each field went, by the notes of the time lines."""
        found = {}
        for t in self.folder.timelines:
            for what, who in t.labels:
                if what.startswith("ways ") and (field := re.fullmatch(r"field (.+) for (\S+)", who)):
                    counts = found.setdefault((f"{t.component} → {field[2]}", field[1]), {})
                    for way, n in re.findall(r"(\w+)=(\d+)", what):
                        counts[way] = counts.get(way, 0) + int(n)
        if not found:
            return ""
        pairs = {}
        for (pair, _), counts in found.items():
            pairs.setdefault(pair, {}).update({way: max(n, pairs.get(pair, {}).get(way, 0)) for way, n in counts.items()})
        ways = [way for way in WAYS if any(counts.get(way) for counts in found.values())]
        ways += sorted({way for counts in found.values() for way, n in counts.items() if n} - set(WAYS))
        heads, numbers = [WAYS.get(way, f"of these by {way}") for way in ways], range(2, 2 + len(ways))
        return (table(["from → to", "by", *heads], [[pair, self.ways_text(counts), *(counts.get(way) or "" for way in ways)] for pair, counts in sorted(pairs.items())],
                      numbers) +
                table(["from → to", "field", *heads], [[*key, *(counts.get(way) or "" for way in ways)] for key, counts in sorted(found.items())], numbers) +
                '<p class="small">Pairs of processes between which messages went in each way, at the end of the run; of a pair of components those of the field with the most.</p>')

    @staticmethod
    def ways_text(counts):
        """In words, what a pair of components uses."""
        routes = [way for way, n in counts.items() if n and way not in WAYS]
        words = [f"WaitIO ({', '.join(routes)})" if way == "waitio" and routes else WAYS[way] for way in WAYS if counts.get(way)]
        return " and ".join(words)

    def collectives(self):
        """The algorithms of collective calls, by the notes of the time lines."""
        found, inside = {}, {}
        for t in self.folder.timelines:
            for what, who in t.labels:
                words = dict(re.findall(r"(\w+)=(\S+)", what))
                if what.startswith("collective ") and {"call", "bytes", "algorithm", "members", "blocks"} <= words.keys():
                    found[(who, words["call"], words["algorithm"], int(words["bytes"]), words["members"], words["blocks"])] = True
                elif what.startswith("host_block ") and {"processes", "shared", "hosts"} <= words.keys():
                    how = "memory of each host" if words["shared"] == "1" else "the job's MPI"
                    inside[(who, t.component, words["processes"], words["hosts"], how)] = True
        return (table(["communicator", "call", "algorithm between the jobs", "bytes", "members", "jobs"], sorted(found), (3, 4, 5)) +
                table(["communicator", "job of", "processes", "hosts", "calls inside the job by"], sorted(inside), (2, 3)) +
                ('<p class="small">What was taken first for a length of messages; bytes are those of that call.</p>' if found else ""))

    def choices(self):
        events = self.folder.of("progress", "algorithm", "collective", "host_block", "connected", "tuning", "connection_broken", "reconnected", "job_lost")
        if not events:
            return self.ways() + self.collectives()
        rows = list(dict.fromkeys((e.name, e.component, e.text) for e in events))
        return self.ways() + self.collectives() + table(["event", "component", "what was chosen"], rows) + '<p class="small">With log_level="LOUD" (H3OU_LOG=loud) the log has every choice.</p>'

    def warnings(self):
        lines = [*self.folder.warnings, *self.folder.problems]
        return "".join(f'<p class="warning">{text(line)}</p>' for line in lines)
