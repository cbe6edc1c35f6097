/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups, communicators and inter-communicators. */
#include "mpi_case.h"

#include <string.h>

enum { N = PROCESSES };

static int compare_groups(MPI_Group a, MPI_Group b)
{
    int result = -1;
    CALL(MPI_Group_compare(a, b, &result));
    return result;
}

static int size_of(MPI_Group group)
{
    int size = -1;
    CALL(MPI_Group_size(group, &size));
    return size;
}

static void make_groups(void)
{
    MPI_Group world, even, odd, all, both, rest, part, turned;
    const int evens[2] = {0, 2}, odds[2] = {3, 1}, every[N] = {0, 1, 2, 3};
    int ranges[1][3] = {{3, 0, -1}}, one[1][3] = {{1, 3, 2}}, got[N] = {0}, rank = -1;
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    EQUAL(size_of(world), N);
    CALL(MPI_Group_incl(world, 2, evens, &even));
    CALL(MPI_Group_excl(world, 2, evens, &odd));
    CALL(MPI_Group_union(even, odd, &all));
    CALL(MPI_Group_intersection(even, all, &both));
    CALL(MPI_Group_difference(all, even, &rest));
    CALL(MPI_Group_range_incl(world, 1, ranges, &turned));
    CALL(MPI_Group_range_excl(world, 1, one, &part));
    EQUAL(compare_groups(both, even), MPI_IDENT);
    EQUAL(compare_groups(rest, odd), MPI_IDENT);
    EQUAL(compare_groups(part, even), MPI_IDENT);
    EQUAL(compare_groups(turned, world), MPI_SIMILAR);
    EQUAL(compare_groups(even, odd), MPI_UNEQUAL);
    CALL(MPI_Group_rank(turned, &rank));
    EQUAL(rank, N - 1 - my_rank);
    CALL(MPI_Group_rank(even, &rank));
    EQUAL(rank, my_rank % 2 ? MPI_UNDEFINED : my_rank / 2);
    CALL(MPI_Group_translate_ranks(all, N, every, odd, got));
    CHECK(got[0] == MPI_UNDEFINED && got[1] == MPI_UNDEFINED && got[2] == 0 && got[3] == 1);
    CALL(MPI_Group_translate_ranks(turned, 1, (int[]){MPI_PROC_NULL}, world, got));
    EQUAL(got[0], MPI_PROC_NULL);
    CALL(MPI_Group_incl(world, 2, odds, &rest));
    EQUAL(compare_groups(rest, odd), MPI_SIMILAR);
    EQUAL(size_of(MPI_GROUP_EMPTY), 0);
    CALL(MPI_Group_free(&even));
    CHECK(even == MPI_GROUP_NULL);
    CALL(MPI_Group_free(&world));
    CALL(MPI_Group_free(&odd));
    CALL(MPI_Group_free(&all));
    CALL(MPI_Group_free(&both));
    CALL(MPI_Group_free(&part));
    CALL(MPI_Group_free(&turned));
    CALL(MPI_Group_free(&rest));
}

static int compare(MPI_Comm a, MPI_Comm b)
{
    int result = -1;
    CALL(MPI_Comm_compare(a, b, &result));
    return result;
}

