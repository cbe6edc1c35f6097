#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""conversion.py SOURCE BUILD FLAGS: programs of MPI, whose names are changed by the rule of the conversion library, give what they
give as programs of MPI; in C, C++ and both forms of Fortran, with every algorithm. FLAGS: options for the compilers."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import jobs

SOURCE, BUILD, FLAGS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3].split()
PATIENCE = {"WAITIO_PATIENCE": "60", "WAITIO_JOIN_PATIENCE": "30"}
RULE = ((r"\bMPI_", "WAITIO_MPI_"), (r"\bmpif?\.h", lambda found: "waitio_mpi" + found.group()[3:]), (r"\bmpi_f08\b", "waitio_mpif90"))
ALGORITHMS = "hybrid", "bt", "2l", "2l:2"
# Of mpif.h: buffers of several types. Longer names make longer lines.
LOOSE = "-w", "-fallow-argument-mismatch", "-ffixed-line-length-132"


def of_mpi(wrapper, mpi):
    """mpicxx -x c++ -> mpicxx.mpich -x c++"""
    first, *rest = wrapper.split()
    return " ".join([f"{first}.{mpi}", *rest])


class Conversion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="waitio-conversion-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        os.environ.setdefault("WAITIO_SECRET_FILE", "")

    def renamed(self, name):
        text = (HERE / name).read_text(encoding="utf-8")
        for old, new in RULE:
            text = re.sub(old, new, text)
        path = self.folder / f"renamed_{name}"
        path.write_text(text, encoding="utf-8")
        return path

    def compile(self, program, compiler, source, *options):
        with_waitio = [f"-I{SOURCE}/include", f"-I{BUILD}/mod", f"-L{BUILD}/lib", f"-Wl,-rpath,{BUILD}/lib", "-lwaitio"]
        line = [*compiler.split(), *FLAGS, *options, source, "-o", self.folder / program, *with_waitio]
        run = subprocess.run(list(map(str, line)), capture_output=True, text=True, timeout=200, check=False)
        self.assertEqual((run.returncode, run.stdout + run.stderr), (0, ""), f"{compiler} {source}")
        return self.folder / program

    def lines_of(self, results):
        """What all processes wrote to their output or a file each, which is then removed."""
        self.assertEqual(jobs.problems_of(results), [])
        lines = [line for r in results for line in r.out.splitlines()]
        for path in self.folder.glob("out.*"):
            lines += path.read_text(encoding="ascii").splitlines()
            path.unlink()
        return sorted(filter(None, lines))

    def of_one_job(self, mpi, procs, program):
        """What the program of MPI gives."""
        return self.lines_of(jobs.wait_all([jobs.Job(mpi, [(procs, [program, self.folder / "out"])], {})]))

    def of_jobs(self, shape, algorithm):
        """shape: (MPI or None, processes, program) of each job."""
        port, started = jobs.free_port(), []
        secret = {"WAITIO_SECRET_FILE": os.environ["WAITIO_SECRET_FILE"]} if os.environ["WAITIO_SECRET_FILE"] else {}
        for pb, (mpi, procs, program) in enumerate(shape):
            env = {**jobs.waitio(port, pb, len(shape)), **PATIENCE, **secret, "WAITIO_MPI_ALGORITHM": algorithm}
            if mpi:
                started.append(jobs.Job(mpi, [(procs, [program, self.folder / "out"])], env))
            else:
                started += [jobs.Job(None, [(1, [program, self.folder / "out"])], {**env, "WAITIO_RANK": rank, "WAITIO_SIZE": procs}) for rank in range(procs)]
        return self.lines_of(jobs.wait_all(started))

    def same(self, found, expected):
        differ = sorted(set(found) ^ set(expected))
        self.assertEqual((len(found), differ[:6]), (len(expected), []))

    def check(self, name, compiler, options, algorithms):
        """The program of MPI, then the same source with changed names, without an MPI, over several jobs."""
        if not jobs.MPIS:
            self.skipTest("there is no MPI to compare with")
        wrapper = {"gcc": "mpicc", "g++ -x c++": "mpicxx -x c++", "gfortran": "mpifort"}[compiler]
        kind = compiler[:3]
        original = self.compile(f"{name}.{kind}.original", of_mpi(wrapper, jobs.MPIS[-1]), HERE / name, *options)
        plain = self.compile(f"{name}.{kind}.plain", compiler, self.renamed(name), *options)
        expected = self.of_one_job(jobs.MPIS[-1], 5, original)
        self.assertGreaterEqual(len(expected), 20)
        for algorithm in algorithms:
            with self.subTest(algorithm=algorithm):
                self.same(self.of_jobs([(None, 3, plain), (None, 2, plain)], algorithm), expected)
        for mpi in jobs.MPIS:  # the changed program, linked with an MPI that it does not call
            self.compile(f"{name}.{kind}.{mpi}", of_mpi(wrapper, mpi), self.renamed(name), *options)

    def test_c(self):
        self.check("everything.c", "gcc", ("-Wall", "-Wextra"), ALGORITHMS)

    def test_cxx(self):
        self.check("everything.c", "g++ -x c++", ("-Wall", "-Wno-cast-function-type"), ALGORITHMS[:1])

    def test_fixed_form(self):
        self.check("punched.f", "gfortran", LOOSE, ALGORITHMS[:2])

    def test_free_form(self):
        self.check("modern.f90", "gfortran", (f"-J{self.folder}",), ALGORITHMS[1:3])

    def test_hybrid_inside_mpi(self):
        """All calls where the jobs run an MPI, which then does their part."""
        if not jobs.MPIS:
            self.skipTest("there is no MPI")
        expected = self.of_one_job(jobs.MPIS[-1], 5, self.compile("of_mpi", f"mpicc.{jobs.MPIS[-1]}", HERE / "everything.c"))
        changed = self.renamed("everything.c")
        programs = {mpi: self.compile(f"both.{mpi}", f"mpicc.{mpi}", changed) for mpi in jobs.MPIS}
        first, last = jobs.MPIS[0], jobs.MPIS[-1]
        for algorithm, shape in (("hybrid", [(first, 5)]), ("hybrid", [(first, 3), (last, 2)]), ("bt", [(last, 4), (first, 1)])):
            with self.subTest(algorithm=algorithm, shape=shape):
                self.same(self.of_jobs([(mpi, n, programs[mpi]) for mpi, n in shape], algorithm), expected)

    def test_heads(self):
        """The job's MPI inside, WaitIO between the heads."""
        if not jobs.MPIS:
            self.skipTest("there is no MPI")
        first, last = jobs.MPIS[0], jobs.MPIS[-1]
        for name, compiler in (("heads.c", "mpicc"), ("heads.f90", "mpifort")):
            programs = {mpi: self.compile(f"{name}.{mpi}", f"{compiler}.{mpi}", HERE / name) for mpi in jobs.MPIS}
            expected = [f"heads {rank} {n} of 2, head {-1 if rank else pb}, total 11.5" for pb, n in enumerate((3, 2)) for rank in range(n)]
            with self.subTest(name=name):
                self.assertEqual(self.of_jobs([(first, 3, programs[first]), (last, 2, programs[last])], "hybrid"), sorted(expected))

    def test_split_job(self):
        """The processes of a job on several hosts: memory on each, and the job's MPI between them."""
        if not jobs.has_name_spaces():
            self.skipTest("no network name spaces can be made here")
        programs = {mpi: self.compile(f"split.{mpi}", f"mpicc.{mpi}", HERE / "split_job.c") for mpi in jobs.MPIS}
        shapes = [((mpi, layout),) for mpi in jobs.MPIS for layout in ("00111", "01012")]
        shapes += [((jobs.MPIS[0], "0011"), (jobs.MPIS[-1], "000"))] if jobs.MPIS else []
        for shape in shapes:
            with self.subTest(shape=shape):
                port, size, started = jobs.free_port(), sum(len(layout) for _, layout in shape), []
                for pb, (mpi, layout) in enumerate(shape):
                    env = {**jobs.waitio(port, pb, len(shape)), **PATIENCE, "TEST_HOSTS": layout}
                    started.append(jobs.Job(mpi, [(len(layout), [programs[mpi]])], env))
                has = [int(layout.count(host) > 1) for _, layout in shape for host in layout]
                self.assertEqual(self.lines_of(jobs.wait_all(started)), [f"{r} of {size}: 0 wrong, memory {has[r]}" for r in range(size)])

    def test_absent(self):
        """A process of a job that does not come is named, and not one that has done its part of a reduction and gone on."""
        program = self.folder / "absent.c"
        program.write_text("""#include <mpi.h>
            #include <stdlib.h>
            #include <unistd.h>
            #include "waitio_mpi.h"
            int main(int argc, char **argv)
            {
                int rank, sum, err = 0;
                setenv("WAITIO_PATIENCE", "1", 1);
                WAITIO_MPI_Init(&argc, &argv);
                WAITIO_MPI_Comm_rank(WAITIO_MPI_COMM_WORLD, &rank);
                WAITIO_MPI_Barrier(WAITIO_MPI_COMM_WORLD);
                if (rank == 1)
                    sleep(3);
                else
                    err = WAITIO_MPI_Reduce(&rank, &sum, 1, WAITIO_MPI_INT, WAITIO_MPI_SUM, 0, WAITIO_MPI_COMM_WORLD);
                printf("%d: %s\\n", rank, err ? waitio_error() : "no error");
                MPI_Barrier(MPI_COMM_WORLD);
                WAITIO_MPI_Finalize();
                return 0;
            }
            """, encoding="utf-8")
        for mpi in jobs.MPIS:
            with self.subTest(mpi=mpi):
                lines = self.of_jobs([(mpi, 4, self.compile(f"absent.{mpi}", f"mpicc.{mpi}", program))], "hybrid")
                said = "waitio_mpi_reduce: of this job's processes 1 did not come within 1 s (WAITIO_PATIENCE): rank 1"
                self.assertEqual(lines, [f"0: {said}", "1: no error", "2: no error", "3: no error"])

    def test_unknown_algorithm(self):
        program = self.folder / "wrong.c"
        program.write_text('#include "waitio_mpi.h"\nint main(void)\n{\n    WAITIO_MPI_Init(NULL, NULL);\n'
                           '    int bad = WAITIO_MPI_Barrier(WAITIO_MPI_COMM_WORLD);\n    printf("%d %s\\n", bad < 0, waitio_error());\n'
                           "    return 0;\n}\n", encoding="utf-8")
        plain = self.compile("wrong", "gcc", program)
        for value in ("3l", "2l:0", "2l:x", "2l:"):
            self.assertRegex(self.of_jobs([(None, 1, plain)], value)[0], f'^1 .*WAITIO_MPI_ALGORITHM is "{value}": it must be hybrid')


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2, warnings="ignore")  # jobs leave files to the interpreter
