#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""A second compiler reads all C files: clang.py SOURCE COMPILE_COMMANDS MPICC FLAG...

Each C file of the tree is checked by clang with warnings as errors, without writing an object: with the command that the build
compiles it with, or, where an MPI's wrapper compiles it, with FLAGs and what MPICC -show adds; the MPI adaptor's with every command, since each
MPI has its own, and also what is generated of it. Skipped (77) without clang."""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# What only gcc knows, and what names an output.
GCC_ONLY = re.compile(r"-flto.*|-ffat-lto-objects|-finline-limit=.*|--param=.*|-fno-semantic-interposition|-fsanitize=.*"
                      r"|-fno-sanitize.*|-O\d|-g|-c|-Werror|-Wno-format-truncation|-Wno-maybe-uninitialized"
                      r"|-Wno-stringop-\w+")
CLANG = ["clang", "-fsyntax-only", "-Werror"]
# tests/published holds programs as they were published.
SOURCES = ("src", "interp", "coupler", "tools", "tests", "samples", "bench")
OF_EACH_MPI = ("mpi_adaptor", "universe", "tests/mpi_adaptor/foreign")


def flags_of(words):
    """The flags of a compiler's command without its output and source."""
    kept, skip = [], False
    for word in words[1:]:
        if skip or word == "-o":
            skip = not skip
        elif not GCC_ONLY.fullmatch(word) and not word.endswith(".c"):
            kept.append(word)
    return kept


def hdf5_flags():
    """The flags for programs with MPICH's parallel HDF5, None where it is not installed."""
    done = subprocess.run(["pkg-config", "--cflags", "hdf5-mpich"], capture_output=True, text=True, check=False)
    return shlex.split(done.stdout) if done.returncode == 0 else None


def commands(source, database, mpicc, flags):
    """(file, flags) of every C file."""
    known = {}
    for entry in json.loads(pathlib.Path(database).read_text()):
        if entry["file"].endswith(".c"):
            path = pathlib.Path(entry["directory"], entry["file"]).resolve()
            known.setdefault(path, []).append(flags_of(shlex.split(entry["command"])))
    shown = shlex.split(subprocess.run([mpicc, "-show"], capture_output=True, text=True, check=True).stdout)
    wrapped = [f for f in flags if not GCC_ONLY.fullmatch(f)] + [f for f in shown if f.startswith(("-I", "-D"))]
    wrapped += [f"-I{source}/include", f"-I{source}/src/c", f"-I{source}", '-DH3OU_MPI_NAME="mpi"']
    hdf5 = hdf5_flags()
    for folder in SOURCES:
        for path in sorted((source / folder).rglob("*.c")):
            if path.parent == source / "tests/mpi_adaptor/debian":
                if hdf5 is not None:
                    yield path, wrapped + hdf5
            elif path.parent not in (source / "tests/published", source / "tests/mpi_adaptor/foreign"):
                yield path, known.get(path.resolve(), [wrapped])[0]
    folders = [source / folder for folder in OF_EACH_MPI] + [pathlib.Path(database).resolve().parent / "mpi_adaptor"]
    for path in sorted(known):
        if any(path.is_relative_to(folder) for folder in folders):
            yield from ((path, flags) for flags in known[path])


def check(file, flags):
    done = subprocess.run([*CLANG, *flags, str(file)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stderr if done.returncode else ""


def can_fail(flags):
    """A warning of clang's is found."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "wrong.c")
        file.write_text("int wrong(int n);\nint wrong(int n)\n{\n    n = n;\n    return n;\n}\n")
        return "-Wself-assign" in check(file, flags)


def main(source, database, mpicc, *flags):
    if not shutil.which("clang"):
        print("skipped: no clang here")
        return 77
    work = list(commands(pathlib.Path(source), database, mpicc, flags))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda job: check(*job), work) if text]
    print("\n".join(found))
    if not can_fail(work[0][1]):
        found.append("")
        print("a wrong file was not found to be wrong")
    print(f"clang: {len(work)} C files, {len(found)} with warnings")
    return 1 if found or not work else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
