# SPDX-License-Identifier: BSD-3-Clause
"""What get answers, by the rules that were measured of h3-Open-UTIL/MP, without a look at h3ou: a run is two components with
their steps, and variables with what the namelist says of each. Times are counted in whole units since the run's start: the sum of the
steps; what a unit is says the run's clock."""
import dataclasses
import datetime
import fractions

import cftime

DAY = 21600  # units that a random run lasts; every step divides it
NEVER = -999.0  # what an array holds that get does not touch


@dataclasses.dataclass
class Table:
    """target(recv[i]) += coef[i] * source(send[i]), in the order of i; coef None: all 1."""
    send: list
    recv: list
    coef: list | None

    def apply(self, source, targets):
        values = dict.fromkeys(targets)
        for i, (send, recv) in enumerate(zip(self.send, self.recv)):
            coef = 1.0 if self.coef is None else self.coef[i]
            values[recv] = (values[recv] or 0.0) + coef * source[send]
        return [NEVER if values[target] is None else values[target] for target in targets]


@dataclasses.dataclass
class Variable:
    name: str
    sender: str
    receiver: str
    tag: int
    number: int  # of the variable in the run: no two put the same values
    intvl: int | None
    lag: int
    flag: str
    layer: int
    initial: bool
    skipped: set = dataclasses.field(default_factory=set)  # steps of the sender that do not put
    listed_twice: bool = False

    def is_single(self):
        """Whether the values travel in single precision."""
        return self.number % 3 == 1


@dataclasses.dataclass
class Component:
    name: str
    cells: list  # indices of its grid
    steps: list  # in units of the run's clock
    silent: set = dataclasses.field(default_factory=set)  # steps with set_time alone, as of a model that calls it twice
    begin: int = 0  # its start, in units after the run's
    inner: list = dataclasses.field(default_factory=list)  # indices of the grid on which it gets from itself; empty: the same grid

    def times(self):
        """When each step begins."""
        now, times = self.begin, []
        for step in self.steps:
            times.append(now)
            now += step
        return times

    def end(self):
        return self.begin + sum(self.steps)


@dataclasses.dataclass
class Clock:
    """What a unit of times, steps and intervals is: a fraction of a second, or, of the name "month", a month in so many units."""
    unit: fractions.Fraction = fractions.Fraction(1)
    calendar: str = ""     # of cftime, for months
    start: tuple = ()      # year, month, day, hour, minute, second
    month: int = 0         # units of a month; 0: units are fractions of a second

    def date(self, time):
        month = self.start[0] * 12 + self.start[1] - 1 + time // self.month
        return cftime.datetime(month // 12, month % 12 + 1, *self.start[2:], calendar=self.calendar)

    def seconds(self, begin, end):
        """From one time to another."""
        if not self.month:
            return (end - begin) * self.unit
        return fractions.Fraction((self.date(end) - self.date(begin)) // datetime.timedelta(seconds=1))


@dataclasses.dataclass
class Run:
    components: dict  # by name
    variables: list
    tables: dict      # by (sender, receiver, tag)
    clock: Clock = dataclasses.field(default_factory=Clock)
    keeps_after_end: bool = False


def base_of(variable, time):
    """What is put at a time, less the cell's part; it goes up and down. time None: the initial value."""
    return variable.number * 1000000.0 + (-0.5 if time is None else wave(variable.number, time))


def wave(number, time):
    return float(time) if number == 0 else (time * 7919 + 17 * number) % 20011


def puts_of(run, variable):
    """(time, step, base) of every put in order; an initial value has the time None."""
    sender = run.components[variable.sender]
    puts = [(None, 0, base_of(variable, None))] if variable.initial else []
    for i, (time, step) in enumerate(zip(sender.times(), sender.steps)):
        if i not in variable.skipped and i not in sender.silent:
            puts.append((time, run.clock.seconds(time, time + step), base_of(variable, time)))
    return puts


def newest(puts, before):
    bases = [base for time, _, base in puts if time is None or time < before]
    return [(1.0, bases[-1])]


def statistic(flag, puts, begin, end):
    """What the puts of an interval become, as a list of (weight, base) to be summed: a mean and a sum over time weight by the
    length of each put's step. An interval in which no step begins has the newest value, and accumulates nothing."""
    inside = [(step, base) for time, step, base in puts if time is not None and begin <= time < end]
    if flag == "ACC":
        return [(float(step), base) for step, base in inside]
    if flag in ("SNP", "INT") or not inside:
        return newest(puts, end)
    if flag == "AVR":
        return [(float(step / sum(step for step, _ in inside)), base) for step, base in inside]
    return [(1.0, {"MIN": min, "MAX": max}[flag](base for _, base in inside))]


def parts_got(run, variable, time, nth):
    """As parts_of_exchange, but INT goes linearly from the exchange before the last to the last, in every step."""
    if variable.flag != "INT":
        return parts_of_exchange(run, variable, time, nth)
    both_run = max(run.components[name].begin for name in (variable.sender, variable.receiver))
    begin = time // variable.intvl * variable.intvl
    last = parts_of_exchange(run, variable, begin, nth) if begin >= both_run else None
    if last is None:
        return None
    former = parts_of_exchange(run, variable, begin - variable.intvl, nth) if begin - variable.intvl >= both_run else last
    part = float(run.clock.seconds(begin, time) / run.clock.seconds(begin, begin + variable.intvl))
    return [((1 - part) * weight, base) for weight, base in former] + [(part * weight, base) for weight, base in last]


def parts_of_exchange(run, variable, time, nth):
    """What the nth get, at this time of the receiver, finds, as a list of (weight, base); None: it answers false."""
    puts, sender, intvl = puts_of(run, variable), run.components[variable.sender], variable.intvl
    if variable.lag == 0:
        return [(1.0, puts[nth][2])]
    both_run = max(sender.begin, run.components[variable.receiver].begin)
    if time < both_run or (time % intvl if intvl else time > both_run):
        return None
    # The interval whose values the exchange has.
    end = time + (variable.lag + (variable.lag < 0)) * intvl if intvl else time
    begin = end - intvl if intvl else sender.begin
    if variable.lag < 0 and end <= sender.begin:
        return [(1.0, puts[0][2])]
    if end > sender.end():
        assert run.keeps_after_end
        return None
    return statistic(variable.flag, puts, begin, end)


def cells_of_get(run, variable):
    """The receiver's cells, and the name of their grid."""
    receiver = run.components[variable.receiver]
    if variable.sender == variable.receiver and receiver.inner:
        return receiver.inner, f"h{receiver.name}"
    return receiver.cells, f"g{receiver.name}"


def base_got(run, variable, time, nth):
    parts = parts_got(run, variable, time, nth)
    return None if parts is None else sum(weight * base for weight, base in parts)


def answer(run, variable, time, nth):
    """(ok, a list of values for each layer, in the order of the receiver's cells)."""
    sender, (cells, _) = run.components[variable.sender], cells_of_get(run, variable)
    parts = parts_got(run, variable, time, nth)
    if parts is None:
        return False, [[NEVER] * len(cells)] * variable.layer
    table = run.tables[variable.sender, variable.receiver, variable.tag]
    return True, [table.apply({cell: sum(weight * (base + cell / 8 + 1000.0 * layer) for weight, base in parts)
                               for cell in sender.cells}, cells)
                  for layer in range(variable.layer)]
