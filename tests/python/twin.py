# SPDX-License-Identifier: BSD-3-Clause
"""tests/fortran/interface.f90 once more: every published call of the Python face, between two components and inside them. What
arrives is compared, on all ranks; the other component is the Fortran program or this one.

    twin.py A|B CONFIG [mpi4py-before | mpi4py-after]
"""
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
    return time


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
for part in place, broadcasts, leaders, process_to_process, inside:
    part()
time = exchange()
others = [bad]
for pe in range(nproc):
    bad = max(bad, h3ou.h3ou_bcast_local_int(pe, list(others))[0])
h3ou.h3ou_coupling_end(time)
h3ou.h3ou_end()
sys.exit(int(bad))
