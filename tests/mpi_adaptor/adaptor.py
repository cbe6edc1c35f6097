#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""adaptor.py BUILD PROGRAMS: programs of each MPI on their own MPI and on the other one, by the command h3ou mpirun."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD, PROGRAMS = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

H3OU = BUILD / "bin/h3ou"
TITLES = {"mpich": "MPICH", "openmpi": "Open MPI"}
ABIS = {"mpich": "MPICH ABI", "openmpi": "Open MPI 4.1 ABI"}
# Faults of the MPIs themselves, as Debian 12 has them. MPICH 4.0.2 on UCX starts no processes later, and has no ports.
WITHOUT = {"mpich": ["-spawn"], "openmpi": []}
# Open MPI's windows over UCX fail on a machine without its devices.
ENVIRONMENT = {**os.environ, **jobs.ENVIRONMENT, "OMPI_MCA_osc": "^ucx"}


def run(*words, timeout=100, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, env={**ENVIRONMENT, **more})


def program(mpi):
    return PROGRAMS / f"mpi_cases.{mpi}"


class Cases(unittest.TestCase):
    def check(self, done, least):
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-3000:])
        ran, failed = map(int, re.search(r"^(\d+) cases, (\d+) failed$", done.stdout, re.M).groups())
        self.assertGreaterEqual(ran, least)
        self.assertEqual(failed, 0)

    def native(self, mpi):
        self.check(run(f"mpirun.{mpi}", "-n", 4, program(mpi), *WITHOUT[mpi]), 70)
        self.check(run(f"mpirun.{mpi}", "-n", 4, program(mpi), "--threads", "thread"), 1)
        for face in ("mpif", "module", "f08"):
            self.check(run(f"mpirun.{mpi}", "-n", 4, PROGRAMS / f"{face}_cases.{mpi}"), 1)

    def test_mpich(self):
        self.native("mpich")

    def test_openmpi(self):
        self.native("openmpi")


class Across(Cases):
    """The same cases by the adaptor."""

    def across(self, built, target):
        self.check(run(H3OU, "mpirun", "--on", target, "-n", 4, program(built), *WITHOUT[target]), 70)
        self.check(run(H3OU, "mpirun", "--on", target, "-n", 4, program(built), "--threads", "thread"), 1)

    def fortran(self, built, target, *faces):
        for face in faces:
            done = run(H3OU, "mpirun", "--on", target, "-n", 4, PROGRAMS / f"{face}_cases.{built}")
            self.check(done, 1)

    def test_fortran(self):
        self.fortran("openmpi", "mpich", "mpif", "module", "f08")
        self.fortran("mpich", "openmpi", "mpif", "module", "f08")

    def test_mpich(self):
        self.across("mpich", "openmpi")

    def test_openmpi(self):
        self.across("openmpi", "mpich")

    def test_standard_abi(self):
        for target in ("mpich", "openmpi"):
            self.check(run(H3OU, "mpirun", "--on", target, "-n", 4, program("abi"), *WITHOUT[target]), 70)


class TwoMPIs(unittest.TestCase):
    """Another MPI's library before the front is named, and the program ends before main."""

    def refused(self, built, other):
        library = subprocess.run(["gcc", f"-print-file-name={other}"], capture_output=True, text=True, check=True).stdout.strip()
        done = run(program(built), "environment_asked", LD_LIBRARY_PATH=str(BUILD / "lib/mpi_adaptor" / built), LD_PRELOAD=library)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("two MPIs in one process", done.stderr)
        self.assertIn(library, done.stderr)

    def test_mpich(self):
        self.refused("mpich", "libmpi.so.40")

    def test_openmpi(self):
        self.refused("openmpi", "libmpich.so.12")


class Symbols(unittest.TestCase):
    """A front has every function of MPI that the real library has, also those that its mpi.h declares no more."""

    def exported(self, library):
        done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
        return {line.split()[-1] for line in done.stdout.splitlines()}

    def check(self, mpi, library):
        real = self.exported(subprocess.run(["gcc", f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout.strip())
        functions = {name for name in real if re.fullmatch(r"P?MPI_(T_)?[A-Z][a-z]\w*", name)}
        self.assertGreater(len(functions), 700)
        self.assertEqual(functions - self.exported(BUILD / "lib/mpi_adaptor" / mpi / library), set())

    def test_mpich(self):
        self.check("mpich", "libmpich.so.12")

    def test_openmpi(self):
        self.check("openmpi", "libmpi.so.40")


class Command(unittest.TestCase):
    def refused(self, *words, code=1):
        done = run(H3OU, "mpirun", *words)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_own_mpi(self):
        for mpi in ("mpich", "openmpi"):
            done = run(H3OU, "mpirun", "--on", mpi, "-n", 4, program(mpi), "environment_asked")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, rf"(?m)^h3ou mpirun: mpi_cases.{mpi}: {ABIS[mpi]}; runs on {TITLES[mpi]} \d[\d.]+, its own$")
            self.assertIn("1 cases, 0 failed", done.stdout)

    def test_list(self):
        done = run(H3OU, "mpirun", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        for abi in ABIS.values():
            self.assertEqual(done.stdout.count(f" {abi} "), 1, done.stdout)

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            script, source, static = (pathlib.Path(folder, name) for name in ("script", "main.c", "static"))
            script.write_text("#!/bin/sh\nexit 0\n")
            script.chmod(0o755)
            source.write_text("int main(void)\n{\n    return 0;\n}\n")
            subprocess.run(["gcc", "-static", source, "-o", static], check=True)
            self.assertIn("is a script", self.refused("--on", "mpich", "-n", "2", script))
            self.assertIn("statically linked", self.refused("--on", "mpich", "-n", "2", static))
        self.assertIn("needs no MPI library", self.refused("--on", "mpich", "-n", "2", "/bin/true"))
        self.assertIn("no such program", self.refused("--on", "mpich", "-n", "2", "./not_there"))
        self.assertIn("different MPIs", self.refused("--on", "mpich", "-n", "1", program("mpich"), ":", "-n", "1", program("openmpi")))
        self.assertIn("was built with Open MPI, not with MPICH", self.refused("--on", "mpich", "--built-with", "mpich", "-n", "1", program("openmpi")))
        self.assertIn("--on is missing", self.refused("-n", "2", "/bin/true", code=2))
        self.assertIn("no program is given", self.refused("--on", "mpich", code=2))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
