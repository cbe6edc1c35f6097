# SPDX-License-Identifier: BSD-3-Clause
"""tests/fortran/interface.f90 once more: every published call of the Python face, between two components and inside them. What
arrives is compared, on all ranks; the other component is the Fortran program or this one.

    twin.py A|B CONFIG [mpi4py-before | mpi4py-after]
"""
import os
import pathlib
import sys

import numpy as np

if "mpi4py-before" in sys.argv:
    from mpi4py import MPI
import h3ou

me, config = sys.argv[1:3]
other = "B" if me == "A" else "A"
is_a = me == "A"
bad = 0


def expect(true, what):
    global bad
    if not true:
        bad = 1
        print(f"not true: {what} in {me} {rank}", file=sys.stderr)


def place():
    expect(0 <= rank < nproc, "my rank")
    comm, group, size, same = h3ou.h3ou_get_mpi_parameter(me)
    expect((comm, size, same) == (h3ou.h3ou_get_my_comm(), nproc, rank), "mpi parameters")
    expect(h3ou.h3ou_get_my_name() == me and h3ou.h3ou_is_coupled(), "my name")
    expect(h3ou.h3ou_get_num_of_put_data() == 3 and h3ou.h3ou_get_num_of_get_data() == 3, "numbers of fields")
    expect(h3ou.h3ou_get_put_data_name(0) == f"{me}_v" and h3ou.h3ou_get_get_data_name(1) == f"{other}_w", "names of fields")
    expect(h3ou.h3ou_is_wanted(f"{me}_v") and not h3ou.h3ou_is_wanted(f"{other}_v"), "what is wanted")
    expect(h3ou.h3ou_get_vlayer(f"{me}_w") == 3 and h3ou.h3ou_get_vlayer(f"{other}_v") == 1, "layers")
    expect(h3ou.h3ou_get_vlayer("both") == (1 if is_a else 3), "layers of a name that is put and got")
    if len(sys.argv) > 3:
        from mpi4py import MPI
        mine = MPI.Comm.f2py(comm)
        expect((mine.Get_rank(), mine.Get_size()) == (rank, nproc), "the communicator in mpi4py")
        expect(mine.allreduce(1) == nproc, "a reduction by mpi4py")


