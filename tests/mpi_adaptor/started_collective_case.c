/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that are started and waited for. */
#include "mpi_case.h"

#include <string.h>

enum { N = PROCESSES };

static void wait_for(MPI_Request *request)
{
    MPI_Status status;
    CHECK(*request != MPI_REQUEST_NULL);
    CALL(MPI_Wait(request, &status));
    CHECK(*request == MPI_REQUEST_NULL);
}

static void start_simple(void)
{
    MPI_Request request, several[3];
    int value = my_rank == 1 ? 11 : 0, sum[3] = {0, 0, 0}, mine[3] = {my_rank, 1, 2}, all[N] = {0}, one = -1, flag = 0;
    CALL(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    while (!flag)
        if (!CALL(MPI_Test(&request, &flag, MPI_STATUS_IGNORE)))
            break;
    CALL(MPI_Ibcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(value, 11);
    for (int i = 0; i < 3; i++)
        CALL(MPI_Iallreduce(&mine[i], &sum[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &several[i]));
    CALL(MPI_Waitall(3, several, MPI_STATUSES_IGNORE));
    CHECK(sum[0] == 6 && sum[1] == 4 && sum[2] == 8);
    CALL(MPI_Iallreduce(MPI_IN_PLACE, mine, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request));
    wait_for(&request);
    CHECK(mine[0] == 3 && mine[1] == 1);
    CALL(MPI_Igather(&my_rank, 1, MPI_INT, all, 1, MPI_INT, 2, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(all[3], my_rank == 2 ? 3 : 0);
    CALL(MPI_Iscatter(all, 1, MPI_INT, &one, 1, MPI_INT, 2, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(one, my_rank);
    CALL(MPI_Iallgather(&my_rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(all[3], 3);
    CALL(MPI_Ireduce(&my_rank, &one, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(one, my_rank ? my_rank : 3);
    CALL(MPI_Iscan(&my_rank, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(one, my_rank * (my_rank + 1) / 2);
    one = -1;
    CALL(MPI_Iexscan(&my_rank, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(one, my_rank ? my_rank * (my_rank - 1) / 2 : -1);
}

static void start_v(void)
{
    MPI_Request request;
    int mine[N], all[10] = {0}, counts[N], places[N], got[N] = {0}, part = -1, ones[N] = {1, 1, 1, 1};
    for (int i = 0; i < N; i++) {
        mine[i] = 10 * my_rank + i;
        counts[i] = i + 1;
        places[i] = i * (i + 1) / 2;
    }
    CALL(MPI_Igatherv(mine, my_rank + 1, MPI_INT, all, counts, places, MPI_INT, 1, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(all[9], my_rank == 1 ? 33 : 0);
    CALL(MPI_Iscatterv(all, counts, places, MPI_INT, got, my_rank + 1, MPI_INT, 1, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(got[my_rank], 11 * my_rank);
    CALL(MPI_Iallgatherv(mine, my_rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(all[9], 33);
    EQUAL(all[5], 22);
    CALL(MPI_Ireduce_scatter(mine, &part, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(part, 60 + 4 * my_rank);
    CALL(MPI_Ireduce_scatter_block(mine, &part, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request));
    wait_for(&request);
    EQUAL(part, 30 + my_rank);
}

static void start_exchanges(void)
{
    MPI_Request request;
    int mine[N], got[N] = {0}, ones[N] = {1, 1, 1, 1}, places[N] = {0, 1, 2, 3}, bytes[N] = {12, 8, 4, 0};
    MPI_Datatype types[N], wide;
    CALL(MPI_Type_contiguous(4, MPI_BYTE, &wide));
    CALL(MPI_Type_commit(&wide));
    for (int i = 0; i < N; i++) {
        mine[i] = 10 * my_rank + i;
        types[i] = wide;
    }
    CALL(MPI_Ialltoall(mine, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD, &request));
    wait_for(&request);
    for (int i = 0; i < N; i++)
        EQUAL(got[i], 10 * i + my_rank);
    memset(got, 0, sizeof got);
    CALL(MPI_Ialltoallv(mine, ones, places, MPI_INT, got, ones, places, MPI_INT, MPI_COMM_WORLD, &request));
    wait_for(&request);
    for (int i = 0; i < N; i++)
        EQUAL(got[i], 10 * i + my_rank);
    /* The type may be freed while the call runs; the arrays are kept. */
    CALL(MPI_Ialltoallw(mine, ones, bytes, types, got, ones, bytes, types, MPI_COMM_WORLD, &request));
    CALL(MPI_Type_free(&wide));
    wait_for(&request);
    for (int i = 0; i < N; i++)
        EQUAL(got[N - 1 - i], 10 * i + N - 1 - my_rank);
}

const mpi_case started_collective_cases[] = {{"started_simple", start_simple}, {"started_v", start_v}, {"started_alltoall", start_exchanges}, {NULL, NULL}};
