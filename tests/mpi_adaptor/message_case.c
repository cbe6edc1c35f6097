/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between two processes: modes, wildcards, statuses, probes, cancelled receives. */
#include "mpi_case.h"

#include <stdlib.h>
#include <string.h>

static int count_of(const MPI_Status *status, MPI_Datatype type)
{
    int n = -1;
    CALL(MPI_Get_count(status, type, &n));
    return n;
}

static void send_modes(void)
{
    static char room[1024 + MPI_BSEND_OVERHEAD];
    int got[4] = {-1, -1, -1, -1}, mine[4] = {my_rank, 10, 20, 30}, size = 0;
    void *old = NULL;
    MPI_Request request;
    MPI_Status status;
    /* From rank 0 to 1 and from 2 to 3, once in each mode. */
    CALL(MPI_Buffer_attach(room, sizeof room));
    if (my_rank % 2 == 0) {
        CALL(MPI_Send(mine, 4, MPI_INT, right, 1, MPI_COMM_WORLD));
        CALL(MPI_Ssend(mine, 3, MPI_INT, right, 2, MPI_COMM_WORLD));
        CALL(MPI_Bsend(mine, 2, MPI_INT, right, 3, MPI_COMM_WORLD));
        CALL(MPI_Recv(got, 0, MPI_INT, right, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CALL(MPI_Rsend(mine, 1, MPI_INT, right, 4, MPI_COMM_WORLD));
    } else {
        for (int tag = 1; tag <= 3; tag++) {
            CALL(MPI_Recv(got, 4, MPI_INT, left, tag, MPI_COMM_WORLD, &status));
            EQUAL(status.MPI_SOURCE, left);
            EQUAL(status.MPI_TAG, tag);
            EQUAL(count_of(&status, MPI_INT), 5 - tag);
            EQUAL(got[0], left);
            EQUAL(got[3], 30);
        }
        CALL(MPI_Irecv(got, 4, MPI_INT, left, 4, MPI_COMM_WORLD, &request));
        CALL(MPI_Send(got, 0, MPI_INT, left, 9, MPI_COMM_WORLD));
        CALL(MPI_Wait(&request, &status));
        EQUAL(count_of(&status, MPI_INT), 1);
        CHECK(request == MPI_REQUEST_NULL);
    }
    CALL(MPI_Buffer_detach(&old, &size));
    CHECK(old == room);
    EQUAL(size, sizeof room);
}

static void send_wildcards(void)
{
    MPI_Status status;
    int sum = 0;
    if (my_rank) {
        double value[2] = {my_rank, 0.5};
        CALL(MPI_Send(value, my_rank % 2 + 1, MPI_DOUBLE, 0, 100 + my_rank, MPI_COMM_WORLD));
    } else {
        for (int i = 1; i < PROCESSES; i++) {
            double value[2] = {0, 0};
            CALL(MPI_Recv(value, 2, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
            EQUAL(status.MPI_TAG, 100 + status.MPI_SOURCE);
            EQUAL(value[0], status.MPI_SOURCE);
            EQUAL(count_of(&status, MPI_DOUBLE), status.MPI_SOURCE % 2 + 1);
            EQUAL(count_of(&status, MPI_BYTE), 8 * (status.MPI_SOURCE % 2 + 1));
            EQUAL(count_of(&status, MPI_LONG_DOUBLE), status.MPI_SOURCE % 2 ? 1 : MPI_UNDEFINED);
            sum += status.MPI_SOURCE;
        }
        EQUAL(sum, 6);
    }
}

static void send_and_receive(void)
{
    int mine = 7 * my_rank, got = -1, replaced = my_rank;
    MPI_Status status;
    CALL(MPI_Sendrecv(&mine, 1, MPI_INT, right, 5, &got, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &status));
    EQUAL(got, 7 * left);
    EQUAL(status.MPI_SOURCE, left);
    CALL(MPI_Sendrecv_replace(&replaced, 1, MPI_INT, left, 6, right, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    EQUAL(replaced, right);
    EQUAL(status.MPI_TAG, 6);
    CALL(MPI_Sendrecv(&mine, 1, MPI_INT, my_rank, 5, &got, 1, MPI_INT, my_rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(got, mine);
    CALL(MPI_Send(&mine, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD));
    got = -5;
    CALL(MPI_Recv(&got, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status));
    EQUAL(got, -5);
    EQUAL(status.MPI_SOURCE, MPI_PROC_NULL);
    EQUAL(status.MPI_TAG, MPI_ANY_TAG);
    EQUAL(count_of(&status, MPI_INT), 0);
}

static void probe_messages(void)
{
    MPI_Status status;
    int flag = 0, got[3] = {0, 0, 0}, mine[3] = {my_rank, my_rank + 1, my_rank + 2};
    MPI_Request request;
    CALL(MPI_Isend(mine, 3, MPI_INT, right, 11, MPI_COMM_WORLD, &request));
    CALL(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    EQUAL(status.MPI_SOURCE, left);
    EQUAL(status.MPI_TAG, 11);
    EQUAL(count_of(&status, MPI_INT), 3);
    CALL(MPI_Iprobe(left, 11, MPI_COMM_WORLD, &flag, &status));
    EQUAL(flag, 1);
    CALL(MPI_Iprobe(left, 12, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    EQUAL(flag, 0);
    CALL(MPI_Recv(got, 3, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(got[2], left + 2);
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
    EQUAL(status.MPI_SOURCE, MPI_PROC_NULL);
}

static void probe_matched(void)
{
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request sends[2], receive;
    int flag = 0, got[2] = {-1, -1}, mine[2] = {my_rank, 77};
    CALL(MPI_Isend(mine, 2, MPI_INT, right, 21, MPI_COMM_WORLD, &sends[0]));
    CALL(MPI_Isend(mine, 1, MPI_INT, right, 22, MPI_COMM_WORLD, &sends[1]));
    CALL(MPI_Mprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
    EQUAL(status.MPI_TAG, 21);
    CHECK(message != MPI_MESSAGE_NULL);
    CALL(MPI_Mrecv(got, 2, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    EQUAL(got[0], left);
    EQUAL(got[1], 77);
    EQUAL(count_of(&status, MPI_INT), 2);
    while (!flag)
        if (!CALL(MPI_Improbe(MPI_ANY_SOURCE, 22, MPI_COMM_WORLD, &flag, &message, &status)))
            break;
    got[0] = -1;
    CALL(MPI_Imrecv(got, 1, MPI_INT, &message, &receive));
    CALL(MPI_Wait(&receive, &status));
    EQUAL(got[0], left);
    EQUAL(status.MPI_SOURCE, left);
    CALL(MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC);
    CALL(MPI_Mrecv(got, 1, MPI_INT, &message, &status));
    EQUAL(status.MPI_SOURCE, MPI_PROC_NULL);
    CALL(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
}

static void cancel_receive(void)
{
    MPI_Request request;
    MPI_Status status;
    int got = 5, flag = 0;
    CALL(MPI_Irecv(&got, 1, MPI_INT, my_rank, 999, MPI_COMM_WORLD, &request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 1);
    EQUAL(got, 5);
    CALL(MPI_Sendrecv(&got, 1, MPI_INT, my_rank, 998, &flag, 1, MPI_INT, my_rank, 998, MPI_COMM_WORLD, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 0);
}

static void set_statuses(void)
{
    MPI_Status status;
    MPI_Count large = -1;
    int n = -1, flag = -1;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 3;
    CALL(MPI_Status_set_elements(&status, MPI_INT, 12));
    CALL(MPI_Status_set_cancelled(&status, 1));
    CALL(MPI_Get_elements(&status, MPI_INT, &n));
    EQUAL(n, 12);
    EQUAL(count_of(&status, MPI_BYTE), 48);
    CALL(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 1);
    CALL(MPI_Status_set_cancelled(&status, 0));
    CALL(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)5000000000));
    CALL(MPI_Get_elements_x(&status, MPI_BYTE, &large));
    EQUAL(large, 5000000000);
    CALL(MPI_Get_count(&status, MPI_BYTE, &n));
    EQUAL(n, MPI_UNDEFINED);
    EQUAL(status.MPI_SOURCE, 3);
}

static void send_absolute(void)
{
    /* A type of absolute addresses with MPI_BOTTOM, and elements of a type received in part. */
    int a = my_rank, b[3] = {1, 2, 3}, lengths[2] = {1, 3}, got[8] = {0}, n = -1;
    MPI_Aint places[2];
    MPI_Datatype kinds[2] = {MPI_INT, MPI_INT}, type, pair;
    MPI_Status status;
    CALL(MPI_Get_address(&a, &places[0]));
    CALL(MPI_Get_address(b, &places[1]));
    CALL(MPI_Type_create_struct(2, lengths, places, kinds, &type));
    CALL(MPI_Type_commit(&type));
    CALL(MPI_Type_contiguous(2, MPI_INT, &pair));
    CALL(MPI_Type_commit(&pair));
    CALL(MPI_Sendrecv(MPI_BOTTOM, 1, type, right, 1, got, 4, pair, left, 1, MPI_COMM_WORLD, &status));
    EQUAL(got[0], left);
    EQUAL(got[3], 3);
    EQUAL(count_of(&status, pair), 2);
    CALL(MPI_Get_elements(&status, pair, &n));
    EQUAL(n, 4);
    CALL(MPI_Sendrecv(b, 3, MPI_INT, right, 1, got, 4, pair, left, 1, MPI_COMM_WORLD, &status));
    EQUAL(count_of(&status, pair), MPI_UNDEFINED);
    CALL(MPI_Get_elements(&status, pair, &n));
    EQUAL(n, 3);
    CALL(MPI_Type_free(&type));
    CALL(MPI_Type_free(&pair));
    CHECK(type == MPI_DATATYPE_NULL);
}

static void send_megabytes(void)
{
    enum { N = 300000 };
    int *mine = malloc(sizeof *mine * N), *got = malloc(sizeof *got * N), wrong = 0;
    MPI_Request requests[2];
    if (!CHECK(mine && got))
        return;
    for (int i = 0; i < N; i++)
        mine[i] = i * 3 + my_rank;
    CALL(MPI_Irecv(got, N, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]));
    CALL(MPI_Isend(mine, N, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]));
    CALL(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < N; i++)
        wrong += got[i] != i * 3 + left;
    EQUAL(wrong, 0);
    free(mine);
    free(got);
}

const mpi_case message_cases[] = {{"message_modes", send_modes},
                                  {"message_wildcards", send_wildcards},
                                  {"message_sendrecv", send_and_receive},
                                  {"message_probe", probe_messages},
                                  {"message_mprobe", probe_matched},
                                  {"message_cancel", cancel_receive},
                                  {"message_status", set_statuses},
                                  {"message_bottom", send_absolute},
                                  {"message_large", send_megabytes},
                                  {NULL, NULL}};