def join_digits(a, b):
    """A value is some digits, and their number: the digits of b come behind those of a."""
    return (a // 100 * 10 ** (b % 100) + b // 100) * 100 + a % 100 + b % 100


def all_collectives(comm, joined, exclusive):
    """The calls of a communicator; interface.f90 makes the same ones. joined, exclusive: operations."""
    r, n = h3ou.h3ou_comm_rank(comm), h3ou.h3ou_comm_size(comm)
    last, ranks, other_type = n - 1, np.arange(n), np.int64
    data = np.array([3 << 40, 4] if r == last else [0, 0], other_type)
    expect((h3ou.h3ou_bcast(comm, last, data) == [3 << 40, 4]).all() and data[0] == 3 << 40, "bcast")
    all_of = h3ou.h3ou_gather(comm, 0, np.array([r, 2 * r], np.int32))
    expect((all_of is None) == (r != 0) and (r != 0 or (all_of == np.stack([ranks, 2 * ranks], 1)).all()), "gather")
    expect((h3ou.h3ou_scatter(comm, 0, all_of, 2, np.int32) == [r, 2 * r]).all(), "scatter")
    sizes = ranks % 3
    parts = h3ou.h3ou_gatherv(comm, last, np.full(r % 3, r + 0.5), sizes if r == last else None)
    expect(r != last or all((part == i + 0.5).all() and part.size == i % 3 for i, part in enumerate(parts)), "gatherv")
    mine = h3ou.h3ou_scatterv(comm, last, parts, r % 3)
    expect(mine.size == r % 3 and (mine == r + 0.5).all(), "scatterv")
    expect((h3ou.h3ou_allgather(comm, np.array([r], np.float32))[:, 0] == ranks).all(), "allgather")
    parts = h3ou.h3ou_allgatherv(comm, np.full(r % 3, r), sizes)
    expect(all((part == i).all() and part.size == i % 3 for i, part in enumerate(parts)), "allgatherv")
    expect((h3ou.h3ou_alltoall(comm, (100 * r + ranks).astype(np.int32))[:, 0] == 100 * ranks + r).all(), "alltoall")
    parts = h3ou.h3ou_alltoallv(comm, [np.full(r + i, 100 * r + i, np.int32) for i in ranks], r + ranks)
    expect(all((part == 100 * i + r).all() and part.size == r + i for i, part in enumerate(parts)), "alltoallv")
    total = h3ou.h3ou_reduce(comm, last, np.array([r + 0.5, 1]))
    expect((total is None) == (r != last) and (r != last or (total == [n * last / 2 + n / 2, n]).all()), "reduce")
    expect((h3ou.h3ou_allreduce(comm, np.array([r, -r], np.int32), h3ou.Op.MAX) == [last, 0]).all(), "allreduce")
    part = h3ou.h3ou_reduce_scatter(comm, np.arange(sizes.sum()) + r, sizes)
    first = sizes[:r].sum()
    expect((part == n * np.arange(first, first + r % 3) + n * last // 2).all(), "reduce_scatter")
    expect(h3ou.h3ou_scan(comm, np.array([r], np.float32))[0] == r * (r + 1) // 2, "scan")
    digits = h3ou.h3ou_allreduce(comm, np.array([(r + 1) * 100 + 1]), joined)
    expect(digits[0] == int("".join(str(i + 1) for i in ranks)) * 100 + n, "allreduce by a function that does not commute")
    expect(h3ou.h3ou_allreduce(comm, np.array([r + 1], np.uint8), exclusive)[0] == np.bitwise_xor.reduce(ranks + 1), "allreduce of bytes")
    h3ou.h3ou_barrier(comm)


def collectives():
    joined, exclusive = h3ou.h3ou_op_create(join_digits, commutes=False), h3ou.h3ou_op_create(np.bitwise_xor)
    model = h3ou.h3ou_comm_model("A", "B")
    expect(h3ou.h3ou_comm_rank(model) == rank + (0 if is_a else h3ou.h3ou_comm_size(model) - nproc), "rank in Model")
    expect((h3ou.h3ou_comm_rank(h3ou.Comm.LEADER) == (h3ou.h3ou_comm_rank(h3ou.Comm.GLOBAL) > 0)) if rank == 0 else h3ou.h3ou_comm_rank(h3ou.Comm.LEADER) == -1, "rank in Leader")
    for comm in (h3ou.Comm.GLOBAL, model, h3ou.Comm.LOCAL):
        all_collectives(comm, joined, exclusive)
    if rank == 0:
        all_collectives(h3ou.Comm.LEADER, joined, exclusive)
    h3ou.h3ou_op_free(joined)
    failing = h3ou.h3ou_op_create(lambda a, b: [][0])
    for made, said in ((lambda: h3ou.h3ou_allreduce(h3ou.Comm.LOCAL, [1], 99), "neither"), (lambda: h3ou.h3ou_comm_rank(99), "number 99"),
                       (lambda: h3ou.h3ou_scan(h3ou.Comm.LOCAL, np.zeros(1, np.uint8)), "bytes"),
                       (lambda: h3ou.h3ou_allgather(h3ou.Comm.LOCAL, np.zeros(1, complex)), "complex"),
                       (lambda: h3ou.h3ou_allgatherv(h3ou.Comm.LOCAL, [1, 2, 3], [1] * nproc), "counts"),
                       (lambda: h3ou.h3ou_barrier(h3ou.Comm.LEADER) if rank else h3ou.h3ou_comm_rank(99), "Leader" if rank else "99")):
        try:
            made()
            expect(False, f"no error: {said}")
        except h3ou.H3ouError as e:
            expect(said in str(e), f"{said} in {e}")
    try:
        h3ou.h3ou_allreduce(h3ou.Comm.LOCAL, [1], failing)
        expect(nproc == 1 or rank, "an exception of a function")
    except IndexError:
        expect(nproc > 1 and rank == 0, "an exception of a function")


def full(value, condition, dtype, size=4):
    return np.full(size, value if condition else 0, dtype)


def broadcasts():
    text = "from A to everybody" if is_a and rank == 0 else "nothing yet         "
    expect(h3ou.h3ou_bcast_global_string("A", text) == "from A to everybody", "bcast_global of a string")
    for called, names, value, dtype, first in (
            (h3ou.h3ou_bcast_global_int, "B", 7, np.int32, not is_a), (h3ou.h3ou_bcast_global_real, "A", 1.5, np.float32, is_a),
            (h3ou.h3ou_bcast_global_double, "A", 2.5, np.float64, is_a)):
        data = full(value, first and rank == 0, dtype)
        expect(called(names, data) == [value] * 4 and (data == value).all(), called.__name__)
    wide = np.zeros(8)
    if is_a and rank == 0:
        wide[::2] = 1, 2, 3, 4
    h3ou.h3ou_bcast_model_double("A", "B", wide[::2])
    expect(list(wide) == [1, 0, 2, 0, 3, 0, 4, 0], "bcast_model_double of a section")
    ints = full(8, not is_a and rank == 0, np.int64)  # not of the type on the wire
    expect(h3ou.h3ou_bcast_model_int("B", "A", ints) == [8] * 4 and (ints == 8).all(), "bcast_model_int of 64 bits")
    expect(h3ou.h3ou_bcast_model_real("A", "B", full(9, is_a and rank == 0, np.float32)) == [9] * 4, "bcast_model_real")
    for called, dtype in ((h3ou.h3ou_bcast_local_int, np.int32), (h3ou.h3ou_bcast_local_real, np.float32),
                          (h3ou.h3ou_bcast_local_double, np.float64)):
        data = full(1, rank == nproc - 1, dtype)
        expect(called(nproc - 1, data) == [1] * 4 and (data == 1).all(), called.__name__)
        listed = [2 if rank == nproc - 1 else 0] * 4
        expect(called(nproc - 1, listed) == [2] * 4 and listed == [2 if rank == nproc - 1 else 0] * 4, "bcast_local of a list")


def leaders():
    """Leader to leader, then everybody of the receiver. Python's float is Fortran's real, a NumPy number what its type says."""
    rising, falling = [1, 2, 3, 4], [4, 3, 2, 1]
    types = np.int32, np.float32, np.float64
    if is_a:
        for value in 5, 5.5, np.float64(5.25):
            h3ou.h3ou_send_scalar("B", value)
        h3ou.h3ou_send_array("B", "a text")
        for dtype in types:
            h3ou.h3ou_send_array("B", np.array(rising, dtype))
        h3ou.h3ou_send_array("B", "short")
        for dtype in np.int64, np.float32, np.float64:
            h3ou.h3ou_send_array("B", np.array(falling, dtype))
        return
    got = [h3ou.h3ou_recv_scalar("A", sample) for sample in (0, 0.0, np.float64(0))]
    expect(got == [5, 5.5, 5.25] and list(map(type, got)) == [int, float, np.float64], "scalars")
    expect(h3ou.h3ou_recv_array("A", "") == "a text", "a string")
    for dtype in types:
        data = np.zeros(4, dtype)
        expect(h3ou.h3ou_recv_array("A", data) == rising and list(data) == rising, f"an array of {dtype.__name__}")
    expect(h3ou.h3ou_recv_array("A", "") == "short", "a string again")
    expect(h3ou.h3ou_recv_array("A", [0] * 4) == falling, "a list")
    square = np.zeros((2, 2), np.float32)
    expect(h3ou.h3ou_recv_array("A", square) == [[4, 3], [2, 1]] == square.tolist(), "an array of rank 2")
    double = np.zeros(8)
    h3ou.h3ou_recv_array("A", double[1::2])
    expect(list(double) == [0, 4, 0, 3, 0, 2, 0, 1], "a section")


def process_to_process():
    """Rank 0 of A and the last of B, whose number A is told."""
    last = int(h3ou.h3ou_bcast_global_int("B", [nproc - 1] * 4)[0])
    sends = h3ou.h3ou_send_model_int, h3ou.h3ou_send_model_real, h3ou.h3ou_send_model_double
    receives = h3ou.h3ou_recv_model_int, h3ou.h3ou_recv_model_real, h3ou.h3ou_recv_model_double
    types = np.int32, np.float32, np.float64
    if is_a and rank == 0:
        for send in sends:
            send("B", last, [1, 2, 3, 4])
        for receive, dtype in zip(receives, types):
            expect(receive("B", last, np.zeros(4, dtype)) == [11] * 4, receive.__name__)
    elif not is_a and rank == nproc - 1:
        for receive, dtype in zip(receives, types):
            data = np.zeros(4, dtype)
            expect(receive("A", 0, data) == [1, 2, 3, 4] and list(data) == [1, 2, 3, 4], receive.__name__)
        for send, dtype in zip(sends, types):
            send("A", 0, np.full(4, 11, dtype))


def inside():
    """Between the first and the last process of a component."""
    last = nproc - 1
    if nproc == 1:
        return
    for send, receive, dtype in ((h3ou.h3ou_send_local_int, h3ou.h3ou_recv_local_int, np.int32),
                                 (h3ou.h3ou_send_local_real, h3ou.h3ou_recv_local_real, np.float32),
                                 (h3ou.h3ou_send_local_double, h3ou.h3ou_recv_local_double, np.float64)):
        if rank == 0:
            send(last, np.arange(4, dtype=dtype))
        elif rank == last:
            data = np.zeros(4, dtype)
            expect(receive(0, data) == [0, 1, 2, 3] and list(data) == [0, 1, 2, 3], receive.__name__)


def tables(index):
    """A gives both, cell to cell: one on its rank 0, one spread."""
    if is_a:
        ones = [1, 2, 3, 4]
        h3ou.h3ou_set_interpolation_table("A", "A", "A_g", "B", "B_g", 1, ones, ones, np.ones(4))
        h3ou.h3ou_set_interpolation_table("A", "B", "B_g", "A", "A_g", 1, index, index, [2.0] * 4, is_spread=True)
    else:
        h3ou.h3ou_set_interpolation_table_no_index("B", "A", "A_g", "B", "B_g", 1)
        h3ou.h3ou_set_interpolation_table_no_index("B", "B", "B_g", "A", "A_g", 1)


def exchange():
    """Fields of one and of three layers, in arrays of any layout."""
    index = np.arange(4 * rank + 1, 4 * rank + 5)
    h3ou.h3ou_def_grid(index, me, f"{me}_g", 3)
    h3ou.h3ou_end_grid_def()
    tables(index)
    time = np.array([2000, 2, 28, 23, 0, 0], np.int32)
    h3ou.h3ou_init_time(time)
    wide = np.zeros((8, 3), order="F")
    orders = np.asfortranarray, np.ascontiguousarray, lambda a: a[::2]
    for step in range(4):
        if step:
            h3ou.h3ou_set_time(me, time, 3600)
            check_fields(index, step)
        wide[::2, 0] = 100 * step + index
        values = wide[::2, 0] + 0
        wide[1::2] = np.nan
        wide[::2] = values[:, None] + [1000, 2000, 3000]
        h3ou.h3ou_put_data_1d(h3ou.h3ou_field(f"{me}_v") if step % 2 else f"{me}_v", wide[::2, 0] - 1000)
        h3ou.h3ou_put_data_25d(f"{me}_w" if step % 2 else h3ou.h3ou_field(f"{me}_w"), orders[2](wide) if step == 2 else orders[step % 2](wide[::2]))
        if step == 1:
            expect(h3ou.h3ou_inc_calendar(time, 3600) is time, "inc_calendar returns the array")
        if step > 1:
            h3ou.h3ou_inc_time(time, 3600)
    expect(list(time) == [2000, 2, 29, 2, 0, 0], "the calendar")
    if "RESTARTS" in os.environ:
        stop_early(time, values, wide[::2])
    return time


def stop_early(time, values, layers):
    """Both go on until they are to stop, which the run's folder asks for, and write restarts."""
    for _ in range(5000):
        h3ou.h3ou_set_time(me, time, 3600)
        h3ou.h3ou_put_data_1d(f"{me}_v", values)
        h3ou.h3ou_put_data_25d(f"{me}_w", layers)
        h3ou.h3ou_inc_time(time, 3600)
        stops = h3ou.h3ou_should_stop()
        if stops:
            break
        h3ou.h3ou_bcast_local_int(0, [0])  # processes without cells to exchange would run ahead
    expect(stops is True, "the run is to stop")
    h3ou.h3ou_write_restart(pathlib.Path(os.environ["RESTARTS"], me))
    if rank == 0:
        pathlib.Path(os.environ["RESTARTS"], f"{me}.time").write_text(" ".join(map(str, time)))


def check_fields(index, step):
    factor = 2 if is_a else 1
    field = np.full(4, -9, np.float32 if step == 2 else np.float64)
    layers = np.full((4, 3), -9.0, order="FC"[step % 2])
    handle = h3ou.h3ou_field(f"{other}_v")
    expect(handle.name == f"{other}_v" and handle > 0, "a handle")
    expect(h3ou.h3ou_get_data_1d(f"{other}_v" if step % 2 else handle, field) is True, "an exchange is due")
    expect(h3ou.h3ou_get_data_25d(f"{other}_w", layers) is True, "an exchange of layers is due")
    was = 100 * (step - 1) + index
    if rank == 0:
        expect((field == factor * was).all(), "a field")
        expect((layers == factor * (was[:, None] + [1000, 2000, 3000])).all(), "a field of layers")
    elif not is_a:
        expect((field == -9).all() and (layers == -9).all(), "cells that no source covers")


h3ou.h3ou_init(me, config)
rank, nproc = h3ou.h3ou_get_my_rank(), h3ou.h3ou_get_my_size()
for part in place, broadcasts, collectives, leaders, process_to_process, inside:
    part()
time = exchange()
others = [bad]
for pe in range(nproc):
    bad = max(bad, h3ou.h3ou_bcast_local_int(pe, list(others))[0])
h3ou.h3ou_coupling_end(time)
h3ou.h3ou_end()
sys.exit(int(bad))
