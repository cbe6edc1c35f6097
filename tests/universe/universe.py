#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""universe.py BUILD PROGRAMS: one MPI_COMM_WORLD over several jobs of different MPIs, by the preloaded layer; and the same cases natively."""
import os
import pathlib
import re
import sys
import tempfile
import unittest

BUILD, PROGRAMS = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "coupler"))
import exchange
import jobs

os.environ["OMPI_MCA_osc"] = "^ucx"  # which has no windows where UCX finds no device

WORLDS = {"1+2": ("mpich", "openmpi"), "2+1": ("mpich", "openmpi"), "2+2": ("openmpi", "mpich"), "3+5": ("mpich", "openmpi"), "1+1+1": ("mpich", "openmpi", "mpich")}


def counts(world):
    return list(map(int, world.split("+")))


def over_jobs(world, program, *words, built=None, **more):
    """Starts a job for each part of a world such as 2+1, in its MPI; returns the results. program: without its MPI's suffix. built: the MPI that all
    were built with; by the adaptor where it is not the job's."""
    port, number = jobs.free_port(), counts(world)
    started = []
    for pb, (mpi, n) in enumerate(zip(WORLDS[world], number)):
        preloaded = {"LD_PRELOAD": jobs.preload(BUILD / "lib" / f"libh3ou_universe_{mpi}.so")}
        if built and built != mpi:
            preloaded = {"LD_LIBRARY_PATH": BUILD / "lib/mpi_adaptor" / built, "H3OU_UNIVERSE": 1}
        given = [f"{k}={v}" for k, v in {**preloaded, "H3OU_CASE_JOBS": world, **more}.items()]
        line = ["env", *given, f"{PROGRAMS / program}.{built or mpi}", *words]
        started.append(jobs.Job(mpi, [(n, line)], {**jobs.waitio(port, pb, len(number)), "WAITIO_JOIN_PATIENCE": 40, "WAITIO_PATIENCE": 60}))
    return jobs.wait_all(started)


def natively(mpi, n, program, *words):
    return jobs.wait_all([jobs.Job(mpi, [(n, [f"{PROGRAMS / program}.{mpi}", *words])])])


class Cases(unittest.TestCase):
    def check(self, results, size, least):
        """Every process ran the same number of cases, without a failure."""
        text = "".join(r.out[-3000:] + r.err[-3000:] for r in results)
        self.assertEqual([(r.code, r.timed_out, r.left) for r in results], [(0, False, [])] * len(results), text)
        lines = re.findall(r"^rank (\d+) of (\d+): (\d+) cases, (\d+) failed$", "".join(r.out for r in results), re.M)
        self.assertEqual(sorted((int(rank), int(of)) for rank, of, _, _ in lines), [(r, size) for r in range(size)], text)
        self.assertEqual({(ran, failed) for _, _, ran, failed in lines}, {(lines[0][2], "0")}, text)
        self.assertGreaterEqual(int(lines[0][2]), least)

    def check_deleted(self, results, size):
        """MPI_Finalize deleted the attribute of MPI_COMM_SELF, then that of MPI_COMM_WORLD (case comm_attribute_at_end)."""
        deleted = re.findall(r"^rank (\d+) of \d+: attribute (\d) deleted$", "".join(r.out for r in results), re.M)
        for rank in range(size):
            self.assertEqual([which for r, which in deleted if int(r) == rank], ["0", "1"])

    def world(self, world, program="universe_cases", *words, least=1, **more):
        results = over_jobs(world, program, *words, **more)
        self.check(results, sum(counts(world)), least)
        if program == "universe_cases" and not words:
            self.check_deleted(results, sum(counts(world)))


class Natively(Cases):
    """The cases themselves are right."""

    def native(self, mpi):
        results = natively(mpi, 4, "universe_cases")
        self.check(results, 4, 1)
        self.check_deleted(results, 4)
        self.check(natively(mpi, 3, "universe_cases", "--threads"), 3, 1)
        for face in ("mpif", "module"):
            self.check(natively(mpi, 3, f"universe_{face}"), 3, 1)

    def test_mpich(self):
        self.native("mpich")

    def test_openmpi(self):
        self.native("openmpi")


