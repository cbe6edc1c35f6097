/* SPDX-License-Identifier: BSD-3-Clause */
/* What is possible inside a job only: inter-communicators, windows, files. Over jobs it is refused at all members, so none waits for another. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "universe_case.h"

static void set_handlers(MPI_Errhandler handler)
{
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
}

/* The first rank of MPI_COMM_WORLD that is in a job. */
static int first_of(int job)
{
    int rank = 0;
    while (job_of(rank) != job)
        rank++;
    return rank;
}

/* The peer communicator is the world, as in most programs. */
CASE(intercomm_in_job)
{
    MPI_Comm job, half, inter, all;
    int size = 0, rank = -1, flag = 0, remote = -1, me = first_of(job_of(my_rank));
    CALL(MPI_Comm_split(MPI_COMM_WORLD, job_of(my_rank), my_rank, &job));
    CALL(MPI_Comm_size(job, &size));
    CALL(MPI_Comm_rank(job, &rank));
    CALL(MPI_Comm_split(job, rank % 2, rank, &half));
    if (size > 1) {
        MPI_Group group, world;
        int zero = 0, leader = -1;
        CALL(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me + (rank % 2 ? 0 : 1), 5, &inter));
        CALL(MPI_Comm_test_inter(inter, &flag));
        EQUAL(flag, 1);
        CALL(MPI_Comm_remote_size(inter, &remote));
        EQUAL(remote, rank % 2 ? (size + 1) / 2 : size / 2);
        CALL(MPI_Comm_remote_group(inter, &group));
        CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
        CALL(MPI_Group_translate_ranks(group, 1, &zero, world, &leader));
        EQUAL(leader, me + (rank % 2 ? 0 : 1));
        CALL(MPI_Group_free(&group));
        CALL(MPI_Group_free(&world));
        CALL(MPI_Intercomm_merge(inter, rank % 2, &all));
        CALL(MPI_Comm_size(all, &remote));
        EQUAL(remote, size);
        CALL(MPI_Comm_free(&all));
        CALL(MPI_Comm_free(&inter));
    }
    CALL(MPI_Comm_free(&half));
    CALL(MPI_Comm_free(&job));
}

/* Two parts of the world with leaders that are first and second ranks: refused when they are not inside one job. */
static void intercomm_between(bool is_second, int first, int second)
{
    MPI_Comm part, inter = MPI_COMM_NULL;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, is_second, my_rank, &part));
    if (jobs > 1)
        FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, is_second ? first : second, 3, &inter));
    CALL(MPI_Comm_free(&part));
}

CASE(refusal_intercomm)
{
    set_handlers(MPI_ERRORS_RETURN);
    if (jobs > 1) {
        intercomm_between(job_of(my_rank) > 0, 0, first_of(1));
        if (job_of(1) == 0)
            intercomm_between(my_rank == 1, 0, 1); /* the leaders are in one job, a member is not */
    }
    set_handlers(MPI_ERRORS_ARE_FATAL);
}

CASE(refusal_over_jobs)
{
    MPI_Win win;
    MPI_File file;
    MPI_Comm inter;
    static int memory[4];
    void *got;
    if (jobs == 1)
        return;
    set_handlers(MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &got, &win));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Win_allocate_shared(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &got, &win));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_open(MPI_COMM_WORLD, "/nowhere", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Comm_accept("nowhere", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Comm_connect("nowhere", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION,
          MPI_Comm_spawn("nothing", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
    set_handlers(MPI_ERRORS_ARE_FATAL);
}

static void check_group_is_job(MPI_Group group)
{
    MPI_Group world;
    int size = 0, world_rank = -1;
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Group_size(group, &size));
    for (int r = 0; r < size; r++) {
        CALL(MPI_Group_translate_ranks(group, 1, &r, world, &world_rank));
        EQUAL(world_rank, first_of(job_of(my_rank)) + r);
    }
    CALL(MPI_Group_free(&world));
}

/* Groups that a window takes and returns, and that a file returns, are those of the world. */
static void window_in(MPI_Comm job)
{
    MPI_Win win;
    MPI_Group world, others, got;
    static _Alignas(16) int memory; /* MPICH 4.0.2 misplaces what it puts elsewhere */
    int value = my_rank, size = 0, rank = 0;
    memory = -1;
    CALL(MPI_Comm_size(job, &size));
    CALL(MPI_Comm_rank(job, &rank));
    CALL(MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, job, &win));
    CALL(MPI_Win_get_group(win, &got));
    check_group_is_job(got);
    CALL(MPI_Group_free(&got));
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    int first = my_rank - rank, before = first + (rank + size - 1) % size, behind = first + (rank + 1) % size;
    CALL(MPI_Group_incl(world, 1, &before, &others));
    CALL(MPI_Win_post(others, 0, win));
    CALL(MPI_Group_free(&others));
    CALL(MPI_Group_incl(world, 1, &behind, &others));
    CALL(MPI_Win_start(others, 0, win));
    CALL(MPI_Put(&value, 1, MPI_INT, behind - first, 0, 1, MPI_INT, win));
    CALL(MPI_Win_complete(win));
    CALL(MPI_Win_wait(win));
    EQUAL(memory, before);
    CALL(MPI_Group_free(&others));
    CALL(MPI_Group_free(&world));
    CALL(MPI_Win_free(&win));
}

CASE(window_in_job)
{
    MPI_Comm job;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, job_of(my_rank), my_rank, &job));
    window_in(job);
    CALL(MPI_Comm_free(&job));
}

CASE(file_in_job)
{
    MPI_File file;
    MPI_Group group;
    char path[64];
    int rank = -1;
    snprintf(path, sizeof path, "/tmp/h3ou_universe_%ld_%d", (long)getpid(), my_rank);
    CALL(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    CALL(MPI_File_get_group(file, &group));
    CALL(MPI_Group_rank(group, &rank));
    EQUAL(rank, 0);
    CALL(MPI_Group_free(&group));
    CALL(MPI_File_close(&file));
}
