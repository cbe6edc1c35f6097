# SPDX-License-Identifier: BSD-3-Clause
"""The files of a record: their blocks (coupler/record/record_block.h) without the values."""
import os
import pathlib
import struct
from fractions import Fraction

START, GRID, PUT, GET, STEP, RESTART, BESIDE, END = range(1, 9)
MAGIC = b"h3r1"


class RecordError(Exception):
    """One sentence for the user."""


def text_of(data, at):
    length, = struct.unpack_from("<i", data, at)
    return data[at + 4:at + 4 + length], at + 4 + length


class Part:
    """What the process `rank` of a component recorded; a file that ends within a block counts up to there."""

    def __init__(self, path):
        self.path, self.puts, self.gets, self.steps, self.ended, self.last, self.grids = path, 0, 0, 0, False, None, {}
        self.restarted = False
        try:
            with open(path, "rb") as f:
                self.read(f, os.fstat(f.fileno()).st_size)
        except OSError as e:
            raise RecordError(f"{path}: {e.strerror}") from None
        except (struct.error, UnicodeDecodeError):
            raise RecordError(f"{path}: is damaged, or no record") from None

    def read(self, f, size):
        at = 0
        while at + 24 <= size:
            f.seek(at)
            magic, kind, length = struct.unpack("<4sIq", f.read(16))
            if magic != MAGIC or not START <= kind <= END or length < 0 or (at == 0) != (kind == START):
                raise RecordError(f"{self.path}: is damaged, or no record: byte {at}")
            if at + 24 + length > size:
                break
            f.seek(at + 24)
            self.take(kind, f.read(length) if kind in (START, GRID, STEP) else b"")
            at += 24 + length
        if at == 0:
            raise RecordError(f"{self.path}: ends before anything is recorded")

    def take(self, kind, data):
        self.puts += kind == PUT
        self.gets += kind == GET
        self.steps += kind == STEP
        self.ended |= kind == END
        self.restarted |= kind == RESTART
        if kind == START:
            self.run, self.rank, self.size, self.me, n = struct.unpack_from("<qiiii", data)
            names = [data[24 + 136 * i:88 + 136 * i].rstrip(b"\0").decode() for i in range(n)]
            self.component = names[self.me]
            self.components = names
        if kind == GRID:
            name, at = text_of(data, 0)
            self.grids[name.decode()] = struct.unpack_from("<q", data, at + 4)[0]
        if kind == STEP:
            num, den, step, step_den = struct.unpack("<4q", data)
            self.last = Fraction(num, den), Fraction(step, step_den)


def components(folder):
    """{name: [Part of each process]} of a folder."""
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise RecordError(f"{folder}: no such folder: the key record of the namelist, or h3ou run --record, names it")
    found = {}
    for path in sorted(folder.glob("*.0")):
        first = Part(path)
        found[first.component] = [first] + [Part(path.with_name(f"{first.component}.{rank}")) for rank in range(1, first.size)]
    if not found:
        raise RecordError(f"{folder}: no record of any component is here")
    return found
