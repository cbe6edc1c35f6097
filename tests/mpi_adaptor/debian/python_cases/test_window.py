# SPDX-License-Identifier: BSD-3-Clause
"""Windows: every way to make one, to move data, to synchronise; attributes, infos, error handlers."""
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import LEFT, RANK, RIGHT, SIZE, TYPES, WORLD, Case


class Windows(Case):
    """64 bytes on each process."""

    def windows(self):
        memory = MPI.Alloc_mem(64)
        yield MPI.Win.Create(memory, 1, MPI.INFO_NULL, WORLD), np.frombuffer(memory, "B")
        MPI.Free_mem(memory)
        win = MPI.Win.Allocate(64, 1, MPI.INFO_NULL, WORLD)
        yield win, np.frombuffer(win, "B")

    def each(self, check):
        for win, memory in self.windows():
            memory[:] = 0
            WORLD.Barrier()
            with self.subTest(flavor=win.flavor):
                check(win, memory)
            WORLD.Barrier()
            win.Free()
            self.assertEqual(win, MPI.WIN_NULL)


class Moving(Windows):
    def test_fence(self):
        def check(win, memory):
            for code in TYPES:
                given, got = np.full(2, RANK + 1, code), np.zeros(2, code)
                win.Fence(MPI.MODE_NOPRECEDE)
                win.Put(given, RIGHT)
                win.Fence()
                self.same(memory[:given.nbytes].view(code), np.full(2, LEFT + 1, code))
                win.Get(got, RIGHT)
                win.Fence(MPI.MODE_NOSUCCEED | MPI.MODE_NOPUT)
                self.same(got, given)
        self.each(check)

    def test_sums(self):
        def check(win, memory):
            numbers = memory.view("i")
            for op, expected in ((MPI.SUM, sum(r + 1 for r in range(SIZE)) + 3), (MPI.MAX, max(SIZE, 3)), (MPI.BOR, None)):
                numbers[:] = 3
                win.Fence()
                for r in range(SIZE):
                    win.Accumulate([np.array([RANK + 1], "i"), MPI.INT], r, (4, 1, MPI.INT), op)
                win.Fence()
                if expected is not None:
                    self.assertEqual(list(numbers[:3]), [3, expected, 3])
            win.Fence()
        self.each(check)

    def test_fetched(self):
        def check(win, memory):
            numbers, got = memory.view("l"), np.full(1, -1)
            win.Lock(RIGHT)
            win.Get_accumulate(np.array([5]), got, RIGHT, 0, MPI.SUM)
            win.Unlock(RIGHT)
            self.assertEqual(got[0], 0)
            win.Lock(RIGHT, MPI.LOCK_SHARED)
            win.Fetch_and_op(np.array([4]), got, RIGHT, 0, MPI.SUM)
            win.Flush(RIGHT)
            self.assertEqual(got[0], 5)
            win.Compare_and_swap(np.array([20]), np.array([9]), got, RIGHT, 0)
            win.Flush_local(RIGHT)
            win.Unlock(RIGHT)
            self.assertEqual(got[0], 9)
            WORLD.Barrier()
            win.Lock(RANK)
            win.Sync()
            self.assertEqual(numbers[0], 20)
            win.Unlock(RANK)
        self.each(check)

    def test_requests(self):
        def check(win, memory):
            numbers, got = memory.view("d"), np.zeros(2)
            win.Lock_all(MPI.MODE_NOCHECK)
            win.Rput(np.array([1.5, RANK]), RIGHT).Wait()
            win.Flush_all()
            win.Rget(got, RIGHT).Wait()
            self.same(got, [1.5, RANK])
            win.Raccumulate(np.array([1.0, 1.0]), RIGHT).Wait()
            win.Flush_local_all()
            win.Flush(RIGHT)
            win.Rget_accumulate(np.zeros(2), got, RIGHT, 0, MPI.NO_OP).Wait()
            win.Unlock_all()
            self.same(got, [2.5, RANK + 1])
            WORLD.Barrier()
            self.same(numbers[:2], [2.5, LEFT + 1])
        self.each(check)

    def test_post(self):
        def check(win, memory):
            world = WORLD.Get_group()
            sources, targets = world.Incl([LEFT]), world.Incl([RIGHT])
            for waits in (True, False):
                win.Post(sources)
                win.Start(targets)
                win.Put(np.array([RANK + 9], "h"), RIGHT)
                win.Complete()
                while not (win.Wait() if waits else win.Test()):
                    pass
                self.assertEqual(memory.view("h")[0], LEFT + 9)
            for group in (sources, targets, world):
                group.Free()
        self.each(check)


