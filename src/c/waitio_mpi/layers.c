/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/layers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "join_mpi/job_mpi.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "waitio/message/group.h"
#include "waitio/message/instance.h"
#include "waitio_mpi/job_hosts.h"

enum { BLOCK = 64 }; /* members of a block of the algorithm 2L */

static const char *const algorithm_name[] = {"hybrid", "2l", "bt"};

/* Reads WAITIO_MPI_ALGORITHM. *block: members of a block of 2L. */
static int read_algorithm(enum waitio__algorithm *out, int *block)
{
    const char *value = getenv("WAITIO_MPI_ALGORITHM");
    *out = WAITIO__HYBRID;
    *block = BLOCK;
    if (!value || !*value || !strcmp(value, "hybrid"))
        return H3OU__OK;
    if (!strcmp(value, "bt")) {
        *out = WAITIO__TREE;
        return H3OU__OK;
    }
    *out = WAITIO__TWO_LAYERS;
    if (!strcmp(value, "2l"))
        return H3OU__OK;
    char *end = NULL;
    long n = strncmp(value, "2l:", 3) ? 0 : strtol(value + 3, &end, 10);
    if (n < 1 || n > 1 << 20 || *end)
        return h3ou__fail(
            H3OU__EENV, "WAITIO_MPI_ALGORITHM is \"%s\": it must be hybrid, bt, 2l, or 2l:N with blocks of N processes",
            value);
    *block = (int)n;
    return H3OU__OK;
}

/* All members in one block. */
static int make_single(waitio__layers *l, const struct waitio_group *g, int root)
{
    l->nblock = 1;
    l->size = g->size;
    l->me = g->my_rank;
    l->head = root;
    return H3OU__OK;
}

static int make_blocks(waitio__layers *l, const struct waitio_group *g, int block)
{
    l->nblock = (g->size - 1) / block + 1;
    l->heads = malloc((size_t)l->nblock * sizeof *l->heads);
    if (!l->heads)
        return h3ou__no_memory("a collective");
    for (int i = 0; i < l->nblock; i++)
        l->heads[i] = i * block;
    l->block = g->my_rank / block;
    l->first = l->block * block;
    l->size = g->size - l->first < block ? g->size - l->first : block;
    l->me = g->my_rank - l->first;
    return H3OU__OK;
}

static int make_jobs(waitio__layers *l, const struct waitio_group *g)
{
    l->heads = malloc((size_t)g->npart * sizeof *l->heads);
    if (!l->heads)
        return h3ou__no_memory("a collective");
    for (int i = 0; i < g->npart; i++) {
        const waitio__group_part *p = &g->part[i];
        if (!p->n)
            continue;
        if (g->my_rank >= p->first && g->my_rank < p->first + p->n) {
            l->block = l->nblock;
            l->first = p->first;
            l->size = p->n;
            l->me = g->my_rank - p->first;
            /* With a progress thread several threads may call, for which one communicator of the MPI is not enough. */
            const waitio__instance *in = waitio__instance_current();
            bool may_use = p->n > 1 && !p->rank && in && in->set.waiting != WAITIO__THREAD;
            if (!may_use || !h3ou__job_mpi_find(&l->mpi, &l->inside))
                l->mpi = NULL;
        }
        l->heads[l->nblock++] = p->first;
    }
    return H3OU__OK;
}

/* Makes the root the head of its block. */
static void place_root(waitio__layers *l, int root)
{
    int at = 0;
    while (at + 1 < l->nblock && l->heads[at + 1] <= root)
        at++;
    l->heads[at] = root;
    l->root_block = at;
    l->head = at == l->block ? root - l->first : 0;
}

int waitio__layers_make(WAITIO_MPI_Comm comm, int root, waitio__layers *out)
{
    static atomic_flag is_logged = ATOMIC_FLAG_INIT;
    int block;
    *out = (waitio__layers){0};
    int code = read_algorithm(&out->algorithm, &block);
    if (code)
        return code;
    if (out->algorithm == WAITIO__TREE)
        return make_single(out, comm, root);
    code = out->algorithm == WAITIO__HYBRID ? make_jobs(out, comm) : make_blocks(out, comm, block);
    if (code)
        return code;
    if (out->mpi && (code = waitio__job_hosts_find(out, &out->hosts)) != H3OU__OK)
        return code;
    place_root(out, root);
    if (!atomic_flag_test_and_set(&is_logged))
        h3ou__log(H3OU__LOG_LOUD, "collective_layers", "algorithm=%s blocks=%d members=%d inside=%s hosts=%d",
                  algorithm_name[out->algorithm], out->nblock, out->size, out->hosts ? "memory" : out->mpi ? out->mpi->name : "waitio",
                  out->hosts ? out->hosts->map.nhost : 0);
    return H3OU__OK;
}

void waitio__layers_free(waitio__layers *l)
{
    free(l->heads);
    l->heads = NULL;
}

int waitio__layers_wait(const waitio__layers *l, h3ou__mpi_req *req, const char *what)
{
    h3ou__pause pause;
    const waitio__instance *in = waitio__instance_current();
    double patience = in ? in->patience : 0;
    h3ou__pause_begin(&pause);
    for (;;) {
        int done, err = l->mpi->test(req, &done, NULL);
        if (err || done)
            return err;
        if (h3ou__now() - pause.began > patience)
            return h3ou__fail(H3OU__ETIMEOUT, "%s: not all processes of this job came within %.0f s (WAITIO_PATIENCE)",
                              what, patience);
        /* It yields for a short time only: these messages are short mostly, and processes that sleep leave the core to
         * those for which they wait. */
        double nap = h3ou__pause_next(&pause, 1e-6 * H3OU__YIELD_DESCRIPTOR);
        err = waitio_progress(nap);
        if (err)
            return err;
    }
}
