/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/member/job_memory.h"

#include <stdlib.h>

#include "base/env.h"
#include "base/error.h"
#include "universe/world/waiting.h"

/* Waits for a call of the job's MPI that returned `code`. */
static int await(int code, abi_Request *request)
{
    h3ou__pause pause;
    int done = 0, err = H3OU__OK;
    h3ou__pause_begin(&pause);
    while (!code && !err && !(code = universe.mpi->Test(request, &done, NULL)) && !done)
        err = universe_turn(&pause);
    return code ? h3ou__fail(H3OU__EMPI, "the job's MPI returned error %d while its processes agreed on memory that they share", code) : err;
}

/* What the calls of the job's MPI read and write; it is not freed after an error, since one of them may still be under way. */
typedef struct agreement {
    int64_t offer[H3OU__HOST_OFFER];
    int mine, all;
    abi_Request request;
} agreement;

/* Returns an error; *block is set only if all processes have the memory. */
static int agree_by(agreement *a, const universe_comm *c, bool may, h3ou__host_block **block)
{
    const struct hub *mpi = universe.mpi;
    if (c->my_local == 0)
        h3ou__host_block_offer(may ? c->nlocal : H3OU__HOST_MOST + 1, a->offer);
    int err = await(mpi->Ibcast(a->offer, sizeof a->offer, (abi_Datatype)ABI_BYTE, 0, c->inside, &a->request), &a->request);
    if (!err) {
        *block = h3ou__host_block_open(a->offer, c->nlocal, c->my_local, may);
        a->mine = *block != NULL;
        err = await(mpi->Iallreduce(&a->mine, &a->all, 1, (abi_Datatype)ABI_INT, (abi_Op)ABI_MIN, c->inside, &a->request), &a->request);
    }
    if (c->my_local == 0)
        h3ou__host_block_close_offer(a->offer);
    if (err || !a->all) {
        h3ou__host_block_free(*block);
        *block = NULL;
    }
    return err;
}

static int agree(const universe_comm *c, bool may, h3ou__host_block **block)
{
    agreement *a = calloc(1, sizeof *a);
    if (!a)
        return h3ou__fail(H3OU__ENOMEM, "no memory to agree on memory that a job's processes share");
    int err = agree_by(a, c, may, block);
    if (!err)
        free(a);
    return err;
}

int universe_job_memory_of(universe_comm *c, h3ou__host_block **out)
{
    int64_t may = 1;
    int err = c->is_settled ? H3OU__OK : h3ou__env_int("H3OU_SHARED_MEMORY", 0, 1, 1, &may);
    *out = c->memory;
    if (err || c->is_settled)
        return err;
    c->is_settled = true; /* after an error, too: the other processes may have agreed */
    if (c->nlocal > 1)
        err = agree(c, may && universe.uses_memory, &c->memory);
    *out = c->memory;
    return err;
}
