/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of several partitions, and a send and a receive in one request: functions of MPI-4.0, which Open MPI 4.1 has not. All processes
 * of the world run programs built with MPICH when H3OU_CASE_MPI4 is set. */
#include "universe_case.h"

#include <stdlib.h>

#if MPI_VERSION >= 4
enum { PARTS = 6, EACH = 5, TAG = 71 };

static bool is_possible(void)
{
    return jobs == 1 || getenv("H3OU_CASE_MPI4");
}

static int value(int from, int turn, int i)
{
    return 10000 * from + 100 * turn + i;
}

static void fill(int *out, int turn)
{
    for (int i = 0; i < PARTS * EACH; i++)
        out[i] = value(my_rank, turn, i);
}

static int differ(const int *in, int from, int turn)
{
    int wrong = 0;
    for (int i = 0; i < PARTS * EACH; i++)
        wrong += in[i] != value(from, turn, i);
    return wrong;
}

/* Marks the partitions by each function, out of order. */
static void mark(MPI_Request send)
{
    int list[] = {5, 1};
    CALL(MPI_Pready(3, send));
    CALL(MPI_Pready_list(2, list, send));
    CALL(MPI_Pready(0, send));
    CALL(MPI_Pready(4, send));
    CALL(MPI_Pready_range(2, 2, send));
}

