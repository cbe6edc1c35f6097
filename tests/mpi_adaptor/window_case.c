/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided calls: windows of each kind, each way to synchronise, each transfer. */
#include "mpi_case.h"

#include <stdint.h>
#include <string.h>

enum { N = PROCESSES };

/* MPICH 4.0.2 on UCX puts to a wrong place in a window whose memory is not aligned to 16 bytes: all windows' memory is. */
#define WINDOW_MEMORY static _Alignas(64) int

static void put_with_fences(void)
{
    WINDOW_MEMORY memory[N];
    int mine = my_rank + 1, got = -1;
    MPI_Win win;
    MPI_Group group;
    int size = -1;
    CALL(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CALL(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    for (int r = 0; r < N; r++)
        CALL(MPI_Put(&mine, 1, MPI_INT, r, my_rank, 1, MPI_INT, win));
    CALL(MPI_Win_fence(0, win));
    for (int r = 0; r < N; r++)
        EQUAL(memory[r], r + 1);
    CALL(MPI_Get(&got, 1, MPI_INT, right, 2, 1, MPI_INT, win));
    CALL(MPI_Win_fence(0, win));
    EQUAL(got, 3);
    CALL(MPI_Accumulate(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    EQUAL(memory[0], my_rank ? 1 : 11);
    CALL(MPI_Win_get_group(win, &group));
    CALL(MPI_Group_size(group, &size));
    EQUAL(size, N);
    CALL(MPI_Group_free(&group));
    CALL(MPI_Win_free(&win));
    CHECK(win == MPI_WIN_NULL);
}

static void lock_and_fetch(void)
{
    int64_t *memory = NULL, mine = my_rank + 1, before = -1, zero = 0, compare = 10, value = 99, results[2] = {-1, -1};
    MPI_Win win;
    MPI_Request request;
    CALL(MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    memory[0] = memory[1] = 0;
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    CALL(MPI_Fetch_and_op(&mine, &before, MPI_INT64_T, 0, 0, MPI_SUM, win));
    CALL(MPI_Win_flush(0, win));
    CHECK(before >= 0 && before <= 10 - mine);
    CALL(MPI_Win_unlock(0, win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_lock_all(0, win));
    CALL(MPI_Fetch_and_op(&zero, &before, MPI_INT64_T, 0, 0, MPI_NO_OP, win));
    CALL(MPI_Win_flush_all(win));
    EQUAL(before, 10);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    if (my_rank == 2) {
        CALL(MPI_Compare_and_swap(&value, &compare, &before, MPI_INT64_T, 0, 0, win));
        CALL(MPI_Win_flush_local(0, win));
        CALL(MPI_Win_flush(0, win));
        EQUAL(before, 10);
    }
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Get_accumulate(&mine, 1, MPI_INT64_T, results, 1, MPI_INT64_T, right, 1, 1, MPI_INT64_T, MPI_REPLACE, win));
    CALL(MPI_Win_flush_local_all(win));
    CALL(MPI_Win_flush_all(win));
    EQUAL(results[0], 0);
    CALL(MPI_Rget(&results[1], 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, win, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(results[1], 99);
    CALL(MPI_Win_sync(win));
    CALL(MPI_Win_unlock_all(win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    EQUAL(memory[1], left + 1);
    CALL(MPI_Win_free(&win));
}

static void put_requests(void)
{
    WINDOW_MEMORY memory[3] = {1, 2, 3};
    int mine[2] = {my_rank, 10}, result = -1;
    MPI_Win win;
    MPI_Request requests[3];
    CALL(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CALL(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    CALL(MPI_Rput(&mine[0], 1, MPI_INT, right, 0, 1, MPI_INT, win, &requests[0]));
    CALL(MPI_Raccumulate(&mine[1], 1, MPI_INT, right, 4, 1, MPI_INT, MPI_SUM, win, &requests[1]));
    CALL(MPI_Rget_accumulate(&mine[1], 1, MPI_INT, &result, 1, MPI_INT, right, 8, 1, MPI_INT, MPI_PROD, win, &requests[2]));
    CALL(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    EQUAL(result, 3);
    CALL(MPI_Win_flush_all(win));
    CALL(MPI_Win_unlock_all(win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_lock(MPI_LOCK_SHARED, my_rank, 0, win));
    CHECK(memory[0] == left && memory[1] == 12 && memory[2] == 30);
    CALL(MPI_Win_unlock(my_rank, win));
    CALL(MPI_Win_free(&win));
}

/* Ranks 0 and 1 put to 2 and 3. */
static void post_and_start(void)
{
    WINDOW_MEMORY memory[2] = {-1, -1};
    int flag = 0;
    MPI_Group world, peers;
    MPI_Win win;
    bool is_origin = my_rank < 2;
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Group_incl(world, 2, is_origin ? (int[]){2, 3} : (int[]){0, 1}, &peers));
    CALL(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    for (int round = 0; round < 2; round++) {
        int mine = 10 * round + my_rank;
        if (is_origin) {
            CALL(MPI_Win_start(peers, 0, win));
            CALL(MPI_Put(&mine, 1, MPI_INT, 2, my_rank, 1, MPI_INT, win));
            CALL(MPI_Put(&mine, 1, MPI_INT, 3, my_rank, 1, MPI_INT, win));
            CALL(MPI_Win_complete(win));
            continue;
        }
        CALL(MPI_Win_post(peers, 0, win));
        for (flag = round; !flag;)
            if (!CALL(MPI_Win_test(win, &flag)))
                break;
        if (round)
            CALL(MPI_Win_wait(win));
        CHECK(memory[0] == 10 * round && memory[1] == 10 * round + 1);
    }
    CALL(MPI_Win_free(&win));
    CALL(MPI_Group_free(&peers));
    CALL(MPI_Group_free(&world));
}

static void share_memory(void)
{
    int *mine = NULL, *theirs = NULL, unit = -1;
    MPI_Aint size = -1;
    MPI_Win win;
    CALL(MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
    CALL(MPI_Win_lock_all(0, win));
    mine[0] = 7 * my_rank;
    CALL(MPI_Win_sync(win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_shared_query(win, right, &size, &unit, &theirs));
    EQUAL(size, 2 * sizeof(int));
    EQUAL(unit, sizeof(int));
    CALL(MPI_Win_sync(win));
    EQUAL(theirs[0], 7 * right);
    CALL(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &theirs));
    EQUAL(theirs[0], 0); /* the lowest rank's */
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_unlock_all(win));
    CALL(MPI_Win_free(&win));
}

static void attach_memory(void)
{
    WINDOW_MEMORY memory[2] = {-1, -1};
    MPI_Aint mine = 0, all[N];
    MPI_Win win;
    CALL(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CALL(MPI_Win_attach(win, memory, sizeof memory));
    CALL(MPI_Get_address(&memory[1], &mine));
    CALL(MPI_Allgather(&mine, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD));
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Put(&my_rank, 1, MPI_INT, right, all[right], 1, MPI_INT, win));
    CALL(MPI_Win_fence(0, win));
    CHECK(memory[0] == -1 && memory[1] == left);
    CALL(MPI_Win_detach(win, memory));
    CALL(MPI_Win_free(&win));
}

static void name_windows(void)
{
    WINDOW_MEMORY memory[2];
    int length = -1;
    char name[MPI_MAX_OBJECT_NAME] = "";
    MPI_Info info, got;
    MPI_Win win;
    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "no_locks", "true"));
    CALL(MPI_Win_create(memory, sizeof memory, 1, info, MPI_COMM_WORLD, &win));
    CALL(MPI_Win_set_name(win, "my window"));
    CALL(MPI_Win_get_name(win, name, &length));
    CHECK(strcmp(name, "my window") == 0 && length == 9);
    CALL(MPI_Win_set_info(win, info));
    CALL(MPI_Win_get_info(win, &got));
    CHECK(got != MPI_INFO_NULL);
    CALL(MPI_Info_free(&got));
    CALL(MPI_Info_free(&info));
    CALL(MPI_Win_free(&win));
}

const mpi_case window_cases[] = {{"window_fence", put_with_fences}, {"window_lock", lock_and_fetch},  {"window_requests", put_requests},
                                 {"window_post", post_and_start},   {"window_shared", share_memory}, {"window_dynamic", attach_memory},
                                 {"window_names", name_windows},    {NULL, NULL}};
