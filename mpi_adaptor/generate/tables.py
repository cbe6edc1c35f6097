# SPDX-License-Identifier: BSD-3-Clause
"""The two tables of mpi_adaptor/hub: constants.txt and functions.txt."""
import re


class Class:
    def __init__(self, name, kind):
        self.name, self.kind, self.values = name, kind, {}


def lines(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.split("#")[0].strip()
        if text:
            yield f"{path.name}:{number}", text


def read_constants(path):
    """{"rank": Class, ...}"""
    classes, current = {}, None
    for where, text in lines(path):
        words = text.split()
        if words[0] == "class" and len(words) == 3:
            current = classes[words[1]] = Class(words[1], words[2])
        elif len(words) == 2 and current is not None:
            current.values[words[0]] = int(words[1], 0)
        else:
            raise ValueError(f"{where}: neither a class nor a constant: {text}")
    return classes


class Use:
    """What functions.txt says of one argument."""

    def __init__(self, where, word):
        match = re.fullmatch(r"(\w+)(?::(?:(in|out|inout|kept)(?=[.\[]|$))?\.?([A-Za-z_.]*)(?:\[(.+)\])?)?", word)
        if not match:
            raise ValueError(f"{where}: not an argument: {word}")
        self.name, self.way, self.kind, length = match.groups()
        self.kind = self.kind or ""
        self.allocated, _, self.used = (length or "").partition(",")
        self.used = self.used or self.allocated
        self.is_array = bool(length)


class Function:
    def __init__(self, name, uses, mark):
        self.name, self.uses, self.mark = name, uses, mark
        self.manual = "!" in mark
        self.is_short = "+" in mark
        self.passes = self.is_short or "^" in mark


def read_functions(path):
    """Functions by name without MPI_, and the removed names: {"Address": "Get_address"}."""
    functions, aliases = {}, {}
    for where, text in lines(path):
        text = re.sub(r",\s+", ",", text)
        words = text.split()
        if len(words) == 3 and words[1] == "=":
            aliases[words[0]] = words[2]
            continue
        name = words[0].rstrip("!+^")
        if name in functions:
            raise ValueError(f"{where}: {name} stands there twice")
        functions[name] = Function(name, [Use(where, word) for word in words[1:]], words[0][len(name):])
    return functions, aliases
