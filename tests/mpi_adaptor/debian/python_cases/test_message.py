# SPDX-License-Identifier: BSD-3-Clause
"""Messages between two processes, requests, statuses."""
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import LEFT, RANK, RIGHT, SELF, SIZE, TYPES, WORLD, Case


class Buffers(Case):
    def test_modes(self):
        space = MPI.Alloc_mem(1 << 16)
        MPI.Attach_buffer(space)
        for code, kind in TYPES.items():
            for mode in ("Send", "Bsend", "Ssend", "Rsend"):
                sent, got, status = np.full(4, RANK + 1, code), np.zeros(6, code), MPI.Status()
                request = WORLD.Irecv([got, 6, kind], LEFT, 5)
                WORLD.Barrier()  # Rsend needs the receive
                start = getattr(WORLD, "I" + mode.lower())([sent, 4, kind], RIGHT, 5)
                request.Wait(status)
                start.Wait()
                self.assertEqual((status.Get_source(), status.Get_tag(), status.Get_count(kind), status.Get_elements(kind)), (LEFT, 5, 4, 4))
                self.assertEqual((status.source, status.tag, status.count, status.cancelled), (LEFT, 5, 4 * got.itemsize, False))
                self.same(got[:4], np.full(4, LEFT + 1, code))
        self.assertIsNotNone(MPI.Detach_buffer())
        MPI.Free_mem(space)

    def test_blocking(self):
        sent, got = np.array([RANK, 7], "l"), np.zeros(2, "l")
        WORLD.Sendrecv(sent, RIGHT, 3, got, LEFT, 3)
        self.same(got, [LEFT, 7])
        status = MPI.Status()
        WORLD.Sendrecv_replace(got, LEFT, 4, MPI.ANY_SOURCE, MPI.ANY_TAG, status)
        WORLD.Barrier()  # before it no message of another test may come
        self.same(got, [RANK, 7])
        self.assertEqual((status.source, status.tag), (RIGHT, 4))
        WORLD.Send(sent, MPI.PROC_NULL)
        WORLD.Recv(got, MPI.PROC_NULL, 0, status)
        self.assertEqual((status.source, status.tag, status.Get_count(MPI.LONG)), (MPI.PROC_NULL, MPI.ANY_TAG, 0))
        WORLD.Send(None, MPI.PROC_NULL)
        WORLD.Bsend(sent, MPI.PROC_NULL)
        WORLD.Ssend(b"", MPI.PROC_NULL)
        WORLD.Rsend(bytearray(), MPI.PROC_NULL)

    def test_probe(self):
        for probe in (WORLD.Probe, WORLD.Iprobe):
            request, status = WORLD.Isend(np.full(RANK + 1, 4, "h"), RIGHT, 9), MPI.Status()
            while not probe(LEFT, MPI.ANY_TAG, status) :
                pass
            self.assertEqual((status.source, status.tag, status.Get_count(MPI.SHORT)), (LEFT, 9, LEFT + 1))
            got = np.zeros(LEFT + 1, "h")
            WORLD.Recv(got, LEFT, 9)
            self.same(got, np.full(LEFT + 1, 4))
            request.Wait()

    def test_matched(self):
        for probe in (WORLD.Mprobe, WORLD.Improbe):
            for receive in ("Recv", "Irecv"):
                request, status, message = WORLD.Isend(np.full(3, RANK, "d"), RIGHT, 2), MPI.Status(), None
                while message is None:
                    message = probe(LEFT, 2, status)
                got = np.zeros(3)
                if receive == "Recv":
                    message.Recv(got, status)
                else:
                    message.Irecv(got).Wait(status)
                self.assertEqual((status.Get_count(MPI.DOUBLE), message), (3, MPI.MESSAGE_NULL))
                self.same(got, np.full(3, LEFT))
                request.Wait()
        message, got = WORLD.Mprobe(MPI.PROC_NULL), np.ones(1)
        self.assertEqual(message, MPI.MESSAGE_NO_PROC)
        message.Recv(got)
        self.assertIsNone(WORLD.Improbe(MPI.ANY_SOURCE, 31000))

    def test_persistent(self):
        sent, got = np.zeros(2, "i"), np.zeros(2, "i")
        for make in (WORLD.Send_init, WORLD.Ssend_init, WORLD.Bsend_init, WORLD.Rsend_init):
            MPI.Attach_buffer(bytearray(4096))
            requests = [WORLD.Recv_init(got, LEFT, 6), make(sent, RIGHT, 6)]
            for turn in range(3):
                sent[:] = RANK, turn
                requests[0].Start()
                WORLD.Barrier()
                MPI.Prequest.Startall(requests[1:])
                MPI.Request.Waitall(requests)
                self.same(got, [LEFT, turn])
            for request in requests:
                request.Free()
                self.assertEqual(request, MPI.REQUEST_NULL)
            MPI.Detach_buffer()

    def test_parts_of_arrays(self):
        table, got = np.arange(20, dtype="d").reshape(4, 5) + 100 * RANK, np.zeros((4, 5))
        block = MPI.DOUBLE.Create_subarray([4, 5], [2, 3], [1, 2]).Commit()
        WORLD.Sendrecv([table, 1, block], RIGHT, 0, [got, 1, block], LEFT, 0)
        expected = np.zeros((4, 5))
        expected[1:3, 2:5] = (np.arange(20).reshape(4, 5) + 100 * LEFT)[1:3, 2:5]
        self.same(got, expected)
        block.Free()

    def test_large(self):
        sent, got = np.arange(400000) + RANK, np.zeros(400000, "l")
        WORLD.Sendrecv(sent, RIGHT, 0, got, LEFT, 0)
        self.same(got, np.arange(400000) + LEFT)


