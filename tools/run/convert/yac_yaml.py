# SPDX-License-Identifier: BSD-3-Clause
"""Reads a YAML configuration of YAC, and says it in h3ou's terms."""
import fractions
import re

try:
    import yaml
except ImportError:
    yaml = None

from coupling_conf import Exchange, decimal, drop_what_cannot_be, interval_of, namelist, set_lag, settle_sums

CALENDARS = {"proleptic-gregorian": "gregorian", "360d": "360_day", "365d": "noleap"}
UNITS = {"millisecond": fractions.Fraction(1, 1000), "second": 1, "minute": 60, "hour": 3600, "day": 86400, "month": None, "year": None, "ISO_format": None}
FLAGS = {"none": "SNP", "accumulate": "ACC", "average": "AVR", "minimum": "MIN", "maximum": "MAX"}
MOST_NODES = 100000
TABLE = "no method is written: the models give a table (h3ou_set_interpolation_table), or name YAC's file of weights by method='file(file=W.nc)'"


class Mapping(dict):
    """A mapping whose keys know their lines."""
    line = 1

    def lines_of(self, key):
        return self.lines.get(key, self.line)


class Text(str):
    line = 1


class List(list):
    line = 1


def loader(source):
    """A safe loader that takes every scalar as text, merges mappings (<<), and keeps lines."""

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {"<": [("tag:yaml.org,2002:merge", re.compile("^<<$"))]}
        nodes = 0

        def flatten_mapping(self, node):
            super().flatten_mapping(node)
            self.nodes += len(node.value)
            if self.nodes > MOST_NODES:
                source.fail(node.start_mark.line + 1, f"more than {MOST_NODES} keys")

    def mapping(self, node):
        self.flatten_mapping(node)
        found = Mapping()
        found.line, found.lines = node.start_mark.line + 1, {}
        yield found
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                source.fail(key.start_mark.line + 1, "a key is not a text")
            found[key.value] = self.construct_object(value, deep=True)
            found.lines[key.value] = key.start_mark.line + 1

    def sequence(self, node):
        found = List()
        found.line = node.start_mark.line + 1
        yield found
        found.extend(self.construct_object(child, deep=True) for child in node.value)

    def scalar(self, node):
        found = Text(node.value)
        found.line = node.start_mark.line + 1
        return found

    for tag, construct in (("map", mapping), ("seq", sequence), ("str", scalar)):
        Loader.add_constructor(f"tag:yaml.org,2002:{tag}", construct)
    return Loader


def parse(source, text):
    if yaml is None:
        source.fail(1, "reading YAML needs PyYAML: apt install python3-yaml")
    try:
        return yaml.load(text, Loader=loader(source))  # the loader is a safe one
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        source.fail(mark.line + 1 if mark else 1, getattr(e, "problem", None) or str(e))
    except RecursionError:
        source.fail(1, "it is nested too deeply")


def text_of(source, value, what, line):
    if not isinstance(value, str):
        source.fail(getattr(value, "line", line), f"{what} is not a single value")
    return value


def is_true(source, value, what, line):
    word = text_of(source, value, what, line).lower()
    if word not in ("true", "yes", "false", "no"):
        source.fail(line, f"{what} '{value}' is neither true nor false")
    return word in ("true", "yes")


def duration(source, line, text, unit):
    """(months, seconds) of a time, in a unit or as ISO 8601 has it."""
    if re.fullmatch(r"\d+(\.\d+)?", text) and unit not in (None, "ISO_format"):
        number = source.number(line, "the time", text)
        if unit in ("month", "year"):
            return number * (12 if unit == "year" else 1), fractions.Fraction(0)
        return fractions.Fraction(0), number * UNITS[unit]
    found = re.fullmatch(r"P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", text)
    if not found or len(text) > 60:
        source.fail(line, f"time '{text}': it is a number with timestep_unit, or a duration such as PT15M, P1D, P1M")
    y, m, w, d, h, mi, s = (fractions.Fraction(g or 0) for g in found.groups())
    return 12 * y + m, 604800 * w + 86400 * d + 3600 * h + 60 * mi + s