static int sum_over(MPI_Comm comm)
{
    int sum = -1;
    CALL(MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    return sum;
}

static void make_communicators(void)
{
    MPI_Comm copy, turned, half, chosen, other, node;
    MPI_Group world, group;
    MPI_Request request;
    int rank = -1, size = -1;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    EQUAL(compare(copy, MPI_COMM_WORLD), MPI_CONGRUENT);
    EQUAL(compare(copy, copy), MPI_IDENT);
    CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank, &turned));
    CALL(MPI_Comm_rank(turned, &rank));
    EQUAL(rank, N - 1 - my_rank);
    EQUAL(compare(turned, MPI_COMM_WORLD), MPI_SIMILAR);
    CALL(MPI_Comm_split(MPI_COMM_WORLD, my_rank == 3 ? MPI_UNDEFINED : 5, 0, &half));
    CHECK((half == MPI_COMM_NULL) == (my_rank == 3));
    if (half != MPI_COMM_NULL) {
        EQUAL(sum_over(half), 3);
        EQUAL(compare(half, MPI_COMM_WORLD), MPI_UNEQUAL);
        CALL(MPI_Comm_free(&half));
        CHECK(half == MPI_COMM_NULL);
    }
    CALL(MPI_Comm_group(copy, &world));
    CALL(MPI_Group_incl(world, 2, (int[]){3, 1}, &group));
    CALL(MPI_Comm_create(copy, group, &chosen));
    CHECK((chosen == MPI_COMM_NULL) == (my_rank % 2 == 0));
    if (my_rank % 2) {
        CALL(MPI_Comm_rank(chosen, &rank));
        EQUAL(rank, my_rank == 3 ? 0 : 1);
        CALL(MPI_Comm_create_group(MPI_COMM_WORLD, group, 4, &other));
        EQUAL(sum_over(other), 4);
        CALL(MPI_Comm_free(&other));
        CALL(MPI_Comm_free(&chosen));
    }
    CALL(MPI_Group_free(&group));
    CALL(MPI_Group_free(&world));
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    CALL(MPI_Comm_size(node, &size));
    EQUAL(size, N); /* the test runs on one machine */
    CALL(MPI_Comm_free(&node));
    CALL(MPI_Comm_idup(turned, &other, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(sum_over(other), 6);
    CALL(MPI_Comm_disconnect(&other));
    CHECK(other == MPI_COMM_NULL);
    CALL(MPI_Comm_free(&turned));
    CALL(MPI_Comm_free(&copy));
    EQUAL(compare(MPI_COMM_SELF, MPI_COMM_WORLD), MPI_UNEQUAL);
}

static void name_communicators(void)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1;
    MPI_Comm copy;
    MPI_Info info, got;
    CALL(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
    CALL(MPI_Info_create(&info));
    CALL(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &copy));
    CALL(MPI_Comm_set_name(copy, "a copy"));
    CALL(MPI_Comm_get_name(copy, name, &length));
    CHECK(strcmp(name, "a copy") == 0 && length == 6);
    CALL(MPI_Comm_set_info(copy, info));
    CALL(MPI_Comm_get_info(copy, &got));
    CHECK(got != MPI_INFO_NULL);
    CALL(MPI_Info_free(&got));
    CALL(MPI_Info_free(&info));
    CALL(MPI_Comm_free(&copy));
}

static void join_groups(void)
{
    MPI_Comm half, inter, merged, copy;
    MPI_Group remote, local;
    int side = my_rank / 2, flag = -1, size = -1, got = -1;
    MPI_Status status;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half));
    CALL(MPI_Comm_test_inter(half, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 2 - 2 * side, 9, &inter));
    CALL(MPI_Comm_test_inter(inter, &flag));
    EQUAL(flag, 1);
    CALL(MPI_Comm_remote_size(inter, &size));
    EQUAL(size, 2);
    CALL(MPI_Comm_remote_group(inter, &remote));
    CALL(MPI_Comm_group(inter, &local));
    EQUAL(compare_groups(remote, local), MPI_UNEQUAL);
    CALL(MPI_Group_free(&remote));
    CALL(MPI_Group_free(&local));
    CALL(MPI_Sendrecv(&my_rank, 1, MPI_INT, my_rank % 2, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, 1, inter, &status));
    EQUAL(got, (my_rank + 2) % N);
    EQUAL(status.MPI_SOURCE, my_rank % 2);
    CALL(MPI_Comm_dup(inter, &copy));
    EQUAL(compare(inter, copy), MPI_CONGRUENT);
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Intercomm_merge(inter, side == 0, &merged)); /* group 0 comes last */
    CALL(MPI_Comm_rank(merged, &got));
    EQUAL(got, (my_rank + 2) % N);
    CALL(MPI_Comm_free(&merged));
    CALL(MPI_Comm_free(&inter));
    CALL(MPI_Comm_free(&half));
}

/* Handles are made and freed many times, several at once, so that a table of them must grow and take places again. */
static void make_many(void)
{
    enum { MANY = 64 };
    MPI_Comm comms[MANY];
    MPI_Datatype types[MANY];
    int size = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < MANY; i++) {
            CALL(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]));
            CALL(MPI_Type_contiguous(i + 1, MPI_INT, &types[i]));
        }
        for (int i = MANY - 1; i >= 0; i--) {
            CALL(MPI_Type_size(types[i], &size));
            EQUAL(size, 4 * (i + 1));
            EQUAL(sum_over(comms[i]), my_rank);
            CALL(MPI_Comm_free(&comms[i]));
            CALL(MPI_Type_free(&types[i]));
        }
    }
}

const mpi_case communicator_cases[] = {{"group_made", make_groups},
                                       {"comm_made", make_communicators},
                                       {"comm_names", name_communicators},
                                       {"comm_inter", join_groups},
                                       {"comm_many", make_many},
                                       {NULL, NULL}};
