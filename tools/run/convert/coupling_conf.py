# SPDX-License-Identifier: BSD-3-Clause
"""What another coupler's configuration says, in h3ou's terms, and the namelist that is written of it."""
import fractions
import math
import re


class ConvertError(Exception):
    """The input cannot be understood: "FILE:LINE: sentence"."""


class Remark:
    """A sentence about a line of the input. is_lost: something was not converted, or was guessed."""

    def __init__(self, line, text, is_lost):
        self.line, self.text, self.is_lost = line, " ".join(text.split()), is_lost


class Source:
    """The file that is read, and the remarks about it."""

    def __init__(self, path, steps):
        self.path, self.steps, self.remarks = path, steps, []
        self.said = set()

    def fail(self, line, text):
        raise ConvertError(f"{self.path}:{line}: {' '.join(text.split())}")

    def _add(self, line, text, is_lost, where):
        remark = Remark(line, text, is_lost)
        if (line, remark.text) in self.said:
            return  # it was said of another field of the same line
        self.said.add((line, remark.text))
        self.remarks.append(remark)
        if where is not None:
            where.append(remark)

    def lose(self, line, text, where=None):
        self._add(line, text, True, where)

    def note(self, line, text, where=None):
        self._add(line, text, False, where)

    def name(self, line, what, text):
        """A name that may stand in the namelist."""
        if not re.fullmatch(r"[ -~]{1,64}", text) or re.search(r"[\"'&/!,\s]", text):
            self.fail(line, f"{what} {text!r}: a name has 1 to 64 characters, without blanks, quotes, commas and slashes")
        return text

    def file_name(self, line, text):
        """A file that a stack of methods may name."""
        if not re.fullmatch(r"[ -~]{1,400}", text) or re.search(r"[\"'(),\s]", text):
            self.fail(line, f"file {text!r}: rename it without blanks, quotes, commas and parentheses")
        return text

    def number(self, line, what, text):
        """A finite number as a fraction, without rounding."""
        try:
            found = fractions.Fraction(text.lower().replace("d", "e"))
        except (ValueError, ZeroDivisionError):
            found = None
        if found is None or len(text) > 40 or abs(found) > 10 ** 15:
            self.fail(line, f"{what} {text!r} is no number")
        return found

    def integer(self, line, what, text):
        if not re.fullmatch(r"[+-]?\d{1,12}", text):
            self.fail(line, f"{what} {text!r} is no whole number")
        return int(text)


class Exchange:
    """One field from one component to another."""

    def __init__(self, line, components, grids, names):
        self.line, self.components, self.grids, self.names = line, components, grids, names
        self.interval = None  # a text as it stands in the namelist; None: the start only
        self.seconds = None  # of the interval; None: months
        self.lag, self.flag, self.factor = -1, "SNP", fractions.Fraction(1)
        self.stack, self.norm = [], None
        self.conserve, self.monitor = None, None
        self.remarks = []


def decimal(number):
    """A fraction as the namelist has it."""
    if number.denominator == 1:
        return str(number.numerator)
    text = format(float(number), ".17g")
    return text if fractions.Fraction(text) == number else repr(float(number))


def interval_of(seconds):
    """intvl of a number of seconds: a number where it is a decimal one, else a fraction."""
    text = decimal(seconds)
    return text if fractions.Fraction(text) == seconds else f'"{seconds.numerator}/{seconds.denominator}"'


def set_lag(source, exchange, line, age, step_put, step_get, said):
    """Sets lag of what is got at T and was put in the step that began at T - age.

    age, step_put, step_get: seconds, or None where they are not known. said: the words of the input, for remarks."""
    period, remarks = exchange.seconds, exchange.remarks
    if age is None or step_put is None or period is None:
        source.lose(line, f"{said}: lag=-1 is written, the last value put before the exchange time; give --steps "
                          f"{exchange.components[0]}=SECONDS,{exchange.components[1]}=SECONDS to have it derived", remarks)
        return
    if age == 0 and step_put == period == step_get and exchange.flag in ("SNP", "AVR", "MIN", "MAX"):
        exchange.lag, exchange.interval, exchange.flag = 0, None, "SNP"
        return
    intervals = (age - step_put) / period
    if intervals.denominator != 1:
        source.lose(line, f"{said}: what is got at T was put in the step that began at T - {decimal(age)} s; h3ou has lags of whole intervals after "
                          f"the sender's step of {decimal(step_put)} s: lag=-1 is written, which is the step that began at T - {decimal(step_put)} s",
                    remarks)
        return
    exchange.lag = int(-1 - intervals) if intervals >= 0 else int(-intervals)
    if exchange.lag > 0 and exchange.components[0] == exchange.components[1]:
        source.lose(line, f"{said}: inside one component what is got must have been put before: lag=-1 is written", remarks)
        exchange.lag = -1


