# SPDX-License-Identifier: BSD-3-Clause
"""Reads a namcouple of OASIS3-MCT, and says it in h3ou's terms."""
import re

from coupling_conf import Exchange, drop_what_cannot_be, gauss_width, interval_of, namelist, set_lag, settle_sums

STATUS = ("EXPORTED", "EXPOUT", "IGNORED", "IGNOUT", "INPUT", "OUTPUT")
FLAGS = {"INSTANT": "SNP", "AVERAGE": "AVR", "ACCUMUL": "ACC", "T_MIN": "MIN", "T_MAX": "MAX", "ONCE": "SNP"}
CONSERVE = {"GLOBAL": "global", "GLBPOS": "proportional"}
# Sections with one remark each; all others but these two and $STRINGS are not needed.
SECTIONS = {"RUNTIME": "h3ou has no end of the run: each model ends by h3ou_coupling_end", "NLOGPRT": "log_level of h3ou_coupling, or H3OU_LOG, says what is logged"}
OLD = {"MASK", "EXTRAP", "INVERT", "REVERSE", "CORRECT", "SUBGRID", "NOINTERP", "FILLING", "INTERP", "GLORED", "REDGLO", "MOZAIC", "MASKP", "SUBGRID"}
LINES = {"LOCTRANS": 1, "CHECKIN": 1, "CHECKOUT": 1, "BLASOLD": 1, "BLASNEW": 1, "MAPPING": 1, "SCRIPR": 1, "CONSERV": 1}


class Lines:
    """The lines of a section that are no comments, as (number, words)."""

    def __init__(self, source, lines):
        self.source, self.lines, self.at = source, lines, 0

    def take(self, what):
        if self.at == len(self.lines):
            self.source.fail(self.lines[-1][0] if self.lines else 1, f"the section ends where {what} should follow")
        self.at += 1
        return self.lines[self.at - 1]

    def peek(self):
        return self.lines[self.at][1] if self.at < len(self.lines) else None


def sections(source, text):
    """{NAME: (line, Lines)} of the sections that begin with $NAME."""
    found, name, begin, inside = {}, None, 0, []

    def close():
        if name and name in found:
            source.fail(begin, f"${name} stands here twice")
        if name:
            found[name] = (begin, Lines(source, inside))

    for number, line in enumerate(text.splitlines(), 1):
        words = re.sub(r"(^|\s)#.*", "", line).split()
        if not words:
            continue
        if words[0].startswith("$"):
            close()
            name, begin, inside = words[0][1:].upper(), number, []
            name = None if name == "END" else name
        elif name:
            inside.append((number, words))
    close()
    return found


class Entry:
    """One entry of $STRINGS: its lines, read but not yet understood."""

    def __init__(self, source, lines):
        self.source = source
        self.line, words = lines.take("a field")
        if len(words) < 6:
            source.fail(self.line, f"a field has names, an index, a period, the number of transformations, a file and a status; here are {len(words)} words")
        self.names = [[source.name(self.line, "field", n) for n in w.split(":")] for w in words[:2]]
        self.period, self.status = words[3], words[-1].upper()
        self.ntrans = source.integer(self.line, "the number of transformations", words[4])
        self.restart = words[5] if len(words) > 6 else None
        if self.status not in STATUS:
            source.fail(self.line, f"status '{words[-1]}' is none of {', '.join(STATUS)}")
        if len(self.names[0]) != len(self.names[1]):
            source.fail(self.line, f"{len(self.names[0])} fields are put and {len(self.names[1])} are got")
        if not 0 <= self.ntrans <= len(LINES):
            source.fail(self.line, f"{self.ntrans} transformations: there are {len(LINES)} at most")
        self.grids, self.lag, self.lag_line, self.steps = ("", ""), None, self.line, []
        if self.status != "INPUT":
            self.read_grids(lines)
            self.read_transformations(lines)

    def read_grids(self, lines):
        number, words = lines.take("the grids")
        names = [w for w in words if "=" not in w and not re.fullmatch(r"[+-]?\d+", w)]
        for word in words:
            key, sign, value = word.partition("=")
            if sign and key.upper() == "LAG":
                self.lag, self.lag_line = self.source.integer(number, "LAG", value), number
        wanted = 1 if self.status == "OUTPUT" else 2
        if len(names) < wanted:
            self.source.fail(number, "the line names the grid of the source and that of the target, perhaps behind their sizes")
        names = [self.source.name(number, "grid", n) for n in names[:2]]
        self.grids = (names[0], names[-1])
        nxt = lines.peek()
        if nxt and re.fullmatch(r"[PR] \d+( [PR] \d+)?", " ".join(nxt).upper()):
            lines.take("the periodicity")

    def read_transformations(self, lines):
        if not self.ntrans:
            return
        number, words = lines.take("the transformations")
        names = [w.upper() for w in words[:self.ntrans]]
        if len(names) != self.ntrans:
            self.source.fail(number, f"{self.ntrans} transformations are announced in line {self.line}; here are {len(words)}")
        for name in names:
            if name in OLD:
                self.source.fail(number, f"transformation {name} is of OASIS3, and not of OASIS3-MCT: remove it")
            if name not in LINES:
                self.source.fail(number, f"transformation '{name}' is none of {', '.join(LINES)}: remove it with its lines, and say in h3ou's terms what it did")
        for name in names:
            line, words = lines.take(f"the line of {name}")
            more = []
            if name.startswith("BLAS"):
                count = self.source.integer(line, f"the number of terms of {name}", words[1]) if len(words) > 1 else 0
                if not 0 <= count <= 100:
                    self.source.fail(line, f"{name} with {count} terms")
                more = [lines.take(f"a term of {name}") for _ in range(count)]
            self.steps.append((name, line, words, more))


