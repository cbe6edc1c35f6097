/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/inside_call.h"

#include <string.h>

#include "base/error.h"
#include "coll/combine.h"
#include "comm/part/collective_tag.h"

static void combine(const void *user, void *to, const void *from, int64_t count)
{
    const h3ou__inside_call *call = user;
    h3ou__combine(to, from, count, call->type, call->op);
}

static int start_by_host(h3ou__comm *c, h3ou__inside_call *call, h3ou__host_call host)
{
    host.element = h3ou__type_size(call->type);
    host.label = call->type << 4 | call->op;
    host.combine = combine;
    host.user = call;
    if (h3ou__inside_is_spread(c)) {
        call->way = H3OU__INSIDE_SPREAD;
        return h3ou__spread_start(c, &host, call->type, call->op, &call->spread);
    }
    call->way = H3OU__INSIDE_HOST;
    call->host = host;
    h3ou__host_call_start(c->host->block, &call->host);
    return 0;
}

bool h3ou__inside_is_spread(const h3ou__comm *c)
{
    return c->inside && c->host->is_shared && c->host->map.nhost > 1;
}

int h3ou__inside_bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root, h3ou__inside_call *call)
{
    *call = (h3ou__inside_call){.type = type};
    if (!c->host->is_shared)
        return c->world->mpi->ibcast(c->inside, buf, count, type, root, &call->req);
    return start_by_host(c, call,
                         (h3ou__host_call){.kind = H3OU__HOST_BCAST, .root = root, .in = buf, .out = buf, .count = count});
}

int h3ou__inside_reduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op, int root,
                        h3ou__inside_call *call)
{
    *call = (h3ou__inside_call){.type = type, .op = op};
    if (!c->host->is_shared || type == H3OU__BYTE)
        return c->world->mpi->ireduce(c->inside, send, recv, count, type, op, root, &call->req);
    return start_by_host(
        c, call, (h3ou__host_call){.kind = H3OU__HOST_REDUCE, .root = root, .in = send, .out = recv, .count = count});
}

int h3ou__inside_allreduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op,
                           h3ou__inside_call *call)
{
    *call = (h3ou__inside_call){.type = type, .op = op};
    if (!c->host->is_shared || type == H3OU__BYTE)
        return c->world->mpi->iallreduce(c->inside, send, recv, count, type, op, &call->req);
    return start_by_host(c, call,
                         (h3ou__host_call){.kind = H3OU__HOST_ALLREDUCE, .in = send, .out = recv, .count = count});
}

int h3ou__inside_pass(h3ou__comm *c, int from, int to, void *buf, int64_t count, int type, int segment, h3ou__inside_call *call)
{
    bool sends = c->block_rank == from;
    *call = (h3ou__inside_call){.way = H3OU__INSIDE_NOTHING, .type = type};
    if (from == to)
        return H3OU__OK;
    if (c->host->is_shared && !h3ou__inside_is_spread(c))
        return start_by_host(
            c, call, (h3ou__host_call){.kind = H3OU__HOST_PASS, .giver = from, .root = to, .in = buf, .out = buf, .count = count});
    if (!sends && c->block_rank != to)
        return H3OU__OK;
    call->way = H3OU__INSIDE_MESSAGE;
    int peer = h3ou__comm_king(c, c->block) + (sends ? to : from), tag = H3OU__TAG_PASS + segment;
    return sends ? h3ou__isend(c, peer, tag, buf, count, type, "result", &call->message)
                 : h3ou__irecv_probed(c, peer, tag, buf, count, type, "result", &call->message);
}

int h3ou__inside_test(h3ou__comm *c, h3ou__inside_call *call, bool *done, bool *moved)
{
    if (call->way == H3OU__INSIDE_HOST)
        return h3ou__host_call_test(c->host->block, &call->host, done, moved);
    if (call->way == H3OU__INSIDE_SPREAD)
        return h3ou__spread_test(c, &call->spread, done, moved);
    if (call->way == H3OU__INSIDE_NOTHING) {
        *done = true;
        return 0;
    }
    if (call->way == H3OU__INSIDE_MESSAGE)
        return h3ou__testall(c->world, 1, &call->message, done);
    int is_done = 0, err = c->world->mpi->test(&call->req, &is_done, NULL);
    *done = is_done;
    return err;
}

bool h3ou__inside_awaits_mpi(const h3ou__inside_call *call)
{
    return call->way == H3OU__INSIDE_MPI || call->way == H3OU__INSIDE_MESSAGE || (call->way == H3OU__INSIDE_SPREAD && call->spread.run);
}

void h3ou__inside_end(h3ou__inside_call *call)
{
    if (call->way == H3OU__INSIDE_SPREAD)
        h3ou__spread_end(&call->spread);
}
