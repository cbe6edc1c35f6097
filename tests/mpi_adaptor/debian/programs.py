#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""programs.py BUILD PROGRAMS: programs that Debian built with one MPI, each on that one and by the command h3ou mpirun on the other. What they verify
themselves is compared. What is not installed is skipped (packages.debian, part test)."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, PROGRAMS = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib"))
import hpcc_output
import jobs

H3OU = BUILD / "bin/h3ou"
OTHER = {"mpich": "openmpi", "openmpi": "mpich"}
# Open MPI's windows over UCX fail on a machine without its devices. hpcc: no threads of the linear algebra.
ENVIRONMENT = {**os.environ, **jobs.ENVIRONMENT, "OMPI_MCA_osc": "^ucx", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
CDL = """netcdf case {{
dimensions:
    x = 5 ;
    y = 4 ;
    t = UNLIMITED ;
variables:
    double wind(t, y, x) ;
        wind:units = "m s-1" ;
    int64 index(x) ;
    int step(t) ;
    char name(y) ;
    float area(y, x) ;
        area:weights = 0.5f, 0.25f ;
// global attributes:
        :title = "a case" ;
data:
    wind = {wind} ;
    index = 1, 2, 3, 4, {last} ;
    step = 5, 6 ;
    name = "abcd" ;
    area = {area} ;
}}
"""


def needs(*commands):
    missing = [str(c) for c in commands if not shutil.which(c)]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_on(self, built, target, processes, *words, code=0):
        """What a program writes that was built with one MPI and runs on `target`."""
        mpirun = [f"mpirun.{target}"] if built == target else [H3OU, "mpirun", "--on", target]
        done = subprocess.run([str(w) for w in (*mpirun, "-n", processes, *words)], capture_output=True, text=True, timeout=200, check=False,
                              stdin=subprocess.DEVNULL, env=ENVIRONMENT, cwd=self.folder)
        self.assertEqual(done.returncode, code, f"{words} on {target}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        if built != target:
            self.assertIn("; runs on ", done.stderr)
            return done.stdout + re.sub(r"^h3ou mpirun: .*\n", "", done.stderr, count=1)
        return done.stdout + done.stderr


@needs("hpcc")
class Hpcc(Programs):
    def results(self, target):
        (self.folder / "hpccinf.txt").write_text(hpcc_output.input_of(96, [(1, 2)], range(3)))
        self.run_on("openmpi", target, 2, "hpcc")
        file = self.folder / "hpccoutf.txt"
        text = file.read_text()
        file.unlink()
        self.assertEqual(hpcc_output.problems(text, 36), [])
        return hpcc_output.ALIKE.findall(text), hpcc_output.ERRORS.findall(text)

    def test(self):
        native, across = self.results("openmpi"), self.results("mpich")
        self.assertGreater(len(native[0]), 30)
        self.assertGreater(len(native[1]), 10)
        self.assertEqual(native, across)


class NetPipe(Programs):
    def check(self, built, program):
        """Two runs, one that measures and one that checks what arrives: the same messages as on its own MPI."""
        found = {}
        for target in (built, OTHER[built]):
            self.run_on(built, target, 2, program, "-u", 70000, "-n", 3, "-o", self.folder / "rates")
            lines = (self.folder / "rates").read_text().splitlines()
            self.assertTrue(all(float(rate) > 0 for _, rate, _ in map(str.split, lines)), lines)
            found[target] = [line.split()[0] for line in lines]
            checked = self.run_on(built, target, 2, program, "-u", 70000, "-n", 3, "-i", "-a", "-o", self.folder / "rates")
            found[target].append(checked.count("Integrity check passed"))
            self.assertNotIn("failed", checked)
        self.assertGreater(found[built][-1], 20)
        self.assertGreater(len(found[built]), 40)
        self.assertEqual(found[built], found[OTHER[built]])

    @needs("NPopenmpi")
    def test_openmpi(self):
        self.check("openmpi", "NPopenmpi")

    @needs("NPmpich2")
    def test_mpich(self):
        self.check("mpich", "NPmpich2")


class Hdf5(Programs):
    def check(self, built):
        """The file has the bytes that the other MPI's own HDF5 writes, and each reads the other's."""
        here, there = PROGRAMS / f"parallel_hdf5.{built}", PROGRAMS / f"parallel_hdf5.{OTHER[built]}"
        sentence = "parallel_hdf5: 3 processes, 0 failed"
        self.assertIn(sentence, self.run_on(built, OTHER[built], 3, here, "write", "across.h5"))
        self.assertIn(sentence, self.run_on(OTHER[built], OTHER[built], 3, there, "write", "native.h5"))
        self.assertEqual((self.folder / "across.h5").read_bytes(), (self.folder / "native.h5").read_bytes())
        self.assertGreater((self.folder / "native.h5").stat().st_size, 5000)
        self.assertIn(sentence, self.run_on(built, OTHER[built], 3, here, "read", "native.h5"))
        self.assertIn(sentence, self.run_on(OTHER[built], OTHER[built], 3, there, "read", "across.h5"))

    @needs(PROGRAMS / "parallel_hdf5.openmpi", PROGRAMS / "parallel_hdf5.mpich")
    def test_openmpi(self):
        self.check("openmpi")

    @needs(PROGRAMS / "parallel_hdf5.openmpi", PROGRAMS / "parallel_hdf5.mpich")
    def test_mpich(self):
        self.check("mpich")


@needs("ncmpigen", "ncmpidump", "ncmpidiff")
class Pnetcdf(Programs):
    def write(self, target, name, last):
        text = CDL.format(wind=", ".join(f"{i}.5" for i in range(40)), area=", ".join(f"{i}" for i in range(20)), last=last)
        (self.folder / "case.cdl").write_text(text)
        self.run_on("openmpi", target, 1, "ncmpigen", "-b", "-v", 5, "-o", name, "case.cdl")
        return (self.folder / name).read_bytes()

    def test(self):
        """The tools of Open MPI's PnetCDF on MPICH."""
        self.assertEqual(self.write("openmpi", "native.nc", 5), self.write("mpich", "across.nc", 5))
        shown = [self.run_on("openmpi", target, 1, "ncmpidump", "native.nc") for target in ("openmpi", "mpich")]
        self.assertEqual(shown[0], shown[1])
        self.assertIn('title = "a case"', shown[0])
        self.assertIn("39.5", shown[0])
        self.assertIn("All variables of two files are the same", self.run_on("openmpi", "mpich", 2, "ncmpidiff", "native.nc", "across.nc"))
        self.write("mpich", "other.nc", 6)
        self.run_on("openmpi", "mpich", 2, "ncmpidiff", "native.nc", "other.nc", code=1)
        said = self.run_on("openmpi", "mpich", 1, "ncmpidiff", "native.nc", "other.nc", code=1)  # One: mpirun mixes lines of several.
        self.assertIn('"index" of type "NC_INT64" at element [4] of value 5 vs 6', said)


class Mpi4py(Programs):
    """Debian's mpi4py, of Open MPI, on MPICH. Tests of ours here; mpi4py_suite.py runs mpi4py's own, too."""

    def suite(self, *words):
        if not importlib.util.find_spec("mpi4py"):
            self.skipTest("not installed: mpi4py")
        here = pathlib.Path(__file__).resolve().parent
        done = subprocess.run([sys.executable, "-B", here / "mpi4py_suite.py", BUILD, here / "python_cases", "--together", "--seconds", "60", *words],
                              capture_output=True, text=True, timeout=280, check=False, stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-6000:])
        return [tuple(line.split()) for line in done.stdout.splitlines()]

    def test_cases(self):
        lines = self.suite("--known", "test_joined")
        for least, passed in zip((95, 100), [int(line[2]) for line in lines if line[:2] == ("ok", "ok")], strict=True):
            self.assertGreaterEqual(passed, least, lines)

    def test_threads(self):
        self.assertIn(("ok", "ok", "1"), self.suite("-n", "2", "--threads", "multiple", "test_threads"))


if __name__ == "__main__":
    ran = unittest.main(argv=[sys.argv[0]], verbosity=2, exit=False).result
    sys.exit(1 if not ran.wasSuccessful() else 77 if len(ran.skipped) == ran.testsRun else 0)
