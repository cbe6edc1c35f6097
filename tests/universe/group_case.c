/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups: made of the world, of communicators inside a job, and of each other. */
#include "universe_case.h"

static void check_group(MPI_Group group, int size, const int world_rank[])
{
    MPI_Group world;
    int n = -1, all[64];
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Group_size(group, &n));
    EQUAL(n, size);
    for (int i = 0; i < n; i++)
        CALL(MPI_Group_translate_ranks(group, 1, &i, world, &all[i]));
    for (int i = 0; i < n && n == size; i++)
        EQUAL(all[i], world_rank[i]);
    CALL(MPI_Group_free(&world));
}

static void check_compare(MPI_Group a, MPI_Group b, int expected)
{
    int result = -1;
    CALL(MPI_Group_compare(a, b, &result));
    EQUAL(result, expected);
}

CASE(group_incl)
{
    MPI_Group world, some, others, reversed;
    int last = world_size - 1, all[64], rank = -1, two[2] = {last, 0}, range[1][3] = {{last, 0, -1}};
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Group_rank(world, &rank));
    EQUAL(rank, my_rank);
    CALL(MPI_Group_incl(world, 2, two, &some));
    check_group(some, 2, two);
    CALL(MPI_Group_rank(some, &rank));
    EQUAL(rank, my_rank == last ? 0 : my_rank == 0 ? 1 : MPI_UNDEFINED);
    CALL(MPI_Group_excl(world, 2, two, &others));
    for (int i = 0; i < world_size; i++)
        all[i] = i + 1;
    check_group(others, world_size - 2, all);
    CALL(MPI_Group_range_incl(world, 1, range, &reversed));
    for (int i = 0; i < world_size; i++)
        all[i] = last - i;
    check_group(reversed, world_size, all);
    check_compare(world, reversed, MPI_SIMILAR);
    check_compare(world, some, world_size == 2 ? MPI_SIMILAR : MPI_UNEQUAL);
    check_compare(world, world, MPI_IDENT);
    CALL(MPI_Group_free(&others));
    CALL(MPI_Group_range_excl(world, 1, range, &others));
    CHECK(others == MPI_GROUP_EMPTY);
    check_compare(others, MPI_GROUP_EMPTY, MPI_IDENT);
    CALL(MPI_Group_free(&some));
    CHECK(some == MPI_GROUP_NULL);
    CALL(MPI_Group_free(&reversed));
    CALL(MPI_Group_free(&world));
}

CASE(group_sets)
{
    MPI_Group world, low, high, result;
    int last = world_size - 1, lower[1][3] = {{0, last - 1, 1}}, upper[1][3] = {{last, 1, -1}}, expected[64];
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Group_range_incl(world, 1, lower, &low));
    CALL(MPI_Group_range_incl(world, 1, upper, &high));
    CALL(MPI_Group_union(low, high, &result));
    check_compare(result, world, MPI_IDENT);
    CALL(MPI_Group_free(&result));
    CALL(MPI_Group_intersection(high, low, &result)); /* in the order of the first */
    for (int i = 0; i < world_size; i++)
        expected[i] = last - 1 - i;
    check_group(result, world_size - 2, expected);
    if (result != MPI_GROUP_EMPTY)
        CALL(MPI_Group_free(&result));
    CALL(MPI_Group_difference(high, low, &result));
    check_group(result, 1, &last);
    CALL(MPI_Group_free(&result));
    CALL(MPI_Group_difference(low, world, &result));
    CHECK(result == MPI_GROUP_EMPTY);
    CALL(MPI_Group_free(&low));
    CALL(MPI_Group_free(&high));
    CALL(MPI_Group_free(&world));
}

/* Groups of communicators inside a job and over jobs are of one kind. */
CASE(group_of_job)
{
    MPI_Comm job;
    MPI_Group of_job, world, self, both;
    int size = 0, ranks[64], got[64], none = MPI_PROC_NULL;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, job_of(my_rank), 0, &job));
    CALL(MPI_Comm_group(job, &of_job));
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Comm_group(MPI_COMM_SELF, &self));
    check_group(self, 1, &my_rank);
    CALL(MPI_Group_intersection(world, of_job, &both));
    check_compare(both, of_job, MPI_IDENT);
    CALL(MPI_Group_size(of_job, &size));
    for (int r = 0; r < world_size; r++)
        ranks[r] = r;
    CALL(MPI_Group_translate_ranks(world, world_size, ranks, of_job, got));
    for (int r = 0, next = 0; r < world_size; r++)
        EQUAL(got[r], job_of(r) == job_of(my_rank) ? next++ : MPI_UNDEFINED);
    CALL(MPI_Group_translate_ranks(world, 1, &none, of_job, got));
    EQUAL(got[0], MPI_PROC_NULL);
    MPI_Comm from_group; /* a group that is ours, for a communicator of the job's MPI */
    CALL(MPI_Comm_create(job, both, &from_group));
    int result = -1;
    CALL(MPI_Comm_compare(from_group, job, &result));
    EQUAL(result, MPI_CONGRUENT);
    CALL(MPI_Comm_free(&from_group));
    CALL(MPI_Group_free(&both));
    CALL(MPI_Group_free(&self));
    CALL(MPI_Group_free(&of_job));
    CALL(MPI_Group_free(&world));
    CALL(MPI_Comm_free(&job));
}

static void check_bad(MPI_Group world)
{
    MPI_Group bad;
    int beyond = world_size, twice[2] = {0, 0}, still[1][3] = {{0, 1, 0}};
    FAILS(MPI_ERR_RANK, MPI_Group_incl(world, 1, &beyond, &bad));
    FAILS(MPI_ERR_RANK, MPI_Group_excl(world, 2, twice, &bad));
    FAILS(MPI_ERR_ARG, MPI_Group_range_incl(world, 1, still, &bad));
}

CASE(group_errors)
{
    MPI_Group world;
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    if (jobs > 1)
        check_bad(world); /* Open MPI does not look for ranks that are listed twice */
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Group_free(&world));
}