def conservative(source, e, line, words):
    norm = words[5].upper() if len(words) > 5 else "FRACAREA"
    order = words[6].upper() if len(words) > 6 else "FIRST"
    if not re.fullmatch(r"(FRAC|DEST)(AREA|NNEI|ARTR|NNTR)", norm):
        source.fail(line, f"normalisation '{norm}' is none of FRACAREA, DESTAREA, FRACNNEI, DESTNNEI, FRACARTR, DESTARTR, FRACNNTR, DESTNNTR")
    if order not in ("FIRST", "SECOND"):
        source.fail(line, f"order '{order}' is neither FIRST nor SECOND")
    e.stack = ["conservative" if order == "FIRST" else "conservative2"] + (["nearest"] if "NN" in norm else [])
    e.norm = "fracarea" if norm.startswith("FRAC") else "destarea"
    if norm.endswith("TR"):
        source.note(line, f"{norm}: give the models' areas to h3ou_def_grid (area), in steradians", e.remarks)


def neighbours(source, e, line, method, words):
    """DISTWGT and GAUSWGT."""
    n = source.integer(line, "the number of neighbours", words[5]) if len(words) > 5 else 4
    if not 1 <= n <= 100:
        source.fail(line, f"{n} neighbours")
    if method == "DISTWGT" or n == 1:
        e.stack = [f"distance(n={n},power=1)" if n > 1 else "nearest"]
        return
    variance = source.number(line, "the variance", words[6]) if len(words) > 6 else source.number(line, "the variance", "2")
    if variance <= 0:
        source.fail(line, f"variance {words[6]}")
    e.stack = [f"gauss(n={n},width={gauss_width(variance)})"]
    source.lose(line, "GAUSWGT takes distances relative to the mean distance of the source grid, gauss relative to that of the neighbours: the weights differ "
                      "where the source grid is uneven; or use OASIS's own file of weights by method='file(file=...)'", e.remarks)


def scripr(source, e, line, words):
    method = words[0].upper()
    if len(words) > 2 and words[2].upper() != "SCALAR":
        source.lose(line, f"{words[2]}: name the two components by var_put_vec and var_get_vec, and put them by one call; here each is a scalar", e.remarks)
    base = method.removesuffix("NF")
    if base == "CONSERV":
        conservative(source, e, line, words)
    elif base in ("DISTWGT", "GAUSWGT"):
        neighbours(source, e, line, base, words)
    elif base == "BILINEAR":
        e.stack = ["bilinear"] + ([] if method.endswith("NF") else ["distance(n=4,power=1)"])
    elif base == "BICUBIC":
        e.stack = ["bicubic", "bilinear"] + ([] if method.endswith("NF") else ["distance(n=4,power=1)"])
    else:
        source.lose(line, f"method {words[0]} is unknown here: no method is written, so the models give a table (h3ou_set_interpolation_table)", e.remarks)


def linear(source, e, name, line, words, more):
    """BLASOLD and BLASNEW."""
    e.factor *= source.number(line, "the factor", words[0])
    for number, term in more:
        if len(term) < 2 or term[0].upper() != "CONSTANT" or source.number(number, "the term", term[1]) != 0:
            source.lose(number, f"{name} adds {' '.join(term)}: add it in the model that puts or gets {e.names[0]}", e.remarks)


