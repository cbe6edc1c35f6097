#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""published.py SOURCE BUILD FLAGS: programs in the style of the published ones, compiled as their authors do, run as one job and as
two, with and without MPI. FLAGS: options for the compilers, as for a library with a sanitizer."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import jobs

SOURCE, BUILD, FLAGS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3].split()
PATIENCE = {"WAITIO_PATIENCE": "60", "WAITIO_JOIN_PATIENCE": "30"}


def shapes():
    """(MPI or None, processes) of each job of a run."""
    yield [(None, 1)]
    yield [(None, 3)]
    yield [(None, 3), (None, 2)]
    for mpi in jobs.MPIS:
        yield [(mpi, 3)]
    if len(jobs.MPIS) > 1:
        yield [(jobs.MPIS[0], 2), (jobs.MPIS[1], 3)]
        yield [(jobs.MPIS[1], 2), (None, 2)]


FEW = [[(None, 3), (None, 2)], [(mpi, 2) for mpi in jobs.MPIS] or [(None, 1)]]


class Places:
    """Where the processes of a run are."""

    def __init__(self, sizes):
        self.sizes = sizes
        self.all = [(pb, rank) for pb, size in enumerate(sizes) for rank in range(size)]

    def number(self, place):
        return self.all.index(place)

    def ring(self, members, me):
        """What the member before me in a ring sends: its number; -1 for who is none."""
        return self.number(members[members.index(me) - 1]) if me in members else -1


def handson(places):
    npb = len(places.sizes)
    kings = [(pb, 0) for pb in reversed(range(npb))]
    diagonal = [(pb, pb) for pb in range(npb) if pb < places.sizes[pb]]
    last = [(pb, size - 1) for pb, size in enumerate(places.sizes)]

    def place_in(members, me):
        return members.index(me) if me in members else -1
    return [f"{i} of {len(places.all)} in {npb}: ring {places.ring(places.all, me)}, kings {place_in(kings, me)} "
            f"{places.ring(kings, me)}, diagonal {place_in(diagonal, me)} {places.ring(diagonal, me)}, last "
            + " ".join([str(places.ring(last, me))] * 3) for i, me in enumerate(places.all)]


def heads(places):
    return [(pb, 0) for pb in range(len(places.sizes))]


def convert(places):
    for i, (pb, rank) in enumerate(places.all):
        total = sum(map(places.number, heads(places))) if rank == 0 else -1
        yield (f"convert {i} of {len(places.all)}, head {-1 if rank else pb} of {len(places.sizes)}, sum {total}, "
               f"block {pb} {rank}")


def fixed(places):
    for i, (pb, rank) in enumerate(places.all):
        total = sum(map(places.number, heads(places))) if rank == 0 else -1
        yield f"fixed {i} {len(places.all)} {-1 if rank else pb} {len(places.sizes)} {total}"


def free(places):
    return [f"free {i} {len(places.all)}" for i in range(len(places.all))]


def module(places):
    return [f"module {i} {len(places.all)} {pb} {len(places.sizes)} {rank} {places.sizes[pb]}" for i, (pb, rank) in enumerate(places.all)]


def calls(places):
    n = len(places.all)
    return [f"calls {pb} {i} {n} {10 * ((i - 1) % n)} {pb if rank == places.sizes[pb] - 1 else -1}"
            for i, (pb, rank) in enumerate(places.all)]


