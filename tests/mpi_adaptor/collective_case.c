/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that block, with v and w forms, in place, and what only the root passes. */
#include "mpi_case.h"

#include <string.h>

enum { N = PROCESSES };

static void broadcast(void)
{
    char text[16] = "";
    int before = barriers_counted;
    if (my_rank == 2)
        strcpy(text, "from rank 2");
    CALL(MPI_Bcast(text, sizeof text, MPI_CHAR, 2, MPI_COMM_WORLD));
    CHECK(strcmp(text, "from rank 2") == 0);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    EQUAL(barriers_counted, before + 1);
}

static void gather_scatter(void)
{
    int mine[2] = {my_rank, my_rank * my_rank}, all[2 * N] = {0}, one = -1;
    /* What counts at the root only is nonsense elsewhere. */
    bool is_root = my_rank == 1;
    CALL(MPI_Gather(mine, 2, MPI_INT, is_root ? all : NULL, is_root ? 2 : -3, is_root ? MPI_INT : MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD));
    for (int i = 0; i < N && is_root; i++)
        EQUAL(all[2 * i + 1], i * i);
    if (is_root) {
        all[2] = 77;
        CALL(MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_INT, 1, MPI_COMM_WORLD));
        EQUAL(all[2], 77);
        EQUAL(all[7], 9);
        for (int i = 0; i < N; i++)
            all[i] = 50 + i;
        CALL(MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, 1, MPI_COMM_WORLD));
    } else {
        CALL(MPI_Gather(mine, 2, MPI_INT, NULL, 0, MPI_INT, 1, MPI_COMM_WORLD));
        CALL(MPI_Scatter(NULL, 0, MPI_INT, &one, 1, MPI_INT, 1, MPI_COMM_WORLD));
        EQUAL(one, 50 + my_rank);
    }
    CALL(MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD));
    EQUAL(all[6], 3);
    EQUAL(all[7], 9);
    memset(all, 0, sizeof all);
    all[my_rank] = my_rank + 1;
    CALL(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(all[i], i + 1);
}

