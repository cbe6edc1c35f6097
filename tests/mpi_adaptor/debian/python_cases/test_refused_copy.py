# SPDX-License-Identifier: BSD-3-Clause
"""A function of the program that refuses to copy an attribute. After that MPICH 4.0.2 gives two of 64 errors a wrong class, so it is a module of its own."""
import contextlib
import io
import unittest

from mpi4py import MPI

from mpi4py_case import SELF, Case


class RefusedCopy(Case):
    def test_refused_copy(self):
        def copy(comm, keyval, value):
            raise MPI.Exception(MPI.ERR_OTHER)
        key, comm = MPI.Comm.Create_keyval(copy), SELF.Dup()
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        comm.Set_attr(key, 3)
        with self.assertRaises(MPI.Exception), contextlib.redirect_stderr(io.StringIO()):
            comm.Dup()
        comm.Delete_attr(key)
        comm.Free()
        MPI.Comm.Free_keyval(key)


if __name__ == "__main__":
    unittest.main()
