#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""unmodified.py BUILD: programs of Debian, built with Open MPI, as one world of a job under MPICH, by the adaptor, and one under Open MPI. What is not
installed is skipped (packages.debian, part test)."""
import argparse
import importlib.util
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

BUILD, TESTS = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).resolve().parents[2]
SUITE = TESTS / "mpi_adaptor/debian"
sys.path[:0] = [str(TESTS / "lib"), str(SUITE)]
import hpcc_output
import jobs
import mpi4py_suite

# Tests of mpi4py that a world of several jobs does not pass, as docs/universe.md lists them: refused with MPI_ERR_UNSUPPORTED_OPERATION, or other.
REFUSED = ["test_collective.TwoGroups", "test_file", "test_window"]
OTHER = ["test_communicator.Communicators.test_joined", "test_communicator.Communicators.test_shared", "test_environment.Modules.test_executor"]
NO_THREADS = {"OPENBLAS_NUM_THREADS": 1, "OMP_NUM_THREADS": 1}


@unittest.skipUnless(shutil.which("hpcc"), "not installed: hpcc")
class Hpcc(unittest.TestCase):
    GRIDS, PANELS, WAYS = [(1, 2), (2, 2)], [2], 2 * 6 * 2  # grids, broadcasts, depths

    def run_in(self, folder):
        pathlib.Path(folder, "hpccinf.txt").write_text(hpcc_output.input_of(96, self.GRIDS, self.PANELS))
        port, there = jobs.free_port(), ["env", "-C", folder]
        lib = (BUILD / "lib").resolve()
        adaptor = ["env", "H3OU_UNIVERSE=1", f"LD_LIBRARY_PATH={lib}/mpi_adaptor/openmpi", "hpcc"]
        preloaded = ["env", f"LD_PRELOAD={lib}/libh3ou_universe_openmpi.so", "hpcc"]
        results = jobs.wait_all([jobs.Job(mpi, [(2, line)], {**jobs.waitio(port, pb, 2), **NO_THREADS}, there)
                                 for pb, (mpi, line) in enumerate([("mpich", adaptor), ("openmpi", preloaded)])], 120)
        self.assertEqual(jobs.problems_of(results), [])
        return pathlib.Path(folder, "hpccoutf.txt").read_text()

    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.run_in(folder)
        self.assertEqual(hpcc_output.problems(text, self.WAYS), [], text[-3000:])
        summary = dict(re.findall(r"^(\w+)=(\S+)$", text[text.index("Begin of Summary"):], re.M))
        expected = {"Success": "1", "CommWorldProcs": "4", "HPL_N": "96", "MPIFFT_Procs": "4",
                    "MPIRandomAccess_Errors": "0", "MPIRandomAccess_ErrorsFraction": "0", "MPIRandomAccess_LCG_Errors": "0",
                    "MPIRandomAccess_LCG_ErrorsFraction": "0", "MPIRandomAccess_ExeUpdates": "65536"}
        self.assertEqual({name: summary.get(name) for name in expected}, expected)
        self.assertLess(float(summary["MPIFFT_maxErr"]), 1e-14)
        self.assertLess(float(summary["HPL_RnormI"]), 1e-12)
        for name in ("StarDGEMM_Gflops", "SingleDGEMM_Gflops", "StarSTREAM_Triad", "StarFFT_Gflops", "MinPingPongBandwidth_GBytes", "RandomlyOrderedRingLatency_usec"):
            self.assertGreater(float(summary[name]), 0, name)
        self.assertIn(f"{self.WAYS:5} tests completed and passed residual checks", text)
        # Of RandomAccess, FFT, DGEMM and STREAM on each process.
        self.assertEqual({line for line in hpcc_output.ERRORS.findall(text) if "error" in line and "locations" not in line and "avg" not in line},
                         {"Node(s) with error 0"})
        self.assertGreater(text.count("Node(s) with error 0"), 8)
        self.assertEqual(len(re.findall(r"^Found 0 errors in \d+ locations \(passed\)", text, re.M)), text.count(" errors in "))


@unittest.skipUnless(importlib.util.find_spec("mpi4py"), "not installed: mpi4py")
class Mpi4py(unittest.TestCase):
    def results(self, modules, threads="serialized"):
        arguments = argparse.Namespace(folder=SUITE / "python_cases", without=OTHER, threads=threads, seconds=90)
        found, said = mpi4py_suite.start(mpi4py_suite.world_of(BUILD, "2+2"), arguments, modules)
        self.assertTrue(said.startswith("exit codes [0, 0]\n"), said[-6000:])
        return found, said

    def test_cases(self):
        """What a world of 2+2 has passes; what it has not is refused with an error, in windows and files by the first call that makes one."""
        found, said = self.results(sorted(f.stem for f in (SUITE / "python_cases").glob("test_*.py")))
        of_jobs = {test: word for test, word in found.items() if mpi4py_suite.is_one_of(test, REFUSED)}
        self.assertEqual({test: word for test, word in of_jobs.items() if word != "failed"}, {})
        self.assertEqual({test: word for test, word in found.items() if word != "ok" and test not in of_jobs}, {"test_threads.Threads.test_many": "skipped"},
                         said[-6000:])
        self.assertGreater(len(found) - len(of_jobs), 80)
        self.assertGreater(len(of_jobs), 18)
        self.assertGreaterEqual(len(re.findall(r"UNSUPPORTED_OPERATION|Unsupported file operation|not possible over several jobs", said)), len(of_jobs))

    def test_threads(self):
        self.assertEqual(self.results(["test_threads"], "multiple")[0], {"test_threads.Threads.test_many": "ok"})

    def test_list_in_the_documents(self):
        text = (TESTS.parent / "docs/universe.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\| `(test_[\w.]+)` \|", text, re.M), sorted(REFUSED + OTHER))


if __name__ == "__main__":
    ran = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2, exit=False, warnings="ignore").result
    sys.exit(1 if not ran.wasSuccessful() else 77 if len(ran.skipped) == ran.testsRun else 0)
