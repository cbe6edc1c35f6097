# SPDX-License-Identifier: BSD-3-Clause
"""Files: each way to read and write, views, pointers, what is asked about a file."""
import ctypes
import os
import tempfile
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import RANK, RIGHT, SELF, SIZE, WORLD, Case


class Files(Case):
    def setUp(self):
        super().setUp()
        self.name = WORLD.bcast(tempfile.mktemp() if RANK == 0 else None)
        self.file = MPI.File.Open(WORLD, self.name, MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)
        self.mine, self.got = np.arange(4, dtype="i") + 10 * RANK, np.zeros(4, "i")

    def tearDown(self):
        self.file.Close()
        self.assertEqual(self.file, MPI.FILE_NULL)
        WORLD.Barrier()
        self.assertFalse(os.path.exists(self.name))

    def see_writes(self):
        self.file.Sync()
        WORLD.Barrier()
        self.file.Sync()

    def right(self):
        return np.arange(4) + 10 * RIGHT

    def finished(self, made, status):
        """Requests are waited for."""
        if isinstance(made, MPI.Request):
            made.Wait(status)
        self.assertEqual(status.Get_count(MPI.INT), 4)


class Moving(Files):
    def test_places(self):
        for form in ("{}_at", "{}_at_all", "I{}_at", "I{}_at_all"):
            write, read, status = getattr(self.file, form.format("write" if form[0] == "I" else "Write")), \
                getattr(self.file, form.format("read" if form[0] == "I" else "Read")), MPI.Status()
            words = () if form[0] == "I" else (status,)
            self.finished(write(16 * RANK, self.mine, *words), status)
            self.see_writes()
            self.got[:] = 0
            self.finished(read(16 * RIGHT, self.got, *words), status)
            self.same(self.got, self.right())
            WORLD.Barrier()

    def test_pointer(self):
        for form in ("{}", "{}_all", "I{}", "I{}_all"):
            write, read, status = getattr(self.file, form.format("write" if form[0] == "I" else "Write")), \
                getattr(self.file, form.format("read" if form[0] == "I" else "Read")), MPI.Status()
            words = () if form[0] == "I" else (status,)
            self.file.Seek(16 * RANK)
            self.finished(write([self.mine, 4, MPI.INT], *words), status)
            self.assertEqual(self.file.Get_position(), 16 * RANK + 16)
            self.see_writes()
            self.file.Seek(16 * RIGHT, MPI.SEEK_SET)
            self.got[:] = 0
            self.finished(read(self.got, *words), status)
            self.same(self.got, self.right())
            self.file.Seek(-16, MPI.SEEK_CUR)
            self.assertEqual((self.file.Get_position(), self.file.Get_byte_offset(3)), (16 * RIGHT, 3))
            self.file.Seek(0, MPI.SEEK_END)
            self.assertEqual(self.file.Get_position(), 16 * SIZE)
            WORLD.Barrier()

    def test_two_steps(self):
        status = MPI.Status()
        self.file.Write_at_all_begin(16 * RANK, self.mine)
        self.file.Write_at_all_end(self.mine, status)
        self.finished(None, status)
        self.see_writes()
        self.file.Read_at_all_begin(16 * RIGHT, self.got)
        self.file.Read_at_all_end(self.got, status)
        self.same(self.got, self.right())
        self.file.Seek(16 * RIGHT)
        self.file.Write_all_begin(self.got)
        self.file.Write_all_end(self.got)
        self.see_writes()
        self.file.Seek(16 * RANK)
        self.file.Read_all_begin(self.got)
        self.file.Read_all_end(self.got)
        self.same(self.got, self.mine)
        self.file.Seek_shared(0)
        self.file.Write_ordered_begin(self.mine)
        self.file.Write_ordered_end(self.mine)
        self.see_writes()
        self.file.Seek_shared(0)
        self.file.Read_ordered_begin(self.got)
        self.file.Read_ordered_end(self.got, status)
        self.same(self.got, self.mine)

    def test_shared(self):
        self.file.Seek_shared(0)
        self.file.Write_ordered(self.mine)
        self.see_writes()
        self.assertEqual(self.file.Get_position_shared(), 16 * SIZE)
        WORLD.Barrier()
        self.file.Seek_shared(0)
        self.file.Read_ordered(self.got)
        self.same(self.got, self.mine)
        self.file.Seek_shared(0)
        WORLD.Barrier()
        self.file.Write_shared(np.full(4, 3, "i"))
        self.file.Iwrite_shared(np.full(4, 3, "i")).Wait()
        self.see_writes()
        self.assertEqual(self.file.Get_size(), 32 * SIZE)
        self.file.Seek_shared(0)
        self.file.Read_shared(self.got)
        self.same(self.got, [3] * 4)
        self.file.Iread_shared(self.got).Wait()
        self.same(self.got, [3] * 4)

    def test_view(self):
        every = MPI.INT.Create_resized(0, 4 * SIZE).Commit()
        self.file.Set_view(4 * RANK, MPI.INT, every, "native")
        place, kind, filetype, name = self.file.Get_view()
        self.assertEqual((place, kind, filetype.extent, name), (4 * RANK, MPI.INT, 4 * SIZE, "native"))
        filetype.Free()
        self.file.Write_all(self.mine)
        self.assertEqual(self.file.Get_byte_offset(2), 4 * RANK + 8 * SIZE)
        self.assertEqual(self.file.Get_type_extent(MPI.INT), 4)
        self.see_writes()
        self.file.Set_view(0, MPI.INT)
        whole = np.zeros(4 * SIZE, "i")
        self.file.Read_at_all(0, whole)
        self.same(whole.reshape(4, SIZE), np.arange(4)[:, None] + 10 * np.arange(SIZE))
        every.Free()


