#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the rules of the house: house.py SOURCE ARROWS [LIBRARY...]

ARROWS is the file that CMake writes from its h3ou_room() lines: "folder:dep;dep;folder:...". Each broken rule is one line on
standard output, FILE:LINE: sentence; the exit code is 0 when there is none.
"""
import collections
import pathlib
import re
import subprocess
import sys

MOST_LINES = 800
MOST_FUNCTION_LINES = 80
MOST_IN_ROOM = 20
LEFT_OUT = {".git", "out", "__pycache__", ".pytest_cache"}
SOURCE_SUFFIXES = {".c", ".h", ".f90", ".F90", ".inc", ".py", ".cmake"}
# Taken unchanged from elsewhere: the program that the published tables of the time rules were made with.
FROM_ELSEWHERE = {"tests/semantics/semantics_probe.f90"}
# Where the program may end or print: the API edge, and its default sinks.
MAY_END = {"src/c/api/abort.c", "src/c/api/stop_step.c"}
# Where rooms are looked for: in src/c, or at the top of the tree.
FLOORS = ("src/c", ".")
TOP_FLOORS = ("interp", "coupler", "universe", "tools")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')
ENDING = re.compile(r"(?<![\w.>])(printf|puts|perror|exit|_exit|abort|assert)\s*\(")
SHARED_NAME = re.compile(r"\b(?:h3ou|waitio)__\w+")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def read_arrows(text):
    """{"waitio": ["waitio/conduit", "os", "base"], ...}"""
    arrows, folder = {}, None
    for item in re.split(r"[;\s]+", text.strip()):
        head, colon, rest = item.partition(":")
        if colon:
            folder = head
            arrows[folder] = [rest] if rest else []
        elif item:
            arrows[folder].append(item)
    return arrows


def files(root):
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if any(part in LEFT_OUT or part.startswith("build") for part in inside.parts) or not path.is_file():
            continue
        yield inside, path


def is_source(inside, path):
    if inside.suffix in SOURCE_SUFFIXES or inside.name in ("CMakeLists.txt", "Makefile"):
        return True
    with path.open("rb") as f:
        return f.read(2) == b"#!"


def without_comments(text):
    """C text with comments and strings blanked, line numbers kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def check_acyclic(arrows):
    done, doing = set(), []

    def visit(folder):
        if folder in doing:
            return [f"arrows: {' -> '.join(doing[doing.index(folder):] + [folder])} is a circle"]
        if folder in done:
            return []
        doing.append(folder)
        found = []
        for below in arrows.get(folder, []):
            if below not in arrows:
                found.append(f"arrows: {folder} names {below}, which is no room of the house")
            else:
                found += visit(below)
        doing.pop()
        done.add(folder)
        return found

    return [line for folder in arrows for line in visit(folder)]


def check_includes(inside, text, root, allowed, where):
    """allowed: rooms whose headers this file may include."""
    broken = []
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        kind, name = match.groups()
        if kind == "<":
            # The published C interface has MPI's types; the library itself includes it without.
            if name == "mpi.h" and str(inside) not in ("src/c/mpi/backend.c", "include/h3ouc.h") and not is_mpi_program(inside):
                broken.append(f"{inside}:{number}: only src/c/mpi/backend.c includes <mpi.h>")
            continue
        folder = str(pathlib.PurePosixPath(name).parent)
        if (root / "include" / name).is_file():
            continue
        if folder == "." and (root / inside.parent / name).is_file() and not room_of(inside):
            continue
        if not any((root / floor / name).is_file() for floor in FLOORS):
            broken.append(f'{inside}:{number}: "{name}" is neither in include/ nor in a room (write "room/file.h")')
        elif folder not in allowed:
            broken.append(f"{inside}:{number}: {where} may not include {name}: no arrow leads to {folder}")
    return broken


def is_mpi_program(inside):
    """tools/NAME/mpi/ holds sources of programs which are compiled once for each MPI as the backend is."""
    return len(inside.parts) == 4 and inside.parts[0] == "tools" and inside.parts[2] == "mpi"


def room_of(inside):
    """The room that a C file of the library or of a command stands in; None: it is no such file."""
    if str(inside).startswith("src/c/"):
        return str(inside.parent.relative_to("src/c"))
    return str(inside.parent) if inside.parts[0] in TOP_FLOORS and not is_mpi_program(inside) else None


