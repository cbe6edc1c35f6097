#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""heat.py BUILD: samples/pheat3d in one job and divided between two jobs needs the same iterations and finds the same temperatures; the
error falls with the square of the mesh's width; both preconditioners and every algorithm of WaitIO's collectives do."""
import itertools
import pathlib
import re
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

BIN = pathlib.Path(sys.argv[1]) / "samples/pheat3d"
PATIENCE = {"WAITIO_PATIENCE": "60", "WAITIO_JOIN_PATIENCE": "30"}
FIRST, LAST = jobs.MPIS[0], jobs.MPIS[-1]


class Result:
    def __init__(self, out, path):
        self.iterations = int(re.search(r"iterations (\d+)", out).group(1))
        self.error = float(re.search(r"error +(\S+)", out).group(1))
        self.seconds = [float(x) for x in re.search(r"seconds solver +(\S+) +allreduce +(\S+) +send-receive +(\S+)", out).groups()]
        self.temperature = self.read(path)

    @staticmethod
    def read(path):
        """The temperatures as one array, from the blocks of the processes."""
        with open(path, "rb") as f:
            n = int(np.fromfile(f, np.int64, 1)[0])
            edges = np.fromfile(f, np.float64, 6 * n).astype(int).reshape(n, 2, 3)
            whole = np.full(edges[:, 1].max(axis=0) + 1, np.nan)
            for low, high in edges:
                size = high - low + 1
                whole[tuple(slice(a, b + 1) for a, b in zip(low, high))] = np.fromfile(f, np.float64, size.prod()).reshape(size, order="F")
            assert not f.read()
        return whole


class Heat(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="pheat3d-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.number = itertools.count()

    def result_of(self, started, path):
        results = jobs.wait_all(started)
        self.assertEqual(jobs.problems_of(results), [])
        return Result("".join(r.out for r in results), path)

    def one_job(self, mpi, procs, *options):
        path = self.folder / f"t{next(self.number)}"
        return self.result_of([jobs.Job(mpi, [(procs, [BIN / f"pheat3d.{mpi}", *options, "--write", path])])], path)

    def two_jobs(self, shape, *options, **env):
        path, port = self.folder / f"t{next(self.number)}", jobs.free_port()
        return self.result_of([jobs.Job(mpi, [(procs, [BIN / f"pheat3d_waitio.{mpi}", *options, "--write", path])],
                                        {**jobs.waitio(port, pb, len(shape)), **PATIENCE, **env})
                               for pb, (mpi, procs) in enumerate(shape)], path)

    def check_same(self, a, b):
        self.assertEqual(a.iterations, b.iterations)
        self.assertFalse(np.isnan(a.temperature).any())
        np.testing.assert_allclose(b.temperature, a.temperature, rtol=0, atol=1e-12)

    def test_two_jobs_as_one(self):
        options = "--cells", "13", "--precondition", "diagonal"
        one = self.one_job(LAST, 4, *options)
        self.assertGreater(one.iterations, 20)
        # With memory=0 the calls inside a job are made by its MPI.
        for algorithm, shape, memory in (("hybrid", [(FIRST, 2), (LAST, 2)], 1), ("hybrid", [(LAST, 3), (FIRST, 1)], 1),
                                         ("hybrid", [(FIRST, 2), (LAST, 2)], 0), ("bt", [(FIRST, 2), (LAST, 2)], 1),
                                         ("2l:2", [(FIRST, 2), (LAST, 2)], 1)):
            with self.subTest(algorithm=algorithm, shape=shape, memory=memory):
                self.check_same(one, self.two_jobs(shape, *options, WAITIO_MPI_ALGORITHM=algorithm, H3OU_SHARED_MEMORY=memory))

    def test_blocks_do_not_matter(self):
        """The diagonal is the same for any blocks: a serial run is the reference."""
        whole = self.one_job(FIRST, 1, "--cells", "10")
        self.check_same(whole, self.two_jobs([(FIRST, 1), (LAST, 2)], "--cells", "10", "--shape", "3", "1", "1"))
        self.check_same(whole, self.one_job(LAST, 4, "--cells", "10", "--shape", "1", "2", "2"))

    def test_ssor(self):
        diagonal = self.one_job(FIRST, 1, "--cells", "12")
        ssor = self.one_job(LAST, 2, "--cells", "12", "--precondition", "ssor")
        self.assertLess(ssor.iterations, 0.7 * diagonal.iterations)
        np.testing.assert_allclose(ssor.temperature, diagonal.temperature, rtol=0, atol=1e-7)
        self.check_same(ssor, self.two_jobs([(FIRST, 1), (LAST, 1)], "--cells", "12", "--precondition", "ssor"))

    def test_second_order(self):
        errors = [self.two_jobs([(FIRST, 1), (LAST, 1)], "--cells", str(n)).error for n in (8, 16, 32)]
        orders = np.log2(np.divide(errors[:-1], errors[1:]))
        self.assertGreater(orders[0], 1.85)
        self.assertGreater(orders[1], 1.93)
        self.assertLess(orders[1], 2.05)

    def test_times(self):
        """Allreduce and send-receive are parts of the solver's time."""
        for result in (self.one_job(LAST, 2, "--cells", "8"), self.two_jobs([(FIRST, 1), (LAST, 1)], "--cells", "8")):
            solver, allreduce, exchange = result.seconds
            self.assertGreater(min(result.seconds), 0)
            self.assertLess(max(allreduce, exchange), solver)

    def test_refusals(self):
        for options, said in ((("--cells", "x"), '"x" is no option'), (("--mesh", "5"), '"--mesh" is no option'),
                              (("--shape", "2", "1", "1"), "--shape 2 1 1 is not for 1 processes")):
            result = jobs.wait_all([jobs.Job(FIRST, [(1, [BIN / f"pheat3d.{FIRST}", *options])])])[0]
            self.assertNotEqual(result.code, 0)
            self.assertIn(said, result.out + result.err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2, warnings="ignore")  # jobs leave files to the interpreter
