# SPDX-License-Identifier: BSD-3-Clause
"""Collective calls: each with every type, blocking and not, in place, of two groups and of neighbours."""
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import LEFT, RANK, RIGHT, SELF, SIZE, TYPES, WORLD, Case, forms

ROOT = SIZE - 1
ALL = range(SIZE)


class Each(Case):
    """Calls `check_...(call, code)` of the class for each form and type."""

    def each(self, check, codes=TYPES):
        for call in forms(WORLD):
            for code in codes:
                with self.subTest(call=call.__name__, code=code):
                    check(call, code)


class Moving(Each):
    def test_bcast(self):
        def check(call, code):
            for root in ALL:
                buffer = np.full(5, RANK + 1, code)
                call("Bcast", [buffer, 5, TYPES[code]], root)
                self.same(buffer, np.full(5, root + 1, code))
        self.each(check)

    def test_gather_and_scatter(self):
        def check(call, code):
            mine, all_of = np.full(2, RANK, code), np.zeros(2 * SIZE, code)
            call("Gather", mine, all_of if RANK == ROOT else None, ROOT)
            if RANK == ROOT:
                self.same(all_of, np.repeat(np.arange(SIZE), 2).astype(code))
            mine[:] = 100
            call("Scatter", all_of if RANK == ROOT else None, mine, ROOT)
            self.same(mine, np.full(2, RANK, code))
            call("Allgather", mine, all_of)
            self.same(all_of, np.repeat(np.arange(SIZE), 2).astype(code))
        self.each(check)

    def test_parts(self):
        """The v forms: process r has r + 1 values, and the parts stand in reverse order."""
        def check(call, code):
            counts = [r + 1 for r in ALL]
            places = [sum(counts[r + 1:]) for r in ALL]
            mine, all_of = np.full(RANK + 1, RANK, code), np.full(sum(counts), 99, code)
            expected = np.concatenate([np.full(r + 1, r, code) for r in reversed(ALL)])
            call("Gatherv", mine, [all_of, counts, places, TYPES[code]] if RANK == ROOT else None, ROOT)
            if RANK == ROOT:
                self.same(all_of, expected)
            mine[:] = 98
            call("Scatterv", [all_of, (counts, places)] if RANK == ROOT else None, mine, ROOT)
            self.same(mine, np.full(RANK + 1, RANK, code))
            all_of[:] = 97
            call("Allgatherv", mine, [all_of, counts, places, TYPES[code]])
            self.same(all_of, expected)
        self.each(check)

    def test_alltoall(self):
        def check(call, code):
            sent = np.array([RANK * SIZE + r for r in ALL], code)
            got, expected = np.zeros(SIZE, code), np.array([r * SIZE + RANK for r in ALL], code)
            call("Alltoall", sent, got)
            self.same(got, expected)
            got[:] = 0
            ones, places = [1] * SIZE, list(ALL)
            call("Alltoallv", [sent, ones, places, TYPES[code]], [got, ones, places, TYPES[code]])
            self.same(got, expected)
            got[:] = 0
            bytes_at, types = [r * sent.itemsize for r in ALL], [TYPES[code]] * SIZE
            call("Alltoallw", [sent, (ones, bytes_at), types], [got, (ones, bytes_at), types])
            self.same(got, expected)
        self.each(check)

    def test_in_place(self):
        for call in forms(WORLD):
            all_of = np.full(SIZE, -1, "i")
            all_of[RANK] = RANK
            call("Allgather", MPI.IN_PLACE, all_of)
            self.same(all_of, np.arange(SIZE))
            sent = np.full(SIZE, RANK, "d")
            call("Alltoall", MPI.IN_PLACE, sent)
            self.same(sent, np.arange(SIZE))
            if RANK == ROOT:
                all_of[:] = -1
                all_of[ROOT] = ROOT
                call("Gather", MPI.IN_PLACE, all_of, ROOT)
                self.same(all_of, np.arange(SIZE))
                call("Scatter", all_of, MPI.IN_PLACE, ROOT)
            else:
                call("Gather", np.array([RANK], "i"), None, ROOT)
                got = np.zeros(1, "i")
                call("Scatter", None, got, ROOT)
                self.assertEqual(got[0], RANK)

    def test_type_of_the_program(self):
        rows = MPI.INT.Create_vector(3, 1, 2)
        column = rows.Create_resized(0, MPI.INT.size).Commit()
        rows.Free()
        for call in forms(WORLD):
            table = np.arange(6, dtype="i").reshape(3, 2) + 10 * RANK
            call("Bcast", [table, 1, column], 0)
            self.same(table[:, 0], [0, 2, 4])
            self.same(table[:, 1], np.array([1, 3, 5]) + 10 * RANK)
        column.Free()

    def test_barrier(self):
        WORLD.Barrier()
        WORLD.Ibarrier().Wait()
        WORLD.barrier()