def settle_sums(source, exchange, line):
    """The other couplers add values; ACC adds values times the sender's step."""
    step = source.steps.get(exchange.components[0])
    if step:
        exchange.factor /= step
    else:
        source.lose(line, f"a sum of values: flag='ACC' is the sum of values times the step of {exchange.components[0]} in seconds: divide by it, or give "
                          f"--steps {exchange.components[0]}=SECONDS", exchange.remarks)


def drop_what_cannot_be(source, exchanges):
    """Removes what a namelist must not have: one name got twice, and waits of two components for each other."""
    kept, got, ahead = [], {}, {}
    for e in exchanges:
        key = (e.components[1], e.names[1])
        if key in got:
            source.lose(e.line, f"{key[0]} gets {key[1]} twice: line {got[key]} counts, this one was left out; rename one of them in the model")
            continue
        got[key] = e.line
        back = ahead.get(e.components[::-1])
        if e.lag > 0 and back:
            source.lose(e.line, f"{e.components[0]} and {e.components[1]} would each run ahead of the other (line {back}): lag=-1 is written here", e.remarks)
            e.lag = -1
        elif e.lag > 0:
            ahead.setdefault(e.components, e.line)
        kept.append(e)
    return kept


def _keys_of_weights(e):
    words = []
    if e.stack:
        words.append(f'method="{",".join(e.stack)}"')
    if e.norm:
        words.append(f'norm="{e.norm}"')
    return ", ".join(words)


def _variable(e, weights):
    words = [f'var_put="{e.names[0]}"', f'var_get="{e.names[1]}"']
    if e.interval is not None:
        words.append(f"intvl={e.interval}")
    words += [f"lag={e.lag}", f'flag="{e.flag}"']
    if e.factor != 1:
        words.append(f"factor={format(float(e.factor), '.17g')}")
    words += [f'{key}="{value}"' for key, value in (("conserve", e.conserve), ("monitor", e.monitor)) if value]
    return f"&h3ou_var {', '.join(words + ([weights] if weights else []))} /"


def namelist(source, settings, exchanges, head):
    """The whole namelist as text. settings: {key: text} of h3ou_coupling; head: remarks for its beginning, where all that was lost stands that belongs to no
    field which is exchanged."""
    elsewhere = {id(r) for e in exchanges for r in e.remarks} | {id(r) for r in head}
    head = head + [r for r in source.remarks if r.is_lost and id(r) not in elsewhere]
    lines = [f"! Converted from {' '.join(source.path.split())} by h3ou convert-config."]
    lines += [_comment(source, r) for r in head]
    if settings:
        lines.append("&h3ou_coupling " + ", ".join(f"{k}={v}" for k, v in settings.items()) + " /")
    pairs = {}
    for e in exchanges:
        pairs.setdefault((e.components, e.grids), []).append(e)
    for (components, grids), fields in pairs.items():
        shared = {_keys_of_weights(e) for e in fields}
        common = shared.pop() if len(shared) == 1 else ""
        words = [f'comp_put="{components[0]}"', f'comp_get="{components[1]}"', f'grid_put="{grids[0]}"', f'grid_get="{grids[1]}"', "mapping_tag=1"]
        lines.append(f"&h3ou_var {', '.join(words + ([common] if common else []))} /")
        for e in fields:
            lines += [_comment(source, r) for r in e.remarks]
            lines.append(_variable(e, "" if common else _keys_of_weights(e)))
    return "\n".join(lines) + "\n"


def _comment(source, remark):
    kind = "not converted: " if remark.is_lost else ""
    return f"! {' '.join(source.path.split())}:{remark.line}: {kind}{remark.text}"


def gauss_width(variance):
    return format(math.sqrt(variance), ".6g")