static void gather_scatter_v(void)
{
    int mine[N], all[16] = {0}, counts[N], places[N], got[N] = {0};
    for (int i = 0, place = 0; i < N; i++) {
        mine[i] = 10 * my_rank + i;
        counts[i] = i + 1;
        places[i] = place;
        place += i + 2; /* with a hole after each */
    }
    CALL(MPI_Gatherv(mine, my_rank + 1, MPI_INT, my_rank ? NULL : all, my_rank ? NULL : counts, my_rank ? NULL : places, MPI_INT, 0,
                     MPI_COMM_WORLD));
    if (my_rank == 0)
        EQUAL(all[places[3] + 3], 33);
    CALL(MPI_Scatterv(all, counts, places, MPI_INT, got, my_rank + 1, MPI_INT, 0, MPI_COMM_WORLD));
    EQUAL(got[my_rank], 11 * my_rank);
    memset(all, 0, sizeof all);
    CALL(MPI_Allgatherv(mine, my_rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(all[places[i] + i], 11 * i);
    EQUAL(all[places[1] + 2], 0);
}

static void exchange_all(void)
{
    int mine[N], got[N] = {0}, counts[N], places[N], bytes[N], ones[N] = {1, 1, 1, 1}, v[N];
    MPI_Datatype types[N] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    for (int i = 0; i < N; i++) {
        mine[i] = 10 * my_rank + i;
        counts[i] = i == my_rank ? 0 : 1;
        places[i] = i;
        bytes[i] = 4 * (N - 1 - i);
        v[i] = -1;
    }
    CALL(MPI_Alltoall(mine, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(got[i], 10 * i + my_rank);
    CALL(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(got[i], mine[i]);
    CALL(MPI_Alltoallv(mine, counts, places, MPI_INT, v, counts, places, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(v[i], i == my_rank ? -1 : 10 * i + my_rank);
    CALL(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, got, ones, places, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(got[i], 10 * i + my_rank);
    types[2] = MPI_UNSIGNED; /* one type for messages to rank 2, and for what rank 2 receives */
    MPI_Datatype receive[N];
    for (int i = 0; i < N; i++)
        receive[i] = my_rank == 2 ? MPI_UNSIGNED : MPI_INT;
    int forward[N] = {0, 4, 8, 12};
    CALL(MPI_Alltoallw(mine, ones, forward, types, got, ones, bytes, receive, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(got[N - 1 - i], 10 * i + my_rank);
    for (int i = 0; i < N; i++) {
        types[i] = MPI_INT;
        got[i] = mine[i];
    }
    CALL(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, got, ones, forward, types, MPI_COMM_WORLD));
    for (int i = 0; i < N; i++)
        EQUAL(got[i], 10 * i + my_rank);
}

static void reduce(void)
{
    double mine[2] = {my_rank + 0.5, -my_rank}, got[2] = {0, 0};
    int value = my_rank + 1, sum = 0, counts[N] = {1, 0, 2, 1}, many[N], part[2] = {0, 0};
    CALL(MPI_Reduce(mine, my_rank == 3 ? got : NULL, 2, MPI_DOUBLE, MPI_SUM, 3, MPI_COMM_WORLD));
    if (my_rank == 3)
        CHECK(got[0] == 8.0 && got[1] == -6.0);
    CALL(my_rank == 3 ? MPI_Reduce(MPI_IN_PLACE, mine, 2, MPI_DOUBLE, MPI_MIN, 3, MPI_COMM_WORLD)
                      : MPI_Reduce(mine, NULL, 2, MPI_DOUBLE, MPI_MIN, 3, MPI_COMM_WORLD));
    if (my_rank == 3)
        CHECK(mine[0] == 0.5 && mine[1] == -3.0);
    CALL(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD));
    EQUAL(sum, 24);
    CALL(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    EQUAL(value, 4);
    value = my_rank + 1;
    for (int i = 0; i < N; i++)
        many[i] = i + my_rank;
    CALL(MPI_Reduce_scatter(many, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (my_rank == 2)
        CHECK(part[0] == 4 + 6 && part[1] == 8 + 6);
    if (my_rank == 0)
        EQUAL(part[0], 6);
    CALL(MPI_Reduce_scatter_block(many, part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(part[0], 4 * my_rank + 6);
    CALL(MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(sum, (my_rank + 1) * (my_rank + 2) / 2);
    sum = -1;
    CALL(MPI_Exscan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(sum, my_rank ? my_rank * (my_rank + 1) / 2 : -1);
    CALL(MPI_Scan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(value, (my_rank + 1) * (my_rank + 2) / 2);
    CALL(MPI_Reduce_local(&value, &sum, 1, MPI_INT, MPI_MAX));
    EQUAL(sum, value);
}

/* Between {0, 1} and {2, 3}: each group gets what the other has. */
static void between_groups(void)
{
    MPI_Comm half, inter;
    int side = my_rank / 2, value = my_rank + 1, got = -1, two[2] = {-1, -1};
    CALL(MPI_Comm_split(MPI_COMM_WORLD, side, my_rank, &half));
    CALL(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : 2, 7, &inter));
    CALL(MPI_Allreduce(&value, &got, 1, MPI_INT, MPI_SUM, inter));
    EQUAL(got, side ? 3 : 7);
    CALL(MPI_Allgather(&value, 1, MPI_INT, two, 1, MPI_INT, inter));
    EQUAL(two[0], side ? 1 : 3);
    EQUAL(two[1], side ? 2 : 4);
    got = 1000 + my_rank;
    CALL(MPI_Bcast(&got, 1, MPI_INT, my_rank == 1 ? MPI_ROOT : my_rank == 0 ? MPI_PROC_NULL : 1, inter));
    EQUAL(got, side ? 1001 : 1000 + my_rank);
    two[0] = -1;
    CALL(MPI_Gather(&value, 1, MPI_INT, two, 1, MPI_INT, my_rank == 2 ? MPI_ROOT : my_rank == 3 ? MPI_PROC_NULL : 0, inter));
    EQUAL(two[0], my_rank == 2 ? 1 : -1);
    CALL(MPI_Barrier(inter));
    CALL(MPI_Comm_free(&inter));
    CALL(MPI_Comm_free(&half));
}

const mpi_case collective_cases[] = {{"collective_bcast", broadcast},       {"collective_gather", gather_scatter},
                                     {"collective_gatherv", gather_scatter_v}, {"collective_alltoall", exchange_all},
                                     {"collective_reduce", reduce},         {"collective_inter", between_groups},
                                     {NULL, NULL}};