class Reducing(Each):
    OPS = [(MPI.SUM, np.add), (MPI.PROD, np.multiply), (MPI.MAX, np.maximum), (MPI.MIN, np.minimum), (MPI.BAND, np.bitwise_and),
           (MPI.BOR, np.bitwise_or), (MPI.BXOR, np.bitwise_xor), (MPI.LAND, lambda a, b: np.logical_and(a, b) * 1),
           (MPI.LOR, lambda a, b: np.logical_or(a, b) * 1), (MPI.LXOR, lambda a, b: np.logical_xor(a, b) * 1)]

    def ops(self, code):
        return self.OPS[:2] if code in "FD" else self.OPS[:4] if code in "fdg" else self.OPS

    def values(self, rank, code, n):
        return ((np.arange(n) + 2 * rank) % 4).astype(code)

    def expected(self, op, code, ranks, n):
        total = self.values(ranks[0], code, n)
        for r in ranks[1:]:
            total = op[1](total, self.values(r, code, n)).astype(code)
        return total

    def each_op(self, check):
        self.each(lambda call, code: [check(call, code, op) for op in self.ops(code)])

    def test_reduce(self):
        def check(call, code, op):
            mine, got = self.values(RANK, code, 4), np.zeros(4, code)
            call("Reduce", mine, got if RANK == ROOT else None, op=op[0], root=ROOT)
            if RANK == ROOT:
                self.same(got, self.expected(op, code, ALL, 4))
            call("Allreduce", mine, got, op=op[0])
            self.same(got, self.expected(op, code, ALL, 4))
            call("Allreduce", MPI.IN_PLACE, mine, op=op[0])
            self.same(mine, self.expected(op, code, ALL, 4))
        self.each_op(check)

    def test_scan(self):
        def check(call, code, op):
            mine, got = self.values(RANK, code, 3), np.zeros(3, code)
            call("Scan", mine, got, op=op[0])
            self.same(got, self.expected(op, code, range(RANK + 1), 3))
            call("Exscan", mine, got, op=op[0])
            if RANK > 0:
                self.same(got, self.expected(op, code, range(RANK), 3))
        self.each_op(check)

    def test_reduce_scatter(self):
        def check(call, code, op):
            mine, got = self.values(RANK, code, 2 * SIZE), np.zeros(2, code)
            expected = self.expected(op, code, ALL, 2 * SIZE)
            call("Reduce_scatter_block", mine, got, op=op[0])
            self.same(got, expected[2 * RANK:2 * RANK + 2])
            counts = [2 * SIZE] + [0] * (SIZE - 1)
            all_of = np.zeros(counts[RANK], code)
            call("Reduce_scatter", mine, all_of, counts, op=op[0])
            self.same(all_of, expected[:counts[RANK]])
        self.each_op(check)

    def test_pairs(self):
        for kind, number in ((MPI.FLOAT_INT, "f"), (MPI.DOUBLE_INT, "d"), (MPI.LONG_INT, "l"), (MPI.SHORT_INT, "h"), (MPI.INT_INT, "i")):
            layout = np.dtype([("value", number), ("rank", "i")], align=True)
            mine, got = np.array([((RANK + 1) % SIZE, RANK), (7, RANK)], layout), np.zeros(2, layout)
            WORLD.Allreduce([mine, 2, kind], [got, 2, kind], op=MPI.MAXLOC)
            self.assertEqual([tuple(x) for x in got], [(SIZE - 1, (SIZE - 2) % SIZE), (7, 0)], kind.name)
            WORLD.Allreduce([mine, 2, kind], [got, 2, kind], op=MPI.MINLOC)
            self.assertEqual([tuple(x) for x in got], [(0, SIZE - 1), (7, 0)], kind.name)

    def test_function_of_the_program(self):
        seen = []

        def add_squares(given, kept, datatype):
            seen.append(datatype == MPI.DOUBLE)
            a, b = np.frombuffer(given, "d"), np.frombuffer(kept, "d")
            b[:] = a + b
        for commute in (True, False):
            op = MPI.Op.Create(add_squares, commute)
            self.assertEqual(op.Is_commutative(), commute)
            self.assertFalse(op.is_predefined)
            for call in forms(WORLD):
                got = np.zeros(3)
                call("Allreduce", np.full(3, float(RANK)), got, op=op)
                self.same(got, np.full(3, float(sum(ALL))))
            kept = np.ones(2)
            op.Reduce_local(np.full(2, 4.0), kept)
            self.same(kept, [5, 5])
            op.Free()
            self.assertEqual(op, MPI.OP_NULL)
        self.assertTrue(seen and all(seen))

    def test_local(self):
        for op in (MPI.SUM, MPI.MAX, MPI.REPLACE, MPI.NO_OP):
            self.assertTrue(op.Is_commutative() or op in (MPI.REPLACE, MPI.NO_OP))
        kept = np.array([1, 5], "i")
        MPI.MAX.Reduce_local(np.array([3, 3], "i"), kept)
        self.same(kept, [3, 5])
        self.assertEqual((MPI.SUM(2, 3), MPI.MAX(2, 3), MPI.LXOR(1, 1)), (5, 3, False))