class Stack:
    """Interpolation: the methods of a coupling, one after the other."""

    def __init__(self, source, e):
        self.source, self.e = source, e

    def read(self, value, line):
        if value in ("", None):
            value = List()
        methods = value if isinstance(value, list) else [value]
        for method in methods:
            name, keys = method, Mapping()
            if isinstance(method, dict):
                if len(method) != 1:
                    self.source.fail(method.line, "a method stands alone: - name: {key: value, ...}")
                (name, keys), = method.items()
                keys = Mapping() if keys in ("", None) else keys
            at = getattr(method, "line", line)
            if not isinstance(name, str) or not isinstance(keys, Mapping):
                self.source.fail(at, "a method of an interpolation is a name, or a name with keys")
            known = getattr(self, f"_{name}", None) if re.fullmatch(r"[a-z_]+", name) else None
            if known:
                known(at, keys)
            else:
                self.source.lose(at, f"method {name} has no counterpart: cells that it serves get nothing here", self.e.remarks)
        self.settle(line)

    def settle(self, line):
        """What a stack of h3ou cannot be."""
        stack = self.e.stack
        for method in [m for m in stack[1:] if m.startswith("file")]:
            self.source.lose(line, "user_file behind another method: in h3ou a file of weights stands first; it was left out", self.e.remarks)
            stack.remove(method)
        while stack and stack[0].startswith(("creep", "value")):
            self.source.lose(line, f"{stack.pop(0).split('(')[0]} cannot stand first", self.e.remarks)
        if "creep" in stack and stack[0].startswith("file"):
            self.source.lose(line, "creep behind a file of weights: nearest is written", self.e.remarks)
            self.e.stack = stack = ["nearest" if m == "creep" else m for m in stack]
        while stack.count("creep") > 1:
            stack.remove("creep")
        if not stack:
            self.source.lose(line, TABLE, self.e.remarks)

    def get(self, keys, name, default):
        return text_of(self.source, keys.get(name, Text(default)), name, keys.line)

    def count(self, line, keys, default):
        n = self.source.integer(line, "n", self.get(keys, "n", default))
        if not 1 <= n <= 100:
            self.source.fail(line, f"n={n}: it is 1 to 100 here")
        return n

    def radius(self, line, keys):
        """max_search_distance, in degrees; 0 is none."""
        degrees = self.source.number(line, "max_search_distance", self.get(keys, "max_search_distance", "0"))
        return f",radius={decimal(degrees)}" if degrees > 0 else ""

    def lose(self, line, text):
        self.source.lose(line, text, self.e.remarks)

    def _average(self, line, keys):
        kind = self.get(keys, "weighted", "arithmetic_average")
        self.e.stack.append("barycentric")
        if kind != "barycentric_coordinate":
            self.lose(line, f"average, weighted: {kind}: barycentric has the same sources with weights that are linear in space")
        if is_true(self.source, self.get(keys, "partial_coverage", "false"), "partial_coverage", line):
            self.lose(line, "average, partial_coverage: a cell with a masked source is left to the next method")

    def _ncc(self, line, keys):
        kind = self.get(keys, "weighted", "arithmetic_average")
        self.e.stack.append("distance(n=3,power=1)" if kind == "distance_weighted" else "average(n=3)")
        self.lose(line, "ncc: the three nearest cells are taken, in place of those around the nearest corner")

    def _nnn(self, line, keys):
        kind, n, radius = self.get(keys, "weighted", "arithmetic_average"), self.count(line, keys, "1"), self.radius(line, keys)
        if kind == "zero":
            self.e.stack.append("value(value=0)")
            if radius:
                self.lose(line, "nnn, weighted: zero: value gives 0 at any distance")
        elif n == 1:
            self.e.stack.append(f"average(n=1{radius})" if radius else "nearest")
        elif kind == "distance_weighted":
            self.e.stack.append(f"distance(n={n},power=1{radius})")
        elif kind == "arithmetic_average":
            self.e.stack.append(f"average(n={n}{radius})")
        else:
            self.e.stack.append(f"gauss(n={n}{radius})")
            self.lose(line, f"nnn, weighted: {kind}: gauss has another scale (its key width, in mean distances of the neighbours)")

    def _conservative(self, line, keys):
        order = self.source.integer(line, "order", self.get(keys, "order", "1"))
        if order not in (1, 2):
            self.source.fail(line, f"order {order} is neither 1 nor 2")
        self.e.stack.append("conservative" if order == 1 else "conservative2")
        norm = self.get(keys, "normalisation", "destarea")
        if norm not in ("fracarea", "destarea"):
            self.source.fail(line, f"normalisation '{norm}' is neither fracarea nor destarea")
        self.e.norm = norm
        if is_true(self.source, self.get(keys, "enforced_conservation", "false"), "enforced_conservation", line):
            self.source.note(line, "enforced_conservation: the weights conserve to rounding", self.e.remarks)
        if not is_true(self.source, self.get(keys, "partial_coverage", "false"), "partial_coverage", line):
            self.lose(line, "conservative without partial_coverage: cells that sources cover in part get a value here; mask them at the target if they must not")

    def _source_to_target_map(self, line, _):
        self.lose(line, "source_to_target_map: no method goes from source cells to target cells")

    def _fixed(self, line, keys):
        if "user_value" not in keys:
            self.source.fail(line, "fixed: the key user_value is missing")
        value = self.source.number(line, "user_value", self.get(keys, "user_value", ""))
        self.e.stack.append(f"value(value={decimal(value)})")

    def _user_file(self, line, keys):
        if "filename" not in keys:
            self.source.fail(line, "user_file: the key filename is missing")
        self.e.stack.append(f"file(file={self.source.file_name(line, self.get(keys, 'filename', ''))})")

    def _check(self, line, _):
        self.source.note(line, "check: nothing is called; h3ou weights report judges weights", self.e.remarks)

    def _smooth(self, line, what):
        self.e.stack.append("radial(n=9)")
        self.lose(line, f"{what}: radial has multiquadrics over the 9 nearest; bicubic is smoother where the source has rows")

    def _bernstein_bezier(self, line, _):
        self._smooth(line, "bernstein_bezier")

    _hcsbb = _bernstein_bezier

    def _rbf(self, line, keys):
        self.e.stack.append(f"radial(n={self.count(line, keys, '9')}{self.radius(line, keys)})")
        self.lose(line, "rbf: radial has multiquadrics, not Gauss functions")

    def _creep(self, line, keys):
        distance = self.source.integer(line, "creep_distance", self.get(keys, "creep_distance", "-1"))
        self.e.stack.append("creep")
        if distance >= 0:
            self.lose(line, f"creep, creep_distance: {distance}: creep goes as far as there are cells")


