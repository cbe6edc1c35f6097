# SPDX-License-Identifier: BSD-3-Clause
"""Communicators, groups, topologies, attributes, error handlers, infos."""
import socket
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import LEFT, RANK, RIGHT, SELF, SIZE, WORLD, Case


class Communicators(Case):
    def test_made(self):
        group = WORLD.group
        made = {"Dup": WORLD.Dup(), "Clone": WORLD.Clone(), "Create": WORLD.Create(group), "Create_group": WORLD.Create_group(group, 4),
                "Split": WORLD.Split(0, RANK)}
        info = MPI.Info.Create()
        made["Dup_with_info"] = WORLD.Dup_with_info(info)
        info.Free()
        made["Idup"], request = WORLD.Idup()
        request.Wait()
        for name, comm in made.items():
            self.assertEqual(MPI.Comm.Compare(WORLD, comm), MPI.CONGRUENT, name)
            self.assertEqual((comm.Get_rank(), comm.Get_size(), comm.is_intra, comm.is_inter, comm.topology), (RANK, SIZE, True, False, MPI.UNDEFINED))
            self.assertEqual(comm.allreduce(1), SIZE)
            self.assertEqual(MPI.Comm.f2py(comm.py2f()), comm)
            self.assertNotEqual(comm, WORLD)
            comm.Free()
            self.assertEqual(comm, MPI.COMM_NULL)
        group.Free()
        self.assertEqual((MPI.Comm.Compare(WORLD, WORLD), MPI.Comm.f2py(WORLD.py2f()) == WORLD), (MPI.IDENT, True))

    def test_split(self):
        part = WORLD.Split(RANK % 2, -RANK)
        self.assertEqual(part.allgather(RANK), [r for r in reversed(range(SIZE)) if r % 2 == RANK % 2])
        part.Disconnect()
        first = WORLD.Split(MPI.UNDEFINED if RANK else 3)
        self.assertEqual(first == MPI.COMM_NULL, RANK > 0)
        if RANK == 0:
            first.Free()
        self.assertEqual(WORLD.Split_type(MPI.UNDEFINED), MPI.COMM_NULL)

    def test_shared(self):
        node = WORLD.Split_type(MPI.COMM_TYPE_SHARED)
        self.assertEqual(node.size, SIZE)
        node.Free()

    def test_names_and_infos(self):
        self.assertEqual((WORLD.Get_name(), SELF.name), ("MPI_COMM_WORLD", "MPI_COMM_SELF"))
        comm = WORLD.Dup()
        comm.Set_name("a name")
        self.assertEqual(comm.name, "a name")
        info = comm.Get_info()
        comm.Set_info(info)
        info.Free()
        comm.Free()

    def test_joined(self):
        """Two processes, or one with itself: only that both MPIs take the calls of a socket."""
        if SIZE != 2 or "MPICH" in MPI.Get_library_version():  # Debian's MPICH has no ports
            self.skipTest("needs two processes of an MPI with ports")
        ear = socket.socket()
        ear.bind(("127.0.0.1", 0))
        ear.listen(1)
        port = WORLD.bcast(ear.getsockname()[1], 0)
        line = ear.accept()[0] if RANK == 0 else socket.create_connection(("127.0.0.1", port))
        inter = MPI.Comm.Join(line.fileno())
        self.assertEqual((inter.is_inter, inter.remote_size), (True, 1))
        self.assertEqual(inter.sendrecv(RANK, 0, 0, None, 0, 0), 1 - RANK)
        inter.Disconnect()
        line.close()
        ear.close()


