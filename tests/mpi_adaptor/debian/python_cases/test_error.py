# SPDX-License-Identifier: BSD-3-Clause
"""Errors: null handles and wrong arguments with their classes, codes of the program, sentences."""
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import LEFT, RANK, RIGHT, SELF, SIZE, WORLD, Case


class NullHandles(Case):
    def test_datatype(self):
        null = MPI.DATATYPE_NULL
        for name in ("Dup", "Commit", "Free", "Get_size", "Get_extent", "Get_true_extent", "Get_name"):
            self.refused([MPI.ERR_TYPE, MPI.ERR_ARG], getattr(null, name))
        self.refused([MPI.ERR_TYPE], null.Create_contiguous, 2)
        self.refused([MPI.ERR_TYPE], null.Create_vector, 2, 1, 1)
        self.refused([MPI.ERR_TYPE, MPI.ERR_ARG], null.Get_envelope)
        self.refused([MPI.ERR_TYPE], MPI.Status().Get_count, null)
        self.refused([MPI.ERR_TYPE], MPI.Status().Get_elements, null)
        self.refused([MPI.ERR_TYPE], MPI.Status().Set_elements, null, 0)

    def test_request(self):
        self.refused([MPI.ERR_REQUEST], MPI.REQUEST_NULL.Free)
        self.refused([MPI.ERR_REQUEST], MPI.REQUEST_NULL.Cancel)
        self.refused([MPI.ERR_REQUEST], MPI.Prequest().Start)
        self.refused([MPI.ERR_REQUEST], MPI.Grequest().Complete)

    def test_op(self):
        self.refused([MPI.ERR_OP, MPI.ERR_ARG], MPI.OP_NULL.Free)
        self.refused([MPI.ERR_OP, MPI.ERR_ARG], MPI.OP_NULL.Is_commutative)
        self.refused([MPI.ERR_OP, MPI.ERR_ARG], SELF.Allreduce, np.zeros(1), np.zeros(1), op=MPI.OP_NULL)

    def test_info(self):
        null = MPI.INFO_NULL
        for function, *words in ((null.Dup,), (null.Free,), (null.Get, "key"), (null.Set, "key", "value"), (null.Delete, "key"), (null.Get_nkeys,),
                                 (null.Get_nthkey, 0)):
            self.refused([MPI.ERR_INFO, MPI.ERR_ARG], function, *words)

    def test_group(self):
        null, empty = MPI.GROUP_NULL, MPI.GROUP_EMPTY
        for one, two in ((null, null), (null, empty), (empty, null)):
            self.refused([MPI.ERR_GROUP], MPI.Group.Compare, one, two)
            self.refused([MPI.ERR_GROUP], MPI.Group.Union, one, two)
            self.refused([MPI.ERR_GROUP], MPI.Group.Translate_ranks, one, [0], two)
        for function in (null.Get_size, null.Get_rank, null.Free):
            self.refused([MPI.ERR_GROUP, MPI.ERR_ARG], function)

    def test_communicator(self):
        null = MPI.COMM_NULL
        for one, two in ((null, null), (SELF, null), (null, WORLD)):
            self.refused([MPI.ERR_COMM], MPI.Comm.Compare, one, two)
        for name in ("Get_size", "Get_rank", "Is_inter", "Get_group", "Get_topology", "Free", "Disconnect", "Get_errhandler", "Get_name", "Get_info",
                     "Barrier", "Dup"):
            function = getattr(MPI.Intracomm() if name == "Dup" else null, name)
            self.refused([MPI.ERR_COMM, MPI.ERR_ARG], function)
        self.refused([MPI.ERR_COMM], null.Get_attr, MPI.TAG_UB)
        self.refused([MPI.ERR_COMM, MPI.ERR_ARG], null.Set_errhandler, MPI.ERRORS_RETURN)
        self.refused([MPI.ERR_COMM], null.Send, np.zeros(1), 0)
        self.refused([MPI.ERR_COMM], null.Irecv, np.zeros(1), 0)
        self.refused([MPI.ERR_COMM], MPI.Intracomm().Create, MPI.GROUP_EMPTY)
        self.refused([MPI.ERR_COMM], MPI.Intracomm().Split, 0, 0)
        self.refused([MPI.ERR_COMM], MPI.Intercomm().Get_remote_size)
        self.refused([MPI.ERR_COMM], MPI.Intercomm().Get_remote_group)
        self.refused([MPI.ERR_COMM], MPI.Intercomm().Merge, True)
        self.refused([MPI.ERR_COMM], MPI.Intracomm().Create_cart, [1])

    def test_window(self):
        null = MPI.WIN_NULL
        for name in ("Free", "Get_errhandler", "Fence", "Get_group", "Get_name"):
            self.refused([MPI.ERR_WIN, MPI.ERR_ARG], getattr(null, name))
        self.refused([MPI.ERR_WIN, MPI.ERR_ARG], null.Set_errhandler, MPI.ERRORS_RETURN)
        self.refused([MPI.ERR_WIN, MPI.ERR_ARG], null.Call_errhandler, 0)
        self.refused([MPI.ERR_WIN, MPI.ERR_ARG], null.Put, np.zeros(1), 0)

    def test_file(self):
        null = MPI.FILE_NULL
        null.Set_errhandler(MPI.ERRORS_RETURN)
        # The others are not refused by both MPIs natively.
        for function, *words in ((null.Close,), (null.Get_size,), (null.Get_amode,), (null.Sync,), (null.Read, bytearray(1)), (null.Write_at, 0, b"x"),
                                 (null.Set_size, 3)):
            self.refused([MPI.ERR_FILE, MPI.ERR_ARG], function, *words)

    def test_errhandler(self):
        self.refused([MPI.ERR_ARG, MPI.ERR_OTHER], MPI.ERRHANDLER_NULL.Free)
        for comm in (SELF, WORLD):
            self.refused([MPI.ERR_ARG, MPI.ERR_OTHER], comm.Set_errhandler, MPI.ERRHANDLER_NULL)


