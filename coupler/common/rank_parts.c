/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/rank_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/types.h"
#include "comm/collective/collective.h"
#include "coupler/common/find_senders.h"
#include "coupler/common/message_tags.h"

static const char what_parts[] = "a part of the plan of an exchange";

int h3ou__parts_append(h3ou__parts *p, int rank, int64_t count)
{
    if (p->n > 0 && p->rank[p->n - 1] == rank) {
        p->count[p->n - 1] += count;
        return H3OU__OK;
    }
    int64_t room = h3ou__larger_room(p->room, (int64_t)p->n + 1);
    if (room != p->room) {
        if (!h3ou__resize(&p->rank, sizeof *p->rank, room) || !h3ou__resize(&p->count, sizeof *p->count, room))
            return h3ou__no_memory("the plan of an exchange");
        p->room = (int)room;
    }
    p->rank[p->n] = rank;
    p->count[p->n++] = count;
    return H3OU__OK;
}

void h3ou__parts_free(h3ou__parts *p)
{
    free(p->rank);
    free(p->count);
    memset(p, 0, sizeof *p);
}

/* By two calls of MPI, with counts of every process. */
static int exchange_densely(h3ou__comm *local, const h3ou__parts *out, const void *send, int width, int type,
                            h3ou__parts *in, bool is_known, void **recv)
{
    int size = h3ou__comm_size(local), err = H3OU__OK;
    int64_t *sent = calloc(2 * (size_t)size, sizeof *sent), *got = sent + size;
    if (!sent)
        return h3ou__no_memory("the plan of an exchange");
    for (int k = 0; k < out->n; k++)
        sent[out->rank[k]] = out->count[k] * width;
    err = h3ou__alltoallv(local, send, sent, type, recv, got);
    for (int r = 0; r < size && !err && !is_known; r++)
        if (got[r] > 0)
            err = h3ou__parts_append(in, r, got[r] / width);
    free(sent);
    return err;
}

/* Posts the receives and sends of all parts: in->n + out->n requests. */
static int post_parts(h3ou__comm *local, const h3ou__parts *out, const char *send, int width, int type,
                      const h3ou__parts *in, char *recv, h3ou__req req[])
{
    int64_t bytes = width * h3ou__type_size(type);
    int err = H3OU__OK;
    for (int k = 0; k < in->n && !err; k++) {
        err = h3ou__irecv(local, in->rank[k], H3OU__TAG_PARTS, recv, in->count[k] * width, type, what_parts, req++);
        recv += in->count[k] * bytes;
    }
    for (int k = 0; k < out->n && !err; k++) {
        err = h3ou__isend(local, out->rank[k], H3OU__TAG_PARTS, send, out->count[k] * width, type, what_parts, req++);
        send += out->count[k] * bytes;
    }
    return err;
}

/* By messages between processes that have something for each other. */
static int exchange_sparsely(h3ou__comm *local, const h3ou__parts *out, const void *send, int width, int type,
                             h3ou__parts *in, bool is_known, void **recv)
{
    int64_t n = 0;
    int err = is_known ? H3OU__OK : h3ou__find_senders(local, out, in);
    for (int k = 0; k < in->n && !err; k++)
        n += in->count[k];
    if (err)
        return err;
    h3ou__req *req = malloc(sizeof *req * ((size_t)in->n + (size_t)out->n + 1));
    *recv = malloc((size_t)(n * width * h3ou__type_size(type)) + 1);
    err = req && *recv ? post_parts(local, out, send, width, type, in, *recv, req) : h3ou__no_memory("the plan of an exchange");
    if (!err)
        err = h3ou__waitall(h3ou__comm_world(local), in->n + out->n, req);
    if (err) {
        free(*recv);
        *recv = NULL;
    }
    free(req);
    return err;
}

int h3ou__parts_are_dense(h3ou__comm *local, bool *is_dense)
{
    int64_t most = 0;
    int err = h3ou__env_int("H3OU_DENSE_PROCESSES", 0, INT_MAX, 1000, &most);
    *is_dense = h3ou__comm_size(local) <= most;
    return err;
}

int h3ou__parts_exchange(h3ou__comm *local, const h3ou__parts *out, const void *send, int width, int type, h3ou__parts *in,
                         bool is_known, void **recv)
{
    bool is_dense;
    *recv = NULL;
    int err = h3ou__parts_are_dense(local, &is_dense);
    if (err)
        return err;
    return is_dense ? exchange_densely(local, out, send, width, type, in, is_known, recv)
                    : exchange_sparsely(local, out, send, width, type, in, is_known, recv);
}