class Groups(Case):
    def test_made(self):
        world = WORLD.Get_group()
        evens = world.Incl(range(0, SIZE, 2))
        odds = world.Excl(range(0, SIZE, 2))
        self.assertEqual((evens.size, odds.size), ((SIZE + 1) // 2, SIZE // 2))
        self.assertEqual(evens.rank, RANK // 2 if RANK % 2 == 0 else MPI.UNDEFINED)
        again = world.Range_incl([(0, SIZE - 1, 2)])
        rest = world.Range_excl([(0, SIZE - 1, 2)])
        self.assertEqual((MPI.Group.Compare(again, evens), MPI.Group.Compare(rest, odds)), (MPI.IDENT, MPI.IDENT))
        union, both, less = MPI.Group.Union(odds, evens), MPI.Group.Intersection(world, evens), MPI.Group.Difference(world, evens)
        self.assertEqual(MPI.Group.Compare(union, world), MPI.SIMILAR if SIZE > 1 else MPI.IDENT)
        self.assertEqual((MPI.Group.Compare(both, evens), MPI.Group.Compare(less, odds)), (MPI.IDENT, MPI.IDENT))
        self.assertEqual(MPI.Group.Compare(evens, MPI.GROUP_EMPTY), MPI.UNEQUAL)
        self.assertEqual(list(MPI.Group.Translate_ranks(world, list(range(SIZE)), evens)),
                         [r // 2 if r % 2 == 0 else MPI.UNDEFINED for r in range(SIZE)])
        self.assertEqual(list(MPI.Group.Translate_ranks(world, [MPI.PROC_NULL], evens)), [MPI.PROC_NULL])
        same = world.Dup()
        self.assertEqual(MPI.Group.Compare(same, world), MPI.IDENT)
        self.assertEqual(MPI.Group.f2py(world.py2f()), world)
        for group in (world, evens, odds, again, rest, union, both, less, same):
            if group.size or group != MPI.GROUP_EMPTY:
                group.Free()
        self.assertEqual((MPI.GROUP_EMPTY.size, MPI.GROUP_EMPTY.rank), (0, MPI.UNDEFINED))


class Topologies(Case):
    def test_cartesian(self):
        dims = MPI.Compute_dims(SIZE, [0, 0])
        self.assertEqual(np.prod(dims), SIZE)
        comm = WORLD.Create_cart(dims, [True, False], False)
        self.assertEqual((comm.Get_dim(), comm.ndim, comm.topology, comm.is_topo), (2, 2, MPI.CART, True))
        self.assertEqual((comm.dims, comm.periods, comm.coords), (dims, [1, 0], comm.Get_coords(RANK)))
        self.assertEqual(comm.Get_topo(), comm.topo)
        self.assertEqual(comm.Get_cart_rank(comm.coords), RANK)
        up, down = comm.Shift(1, 1)
        at = comm.coords
        self.assertEqual(down == MPI.PROC_NULL, at[1] == dims[1] - 1)
        self.assertEqual(up == MPI.PROC_NULL, at[1] == 0)
        row = comm.Sub([True, False])
        self.assertEqual((row.size, row.coords), (dims[0], [at[0]]))
        row.Free()
        self.assertEqual(WORLD.Cart_map(dims, [True, False]) in range(SIZE), True)
        double = comm.Dup()
        self.assertEqual((type(double), double.dims), (MPI.Cartcomm, dims))
        double.Free()
        comm.Free()
        if SIZE > 1:
            part = WORLD.Create_cart([1])
            self.assertEqual(part == MPI.COMM_NULL, RANK > 0)
            if RANK == 0:
                part.Free()

    def test_graph(self):
        index, edges = [r + 1 for r in range(SIZE)], [(r + 1) % SIZE for r in range(SIZE)]
        comm = WORLD.Create_graph(index, edges)
        self.assertEqual((comm.Get_dims(), comm.nnodes, comm.nedges, comm.topology), ((SIZE, SIZE), SIZE, SIZE, MPI.GRAPH))
        self.assertEqual((comm.Get_topo(), comm.index, comm.edges), ((index, edges), index, edges))
        self.assertEqual((comm.Get_neighbors(RANK), comm.Get_neighbors_count(RANK), comm.neighbors), ([RIGHT], 1, [RIGHT]))
        self.assertIn(WORLD.Graph_map(index, edges), range(SIZE))
        comm.Free()

    def test_distributed(self):
        for weights in (None, ([3], [4]), (MPI.UNWEIGHTED, MPI.UNWEIGHTED)):
            comm = WORLD.Create_dist_graph_adjacent([LEFT], [RIGHT], *(weights or ()))
            self.assertEqual(comm.topology, MPI.DIST_GRAPH)
            weighted = weights == ([3], [4])
            self.assertEqual(comm.Get_dist_neighbors_count(), (1, 1, weighted))
            self.assertEqual(comm.Get_dist_neighbors(), ([LEFT], [RIGHT], weights if weighted else None))
            comm.Free()
        comm = WORLD.Create_dist_graph_adjacent([], [], MPI.WEIGHTS_EMPTY, MPI.WEIGHTS_EMPTY)
        self.assertEqual(comm.Get_dist_neighbors_count(), (0, 0, True))
        comm.Free()
        comm = WORLD.Create_dist_graph([RANK], [1], [RIGHT], [RANK + 5])
        self.assertEqual(comm.Get_dist_neighbors(), ([LEFT], [RIGHT], ([LEFT + 5], [RANK + 5])))
        comm.Free()


class Attributes(Case):
    def test_predefined(self):
        self.assertGreaterEqual(WORLD.Get_attr(MPI.TAG_UB), 32767)
        self.assertIn(WORLD.Get_attr(MPI.WTIME_IS_GLOBAL), (True, False, 0, 1))
        for key in (MPI.HOST, MPI.IO, MPI.UNIVERSE_SIZE, MPI.APPNUM, MPI.LASTUSEDCODE):
            WORLD.Get_attr(key)
        self.assertEqual(WORLD.Get_attr(MPI.IO), MPI.ANY_SOURCE)

    def test_copied(self):
        calls = []

        def copy(comm, keyval, value):
            calls.append(("copy", comm.size, value["n"]))
            return {"n": value["n"] + 1}

        def delete(comm, keyval, value):
            calls.append(("delete", comm.size, value["n"]))
        key = MPI.Comm.Create_keyval(copy, delete)
        comm = WORLD.Dup()
        comm.Set_attr(key, {"n": 1})
        double = comm.Dup()
        self.assertEqual((comm.Get_attr(key), double.Get_attr(key)), ({"n": 1}, {"n": 2}))
        comm.Set_attr(key, {"n": 5})
        double.Free()
        comm.Free()
        self.assertEqual(calls, [("copy", SIZE, 1), ("delete", SIZE, 1), ("delete", SIZE, 2), ("delete", SIZE, 5)])
        self.assertEqual(MPI.Comm.Free_keyval(key), MPI.KEYVAL_INVALID)


class Handlers(Case):
    def test_predefined(self):
        for comm in (WORLD, SELF):
            for handler in (MPI.ERRORS_ARE_FATAL, MPI.ERRORS_RETURN):
                comm.Set_errhandler(handler)
                seen = comm.Get_errhandler()
                self.assertEqual((seen, MPI.Errhandler.f2py(seen.py2f())), (handler, handler))
                seen.Free()
        comm.Set_errhandler(MPI.ERRORS_RETURN)
        SELF.Call_errhandler(MPI.ERR_OTHER)  # of ERRORS_RETURN: nothing happens


class Infos(Case):
    def test_keys(self):
        info = MPI.Info.Create()
        info.Set("one", "1")
        info.Set("two", "zwei")
        self.assertEqual((info.Get("one"), info.Get("none"), info.Get_nkeys(), len(info)), ("1", None, 2, 2))
        self.assertEqual(sorted(info.Get_nthkey(i) for i in range(2)), ["one", "two"])
        self.assertEqual(MPI.Info.f2py(info.py2f()), info)
        double = info.Dup()
        info.Delete("one")
        self.assertEqual((sorted(double.keys()), info.keys(), info.values(), info.items()), (["one", "two"], ["two"], ["zwei"], [("two", "zwei")]))
        info["three"] = "x" * 200
        self.assertEqual((info["three"], "three" in info, info.pop("three"), "three" in info), ("x" * 200, True, "x" * 200, False))
        info.update({"a": "b"})
        copied = info.copy()
        info.clear()
        self.assertEqual((len(info), copied.get("a"), copied.get("q", "other")), (0, "b", "other"))
        copied.popitem()
        self.assertEqual(len(copied), 1)
        for made in (info, double, copied):
            made.Free()
            self.assertEqual(made, MPI.INFO_NULL)

    def test_environment(self):
        command = MPI.INFO_ENV.Get("command")
        self.assertTrue(command is None or "python" in command)


if __name__ == "__main__":
    unittest.main()
