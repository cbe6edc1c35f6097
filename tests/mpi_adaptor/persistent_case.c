/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collective calls: MPI-4 has them, and Open MPI 4.1 as an extension. Each is started twice, with other values. */
#include "mpi_case.h"

#include <string.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

enum { N = PROCESSES };

/* MPICH 4.0.2 gives wrong values when a gather, a scatter or a reduction is started a second time. */
static int rounds(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    CALL(MPI_Get_library_version(text, &length));
    return strstr(text, "MPICH") ? 1 : 2;
}

/* Starts the request and waits. */
static void complete(MPI_Request *request)
{
    CALL(MPI_Start(request));
    CALL(MPI_Wait(request, MPI_STATUS_IGNORE));
    CHECK(*request != MPI_REQUEST_NULL);
}

static void end(MPI_Request *request)
{
    CALL(MPI_Request_free(request));
    CHECK(*request == MPI_REQUEST_NULL);
}

static void to_all(void)
{
    int value = 0, mine = 0, sums[3] = {0};
    MPI_Request bcast, barrier, reductions[3];
    CALL(INIT(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier));
    CALL(INIT(Bcast)(&value, 1, MPI_INT, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast));
    CALL(INIT(Allreduce)(&mine, &sums[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &reductions[0]));
    CALL(INIT(Scan)(&mine, &sums[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &reductions[1]));
    CALL(INIT(Exscan)(&mine, &sums[2], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &reductions[2]));
    for (int round = 1; round <= 2; round++) {
        mine = round * (my_rank + 1);
        value = my_rank == 2 ? 70 + round : 0;
        sums[2] = -1;
        complete(&barrier);
        complete(&bcast);
        EQUAL(value, 70 + round);
        CALL(MPI_Startall(3, reductions));
        CALL(MPI_Waitall(3, reductions, MPI_STATUSES_IGNORE));
        EQUAL(sums[0], 10 * round);
        EQUAL(sums[1], round * (my_rank + 1) * (my_rank + 2) / 2);
        EQUAL(sums[2], my_rank ? round * my_rank * (my_rank + 1) / 2 : -1);
    }
    for (int i = 0; i < 3; i++)
        end(&reductions[i]);
    end(&barrier);
    end(&bcast);
}

static void of_reductions(void)
{
    int mine = 0, reduced = -1, parts[N] = {0}, part = 0, ones[N] = {1, 1, 1, 1};
    MPI_Request request;
    CALL(INIT(Reduce)(&mine, &reduced, 1, MPI_INT, MPI_MAX, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        mine = round * (my_rank + 1);
        complete(&request);
        EQUAL(reduced, my_rank == 3 ? 4 * round : -1);
    }
    end(&request);
    CALL(INIT(Reduce_scatter_block)(parts, &part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        for (int i = 0; i < N; i++)
            parts[i] = round * (10 * my_rank + i);
        complete(&request);
        EQUAL(part, round * (60 + 4 * my_rank));
    }
    end(&request);
    CALL(INIT(Reduce_scatter)(parts, &part, ones, MPI_INT, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        for (int i = 0; i < N; i++)
            parts[i] = round * (10 * my_rank + i);
        complete(&request);
        EQUAL(part, round * my_rank);
    }
    end(&request);
}

/* MPICH 4.0.2 returns before the values are there. */
static void of_gather(void)
{
    int mine = 0, all[N] = {0};
    MPI_Request request;
    CALL(INIT(Gather)(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        mine = round * (my_rank + 1);
        complete(&request);
        EQUAL(all[3], my_rank == 0 ? 4 * round : 0);
    }
    end(&request);
}

static void of_parts(void)
{
    int mine = 0, all[N] = {0}, got = -1;
    MPI_Request request;
    CALL(INIT(Scatter)(all, 1, MPI_INT, &got, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        for (int i = 0; i < N; i++)
            all[i] = round * (10 * my_rank + i);
        complete(&request);
        EQUAL(got, round * (10 + my_rank));
    }
    end(&request);
    CALL(INIT(Allgather)(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        mine = round * (my_rank + 1);
        complete(&request);
        for (int i = 0; i < N; i++)
            EQUAL(all[i], round * (i + 1));
    }
    end(&request);
}

static void of_unequal_parts(void)
{
    int mine[N] = {0}, counts[N], places[N], many[10] = {0}, few[N] = {0};
    MPI_Request request;
    for (int i = 0; i < N; i++) {
        counts[i] = i + 1;
        places[i] = i * (i + 1) / 2;
        mine[i] = 10 * my_rank + i;
    }
    CALL(INIT(Gatherv)(mine, my_rank + 1, MPI_INT, many, counts, places, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        mine[my_rank] = 100 * round + my_rank;
        complete(&request);
        if (my_rank == 0)
            CHECK(many[9] == 100 * round + 3 && many[8] == 32 && many[0] == 100 * round);
    }
    end(&request);
    CALL(INIT(Scatterv)(many, counts, places, MPI_INT, few, my_rank + 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        for (int i = 0; i < 10; i++)
            many[i] = 100 * round + i;
        complete(&request);
        EQUAL(few[my_rank], 100 * round + places[my_rank] + my_rank);
    }
    end(&request);
    CALL(INIT(Allgatherv)(mine, my_rank + 1, MPI_INT, many, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int round = 1; round <= rounds(); round++) {
        mine[my_rank] = 100 * round + my_rank;
        complete(&request);
        CHECK(many[0] == 100 * round && many[4] == 21 && many[5] == 100 * round + 2 && many[9] == 100 * round + 3);
    }
    end(&request);
}

static void of_exchanges(void)
{
    int mine[N] = {0}, got[3][N] = {{0}}, ones[N] = {1, 1, 1, 1}, places[N] = {0, 1, 2, 3}, bytes[N] = {12, 8, 4, 0};
    MPI_Datatype types[N] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Request requests[3];
    CALL(INIT(Alltoall)(mine, 1, MPI_INT, got[0], 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    CALL(INIT(Alltoallv)(mine, ones, places, MPI_INT, got[1], ones, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    CALL(INIT(Alltoallw)(mine, ones, bytes, types, got[2], ones, bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]));
    for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < N; i++)
            mine[i] = 100 * round + 10 * my_rank + i;
        for (int i = 0; i < 3; i++)
            complete(&requests[i]);
        for (int i = 0; i < N; i++) {
            EQUAL(got[0][i], 100 * round + 10 * i + my_rank);
            EQUAL(got[1][i], got[0][i]);
            EQUAL(got[2][N - 1 - i], 100 * round + 10 * i + N - 1 - my_rank);
        }
    }
    for (int i = 0; i < 3; i++)
        end(&requests[i]);
}

/* On a ring: what goes left is the first value, and the left neighbour's second one comes. */
static void of_neighbours(void)
{
    int periodic = 1, size = N, mine[2] = {0}, got[5][2] = {{0}}, counts[2] = {1, 1}, places[2] = {1, 0};
    MPI_Aint bytes[2] = {4, 0}, straight[2] = {0, 4};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Comm ring;
    MPI_Request requests[5];
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring));
    CALL(INIT(Neighbor_allgather)(mine, 1, MPI_INT, got[0], 1, MPI_INT, ring, MPI_INFO_NULL, &requests[0]));
    CALL(INIT(Neighbor_allgatherv)(mine, 1, MPI_INT, got[1], counts, places, MPI_INT, ring, MPI_INFO_NULL, &requests[1]));
    CALL(INIT(Neighbor_alltoall)(mine, 1, MPI_INT, got[2], 1, MPI_INT, ring, MPI_INFO_NULL, &requests[2]));
    CALL(INIT(Neighbor_alltoallv)(mine, counts, places, MPI_INT, got[3], counts, places, MPI_INT, ring, MPI_INFO_NULL, &requests[3]));
    CALL(INIT(Neighbor_alltoallw)(mine, counts, bytes, types, got[4], counts, straight, types, ring, MPI_INFO_NULL, &requests[4]));
    for (int round = 1; round <= 2; round++) {
        mine[0] = 100 * round + 10 * my_rank;
        mine[1] = mine[0] + 1;
        for (int i = 0; i < 5; i++)
            complete(&requests[i]);
        int from_left = 100 * round + 10 * left, from_right = 100 * round + 10 * right;
        CHECK(got[0][0] == from_left && got[0][1] == from_right);
        CHECK(got[1][1] == from_left && got[1][0] == from_right);
        CHECK(got[2][0] == from_left + 1 && got[2][1] == from_right);
        CHECK(got[3][1] == from_left && got[3][0] == from_right + 1);
        CHECK(got[4][0] == from_left && got[4][1] == from_right + 1);
    }
    for (int i = 0; i < 5; i++)
        end(&requests[i]);
    CALL(MPI_Comm_free(&ring));
}

const mpi_case persistent_cases[] = {{"persistent_all", to_all},
                                     {"persistent_reductions", of_reductions},
                                     {"persistent_gather", of_gather},
                                     {"persistent_parts", of_parts},
                                     {"persistent_unequal", of_unequal_parts},
                                     {"persistent_exchanges", of_exchanges},
                                     {"persistent_neighbours", of_neighbours},
                                     {NULL, NULL}};
