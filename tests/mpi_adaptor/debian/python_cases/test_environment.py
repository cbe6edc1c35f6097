# SPDX-License-Identifier: BSD-3-Clause
"""What a program asks MPI about itself; memory, addresses, handles, and the modules that mpi4py builds on its calls."""
import unittest

import numpy as np
from mpi4py import MPI
from mpi4py.futures import MPICommExecutor
from mpi4py.util import dtlib, pkl5

from mpi4py_case import LEFT, RANK, RIGHT, SELF, SIZE, TYPES, WORLD, Case


class Environment(Case):
    def test_job(self):
        self.assertTrue(MPI.Is_initialized() and not MPI.Is_finalized() and MPI.Is_thread_main())
        self.assertIn(MPI.Query_thread(), (MPI.THREAD_SINGLE, MPI.THREAD_FUNNELED, MPI.THREAD_SERIALIZED, MPI.THREAD_MULTIPLE))
        version, subversion = MPI.Get_version()
        self.assertGreaterEqual((version, subversion), (3, 1))
        self.assertRegex(MPI.Get_library_version(), r"Open MPI|MPICH")
        self.assertEqual(MPI.Get_processor_name(), MPI.Get_processor_name().strip())
        self.assertTrue(MPI.Get_processor_name())
        self.assertIsNone(MPI.Pcontrol(1))
        self.assertEqual(MPI.Comm.Get_parent(), MPI.COMM_NULL)

    def test_clock(self):
        begin = MPI.Wtime()
        self.assertTrue(0 < MPI.Wtick() < 1)
        self.assertGreaterEqual(MPI.Wtime(), begin)

    def test_memory(self):
        memory = MPI.Alloc_mem(100, MPI.INFO_NULL)
        self.assertEqual((len(memory), memory.nbytes), (100, 100))
        memory[:] = b"x" * 100
        self.assertEqual(memory.tobytes(), b"x" * 100)
        MPI.Free_mem(memory)
        array = np.zeros(4)
        here = MPI.Get_address(array)
        self.assertEqual(here, array.ctypes.data)
        self.assertEqual((MPI.Aint_add(here, 8), MPI.Aint_diff(here + 24, here)), (here + 8, 24))

    def test_dimensions(self):
        for count, dims, expected in ((12, [0, 0], [4, 3]), (12, [0, 2], [6, 2]), (7, [0], [7]), (24, [0, 0, 0], [4, 3, 2])):
            self.assertEqual(MPI.Compute_dims(count, dims), expected)

    def test_truth(self):
        for null in ("COMM", "DATATYPE", "REQUEST", "OP", "INFO", "GROUP", "WIN", "FILE", "ERRHANDLER", "MESSAGE"):
            handle = getattr(MPI, f"{null}_NULL")
            self.assertFalse(handle)
            self.assertEqual(type(handle).f2py(handle.py2f()), handle)
        for handle in (WORLD, MPI.INT, MPI.SUM, MPI.GROUP_EMPTY, MPI.ERRORS_RETURN, MPI.INFO_ENV, MPI.MESSAGE_NO_PROC):
            self.assertTrue(handle)
            self.assertEqual(type(handle).f2py(handle.py2f()), handle)
        self.assertEqual(MPI._sizeof(WORLD), 8)
        self.assertTrue(MPI._addressof(WORLD) and MPI._handleof(WORLD))

    def test_handles_of_fortran(self):
        op, request = MPI.Op.Create(lambda a, b, kind: None), SELF.Irecv(bytearray(1), MPI.PROC_NULL)
        for handle in (op, request):
            self.assertEqual(type(handle).f2py(handle.py2f()), handle)
        op.Free()
        request.Wait()


class Modules(Case):
    def test_types_of_numpy(self):
        for code, kind in TYPES.items():
            self.assertEqual(dtlib.to_numpy_dtype(kind), np.dtype(code))
        made = dtlib.from_numpy_dtype(np.dtype([("a", "i4"), ("b", "f8", (2,)), ("c", "S3")], align=True))
        self.assertEqual((made.extent, dtlib.to_numpy_dtype(made).names), (32, ("f0", "f1", "f2")))
        made.Free()

    def test_pickle5(self):
        comm, thing = pkl5.Intracomm(WORLD), {"array": np.arange(3000.0) + RANK, "rank": RANK}
        request = comm.isend(thing, RIGHT, 3)
        got = comm.recv(source=LEFT, tag=3)
        self.same(got["array"], np.arange(3000.0) + LEFT)
        request.wait()
        self.same(comm.bcast(thing, SIZE - 1)["array"], np.arange(3000.0) + SIZE - 1)
        self.assertEqual([len(x) for x in comm.allgather([1] * (RANK + 1))], [r + 1 for r in range(SIZE)])
        request = comm.issend(thing, RIGHT, 4)
        message = comm.mprobe(LEFT, 4)
        self.assertEqual(message.recv()["rank"], LEFT)
        request.wait()

    def test_executor(self):
        if SIZE == 1:
            self.skipTest("one process has no worker")
        if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
            self.skipTest("MPI was not initialised for threads")
        with MPICommExecutor(WORLD, 0) as pool:
            if pool is not None:
                self.assertEqual(list(pool.map(abs, range(-9, 0))), list(range(9, 0, -1)))
                self.assertEqual(pool.submit(divmod, 17, 5).result(), (3, 2))


if __name__ == "__main__":
    unittest.main()
