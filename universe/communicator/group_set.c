/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups made of groups, and comparisons. Groups of the job's MPI, with processes outside of the world, do not mix with ours. */
#include <stdlib.h>
#include <string.h>

#include "universe/communicator/process_group.h"
#include "universe/world/layer.h"

static int mixed(const char *function)
{
    return universe_fail(NULL, ABI_ERR_GROUP, function, "one group has processes outside of the world, which MPI_Comm_spawn started, the other has not");
}

static int no_memory(const char *function)
{
    return universe_fail(NULL, ABI_ERR_NO_MEM, function, "no memory for a group");
}

int universe_Group_translate_ranks(abi_Group group1, int n, const int ranks1[], abi_Group group2, int ranks2[])
{
    const universe_group *from = universe_group_of(group1), *to = universe_group_of(group2);
    if (!from && !to)
        return universe.mpi->Group_translate_ranks(group1, n, ranks1, group2, ranks2);
    if (!from || !to)
        return mixed("MPI_Group_translate_ranks");
    for (int i = 0; i < n; i++) {
        if (ranks1[i] != ABI_PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= from->size))
            return universe_fail(NULL, ABI_ERR_RANK, "MPI_Group_translate_ranks", "rank %d of a group of %d processes", ranks1[i], from->size);
        ranks2[i] = ranks1[i] == ABI_PROC_NULL ? ABI_PROC_NULL : universe_group_find(to, from->world_rank[ranks1[i]]);
    }
    return 0;
}

int universe_Group_compare(abi_Group group1, abi_Group group2, int *result)
{
    const universe_group *a = universe_group_of(group1), *b = universe_group_of(group2);
    if (!a && !b)
        return universe.mpi->Group_compare(group1, group2, result);
    if (!a || !b)
        return mixed("MPI_Group_compare");
    *result = a->size != b->size ? ABI_UNEQUAL : ABI_IDENT;
    for (int r = 0; r < a->size && *result != ABI_UNEQUAL; r++)
        if (a->world_rank[r] != b->world_rank[r])
            *result = universe_group_find(b, a->world_rank[r]) == ABI_UNDEFINED ? ABI_UNEQUAL : ABI_SIMILAR;
    return 0;
}

enum { FIRST_IN = 1, FIRST_OUT = 2, SECOND_OUT = 4 };

/* Takes from `a` those that are in b (FIRST_IN), or are not (FIRST_OUT), and then from b those that are not in a (SECOND_OUT). */
static int combine(const char *function, const universe_group *a, const universe_group *b, int take, abi_Group *newgroup)
{
    int *ranks = malloc(((size_t)a->size + (size_t)b->size) * sizeof *ranks + 1), n = 0;
    if (!ranks)
        return no_memory(function);
    for (int r = 0; r < a->size; r++)
        if (take & (universe_group_find(b, a->world_rank[r]) == ABI_UNDEFINED ? FIRST_OUT : FIRST_IN))
            ranks[n++] = a->world_rank[r];
    for (int r = 0; r < b->size && take & SECOND_OUT; r++)
        if (universe_group_find(a, b->world_rank[r]) == ABI_UNDEFINED)
            ranks[n++] = b->world_rank[r];
    int code = universe_group_make(n, ranks, newgroup);
    free(ranks);
    return code ? no_memory(function) : 0;
}

#define COMBINE(NAME, TAKE)                                                                                                                \
    int universe_Group_##NAME(abi_Group group1, abi_Group group2, abi_Group *newgroup)                                                     \
    {                                                                                                                                      \
        const universe_group *a = universe_group_of(group1), *b = universe_group_of(group2);                                               \
        if (!a && !b)                                                                                                                      \
            return universe.mpi->Group_##NAME(group1, group2, newgroup);                                                                   \
        return a && b ? combine("MPI_Group_" #NAME, a, b, TAKE, newgroup) : mixed("MPI_Group_" #NAME);                                     \
    }
COMBINE(union, FIRST_IN | FIRST_OUT | SECOND_OUT)
COMBINE(intersection, FIRST_IN)
COMBINE(difference, FIRST_OUT)

/* Makes a group of the ranks listed, in their order, or of the others. */
static int choose(const char *function, const universe_group *g, int64_t n, const int ranks[], bool is_excluded, abi_Group *newgroup)
{
    int *place = calloc((size_t)g->size + 1, sizeof *place), *world_rank = malloc((size_t)g->size * sizeof *world_rank + 1), count = 0, code = 0;
    if (!place || !world_rank)
        code = no_memory(function);
    for (int64_t i = 0; i < n && !code; i++) {
        if (ranks[i] < 0 || ranks[i] >= g->size)
            code = universe_fail(NULL, ABI_ERR_RANK, function, "rank %d of a group of %d processes", ranks[i], g->size);
        else if (place[ranks[i]]++)
            code = universe_fail(NULL, ABI_ERR_RANK, function, "rank %d is listed twice", ranks[i]);
        else if (!is_excluded)
            world_rank[count++] = g->world_rank[ranks[i]];
    }
    for (int r = 0; r < g->size && is_excluded && !code; r++)
        if (!place[r])
            world_rank[count++] = g->world_rank[r];
    if (!code && universe_group_make(count, world_rank, newgroup))
        code = no_memory(function);
    free(place);
    free(world_rank);
    return code;
}

static int choose_ranges(const char *function, const universe_group *g, int n, int ranges[][3], bool is_excluded, abi_Group *newgroup)
{
    int64_t most = 0, count = 0;
    for (int i = 0; i < n; i++) {
        int64_t first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
        if (stride == 0 || first < 0 || first >= g->size || last < 0 || last >= g->size)
            return universe_fail(NULL, ABI_ERR_ARG, function, "range %d is from %d to %d by %d, of %d processes", i, ranges[i][0], ranges[i][1], ranges[i][2], g->size);
        most += (last - first) / stride >= 0 ? (last - first) / stride + 1 : 0;
    }
    int *ranks = malloc((size_t)most * sizeof *ranks + 1);
    if (!ranks)
        return no_memory(function);
    for (int i = 0; i < n; i++) {
        int64_t last = ranges[i][1], stride = ranges[i][2];
        for (int64_t r = ranges[i][0]; stride > 0 ? r <= last : r >= last; r += stride)
            ranks[count++] = (int)r;
    }
    int code = choose(function, g, count, ranks, is_excluded, newgroup);
    free(ranks);
    return code;
}

#define CHOOSE(NAME, IS_EXCLUDED)                                                                                                          \
    int universe_Group_##NAME(abi_Group group, int n, const int ranks[], abi_Group *newgroup)                                              \
    {                                                                                                                                      \
        const universe_group *g = universe_group_of(group);                                                                                \
        if (!g)                                                                                                                            \
            return universe.mpi->Group_##NAME(group, n, ranks, newgroup);                                                                  \
        return choose("MPI_Group_" #NAME, g, n, ranks, IS_EXCLUDED, newgroup);                                                             \
    }                                                                                                                                      \
    int universe_Group_range_##NAME(abi_Group group, int n, int ranges[][3], abi_Group *newgroup)                                          \
    {                                                                                                                                      \
        const universe_group *g = universe_group_of(group);                                                                                \
        if (!g)                                                                                                                            \
            return universe.mpi->Group_range_##NAME(group, n, ranges, newgroup);                                                           \
        return choose_ranges("MPI_Group_range_" #NAME, g, n, ranges, IS_EXCLUDED, newgroup);                                               \
    }
CHOOSE(incl, false)
CHOOSE(excl, true)