class OverJobs(Cases):
    def test_2_1(self):
        self.world("2+1", H3OU_UNIVERSE_INSIDE="mpi")

    def test_2_2(self):
        self.world("2+2")

    def test_3_5(self):
        self.world("3+5")

    def test_1_1_1(self):
        self.world("1+1+1")

    def test_1_1_1_other_byte_order(self):
        """As between machines of unlike byte order: values of collective calls, of predefined types and of types made of them, are converted."""
        self.world("1+1+1", "universe_cases", "collective", "neighbor", "reduction", "started", least=12, H3OU_UNIVERSE_EXTERNAL32=1)

    def test_threads(self):
        self.world("2+2", "universe_cases", "--threads")

    def test_large_counts(self):
        """Calls with counts of more bits, on the processes of the MPI that has them."""
        self.world("2+1", "universe_large", least=20)

    def test_mpi_4(self):
        """Functions that Open MPI 4.1 has not: programs built with MPICH, in Open MPI's jobs by the adaptor."""
        for world in WORLDS:
            with self.subTest(world):
                results = over_jobs(world, "universe_cases", "pair", "part", built="mpich", H3OU_CASE_MPI4=1)
                self.check(results, sum(counts(world)), 6)

    def test_fortran(self):
        for face in ("mpif", "module"):
            self.world("2+1", f"universe_{face}")

    def test_ways_of_waiting(self):
        for way in ("poll", "thread"):
            self.world("2+1", "universe_cases", "message", "request", "concurrent", "reduction", "probe", "job", least=13, H3OU_UNIVERSE_WAIT=way)

    def test_ways_inside_a_job(self):
        for given in ({"H3OU_UNIVERSE_INSIDE": "memory"}, {"H3OU_UNIVERSE_INSIDE": "waitio"}, {"H3OU_SHARED_MEMORY": 0}):
            with self.subTest(given):
                self.world("2+2", "universe_cases", "reduction", "collective", "concurrent", least=5, **given)

    def test_unknown_way_inside_a_job(self):
        results = over_jobs("2+1", "universe_cases", "reduction", H3OU_UNIVERSE_INSIDE="messages")
        self.assertNotIn(0, [r.code for r in results])
        self.assertIn('H3OU_UNIVERSE_INSIDE is "messages": it must be memory, mpi or waitio', "".join(r.out + r.err for r in results))

    def test_threads_of_the_program_and_of_the_library(self):
        self.world("2+1", "universe_cases", "--threads", H3OU_UNIVERSE_WAIT="thread")

    def test_unknown_way_of_waiting(self):
        results = over_jobs("2+1", "universe_cases", "request", H3OU_UNIVERSE_WAIT="sleep")
        self.assertNotIn(0, [r.code for r in results])
        self.assertIn('H3OU_UNIVERSE_WAIT is "sleep": it must be adaptive, poll or thread', "".join(r.out + r.err for r in results))

    def test_other_byte_order(self):
        """Values travel with the most significant byte first."""
        self.world("2+1", "universe_cases", "message", "request", least=10, H3OU_UNIVERSE_EXTERNAL32=1)


class Kernels(unittest.TestCase):
    """Kernels after the NAS Parallel Benchmarks, of bench/universe: each checks its result, which has the same bits on any processes."""
    PROGRAM = (BUILD / "bench/universe/universe_kernels").resolve()
    NAMES = ["EP", "CG", "MG", "FT", "IS", "LU"]

    def results(self, results):
        text = "".join(r.out + r.err for r in results)
        self.assertEqual([(r.code, r.timed_out, r.left) for r in results], [(0, False, [])] * len(results), text[-3000:])
        found = re.findall(r"^(\w+) ([0-9a-f]{16}) [0-9.]+$", text, re.M)
        self.assertEqual([name for name, _ in found], self.NAMES, text[-3000:])
        return found

    def test_same_bits(self):
        alone = self.results(natively("mpich", 1, self.PROGRAM, "small"))
        self.assertEqual(self.results(natively("openmpi", 4, self.PROGRAM, "small")), alone)
        for world in ("2+2", "1+2"):
            with self.subTest(world):
                self.assertEqual(self.results(over_jobs(world, self.PROGRAM, "small")), alone)


class FiniteDifferences(unittest.TestCase):
    """A Fortran program with a Cartesian topology and columns as a derived type has the same bits on any processes."""

    def field(self, results):
        text = "".join(r.out + r.err for r in results)
        self.assertEqual([(r.code, r.timed_out, r.left) for r in results], [(0, False, [])] * len(results), text[-3000:])
        return re.findall(r"^field ([0-9A-F]{16} [0-9A-F]{16})$", text, re.M)

    def test_same_bits(self):
        alone = self.field(natively("mpich", 1, "heat"))
        self.assertEqual(len(alone), 1)
        self.assertEqual(self.field(natively("openmpi", 4, "heat")), alone)
        for world in ("2+2", "1+1+1", "3+5"):
            with self.subTest(world):
                self.assertEqual(self.field(over_jobs(world, "heat")), alone)


class Coupled(unittest.TestCase):
    """Models of libh3ou in one world of several jobs are one job to it; they compare every value to the bit."""

    def test_exchange(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "coupling.conf")
            config.write_text(exchange.CONFIG.format(3, "auto"))
            for by_adaptor in (False, True):
                with self.subTest(by_adaptor=by_adaptor):
                    port, started = jobs.free_port(), []
                    for pb, (mpi, component) in enumerate((("mpich", "A"), ("openmpi", "B"))):
                        built = "openmpi" if by_adaptor else mpi
                        given = {"LD_LIBRARY_PATH": BUILD / "lib/mpi_adaptor/openmpi", "H3OU_UNIVERSE": 1} if built != mpi else {
                            "LD_PRELOAD": BUILD / "lib" / f"libh3ou_universe_{mpi}.so"}
                        line = ["env", *[f"{k}={v}" for k, v in given.items()], BUILD / f"tests/coupler/exchange.{built}", component, config, 5, "leader-put", 3]
                        started.append(jobs.Job(mpi, [(2, line)], {**jobs.waitio(port, pb, 2), "WAITIO_JOIN_PATIENCE": 40, "H3OU_LOG": "whisper"}))
                    results = jobs.wait_all(started)
                    self.assertEqual(jobs.problems_of(results), [])
                    joined = re.findall(r"joined component=(\w) .*?processes=(\d+)", "".join(r.err + r.out for r in results))
                    self.assertEqual(joined, [("A", "4")])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2, warnings="ignore")