def transform(source, e, step):
    name, line, words, more = step
    if name == "LOCTRANS":
        word = words[0].upper()
        if word not in FLAGS:
            source.fail(line, f"LOCTRANS '{words[0]}' is none of {', '.join(FLAGS)}")
        e.flag = FLAGS[word]
        if word == "ONCE":
            e.interval = None
            source.note(line, "ONCE: without intvl the initial value is exchanged, at the start", e.remarks)
        if word == "ACCUMUL":
            settle_sums(source, e, line)
    elif name == "MAPPING":
        e.stack = [f"file(file={source.file_name(line, words[0])})"]
        if len(words) > 1 and words[1].lower() == "src":
            source.note(line, "src: h3ou always multiplies at the receiver; the values are the same", e.remarks)
    elif name == "SCRIPR":
        if not e.stack:
            scripr(source, e, line, words)
        else:
            source.note(line, "SCRIPR beside MAPPING: the file of weights counts", e.remarks)
    elif name == "CONSERV":
        e.conserve = CONSERVE.get(words[0].upper())
        if not e.conserve:
            source.lose(line, f"CONSERV {words[0]}: conserve= is 'global' (GLOBAL) or 'proportional' (GLBPOS)", e.remarks)
    elif name in ("BLASOLD", "BLASNEW"):
        linear(source, e, name, line, words, more)
    else:
        source.note(line, f"{name}: log_level='LOUD' logs minimum, mean and maximum of what is sent and got", e.remarks)


class Converter:
    def __init__(self, source, components):
        self.source, self.components, self.unknown = source, components, {}

    def component(self, line, grid):
        if grid not in self.components:
            self.unknown.setdefault(grid, line)
        return self.components.get(grid, grid)

    def exchanges(self, entry):
        source = self.source
        if entry.status in ("INPUT", "OUTPUT"):
            what = ("is read from a file by the model that gets it: read it in the model, or let a component of Python put it" if entry.status == "INPUT" else
                    "is written to a file: write it in the model, or let a component of Python get it")
            source.lose(entry.line, f"{entry.status}: {', '.join(entry.names[0])} {what}; no exchange is written")
            return
        period = source.number(entry.line, "the period", entry.period)
        if period <= 0:
            source.fail(entry.line, f"the period is {entry.period} s")
        places = tuple(self.component(entry.line, g) for g in entry.grids)
        for names in zip(*entry.names):
            e = Exchange(entry.line, places, entry.grids, names)
            e.seconds, e.interval = period, interval_of(period)
            for step in sorted(entry.steps, key=lambda s: s[0] != "MAPPING"):
                transform(source, e, step)
            if e.interval is not None:
                self.lag(entry, e)
            if entry.status in ("EXPOUT", "IGNOUT"):
                e.monitor = "sent,received"
            if entry.restart and (entry.lag or 0) > 0:
                source.note(entry.line, f"restart file {entry.restart}: the model puts the initial value before its first step, or calls h3ou_read_restart", e.remarks)
            yield e

    def lag(self, entry, e):
        steps = self.source.steps
        sender, receiver = (steps.get(c) for c in e.components)
        age = self.source.number(entry.lag_line, "LAG", str(entry.lag or 0))
        if sender is None and 0 < age <= e.seconds:
            self.source.lose(entry.lag_line, f"LAG=+{entry.lag} is taken as the time step of {e.components[0]}: lag=-1; give --steps {e.components[0]}=SECONDS",
                             e.remarks)
            return
        set_lag(self.source, e, entry.lag_line, age, sender, receiver, f"LAG={entry.lag}" if entry.lag is not None else "no LAG")


def convert(source, text, components):
    """The namelist of a namcouple. components: {grid: component}."""
    found = sections(source, text)
    if "STRINGS" not in found:
        source.fail(1, "there is no section $STRINGS")
    head, exchanges, worker = [], [], Converter(source, components)
    for name, said in SECTIONS.items():
        if name in found:
            source.note(found[name][0], f"${name}: {said}", head)
    lines = found["STRINGS"][1]
    while lines.peek() is not None:
        exchanges += worker.exchanges(Entry(source, lines))
    for grid, line in worker.unknown.items():
        source.lose(line, f"a namcouple does not say which component has the grid {grid}: it is called {grid}; give --components {grid}=NAME", head)
    if not exchanges:
        source.fail(found["STRINGS"][0], "no field is exchanged here")
    exchanges = drop_what_cannot_be(source, exchanges)
    return namelist(source, {}, exchanges, head)
