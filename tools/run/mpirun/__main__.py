# SPDX-License-Identifier: BSD-3-Clause
"""h3ou mpirun: starts a program of one MPI under the mpirun of another. Called by the command h3ou, which has read its own options:

    mpirun LIBRARIES run|dry-run|list ON BUILT_WITH LIBRARY LAUNCHER show|quiet [WORD...]

LIBRARIES: the folder of libh3ou.so, seen from the folder of h3ou run. ON, BUILT_WITH: mpich, openmpi, abi, or "". LIBRARY, LAUNCHER: files of the MPI
to run on, or "". WORD...: mpirun's options, program and arguments."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import mpis
from elf_file import ProgramError

# Options of both mpirun that take values, by how many; of others it is guessed: their value is no program.
VALUES = {**dict.fromkeys(("n", "np", "c", "N", "npernode", "npersocket", "ppn", "host", "hosts", "H", "hostfile", "machinefile", "f", "wdir", "wd", "path", "x",
                           "bind-to", "map-by", "rank-by", "report-events", "app", "tune", "prefix", "configfile", "launcher", "rmk", "iface", "genvlist", "envlist",
                           "prepend-rank", "output-filename", "outfile-pattern", "errfile-pattern", "timeout", "ompi-server", "stdin", "am", "amca"), 1),
          **dict.fromkeys(("genv", "env", "mca", "gmca", "pmca"), 2), "prepend-rank": 0}


def executable(word):
    """The file that a word starts, as mpirun finds it, or None."""
    return shutil.which(word)


def find_programs(words):
    """The places of the programs: one of each part between colons."""
    places, i, is_found = [], 0, False
    while i < len(words):
        word = words[i]
        if is_found:
            is_found = word != ":"
        elif word.startswith("-") and len(word) > 1:
            i += VALUES.get(word.lstrip("-"), 0)
        elif executable(word):
            places.append(i)
            is_found = True
        i += 1
    if not places:
        # What stands where the program would, for the message.
        plain = [w for w in words if "/" in w and not w.startswith("-")]
        raise ProgramError(f"{plain[-1]}: there is no such program" if plain else "no program is found among the words of mpirun: " + shlex.join(words))
    return places


def same_mpi(words, places, built_with):
    """The MPI that all programs were built with, and whether one has an RPATH."""
    found, rpath = {}, False
    for i in places:
        path = executable(words[i])
        try:
            mpi, has_rpath = mpis.of_program(path)
        except ProgramError:
            if not built_with or pathlib.Path(path).read_bytes()[:2] != b"#!":
                raise
            mpi, has_rpath = None, False
        rpath = rpath or has_rpath
        if mpi and built_with and mpi is not built_with:
            raise ProgramError(f"{path} was built with {mpi.title}, not with {built_with.title}: leave --built-with out")
        if not mpi and not built_with:
            raise ProgramError(f"{path} needs no MPI library that is known (libmpich.so.12, libmpi.so.12, libmpi.so.40, libmpi_abi.so.0): where a module "
                               "loads it later, as in Python, name it with --built-with")
        found.setdefault(mpi or built_with, path)
    if len(found) > 1:
        raise ProgramError("the programs of one job have different MPIs: " + ", ".join(f"{path} {mpi.title}" for mpi, path in found.items()))
    return next(iter(found)), rpath


def with_settings(words, places, target, more):
    """The words of mpirun, where each part sets the variables: for the program and not for mpirun itself, which may need libraries of the
    same names."""
    options, before = target.settings(more)
    found, is_start = [], True
    for i, word in enumerate(words):
        if is_start:
            found += options
        if i in places:
            found += before
        is_start = word == ":"
        found.append(word)
    return found


def prepare(place, on, built_with, library, launcher, words):
    """(line that says what is done, command)"""
    asked, places = mpis.named(on), find_programs(words)
    mpi, has_rpath = same_mpi(words, places, mpis.named(built_with))
    names = ", ".join(dict.fromkeys(os.path.basename(words[i]) for i in places))
    front = place.front(mpi)
    if mpi is not asked:
        if not front:
            raise ProgramError(f"{names} was built with {mpi.title}, and {place.folder / mpi.name} is missing: build h3ou where {mpi.title} is installed")
        if not place.has_back(asked):
            raise ProgramError(f"nothing runs on {asked.title} here: h3ou was built without it (h3ou mpirun --list shows what is installed)")
    target = mpis.Target.of(asked, library, launcher)
    line = f"{names}: {mpi.abi}; runs on {target.title}" + (" by the standard ABI" if on == "abi" else "")
    if mpi is not asked:
        return line, [target.launcher, *with_settings(words, places, target, mpis.environment(front, on, target, has_rpath))]
    library = target.library
    more = mpis.first_libraries(library.parent, [str(library)] if has_rpath else []) if library else {}
    return f"{line}, its own", [target.launcher, *with_settings(words, places, target, more)]


def main(libraries, what, on, built_with, library, launcher, quiet, *words):
    # The folder of this program is one below that from which the libraries are seen.
    place = mpis.Place((pathlib.Path(__file__).resolve().parent.parent / libraries).resolve())
    if what == "list":
        print("\n".join(place.table()))
        return 0
    try:
        line, command = prepare(place, on, built_with, library, launcher, list(words))
    except (ProgramError, OSError, subprocess.TimeoutExpired) as e:
        print(f"h3ou mpirun: {e}", file=sys.stderr)
        return 1
    if what == "dry-run":
        print(shlex.join(command))
        return 0
    if quiet != "quiet":
        print(f"h3ou mpirun: {line}", file=sys.stderr, flush=True)
    os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