def check_place(inside, text, root, arrows):
    """Which rooms may this file include?"""
    path = str(inside)
    if inside.suffix not in (".c", ".h"):
        return []
    room = room_of(inside)
    if room:
        if room not in arrows:
            return [f"{inside}:1: folder {room} has no h3ou_room() line in CMakeLists.txt"]
        return check_includes(inside, text, root, {room, *arrows[room]}, room)
    if path.startswith("include/"):
        return check_includes(inside, text, root, set(), "include/")
    if not is_mpi_program(inside):
        return []
    own = str(inside.parent.parent)
    allowed = {own, *arrows.get(own, [])}
    return check_includes(inside, text, root, allowed | {f"{room}/mpi" for room in allowed}, str(inside.parent))


def check_names(root):
    """No two C files of the library and its commands, and no two of their headers, share a name; a room is small."""
    broken, seen, rooms = [], {}, {}
    for inside, _ in files(root):
        room = room_of(inside)
        if not room or inside.suffix not in (".c", ".h"):
            continue
        if inside.name in seen:
            broken.append(f"{inside}:1: {seen[inside.name]} has the same name")
        seen[inside.name] = inside
        if inside.suffix == ".c":
            rooms.setdefault(room, []).append(inside)
    return broken + [f"{room}: {len(sources)} source files; a room has at most {MOST_IN_ROOM}"
                     for room, sources in rooms.items() if len(sources) > MOST_IN_ROOM]


def check_used(root):
    """Every function that a room's header declares is named somewhere besides its declaration and its definition. An inline
    function is declared where it is defined."""
    declared, named = {}, collections.Counter()
    for inside, path in files(root):
        if inside.suffix not in (".c", ".h", ".f90"):
            continue
        text = without_comments(path.read_text(encoding="utf-8")) if inside.suffix != ".f90" else path.read_text(encoding="utf-8")
        named.update(SHARED_NAME.findall(text))
        if inside.suffix == ".h" and room_of(inside):
            for number, line in enumerate(text.splitlines(), 1):
                for name in re.findall(r"\b(?:h3ou|waitio)__\w+(?=\()", line):
                    declared.setdefault(name, (f"{inside}:{number}", 1 if "inline" in line else 2))
    return [f"{where}: nobody calls {name}()" for name, (where, least) in declared.items() if named[name] <= least]


def check_lengths(inside, text):
    broken, lines = [], text.splitlines()
    if len(lines) > MOST_LINES and "_generated" not in inside.name:
        broken.append(f"{inside}:{len(lines)}: {len(lines)} lines; a file has one noun and at most {MOST_LINES}")
    if inside.suffix == ".c":
        begin, end = re.compile(r"^\{"), re.compile(r"^\}")
    elif inside.suffix == ".f90":
        begin = re.compile(r"^\s*((pure|elemental|recursive|impure|logical|integer|real|character|type)\b[^!'\"]*)?"
                           r"\b(subroutine|function)\s+\w+\s*(\(|$|bind)", re.I)
        end = re.compile(r"^\s*end\s*(subroutine|function)\b", re.I)
    else:
        return broken
    start = None
    for number, line in enumerate(lines, 1):
        if end.match(line):
            if start and number - start - 1 > MOST_FUNCTION_LINES:
                broken.append(f"{inside}:{start}: a function of {number - start - 1} lines; at most {MOST_FUNCTION_LINES}")
            start = None
        elif begin.match(line):
            start = number
    return broken


def check_words(inside, text):
    broken = []
    if room_of(inside) and inside.parts[0] != "tools" and str(inside) not in MAY_END:
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            match = ENDING.search(line)
            if match:
                broken.append(f"{inside}:{number}: the library does not call {match.group(1)}()")
    if inside.parts[0] != "tests":
        for number, line in enumerate(text.splitlines(), 1):
            if UNFINISHED.search(line):
                broken.append(f"{inside}:{number}: unfinished: {line.strip()}")
    return broken


