/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create, MPI_Comm_create_group and MPI_Comm_split_type. */
#include <stdlib.h>

#include "base/error.h"
#include "universe/communicator/process_group.h"
#include "universe/communicator/making.h"
#include "universe/world/layer.h"
#include "universe/world/member_exchange.h"

/* Sets rank[] to the ranks in c of the members of a group. Returns a code after the error handler. */
static int ranks_in(universe_comm *c, const universe_group *g, const char *function, int rank[])
{
    const universe_group *all = NULL;
    abi_Group handle;
    if (universe_group_make(c->size, c->world_rank, &handle))
        return universe_fail(c, ABI_ERR_NO_MEM, function, "no memory for a group");
    all = universe_group_of(handle);
    int code = 0;
    for (int i = 0; i < g->size && !code; i++) {
        rank[i] = universe_group_find(all, g->world_rank[i]);
        if (rank[i] == ABI_UNDEFINED)
            code = universe_fail(c, ABI_ERR_GROUP, function, "member %d of the group is not in the communicator", i);
    }
    universe_Group_free(&handle);
    return code;
}

static int group_check(universe_comm *c, abi_Group group, const char *function, const universe_group **g, int **rank)
{
    *g = universe_group_of(group);
    *rank = NULL;
    if (!*g)
        return universe_fail(c, ABI_ERR_GROUP, function, "the group is null, or has processes outside of the world");
    *rank = malloc((size_t)(*g)->size * sizeof **rank + 1);
    int code = *rank ? ranks_in(c, *g, function, *rank) : universe_fail(c, ABI_ERR_NO_MEM, function, "no memory for a group");
    if (code)
        free(*rank);
    return code;
}

int universe_Comm_create(abi_Comm comm, abi_Group group, abi_Comm *newcomm)
{
    universe_comm *c = universe_comm_of(comm);
    const universe_group *g;
    int *rank;
    if (!c)
        return universe_comm_create_inner(comm, group, newcomm);
    int code = group_check(c, group, "MPI_Comm_create", &g, &rank);
    if (code)
        return code;
    int is_member = g->rank != ABI_UNDEFINED;
    code = universe_comm_split(c, is_member ? rank[0] : ABI_UNDEFINED, is_member ? g->rank : 0, "MPI_Comm_create", newcomm);
    free(rank);
    return code;
}

/* MPICH 4.0.2 reads the group of a duplicate, which that has only after it was asked for. */
static int group_provide(abi_Comm comm)
{
    abi_Group group;
    int code = universe.mpi->Comm_group(comm, &group);
    return code ? code : universe.mpi->Group_free(&group);
}

static int create_group(universe_comm *c, const universe_group *g, const int rank[], int tag, abi_Comm *newcomm)
{
    const char *function = "MPI_Comm_create_group";
    int32_t mine = g->rank == 0 ? universe_context_new() : 0, *all = malloc((size_t)g->size * sizeof *all);
    abi_Group inner;
    abi_Comm local;
    int err = all ? universe_exchange_part(c, g->size, rank, tag, &mine, sizeof mine, all) : H3OU__ENOMEM;
    int32_t context = err ? 0 : all[0];
    free(all);
    if (context < 0)
        err = h3ou__fail(H3OU__ENOMEM, "there is no number left for another communicator");
    if (err)
        return universe_fail_waitio(c, err, function);
    int code = group_provide(c->inside);
    if (!code)
        code = universe_group_inner(g, &inner);
    if (!code) {
        code = universe.mpi->Comm_create_group(c->inside, inner, tag, &local);
        universe.mpi->Group_free(&inner);
    }
    return code ? universe_fail_inner(c, code, function) : universe_comm_make(c, g->size, g->world_rank, local, context, function, newcomm);
}

int universe_Comm_create_group(abi_Comm comm, abi_Group group, int tag, abi_Comm *newcomm)
{
    universe_comm *c = universe_comm_of(comm);
    const universe_group *g;
    int *rank;
    if (!c)
        return universe_comm_create_group_inner(comm, group, tag, newcomm);
    int code = group_check(c, group, "MPI_Comm_create_group", &g, &rank);
    if (code)
        return code;
    *newcomm = (abi_Comm)ABI_COMM_NULL;
    if (g->rank != ABI_UNDEFINED)
        code = create_group(c, g, rank, tag, newcomm);
    free(rank);
    return code;
}

/* Processes that share memory are sought inside a job, because a window in shared memory is the job's MPI's. */
int universe_Comm_split_type(abi_Comm comm, int split_type, int key, abi_Info info, abi_Comm *newcomm)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_split_type(comm, split_type, key, info, newcomm);
    char mine = 0, *all = malloc((size_t)c->size); /* all come, before the job's MPI waits for those of this job */
    int err = all ? universe_exchange(c, &mine, 1, all) : h3ou__fail(H3OU__ENOMEM, "no memory for %d processes", c->size);
    free(all);
    if (err)
        return universe_fail_waitio(c, err, "MPI_Comm_split_type");
    int code = universe.mpi->Comm_split_type(c->inside, split_type, key, info, newcomm);
    if (!code && (intptr_t)*newcomm != ABI_COMM_NULL)
        code = universe.mpi->Comm_set_errhandler(*newcomm, c->errhandler);
    return universe_fail_inner(c, code, "MPI_Comm_split_type");
}