class Asked(Files):
    def test_properties(self):
        self.assertEqual(self.file.amode, MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)
        self.assertEqual((self.file.Get_amode(), self.file.Get_size()), (self.file.amode, 0))
        WORLD.Barrier()
        self.file.Set_size(100)
        WORLD.Barrier()
        self.file.Preallocate(200)
        WORLD.Barrier()
        self.assertEqual(self.file.size, 200)
        group = self.file.Get_group()
        self.assertEqual(group.size, SIZE)
        group.Free()
        info = self.file.Get_info()
        self.file.Set_info(info)
        info.Free()
        self.assertEqual((self.file.Get_atomicity(), self.file.atomicity), (False, False))  # Open MPI's OMPIO refuses now and then to set it
        self.assertEqual(MPI.File.f2py(self.file.py2f()), self.file)

    def test_handle_above_1_gib(self):
        """Handles that are pointers keep their value where they are as great as numbers that are handles of MPICH."""
        libc = ctypes.CDLL(None)
        libc.sbrk.restype, libc.sbrk.argtypes = ctypes.c_void_p, [ctypes.c_ssize_t]
        libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
        limit, at = 1 << 30, libc.sbrk(0)
        if at < limit:  # as the heap of Debian's Python stands
            libc.sbrk(limit - at)
            for size in (40, 400, 4000):  # what was free below is taken, and stays so
                for _ in range(100000):
                    if libc.malloc(size) >= limit:
                        break
        files = [MPI.File.Open(MPI.COMM_SELF, f"{self.name}.{RANK}.{i}", MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE) for i in range(50)]
        self.assertEqual([MPI.File.f2py(f.py2f()) for f in files], files)
        for f in files:
            f.Close()

    def test_handlers(self):
        for file in (self.file, MPI.FILE_NULL):
            for handler in (MPI.ERRORS_ARE_FATAL, MPI.ERRORS_RETURN):
                file.Set_errhandler(handler)
                self.assertEqual(file.Get_errhandler(), handler)
        self.file.Call_errhandler(MPI.ERR_FILE)

    def test_refused(self):
        self.refused([MPI.ERR_NO_SUCH_FILE], MPI.File.Open, SELF, "/tmp/there-is-no-such-file", MPI.MODE_RDONLY)
        self.refused([MPI.ERR_NO_SUCH_FILE], MPI.File.Delete, "/tmp/there-is-no-such-file")
        self.refused([MPI.ERR_FILE_EXISTS, MPI.ERR_IO, MPI.ERR_OTHER], MPI.File.Open, SELF, self.name, MPI.MODE_CREATE | MPI.MODE_EXCL | MPI.MODE_RDWR)
        name = tempfile.mktemp()
        with open(name, "wb") as f:
            f.write(b"12345678")
        file = MPI.File.Open(SELF, name, MPI.MODE_RDONLY)
        got = bytearray(4)
        file.Read_at(2, got)
        self.assertEqual(got, b"3456")
        self.refused([MPI.ERR_READ_ONLY, MPI.ERR_ACCESS, MPI.ERR_IO, MPI.ERR_AMODE, MPI.ERR_OTHER], file.Write_at, 0, b"x")
        file.Close()
        MPI.File.Delete(name)
        self.assertFalse(os.path.exists(name))


if __name__ == "__main__":
    unittest.main()