def check_variants(root):
    """What a method or a format of weights is like stands in its own file: nobody else asks for it by its name."""
    names = set()
    for path in (*(root / "interp/methods").glob("*.c"), *(root / "interp/file").glob("weight_*.c")):
        names.update(re.findall(r'^    \.name = "(\w+)",', path.read_text(encoding="utf-8"), re.M))
    if not names:
        return []
    words = "|".join(sorted(names))
    asked = re.compile(rf'\bstr\w*cmp\((?!key\b)[^;"]*"({words})"')
    listed = re.compile(rf'"[^"\n]*(?:\|({words})\b|\b({words})\|)')
    broken = []
    for inside, path in files(root):
        if not (room_of(inside) or "").startswith(("interp", "coupler", "api", "tools/weights")) or inside.suffix not in (".c", ".h"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = asked.search(line) or listed.search(line)
            if match:
                broken.append(f"{inside}:{number}: asks for '{next(filter(None, match.groups()))}' by name: ask a member of its table")
    return broken


def check_sources(root, arrows):
    broken = check_acyclic(arrows) + check_names(root) + check_used(root) + check_variants(root)
    for inside, path in files(root):
        if not is_source(inside, path) or str(inside) in FROM_ELSEWHERE:
            continue
        text = path.read_text(encoding="utf-8")
        if not any("SPDX-License-Identifier: BSD-3-Clause" in line for line in text.splitlines()[:2]):
            broken.append(f"{inside}:1: no SPDX line (SPDX-License-Identifier: BSD-3-Clause)")
        broken += check_place(inside, text, root, arrows)
        broken += check_lengths(inside, text)
        broken += check_words(inside, text)
    return broken


# Which symbols a library shows: public names, and in libwaitio what libh3ou and the backends of this version use.
SHOWN = {
    "libh3ou.so": r"h3ou_(?!_)\w+|h3ouc_\w+|H3OU_\d+",
    "libwaitio.so": r"waitio_\w+|truef|__waitio_mpif90_MOD_\w+|h3ou__\w+|WAITIO_\w+",
    "libh3ou_fortran.so": r"__h3ou_\w+_MOD_\w+",
    "libh3ou_mpi_": r"h3ou__mpi_backend",
}
MPI_LIBRARY = re.compile(r"lib(mpi|mpich|mpifort|mpi_\w+|pmpi|open-rte|open-pal)[.\w-]*\.so")
OF_THE_TOOLCHAIN = re.compile(r"_(init|fini|edata|end|_bss_start|_bss_end)|__bss_start")


def check_symbols(name, symbols):
    pattern = next((p for prefix, p in SHOWN.items() if name.startswith(prefix)), None)
    if not pattern:
        return [f"{name}: what it may show is not written down in tests/house/house.py"]
    return [f"{name}: shows {symbol}, which is none of its names ({pattern})" for symbol in symbols
            if not re.fullmatch(pattern, symbol) and not OF_THE_TOOLCHAIN.fullmatch(symbol)]


def check_needed(name, needed):
    if name.startswith("libh3ou_mpi_"):
        return [] if any(MPI_LIBRARY.match(n) for n in needed) else [f"{name}: needs no MPI library"]
    broken = [f"{name}: needs {n}; only backends may need an MPI" for n in needed if MPI_LIBRARY.match(n)]
    # libh3ou reads and writes the cache of weights (docs/adr/0008); nobody else has files.
    broken += [f"{name}: needs {n}; files belong to libh3ou and the command" for n in needed
               if "netcdf" in n and not name.startswith("libh3ou.")]
    if name.startswith("libwaitio"):
        broken += [f"{name}: needs {n}; the transport is C" for n in needed if "gfortran" in n]
    return broken


def check_library(path):
    name = pathlib.Path(path).name
    lines = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-1].split("@")[0] for line in lines.splitlines() if line.split()]
    lines = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", lines)
    broken = check_symbols(name, symbols) + check_needed(name, needed)
    return broken if symbols else broken + [f"{name}: shows nothing"]


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0])
    arrows = read_arrows(pathlib.Path(arguments[1]).read_text())
    broken = check_sources(root, arrows)
    for library in arguments[2:]:
        broken += check_library(library)
    print("\n".join(broken))
    print(f"{len(broken)} broken rules; {len(arrows)} folders, {len(arguments) - 2} libraries")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