class TwoGroups(Case):
    """An intercommunicator of the even and the odd ranks."""

    def setUp(self):
        super().setUp()
        if SIZE == 1:
            self.skipTest("one process has no other group")
        self.local = WORLD.Split(RANK % 2, RANK)
        self.inter = self.local.Create_intercomm(0, WORLD, 1 - RANK % 2, 17)
        self.remote = self.inter.remote_size

    def tearDown(self):
        self.inter.Free()
        self.local.Free()

    def test_objects(self):
        self.assertTrue(self.inter.is_inter and not self.inter.is_intra)
        self.assertEqual(self.inter.remote_group.Get_size(), self.inter.Get_remote_size())
        self.assertEqual(self.inter.group.size + self.remote, SIZE)
        merged = self.inter.Merge(RANK % 2 == 1)
        self.assertEqual((merged.size, merged.is_intra), (SIZE, True))
        merged.Free()
        for made in (self.inter.Dup(), self.inter.Create(self.inter.group)):
            self.assertTrue(made.is_inter)
            made.Free()
        self.assertEqual(self.inter.allgather(RANK), [r for r in ALL if r % 2 != RANK % 2])
        self.assertEqual(self.inter.alltoall([RANK] * self.remote), [r for r in ALL if r % 2 != RANK % 2])

    def test_collective(self):
        first = MPI.ROOT if self.local.rank == 0 else MPI.PROC_NULL
        for call in forms(self.inter):
            buffer = np.full(2, RANK, "i")
            call("Bcast", buffer, 0 if RANK % 2 else first)
            self.assertEqual(buffer[0], 0 if RANK % 2 else RANK)
            got = np.zeros(self.remote, "i")
            call("Allgather", np.array([RANK], "i"), got)
            self.same(got, [r for r in ALL if r % 2 != RANK % 2])
            total = np.zeros(1, "i")
            call("Allreduce", np.array([RANK + 1], "i"), total)
            self.assertEqual(total[0], sum(r + 1 for r in ALL if r % 2 != RANK % 2))
            call("Alltoall", np.full(self.remote, RANK, "i"), got)
            self.same(got, [r for r in ALL if r % 2 != RANK % 2])
            if "MPICH" not in MPI.Get_library_version():  # which refuses at the root that there is nothing to send
                call("Reduce", np.array([RANK + 1], "i"), total, root=0 if RANK % 2 else first)
                if RANK == 0:
                    self.assertEqual(total[0], sum(r + 1 for r in ALL if r % 2))
            call("Barrier")


