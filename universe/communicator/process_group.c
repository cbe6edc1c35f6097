/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/communicator/process_group.h"

#include <stdlib.h>
#include <string.h>

#include "universe/world/layer.h"

static const universe_group empty = {.size = 0, .rank = ABI_UNDEFINED};

const universe_group *universe_group_of(abi_Group handle)
{
    if (universe.comm && (intptr_t)handle == ABI_GROUP_EMPTY)
        return &empty;
    return universe_is_own(handle) ? (const universe_group *)((intptr_t)handle - 1) : NULL;
}

abi_Group universe_group_handle(const universe_group *g)
{
    return (abi_Group)((intptr_t)g + 1);
}

static int find_among(const universe_group *g, int world_rank)
{
    for (int r = 0; r < g->size; r++)
        if (g->world_rank[r] == world_rank)
            return r;
    return ABI_UNDEFINED;
}

/* Threads may make the table at the same time; one of them is kept. Returns NULL when there is no memory. */
static const int *make_table(const universe_group *g)
{
    int **kept = &((universe_group *)(uintptr_t)g)->place, *none = NULL, *place = malloc((size_t)universe.size * sizeof *place);
    if (!place)
        return NULL;
    for (int r = 0; r < universe.size; r++)
        place[r] = ABI_UNDEFINED;
    for (int r = 0; r < g->size; r++)
        place[g->world_rank[r]] = r;
    if (__atomic_compare_exchange_n(kept, &none, place, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return place;
    free(place);
    return none;
}

int universe_group_find(const universe_group *g, int world_rank)
{
    enum { SMALL = 16 };
    if (g->size <= SMALL)
        return find_among(g, world_rank);
    const int *place = __atomic_load_n(&g->place, __ATOMIC_ACQUIRE);
    if (!place)
        place = make_table(g);
    return place ? place[world_rank] : find_among(g, world_rank);
}

int universe_group_make(int size, const int world_rank[], abi_Group *handle)
{
    if (size == 0) {
        *handle = (abi_Group)ABI_GROUP_EMPTY;
        return 0;
    }
    universe_group *g = malloc(sizeof *g + (size_t)size * sizeof(int));
    if (!g)
        return ABI_ERR_NO_MEM;
    g->size = size;
    g->place = NULL;
    memcpy(g->world_rank, world_rank, (size_t)size * sizeof(int));
    g->rank = find_among(g, universe.rank);
    *handle = universe_group_handle(g);
    return 0;
}

bool universe_group_is_here(const universe_group *g)
{
    for (int r = 0; r < g->size; r++)
        if (universe_job_of(g->world_rank[r]) != universe.job)
            return false;
    return true;
}

int universe_group_inner(const universe_group *g, abi_Group *inner)
{
    int *ranks = malloc((size_t)g->size * sizeof *ranks + 1), n = 0;
    abi_Group job;
    int code = ranks ? universe.mpi->Comm_group((abi_Comm)ABI_COMM_WORLD, &job) : ABI_ERR_NO_MEM;
    for (int r = 0; r < g->size && !code; r++)
        if (universe_job_of(g->world_rank[r]) == universe.job)
            ranks[n++] = g->world_rank[r] - universe.first[universe.job];
    if (!code) {
        code = universe.mpi->Group_incl(job, n, ranks, inner);
        universe.mpi->Group_free(&job);
    }
    free(ranks);
    return code;
}

/* Sets world_rank[] to the members of a group of the job's MPI. Sets *is_known to whether all of them are in the world. */
static int members_translate(abi_Group group, int size, int world_rank[], bool *is_known)
{
    int *ranks = malloc((size_t)size * sizeof *ranks + 1);
    abi_Group job;
    int code = ranks ? universe.mpi->Comm_group((abi_Comm)ABI_COMM_WORLD, &job) : ABI_ERR_NO_MEM;
    for (int r = 0; r < size && !code; r++)
        ranks[r] = r;
    *is_known = true;
    if (!code) {
        code = universe.mpi->Group_translate_ranks(group, size, ranks, job, world_rank);
        universe.mpi->Group_free(&job);
    }
    for (int r = 0; r < size && !code; r++) {
        *is_known = *is_known && world_rank[r] >= 0;
        world_rank[r] += universe.first[universe.job];
    }
    free(ranks);
    return code;
}

int universe_group_adopt(abi_Group *group)
{
    if (!universe.comm || (intptr_t)*group == ABI_GROUP_NULL || (intptr_t)*group == ABI_GROUP_EMPTY)
        return 0;
    int size, code = universe.mpi->Group_size(*group, &size);
    int *world_rank = code ? NULL : malloc((size_t)size * sizeof *world_rank + 1);
    bool is_known = false;
    if (!code)
        code = world_rank ? members_translate(*group, size, world_rank, &is_known) : ABI_ERR_NO_MEM;
    if (is_known && !code) {
        abi_Group inner = *group;
        code = universe_group_make(size, world_rank, group);
        universe.mpi->Group_free(&inner);
    }
    free(world_rank);
    return code;
}

int universe_Comm_group(abi_Comm comm, abi_Group *group)
{
    const universe_comm *c = universe_comm_of(comm);
    if (c)
        return universe_group_make(c->size, c->world_rank, group);
    int code = universe.mpi->Comm_group(comm, group);
    return code ? code : universe_group_adopt(group);
}

int universe_Comm_remote_group(abi_Comm comm, abi_Group *group)
{
    universe_comm *c = universe_comm_of(comm);
    if (c)
        return universe_fail(c, ABI_ERR_COMM, "MPI_Comm_remote_group", "the communicator is not an inter-communicator");
    int code = universe.mpi->Comm_remote_group(comm, group);
    return code ? code : universe_group_adopt(group);
}

int universe_Group_size(abi_Group group, int *size)
{
    const universe_group *g = universe_group_of(group);
    if (!g)
        return universe.mpi->Group_size(group, size);
    *size = g->size;
    return 0;
}

int universe_Group_rank(abi_Group group, int *rank)
{
    const universe_group *g = universe_group_of(group);
    if (!g)
        return universe.mpi->Group_rank(group, rank);
    *rank = g->rank;
    return 0;
}

int universe_Group_free(abi_Group *group)
{
    const universe_group *g = universe_group_of(*group);
    if (!g)
        return universe.mpi->Group_free(group);
    if (g != &empty) {
        free(g->place);
        free((void *)(uintptr_t)g);
    }
    *group = (abi_Group)ABI_GROUP_NULL;
    return 0;
}