class Coupling:
    """One item of the list `coupling`."""

    def __init__(self, source, item, unit):
        self.source, self.unit = source, unit
        if not isinstance(item, Mapping):
            source.fail(getattr(item, "line", 1), "a coupling has keys: src_component, src_grid, tgt_component, ...")
        self.item, self.line = item, item.line

    def get(self, *names):
        """The value of the key, under any of its names; an error where it is missing."""
        for name in names:
            if name in self.item:
                return text_of(self.source, self.item[name], name, self.item.lines_of(name)), self.item.lines_of(name)
        self.source.fail(self.line, f"the key '{names[0]}' is missing in this coupling")

    def get_or(self, default, *names):
        return self.get(*names) if any(n in self.item for n in names) else (default, self.line)

    def names(self):
        """[(line, put, got)] of the fields."""
        line = self.item.lines_of("field")
        if "field" not in self.item:
            self.source.fail(self.line, "the key 'field' is missing in this coupling")
        fields = self.item["field"]
        for field in fields if isinstance(fields, list) else [fields]:
            at = getattr(field, "line", line)
            if isinstance(field, Mapping):
                pair = [field.get(k, field.get(k2)) for k, k2 in (("src", "source"), ("tgt", "target"))]
            else:
                pair = [field, field]
            if not all(isinstance(n, str) for n in pair):
                self.source.fail(at, "a field is a name, or has the keys src and tgt")
            yield at, tuple(self.source.name(at, "field", n) for n in pair)

    def exchanges(self):
        for line, pair in self.names():
            components = tuple(self.source.name(at, "component", n) for n, at in
                               (self.get("src_component", "source_component"), self.get("tgt_component", "target_component")))
            grids = tuple(self.source.name(at, "grid", n) for n, at in (self.get("src_grid", "source_grid"), self.get("tgt_grid", "target_grid")))
            e = Exchange(line, components, grids, pair)
            self.times(e)
            Stack(self.source, e).read(self.item.get("interpolation"), self.item.lines_of("interpolation"))
            self.rest(e)
            yield e

    def times(self, e):
        text, line = self.get("coupling_period")
        months, seconds = duration(self.source, line, text, self.unit)
        if (months and seconds) or months.denominator != 1 or months + seconds <= 0:
            self.source.fail(line, f"coupling_period '{text}': it is above 0, in seconds up to days, or in months and years")
        e.interval = interval_of(seconds) if seconds else f'"{months.numerator} month"'
        e.seconds = seconds or None
        word, line = self.get_or("none", "time_reduction")
        if word not in FLAGS:
            self.source.fail(line, f"time_reduction '{word}' is none of {', '.join(FLAGS)}")
        e.flag = FLAGS[word]
        if word == "accumulate":
            settle_sums(self.source, e, line)
        self.lag(e)

    def lag(self, e):
        """The k-th message that is sent is the k-th that is got; a field's clock is ahead by its lag."""
        (put, line), (got, _) = self.get_or("0", "src_lag", "source_lag"), self.get_or("0", "tgt_lag", "target_lag")
        put, got = self.source.integer(line, "src_lag", put), self.source.integer(line, "tgt_lag", got)
        sender, receiver = (self.source.steps.get(c) for c in e.components)
        said = f"src_lag {put}, tgt_lag {got}"
        if (put, got) == (1, 0) and e.seconds and (sender is None or sender <= e.seconds):
            e.lag = 1
            return
        if not e.seconds or sender is None or receiver is None:
            set_lag(self.source, e, line, None, None, None, said)
            return
        first_put, first_got = (-(-max(lag, 0) * step // e.seconds) * e.seconds - lag * step for lag, step in ((put, sender), (got, receiver)))
        late = -first_got % e.seconds
        if late:
            self.source.lose(line, f"{said}: YAC gets in the step that begins {decimal(late)} s before the exchange time, h3ou in the step that begins at it", e.remarks)
        set_lag(self.source, e, line, first_got - first_put + late, sender, receiver, said)

    def rest(self, e):
        source = self.source
        factor, line = self.get_or("1", "scale_factor")
        e.factor *= source.number(line, "scale_factor", factor)
        summand, line = self.get_or("0", "scale_summand")
        if source.number(line, "scale_summand", summand) != 0:
            source.lose(line, f"scale_summand {summand}: add it in the model that gets {e.names[1]}", e.remarks)
        for key in ("src_mask_name", "src_mask_names", "tgt_mask_name"):
            if key in self.item:
                source.lose(self.item.lines_of(key), f"{key}: a grid has one mask, that of h3ou_def_grid: define a grid for each mask", e.remarks)
        if "weight_file_name" in self.item:
            source.note(self.item.lines_of("weight_file_name"), "weight_file_name: weights_cache of h3ou_coupling keeps weights for the next run, h3ou weights make writes "
                                                                "them into a file", e.remarks)
        if self.get_or("target", "mapping_side")[0] == "source":
            source.note(self.item.lines_of("mapping_side"), "mapping_side: h3ou always multiplies at the receiver; the values are the same", e.remarks)
        if "use_restart" in self.item:
            source.note(self.item.lines_of("use_restart"), "use_restart: the models call h3ou_write_restart and h3ou_read_restart", e.remarks)
        self.unknown(e)

    def unknown(self, e):
        known = {"src_component", "src_grid", "tgt_component", "tgt_grid", "source_component", "source_grid", "target_component", "target_grid", "field",
                 "coupling_period", "time_reduction", "src_lag", "tgt_lag", "source_lag", "target_lag", "weight_file_name", "mapping_side", "scale_factor",
                 "scale_summand", "interpolation", "src_mask_name", "src_mask_names", "tgt_mask_name", "use_restart"}
        for key in self.item.keys() - known:
            self.source.lose(self.item.lines_of(key), f"the key {key} of a coupling is unknown here", e.remarks)


def settings_of(source, top, head):
    """The keys of h3ou_coupling."""
    settings = {}
    if "calendar" in top:
        word = text_of(source, top["calendar"], "calendar", top.lines_of("calendar"))
        if word not in CALENDARS:
            source.fail(top.lines_of("calendar"), f"calendar '{word}' is none of {', '.join(CALENDARS)}")
        settings["calendar"] = f'"{CALENDARS[word]}"'
    if "start_date" in top:
        date = text_of(source, top["start_date"], "start_date", top.lines_of("start_date"))
        found = re.fullmatch(r"\+?(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?(?:\.0+)?Z?", date)
        if found:
            day, hour = found.groups()
            settings["start"] = f'"{day}{" " + hour + (":00" if len(hour) == 5 else "") if hour else ""}"'
        else:
            source.lose(top.lines_of("start_date"), f"start_date {date}: the key start has dates such as 2000-01-31 12:00:00", head)
    if "end_date" in top:
        source.note(top.lines_of("end_date"), "end_date: h3ou has no end of the run: each model ends by h3ou_coupling_end", head)
    if "debug" in top:
        source.note(top.lines_of("debug"), "debug: log_level of h3ou_coupling, or H3OU_LOG, says what is logged", head)
    return settings


def convert(source, text, _):
    """The namelist of a YAML configuration."""
    top = parse(source, text)
    if not isinstance(top, Mapping) or not isinstance(top.get("coupling"), list) or not top["coupling"]:
        source.fail(1, "there is no list `coupling` at the top")
    head, exchanges = [], []
    settings = settings_of(source, top, head)
    unit = top.get("timestep_unit")
    if unit is not None and (not isinstance(unit, str) or unit not in UNITS):
        source.fail(top.lines_of("timestep_unit"), f"timestep_unit is none of {', '.join(UNITS)}")
    for item in top["coupling"]:
        exchanges += Coupling(source, item, unit).exchanges()
    if len(exchanges) > MOST_NODES // 10:
        source.fail(1, f"{len(exchanges)} fields")
    exchanges = drop_what_cannot_be(source, exchanges)
    source.note(top.lines_of("coupling"), "collection sizes stand in YAC's models: write layer=N behind each field that has several layers", head)
    return namelist(source, settings, exchanges, head)