class Neighbours(Case):
    def topologies(self):
        yield WORLD.Create_cart([SIZE], periods=[True]), [LEFT, RIGHT], [LEFT, RIGHT]
        edges = [n for r in ALL for n in ((r - 1) % SIZE, (r + 1) % SIZE)]
        yield WORLD.Create_graph([2 * (r + 1) for r in ALL], edges), [LEFT, RIGHT], [LEFT, RIGHT]
        yield WORLD.Create_dist_graph_adjacent([LEFT], [RIGHT], [3], [4]), [LEFT], [RIGHT]
        yield WORLD.Create_dist_graph([RANK], [1], [RIGHT], MPI.UNWEIGHTED), [LEFT], [RIGHT]

    def test_exchange(self):
        for comm, sources, destinations in self.topologies():
            self.assertEqual((comm.inedges, comm.outedges), (sources, destinations))
            self.assertEqual((comm.indegree, comm.outdegree), (len(sources), len(destinations)))
            for call in forms(comm):
                got = np.full(len(sources), -1, "i")
                call("Neighbor_allgather", np.array([RANK], "i"), got)
                self.same(got, sources)
                got[:] = -1
                ones, places = [1] * len(sources), list(range(len(sources)))
                call("Neighbor_allgatherv", np.array([RANK], "i"), [got, ones, places, MPI.INT])
                self.same(got, sources)
                if len(sources) == 1 or SIZE > 2:
                    self.exchange_all(call, sources, destinations)
            self.assertEqual(comm.neighbor_allgather(RANK), sources)
            comm.Free()

    def exchange_all(self, call, sources, destinations):
        expected = [RANK + 100 * s for s in sources]
        sent, got = np.array([100 * RANK + d for d in destinations], "i"), np.zeros(len(sources), "i")
        call("Neighbor_alltoall", sent, got)
        self.same(got, expected)
        ones = [1] * len(sources)
        places = list(range(len(sources)))
        got[:] = 0
        call("Neighbor_alltoallv", [sent, ones, places, MPI.INT], [got, ones, places, MPI.INT])
        self.same(got, expected)
        got[:] = 0
        at, types = [4 * p for p in places], [MPI.INT] * len(sources)
        call("Neighbor_alltoallw", [sent, ones, at, types], [got, ones, at, types])
        self.same(got, expected)

    def test_ring(self):
        cart = WORLD.Create_cart([SIZE], [True], False)
        self.assertEqual(cart.neighbor_alltoall([RANK, RANK]), [LEFT, RIGHT])
        cart.Free()


class Objects(Case):
    """Pickled objects."""

    def test_moving(self):
        thing = {"rank": RANK, "list": [1.5, None, "text"] * (RANK + 1)}
        self.assertEqual(WORLD.bcast(thing, ROOT)["rank"], ROOT)
        every = [{"rank": r, "list": [1.5, None, "text"] * (r + 1)} for r in ALL]
        self.assertEqual(WORLD.gather(thing, ROOT), every if RANK == ROOT else None)
        self.assertEqual(WORLD.scatter(every if RANK == ROOT else None, ROOT), thing)
        self.assertEqual(WORLD.allgather(thing), every)
        self.assertEqual(WORLD.alltoall([(RANK, r) for r in ALL]), [(r, RANK) for r in ALL])

    def test_reducing(self):
        self.assertEqual(WORLD.reduce([RANK], MPI.SUM, ROOT), list(ALL) if RANK == ROOT else None)
        self.assertEqual(WORLD.allreduce(RANK, MPI.MAX), ROOT)
        self.assertEqual(WORLD.allreduce((RANK, RANK), MPI.MINLOC), (0, 0))
        self.assertEqual(WORLD.allreduce({RANK}, lambda a, b: a | b), set(ALL))
        self.assertEqual(WORLD.scan(RANK), sum(range(RANK + 1)))
        self.assertEqual(WORLD.exscan([RANK]), list(range(RANK)) if RANK else None)
        self.assertEqual(SELF.allreduce(3), 3)


if __name__ == "__main__":
    unittest.main()