/* The receive has other partitions than the send. */
static void parted_with(int to, int from)
{
    int out[PARTS * EACH], in[PARTS * EACH], flag = 0;
    MPI_Request request[2];
    MPI_Status status;
    CALL(MPI_Psend_init(out, PARTS, EACH, MPI_INT, to, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    CALL(MPI_Precv_init(in, 2, PARTS * EACH / 2, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    for (int turn = 0; turn < 3; turn++) {
        fill(out, turn);
        CALL(MPI_Startall(2, request));
        mark(request[0]);
        while (turn == 1 && !flag)
            CALL(MPI_Parrived(request[1], 1, &flag));
        CALL(MPI_Wait(&request[1], &status));
        CALL(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
        EQUAL(differ(in, from, turn), 0);
        if (jobs > 1) { /* MPICH 4.0.2 itself sets no status */
            EQUAL(status.MPI_SOURCE, from);
            EQUAL(status.MPI_TAG, TAG);
        }
    }
    CALL(MPI_Request_free(&request[0]));
    CALL(MPI_Request_free(&request[1]));
}

CASE(parted_ring)
{
    if (is_possible())
        parted_with(right, left);
}

CASE(parted_far)
{
    int far = (my_rank + world_size / 2) % world_size, near = (my_rank + world_size - world_size / 2) % world_size;
    if (is_possible())
        parted_with(far, near);
}

/* Two messages with one tag match in the order in which they were made, and no message of another kind takes them. */
CASE(parted_order)
{
    int out[2][PARTS * EACH], in[2][PARTS * EACH], other = my_rank, got = -1;
    MPI_Request send[2], receive[2], plain;
    if (!is_possible() || jobs == 1) /* MPICH 4.0.2 itself lets other receives take them */
        return;
    CALL(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &plain));
    for (int i = 0; i < 2; i++) {
        CALL(MPI_Psend_init(out[i], PARTS, EACH, MPI_INT, right, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &send[i]));
        CALL(MPI_Precv_init(in[i], PARTS, EACH, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &receive[i]));
        fill(out[i], i);
    }
    CALL(MPI_Startall(2, receive));
    for (int i = 1; i >= 0; i--) {
        CALL(MPI_Start(&send[i]));
        CALL(MPI_Pready_range(0, PARTS - 1, send[i]));
    }
    CALL(MPI_Waitall(2, receive, MPI_STATUSES_IGNORE));
    CALL(MPI_Waitall(2, send, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2; i++) {
        EQUAL(differ(in[i], left, i), 0);
        CALL(MPI_Request_free(&send[i]));
        CALL(MPI_Request_free(&receive[i]));
    }
    CALL(MPI_Send(&other, 1, MPI_INT, right, TAG, MPI_COMM_WORLD));
    CALL(MPI_Wait(&plain, MPI_STATUS_IGNORE));
    EQUAL(got, left);
}

CASE(parted_wrong)
{
    int buffer[4];
    MPI_Request request;
    if (!is_possible() || jobs == 1)
        return;
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_RANK, MPI_Psend_init(buffer, 2, 2, MPI_INT, world_size, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    FAILS(MPI_ERR_RANK, MPI_Precv_init(buffer, 2, 2, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CALL(MPI_Psend_init(buffer, 2, 2, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    FAILS(MPI_ERR_REQUEST, MPI_Pready(0, request));
    CALL(MPI_Start(&request));
    FAILS(MPI_ERR_ARG, MPI_Pready(2, request));
    CALL(MPI_Pready(0, request));
    FAILS(MPI_ERR_ARG, MPI_Pready(0, request));
    FAILS(MPI_ERR_REQUEST, MPI_Request_free(&request));
    CALL(MPI_Pready(1, request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Request_free(&request));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

CASE(paired_ring)
{
    int out[2], in[2] = {-1, -1}, number = my_rank, none = 0;
    MPI_Request request[3];
    MPI_Status status[3];
    MPI_Datatype spread;
    if (!is_possible())
        return;
    out[0] = value(my_rank, 1, 0);
    out[1] = value(my_rank, 1, 1);
    CALL(MPI_Type_vector(2, 1, 1, MPI_INT, &spread));
    CALL(MPI_Type_commit(&spread));
    CALL(MPI_Isendrecv(out, 2, MPI_INT, right, TAG, in, 1, spread, left, TAG, MPI_COMM_WORLD, &request[0]));
    CALL(MPI_Type_free(&spread));
    CALL(MPI_Isendrecv_replace(&number, 1, MPI_INT, left, TAG + 1, right, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]));
    request[2] = MPI_REQUEST_NULL;
    if (jobs > 1) /* MPICH 4.0.2 itself ends by a signal */
        CALL(MPI_Isendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, TAG, &none, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &request[2]));
    CALL(MPI_Waitall(3, request, status));
    EQUAL(none, 0);
    EQUAL(in[0], value(left, 1, 0));
    EQUAL(in[1], value(left, 1, 1));
    EQUAL(number, right);
    if (jobs > 1) { /* MPICH 4.0.2 itself leaves them empty */
        EQUAL(status[0].MPI_SOURCE, left);
        EQUAL(status[1].MPI_SOURCE, right);
        EQUAL(status[1].MPI_TAG, TAG + 1);
        EQUAL(status[2].MPI_SOURCE, MPI_PROC_NULL);
    }
    for (int i = 0; i < 3; i++)
        CHECK(request[i] == MPI_REQUEST_NULL);
}

/* A partitioned message that was made and never started keeps nobody from disconnecting. */
CASE(parted_disconnect)
{
    MPI_Comm comm;
    MPI_Request request[2];
    double values[2] = {0};
    if (!is_possible() || jobs == 1)
        return;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Psend_init(values, 1, 1, MPI_DOUBLE, right, TAG, comm, MPI_INFO_NULL, &request[0]));
    CALL(MPI_Precv_init(values + 1, 1, 1, MPI_DOUBLE, left, TAG, comm, MPI_INFO_NULL, &request[1]));
    CALL(MPI_Comm_disconnect(&comm));
    CHECK(comm == MPI_COMM_NULL);
    for (int i = 0; i < 2; i++)
        CALL(MPI_Request_free(&request[i]));
}

CASE(paired_large_counts)
{
    int in = -1, number = my_rank;
    MPI_Request request[2];
    if (!is_possible())
        return;
    CALL(MPI_Isendrecv_c(&my_rank, 1, MPI_INT, right, TAG, &in, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, &request[0]));
    CALL(MPI_Isendrecv_replace_c(&number, 1, MPI_INT, left, TAG + 1, right, TAG + 1, MPI_COMM_WORLD, &request[1]));
    CALL(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    EQUAL(in, left);
    EQUAL(number, right);
}
#else
CASE(paired_large_counts) {}
CASE(paired_ring) {}
CASE(parted_disconnect) {}
CASE(parted_far) {}
CASE(parted_order) {}
CASE(parted_ring) {}
CASE(parted_wrong) {}
#endif