class Requests(Case):
    def started(self, n=4):
        """n receives, and what fills them when asked for."""
        got = np.full(n, -1, "i")
        requests = [SELF.Irecv(got[i:i + 1], 0, i) for i in range(n)]
        return got, requests, lambda i: SELF.Send(np.array([i], "i"), 0, i)

    def test_all(self):
        got, requests, send = self.started()
        statuses = [MPI.Status() for _ in requests]
        self.assertFalse(MPI.Request.Testall(requests))
        for i in reversed(range(4)):
            send(i)
        MPI.Request.Waitall(requests, statuses)
        self.same(got, range(4))
        self.assertEqual([s.tag for s in statuses], [0, 1, 2, 3])
        self.assertEqual(requests, [MPI.REQUEST_NULL] * 4)
        self.assertTrue(MPI.Request.Testall(requests))

    def test_any(self):
        got, requests, send = self.started()
        self.assertEqual(MPI.Request.Testany(requests), (MPI.UNDEFINED, False))
        for i in (2, 0, 3, 1):
            send(i)
            status = MPI.Status()
            self.assertEqual(MPI.Request.Waitany(requests, status), i)
            self.assertEqual((got[i], status.tag), (i, i))
        self.assertEqual(MPI.Request.Waitany(requests), MPI.UNDEFINED)
        self.assertEqual(MPI.Request.Testany(requests), (MPI.UNDEFINED, True))

    def test_some(self):
        got, requests, send = self.started()
        self.assertEqual(MPI.Request.Testsome(requests), [])
        send(3)
        send(1)
        done = set()
        while len(done) < 2:
            done |= set(MPI.Request.Waitsome(requests, [MPI.Status() for _ in requests]))
        self.assertEqual(done, {1, 3})
        send(0)
        send(2)
        while len(done) < 4:
            done |= set(MPI.Request.Testsome(requests) or ())
        self.same(got, range(4))
        self.assertIsNone(MPI.Request.Waitsome(requests))
        self.assertIsNone(MPI.Request.Testsome(requests))

    def test_one(self):
        _, requests, send = self.started(1)
        self.assertFalse(requests[0].Test() or requests[0].Get_status())
        send(0)
        status = MPI.Status()
        while not requests[0].Get_status(status):
            pass
        self.assertEqual((status.tag, requests[0] != MPI.REQUEST_NULL), (0, True))
        self.assertTrue(requests[0].Test(status) and status.count == 4)
        self.assertTrue(MPI.REQUEST_NULL.Test())
        MPI.REQUEST_NULL.Wait(status)
        self.assertEqual((status.source, status.tag, status.Get_error()), (MPI.ANY_SOURCE, MPI.ANY_TAG, MPI.SUCCESS))

    def test_cancel(self):
        request, status = SELF.Irecv(bytearray(4), 0, 77), MPI.Status()
        request.Cancel()
        request.Wait(status)
        self.assertTrue(status.Is_cancelled() and status.cancelled)
        status.Set_cancelled(False)
        self.assertFalse(status.Is_cancelled())

    def test_generalised(self):
        calls = []

        def query(status, word, named=0):
            calls.append(("query", word, named))
            status.source, status.tag = 3, 4
            status.Set_elements(MPI.INT, 5)
            status.Set_cancelled(False)

        def free(word, named=0):
            calls.append(("free", word, named))

        def cancel(complete, word, named=0):
            calls.append(("cancel", complete, word, named))
        request = MPI.Grequest.Start(query, free, cancel, ("word",), {"named": 2})
        self.assertFalse(request.Test())
        request.Cancel()
        request.Complete()
        status = MPI.Status()
        request.Wait(status)
        self.assertEqual((status.source, status.tag, status.Get_count(MPI.INT), status.error), (3, 4, 5, MPI.SUCCESS))
        self.assertEqual(calls, [("cancel", False, "word", 2), ("query", "word", 2), ("free", "word", 2)])

    def test_status(self):
        status = MPI.Status()
        status.Set_source(2)
        status.Set_tag(6)
        status.Set_error(MPI.ERR_OTHER)
        status.Set_elements(MPI.DOUBLE, 3)
        self.assertEqual((status.Get_source(), status.Get_tag(), status.Get_error(), status.Get_count(MPI.BYTE)), (2, 6, MPI.ERR_OTHER, 24))
        numbers = MPI.Status.f2py(status.py2f())
        self.assertEqual((numbers.source, numbers.tag, numbers.Get_count(MPI.DOUBLE)), (2, 6, 3))


