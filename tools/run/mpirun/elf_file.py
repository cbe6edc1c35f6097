# SPDX-License-Identifier: BSD-3-Clause
"""What an executable or a library says of itself: which libraries it needs, and where these are looked for."""
import functools
import os
import pathlib
import re
import subprocess

try:
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile
except ImportError:
    ELFFile = None


class ProgramError(Exception):
    """Says why a program cannot be examined, or cannot run."""


class Object:
    """One ELF file: needed (names), rpath and runpath (folders), is_dynamic, machine."""

    def __init__(self, path):
        if not ELFFile:
            raise ProgramError("programs are read with pyelftools, which Python does not find: apt install python3-pyelftools")
        self.path = pathlib.Path(path)
        self.needed, self.rpath, self.runpath, self.is_dynamic = [], [], [], False
        try:
            with open(path, "rb") as f:
                elf = ELFFile(f)
                self.machine = elf.get_machine_arch()
                for segment in elf.iter_segments("PT_DYNAMIC"):
                    self.is_dynamic = True
                    for tag in segment.iter_tags():
                        self.take(tag)
        except ELFError as e:
            raise ProgramError(f"{path}: not a program that can be read: {e}") from None

    def take(self, tag):
        if tag.entry.d_tag == "DT_NEEDED":
            self.needed.append(tag.needed)
        elif tag.entry.d_tag == "DT_RPATH":
            self.rpath = self.folders(tag.rpath)
        elif tag.entry.d_tag == "DT_RUNPATH":
            self.runpath = self.folders(tag.runpath)

    def has_symbol(self, name):
        """Whether the library exports a symbol of this name."""
        with open(self.path, "rb") as f:
            table = ELFFile(f).get_section_by_name(".dynsym")
            return bool(table and any(s["st_shndx"] != "SHN_UNDEF" for s in table.get_symbol_by_name(name) or ()))

    def folders(self, text):
        here = str(self.path.resolve().parent)
        return [re.sub(r"\$(ORIGIN|\{ORIGIN\})", lambda _: here, folder) for folder in text.split(":") if folder]


@functools.cache
def known_to_loader():
    """{name: file} of the dynamic loader's cache."""
    for command in ("ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"):
        try:
            text = subprocess.run([command, "-p"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        found = {}
        for name, file in re.findall(r"^\s+(\S+) \(.*\) => (\S+)$", text, re.M):
            found.setdefault(name, file)
        return found
    return {}


def find_library(name, asking, program):
    """The file of a needed library, or None; in the order of ld.so(8)."""
    given = [f for f in os.environ.get("LD_LIBRARY_PATH", "").split(":") if f]
    before = [] if asking.runpath else asking.rpath + program.rpath
    for folder in [*before, *given, *asking.runpath]:
        if pathlib.Path(folder, name).is_file():
            return pathlib.Path(folder, name)
    if name in known_to_loader():
        return pathlib.Path(known_to_loader()[name])
    for folder in ("/lib", "/usr/lib", "/lib64", "/usr/lib64"):
        if pathlib.Path(folder, name).is_file():
            return pathlib.Path(folder, name)
    return None


class Program:
    """An executable with all libraries it needs, but for what MPIs need themselves: `stop(name)` says that a name is an MPI's."""

    def __init__(self, path, stop):
        with open(path, "rb") as f:
            head = f.read(4)
        if head[:2] == b"#!":
            raise ProgramError(f"{path} is a script, and says nothing of its MPI: name the program that it starts, or its MPI with --built-with")
        if head != b"\x7fELF":
            raise ProgramError(f"{path} is no executable program of this system")
        self.main = Object(path)
        if not self.main.is_dynamic:
            raise ProgramError(f"{path} is statically linked, its MPI is inside it: link it again with shared libraries")
        self.names, self.has_rpath = {}, False  # {needed name: who needs it}
        queue, seen = [self.main], set()
        while queue:
            asking = queue.pop(0)
            self.has_rpath = self.has_rpath or bool(asking.rpath and not asking.runpath)
            for name in asking.needed:
                self.names.setdefault(name, asking.path)
                if name in seen or stop(name):
                    continue
                seen.add(name)
                file = find_library(name, asking, self.main)
                if file:
                    queue.append(Object(file))