class Published(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="waitio-published-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        os.environ.setdefault("WAITIO_SECRET_FILE", "")

    def compile(self, name, compiler, source, *options):
        """One library is named on the line, as in published makefiles."""
        program = self.folder / name
        line = [*compiler.split(), *FLAGS, *options, f"-I{SOURCE}/include", f"-I{BUILD}/mod", f"-J{self.folder}", HERE / source,
                "-o", program, f"-L{BUILD}/lib", f"-Wl,-rpath,{BUILD}/lib", "-lwaitio"]
        if "fort" not in compiler:
            line.remove(f"-J{self.folder}")
        run = subprocess.run(list(map(str, line)), capture_output=True, text=True, timeout=200, check=False)
        self.assertEqual((run.returncode, run.stdout + run.stderr), (0, ""), f"{compiler} {source}")
        return program

    def start(self, program, mpi, procs, env):
        if mpi:
            return [jobs.Job(mpi, [(procs, [f"{program}.{mpi}"])], env)]
        return [jobs.Job(None, [(1, [program])], {**env, "WAITIO_RANK": rank, "WAITIO_SIZE": procs}) for rank in range(procs)]

    def run_as(self, shape, program):
        """The lines that all processes wrote, sorted."""
        port, started = jobs.free_port(), []
        secret = {"WAITIO_SECRET_FILE": os.environ["WAITIO_SECRET_FILE"]} if os.environ["WAITIO_SECRET_FILE"] else {}
        for pb, (mpi, procs) in enumerate(shape):
            env = {**jobs.waitio(port, pb, len(shape)), **PATIENCE, **secret}
            started += self.start(program, mpi, procs, env)
        results = jobs.wait_all(started)
        self.assertEqual(jobs.problems_of(results), [])
        return sorted(line for r in results for line in r.out.splitlines())

    def check(self, program, expected, chosen=None):
        for shape in chosen or shapes():
            with self.subTest(program=program.name, shape=shape):
                self.assertEqual(self.run_as(shape, program), sorted(expected(Places([procs for _, procs in shape]))))

    def check_c(self, name, expected):
        """name.c as C and as C++, plain and with each MPI's wrapper; C++ in a few shapes only."""
        for program_name, compiler, chosen in ((name, "gcc", None), (f"{name}++", "g++ -x c++", FEW)):
            program = self.compile(program_name, compiler, f"{name}.c", "-Wall", "-Wextra")
            for mpi in jobs.MPIS:
                wrapper = compiler.replace("gcc", f"mpicc.{mpi}").replace("g++", f"mpicxx.{mpi}")
                self.compile(f"{program_name}.{mpi}", wrapper, f"{name}.c", "-DWITH_MPI")
            self.check(program, expected, chosen)

    def test_handson(self):
        self.check_c("handson", handson)

    def test_convert(self):
        self.check_c("convert", convert)

    def test_free(self):
        program = self.compile("free", "gfortran -cpp", "free.f90", "-Wall", "-Wno-unused-parameter")
        for mpi in jobs.MPIS:
            self.compile(f"free.{mpi}", f"mpifort.{mpi} -cpp", "free.f90", "-DWITH_MPI")
        self.check(program, free)

    def test_fortran_without_mpi(self):
        # Without interfaces gfortran must be told that a buffer may be of any type, as for mpif.h.
        strict, loose = ("-Wall", "-Wno-unused-parameter"), ("-w", "-fallow-argument-mismatch")
        for source, expected, flags in (("calls.f90", calls, strict), ("fixed.f", fixed, loose), ("module.f90", module, strict)):
            program = self.compile(source, "gfortran", source, *flags)
            for shape in ([(None, 2)], FEW[0]):
                with self.subTest(source=source, shape=shape):
                    self.assertEqual(self.run_as(shape, program), sorted(expected(Places([procs for _, procs in shape]))))

    def test_declares(self):
        for name, compiler in (("declares", "gcc"), ("declares++", "g++ -x c++")):
            program = self.compile(name, compiler, "declares.c", "-Wall", "-Wextra")
            self.assertEqual(self.run_as([(None, 2), (None, 1)], program), ["2 PBs, 3 processes, truef 1"] * 3)

    def test_no_conflict(self):
        """Whatever a program calls truef, the headers compile."""
        for compiler in ("gcc -std=c11", "g++ -std=c++11"):
            for own in ("static int truef(int pbid, int rank)", "int truef(int pbid, int rank)", "static double truef(void)"):
                source = self.folder / ("own.cpp" if "++" in compiler else "own.c")
                body = "return pbid + rank;" if "pbid" in own else "return 1;"
                source.write_text(f'#include "waitio.h"\n{own}\n{{ {body} }}\nint main(void)\n{{\n'
                                  f'    printf("%d", {"(int)truef()" if "void" in own else "truef(0, 0)"});\n    return EXIT_SUCCESS;\n}}\n')
                self.compile("own", compiler, source, "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2, warnings="ignore")  # jobs leave files to the interpreter