class Arguments(Case):
    def test_predefined(self):
        for name in ("INT", "DOUBLE", "BYTE", "PACKED", "CHAR", "WCHAR", "LONG_LONG", "FLOAT_INT", "TWOINT", "C_BOOL", "REAL"):
            self.refused([MPI.ERR_TYPE, MPI.ERR_ARG], getattr(MPI, name).Free)
        for name in ("MAX", "MIN", "SUM", "PROD", "LAND", "BAND", "LOR", "BOR", "LXOR", "BXOR", "MAXLOC", "MINLOC", "REPLACE"):
            self.refused([MPI.ERR_OP, MPI.ERR_ARG], getattr(MPI, name).Free)
        for comm in (SELF, WORLD):
            self.refused([MPI.ERR_COMM, MPI.ERR_ARG], MPI.Comm.f2py(comm.py2f()).Free)

    def test_keyvals(self):
        for thing in (MPI.INT, SELF):
            self.refused([MPI.ERR_KEYVAL, MPI.ERR_OTHER, MPI.ERR_ARG], thing.Get_attr, MPI.KEYVAL_INVALID)
            self.refused([MPI.ERR_KEYVAL, MPI.ERR_OTHER, MPI.ERR_ARG], type(thing).Free_keyval, MPI.KEYVAL_INVALID)

    def test_messages(self):
        one = np.zeros(1)
        self.refused([MPI.ERR_RANK], WORLD.Send, one, SIZE)
        self.refused([MPI.ERR_RANK], WORLD.Recv, one, SIZE + 3)
        self.refused([MPI.ERR_RANK], WORLD.Send, one, MPI.ANY_SOURCE)
        self.refused([MPI.ERR_TAG], WORLD.Send, one, 0, -7)
        self.refused([MPI.ERR_ROOT], WORLD.Bcast, one, SIZE)
        self.refused([MPI.ERR_ROOT], WORLD.Reduce, one, np.zeros(1), MPI.SUM, -8)
        self.refused([MPI.ERR_OP, MPI.ERR_TYPE], SELF.Allreduce, one, np.zeros(1), op=MPI.BAND)
        kind = MPI.DOUBLE.Create_contiguous(1)
        self.refused([MPI.ERR_TYPE], SELF.Send, [one, kind], 0)
        kind.Free()
        request = SELF.Isend(np.zeros(4), 0, 3)
        self.refused([MPI.ERR_TRUNCATE], SELF.Recv, np.zeros(2), 0, 3)
        request.Wait()

    def test_statuses(self):
        if SIZE == 1:
            self.skipTest("Open MPI does not end this wait where a process sends to itself")
        request = WORLD.Isend(np.zeros(4), RIGHT, 3)
        requests, statuses = [WORLD.Irecv(np.zeros(2), LEFT, 3)], [MPI.Status()]
        with self.assertRaises(MPI.Exception) as caught:
            MPI.Request.Waitall(requests, statuses)
        self.assertEqual(caught.exception.Get_error_class(), MPI.ERR_IN_STATUS)
        self.assertEqual(MPI.Get_error_class(statuses[0].error), MPI.ERR_TRUNCATE)
        request.Wait()

    def test_others(self):
        self.refused([MPI.ERR_DIMS, MPI.ERR_ARG, MPI.ERR_OTHER], MPI.Compute_dims, SIZE, [SIZE + 1, 0])
        self.refused([MPI.ERR_ARG, MPI.ERR_RANK, MPI.ERR_GROUP], WORLD.group.Incl, [SIZE])
        info = MPI.Info.Create()
        self.refused([MPI.ERR_INFO_NOKEY, MPI.ERR_INFO_KEY], info.Delete, "key")
        self.refused([MPI.ERR_INFO_KEY, MPI.ERR_ARG], info.Get_nthkey, 0)
        info.Free()


class Codes(Case):
    def test_classes(self):
        for name in sorted(n for n in dir(MPI) if n.startswith("ERR_") and n not in ("ERR_LASTCODE",)):
            value = getattr(MPI, name)
            if value < 0:
                continue
            with self.subTest(name=name):
                self.assertEqual(MPI.Get_error_class(value), value)
                self.assertTrue(MPI.Get_error_string(value))
                error = MPI.Exception(value)
                self.assertEqual((error.Get_error_code(), error.error_code, error.Get_error_class(), error.error_class), (value,) * 4)
                self.assertEqual((error.Get_error_string(), str(error), int(error)), (MPI.Get_error_string(value),) * 2 + (value,))
        self.assertEqual(MPI.Get_error_class(MPI.SUCCESS), MPI.SUCCESS)

    def test_added(self):
        kind = MPI.Add_error_class()
        self.assertGreater(kind, MPI.ERR_LASTCODE)
        code = MPI.Add_error_code(kind)
        MPI.Add_error_string(kind, "a class of ours")
        MPI.Add_error_string(code, "a code of ours")
        self.assertEqual(MPI.Get_error_class(code), kind)
        self.assertEqual((MPI.Get_error_string(kind), MPI.Get_error_string(code)), ("a class of ours", "a code of ours"))
        self.assertGreaterEqual(WORLD.Get_attr(MPI.LASTUSEDCODE), kind)  # MPICH does not count codes
        error = MPI.Exception(code)
        self.assertEqual((error.Get_error_class(), error.Get_error_string()), (kind, "a code of ours"))


if __name__ == "__main__":
    unittest.main()
