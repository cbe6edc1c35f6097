/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_split: each member tells all others its colour and key, so that all know who is where. */
#include <stdlib.h>

#include "base/error.h"
#include "universe/communicator/making.h"
#include "universe/world/layer.h"
#include "universe/world/member_exchange.h"

typedef struct wish {
    int color, key, context; /* context: of rank 0 counts */
    int rank;                /* set by who reads it */
} wish;

static int compare_wishes(const void *a, const void *b)
{
    const wish *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sets world_rank[] to those with the same colour, in the order of the new communicator. Returns their number. */
static int find_members(const universe_comm *c, wish *all, int color, int world_rank[])
{
    int n = 0;
    for (int r = 0; r < c->size; r++) {
        if (all[r].color == color) {
            all[n] = all[r];
            all[n++].rank = r;
        }
    }
    qsort(all, (size_t)n, sizeof *all, compare_wishes);
    for (int i = 0; i < n; i++)
        world_rank[i] = c->world_rank[all[i].rank];
    return n;
}

int universe_comm_split(universe_comm *c, int color, int key, const char *function, abi_Comm *newcomm)
{
    wish *all = malloc((size_t)c->size * sizeof *all), mine = {color, key, 0, 0};
    int *world_rank = malloc((size_t)c->size * sizeof *world_rank), code;
    abi_Comm local;
    *newcomm = (abi_Comm)ABI_COMM_NULL;
    if (c->rank == 0)
        mine.context = universe_context_new();
    int err = all && world_rank ? universe_exchange(c, &mine, sizeof mine, all) : h3ou__fail(H3OU__ENOMEM, "no memory for %d processes", c->size);
    if (!err && all[0].context < 0)
        err = h3ou__fail(H3OU__ENOMEM, "there is no number left for another communicator");
    if (err)
        code = universe_fail_waitio(c, err, function);
    else
        code = universe_fail_inner(c, universe.mpi->Comm_split(c->inside, color, key, &local), function);
    if (!code && color != ABI_UNDEFINED) {
        int32_t context = all[0].context;
        int n = find_members(c, all, color, world_rank);
        code = universe_comm_make(c, n, world_rank, local, context, function, newcomm);
    }
    free(all);
    free(world_rank);
    return code;
}

int universe_Comm_split(abi_Comm comm, int color, int key, abi_Comm *newcomm)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_split(comm, color, key, newcomm);
    if (color < 0 && color != ABI_UNDEFINED)
        return universe_fail(c, ABI_ERR_ARG, "MPI_Comm_split", "the colour %d is negative", color);
    return universe_comm_split(c, color, key, "MPI_Comm_split", newcomm);
}