class Kinds(Windows):
    def test_dynamic(self):
        win, memory = MPI.Win.Create_dynamic(MPI.INFO_NULL, WORLD), MPI.Alloc_mem(32)
        self.assertEqual(win.flavor, MPI.WIN_FLAVOR_DYNAMIC)
        win.Attach(memory)
        places = WORLD.allgather(MPI.Get_address(memory))
        win.Lock(RIGHT)
        win.Put(np.full(4, RANK), RIGHT, MPI.Aint_add(places[RIGHT], 0))
        win.Unlock(RIGHT)
        WORLD.Barrier()
        win.Lock(RANK)
        self.same(np.frombuffer(memory, "l"), np.full(4, LEFT))
        win.Unlock(RANK)
        win.Detach(memory)
        win.Free()
        MPI.Free_mem(memory)

    def test_shared(self):
        win = MPI.Win.Allocate_shared(16, 8, MPI.INFO_NULL, WORLD)
        mine = np.frombuffer(win, "l")
        win.Lock_all()
        mine[:] = RANK, 5
        win.Sync()
        WORLD.Barrier()
        win.Sync()
        memory, unit = win.Shared_query(RIGHT)
        self.assertEqual((unit, len(memory), win.flavor), (8, 16, MPI.WIN_FLAVOR_SHARED))
        self.same(np.frombuffer(memory, "l"), [RIGHT, 5])
        WORLD.Barrier()
        win.Unlock_all()
        win.Free()

    def test_asked(self):
        def check(win, memory):
            self.assertIn(win.flavor, (MPI.WIN_FLAVOR_CREATE, MPI.WIN_FLAVOR_ALLOCATE))
            self.assertIn(win.model, (MPI.WIN_SEPARATE, MPI.WIN_UNIFIED))
            base, size, unit = win.attrs
            self.assertEqual((base, size, unit), (memory.ctypes.data, 64, 1))
            self.assertEqual((win.Get_attr(MPI.WIN_SIZE), win.Get_attr(MPI.WIN_DISP_UNIT), win.Get_attr(MPI.WIN_BASE)), (64, 1, base))
            self.assertEqual(len(win.tomemory()), 64)
            win.Set_name("the window")
            self.assertEqual((win.Get_name(), win.name), ("the window",) * 2)
            group = win.Get_group()
            self.assertEqual(group.size, SIZE)
            group.Free()
            info = win.Get_info()
            win.Set_info(info)
            info.Free()
            self.assertEqual(MPI.Win.f2py(win.py2f()), win)
            for handler in (MPI.ERRORS_ARE_FATAL, MPI.ERRORS_RETURN):
                win.Set_errhandler(handler)
                self.assertEqual(win.Get_errhandler(), handler)
            win.Call_errhandler(MPI.ERR_WIN)
        self.each(check)

    def test_attributes(self):
        calls = []
        key = MPI.Win.Create_keyval(None, lambda win, keyval, value: calls.append(value))

        def check(win, memory):
            calls.clear()
            win.Set_attr(key, "one")
            self.assertEqual(win.Get_attr(key), "one")
            win.Set_attr(key, "two")
            win.Delete_attr(key)
            self.assertEqual((win.Get_attr(key), calls), (None, ["one", "two"]))
        self.each(check)
        MPI.Win.Free_keyval(key)


if __name__ == "__main__":
    unittest.main()