class Objects(Case):
    def test_modes(self):
        MPI.Attach_buffer(bytearray(1 << 16))
        for mode in ("send", "bsend", "ssend"):
            thing = {"from": RANK, "mode": mode}
            request = getattr(WORLD, "i" + mode)(thing, RIGHT, 8)
            self.assertEqual(WORLD.recv(source=LEFT, tag=8), {"from": LEFT, "mode": mode})
            request.wait()
            got = WORLD.irecv(source=LEFT, tag=9)
            if mode != "ssend" or SIZE > 1 and RANK % 2 == 0:
                getattr(WORLD, mode if mode != "ssend" else "send")(thing, RIGHT, 9)
            else:
                WORLD.issend(thing, RIGHT, 9).wait() if SIZE > 1 else WORLD.send(thing, RIGHT, 9)
            self.assertEqual(got.wait()["from"], LEFT)
        MPI.Detach_buffer()
        self.assertEqual(WORLD.sendrecv((RANK, "x"), RIGHT, 1, None, LEFT, 1), (LEFT, "x"))

    def test_probes(self):
        status = MPI.Status()
        request = WORLD.isend([RANK] * 3, RIGHT, 12)
        WORLD.probe(LEFT, 12, status)
        self.assertTrue(WORLD.iprobe(LEFT, 12))
        message = WORLD.mprobe(LEFT, 12)
        self.assertEqual(message.recv(), [LEFT] * 3)
        request.wait()
        request, message = WORLD.isend("abc", RIGHT, 13), None
        while message is None:
            message = WORLD.improbe(LEFT, 13)
        self.assertEqual(message.irecv().wait(), "abc")
        request.wait()
        self.assertEqual((status.source, status.tag), (LEFT, 12))

    def test_many(self):
        requests = [WORLD.isend(i, RIGHT, i) for i in range(4)] + [WORLD.irecv(source=LEFT, tag=i) for i in range(4)]
        self.assertEqual(MPI.Request.waitall(requests)[4:], [0, 1, 2, 3])
        requests = [WORLD.isend(i, RIGHT, i) for i in range(2)] + [WORLD.irecv(source=LEFT, tag=i) for i in range(2)]
        found = {}
        while len(found) < 4:
            at, value = MPI.Request.waitany(requests)
            found[at] = value
        self.assertEqual((found[2], found[3]), (0, 1))

    def test_asked(self):
        for name in ("testall", "testany", "testsome", "waitsome"):
            ask = getattr(MPI.Request, name)
            requests = [SELF.irecv(source=0, tag=i) for i in range(2)]
            if name != "waitsome":
                ask(requests)
            for i in range(2):
                SELF.send(("thing", i), 0, i)
            got = []
            while len(got) < 2:
                answer = ask(requests)
                if name == "testall":
                    got = answer[1] if answer[0] else []
                elif name == "testany":
                    got += [answer[2]] if answer[1] and answer[0] >= 0 else []
                else:
                    got += answer[1] or []
            self.assertEqual(sorted(got), [("thing", 0), ("thing", 1)], name)

    def test_one(self):
        request = SELF.irecv(source=0, tag=5)
        self.assertEqual((request.test(), request.get_status()), ((False, None), False))
        SELF.send([4], 0, 5)
        while not request.get_status():
            pass
        self.assertEqual(request.test(), (True, [4]))
        request = SELF.irecv(source=0, tag=6)
        request.cancel()
        request.wait()
        got = WORLD.irecv(source=LEFT, tag=7)
        WORLD.Barrier()
        WORLD.ssend(RANK, RIGHT, 7)
        self.assertEqual(got.wait(), LEFT)


if __name__ == "__main__":
    unittest.main()
