/* SPDX-License-Identifier: BSD-3-Clause */
/* group_work: operations on groups of a million emulated processes, with values checked. With work that grows with the square of the members it would
 * not end before the timeout of the test. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "universe/communicator/process_group.h"
#include "universe/world/layer.h"

enum { MEMBERS = 1000000, JOBS = 2 };

universe_world universe;

int universe_job_of(int world_rank)
{
    return world_rank >= universe.first[1];
}

int universe_fail(universe_comm *c, int code, const char *function, const char *format, ...)
{
    va_list list;
    (void)c;
    printf("%s: ", function);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    return code;
}

static int wrong;

static void check(long long got, long long expected, const char *what)
{
    if (got == expected)
        return;
    printf("%s: got %lld, expected %lld\n", what, got, expected);
    wrong++;
}

static abi_Group group_of(int size, const int ranks[])
{
    abi_Group handle = NULL;
    check(universe_group_make(size, ranks, &handle), 0, "universe_group_make");
    return handle;
}

static int size_of(abi_Group group)
{
    int size = -1;
    universe_Group_size(group, &size);
    return size;
}

int main(void)
{
    int first[JOBS + 1] = {0, MEMBERS / 2, MEMBERS}, result = -1, *ranks = malloc(sizeof *ranks * MEMBERS), *got = malloc(sizeof *got * MEMBERS);
    static universe_comm world;
    universe.comm = &world;
    universe.size = MEMBERS;
    universe.njob = JOBS;
    universe.first = first;
    if (!ranks || !got)
        return 1;
    for (int i = 0; i < MEMBERS; i++)
        ranks[i] = i;
    abi_Group all = group_of(MEMBERS, ranks), lower = group_of(MEMBERS / 2, ranks), upper = group_of(MEMBERS / 2, ranks + MEMBERS / 2);
    for (int i = 0; i < MEMBERS; i++)
        ranks[i] = MEMBERS - 1 - i;
    abi_Group reversed = group_of(MEMBERS, ranks), made[3];
    check(universe_Group_compare(all, reversed, &result), 0, "MPI_Group_compare");
    check(result, ABI_SIMILAR, "all and reversed");
    check(universe_Group_translate_ranks(all, MEMBERS, ranks, reversed, got), 0, "MPI_Group_translate_ranks");
    for (int i = 0; i < MEMBERS; i++)
        wrong += got[i] != i;
    check(universe_Group_union(upper, lower, &made[0]), 0, "MPI_Group_union");
    check(size_of(made[0]), MEMBERS, "union");
    check(universe_Group_intersection(reversed, lower, &made[1]), 0, "MPI_Group_intersection");
    check(size_of(made[1]), MEMBERS / 2, "intersection");
    check(universe_group_of(made[1])->world_rank[0], MEMBERS / 2 - 1, "first of the intersection");
    check(universe_Group_difference(reversed, upper, &made[2]), 0, "MPI_Group_difference");
    check(universe_Group_compare(made[1], made[2], &result), 0, "MPI_Group_compare");
    check(result, ABI_IDENT, "intersection and difference");
    for (int i = 0; i < 3; i++)
        universe_Group_free(&made[i]);
    abi_Group *groups[] = {&all, &lower, &upper, &reversed};
    for (int i = 0; i < 4; i++)
        universe_Group_free(groups[i]);
    free(ranks);
    free(got);
    return wrong != 0;
}
