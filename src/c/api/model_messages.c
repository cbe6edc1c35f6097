/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication beside the exchange: broadcasts and messages that a model sends on its own account. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/beside_call.h"
#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"

enum { TAG_LEADER = 1 << 18, TAG_MODEL }; /* above the tags of plans and fields */

static int find_component(const h3ou_ctx *ctx, const char *call, const char *name, int *id)
{
    int err = h3ou__ctx_check_wait(ctx, call);
    if (err)
        return err;
    *id = h3ou__world_find(ctx->world, name);
    return *id < 0 ? h3ou__fail(H3OU__ENAME, "%s: no component '%s' was started", call, name) : H3OU__OK;
}

/* Broadcasts from rank 0 of component `id` to a communicator, of which `root` is that process. In a replay my component's own
 * values come from it, and others from the record. */
static int bcast_from(h3ou_ctx *ctx, const char *call, int id, h3ou__comm *comm, int root, void *data, int64_t count, int type)
{
    bool is_mine = id == h3ou__world_me(ctx->world);
    int err = H3OU__OK;
    if (!h3ou__is_replayed(ctx))
        err = h3ou__bcast(comm, data, count, type, root);
    else if (is_mine)
        err = h3ou__bcast(h3ou__world_local(ctx->world), data, count, type, 0);
    return is_mine ? err : h3ou__beside_end_array(ctx, call, err, data, count, h3ou__type_size(type));
}

int h3ou_bcast_global(h3ou_ctx *ctx, const char *source, void *data, int64_t count, int type)
{
    h3ou__comm *couple;
    int id, err = find_component(ctx, "h3ou_bcast_global", source, &id);
    if (err || (err = h3ou__world_couple(ctx->world, &couple)) != H3OU__OK)
        return err;
    int root = h3ou__comm_of_component(couple, id);
    if (root < 0 && !h3ou__is_replayed(ctx))
        return h3ou__fail(H3OU__ENAME, "h3ou_bcast_global: %s is not coupled with %s", source, ctx->name);
    return bcast_from(ctx, "h3ou_bcast_global", id, couple, root, data, count, type);
}

int h3ou_bcast_model(h3ou_ctx *ctx, const char *source, const char *target, void *data, int64_t count, int type)
{
    int a, b;
    h3ou__comm *model;
    int err = find_component(ctx, "h3ou_bcast_model", source, &a);
    if (err || (err = find_component(ctx, "h3ou_bcast_model", target, &b)) != H3OU__OK)
        return err;
    if (a == b)
        return h3ou__bcast(h3ou__world_local(ctx->world), data, count, type, 0);
    int me = h3ou__world_me(ctx->world);
    if (me != a && me != b)
        return h3ou__lenient(ctx->coupler->config, &ctx->coupler->warned.third, H3OU__EARG,
                             "h3ou_bcast_model(%s, %s) is called by component %s, which is neither of the two "
                             "components",
                             source, target, ctx->name);
    if ((err = h3ou__world_model(ctx->world, a, b, &model)) != H3OU__OK)
        return err;
    return bcast_from(ctx, "h3ou_bcast_model", a, model, 0, data, count, type);
}

int h3ou_bcast_local(h3ou_ctx *ctx, int source_rank, void *data, int64_t count, int type)
{
    int err = h3ou__ctx_check_wait(ctx, "h3ou_bcast_local");
    if (err)
        return err;
    h3ou__comm *local = h3ou__world_local(ctx->world);
    if (source_rank < 0 || source_rank >= h3ou__comm_size(local))
        return h3ou__fail(H3OU__EARG, "h3ou_bcast_local: rank %d: component %s has %d processes", source_rank,
                          ctx->name, h3ou__comm_size(local));
    return h3ou__bcast(local, data, count, type, source_rank);
}

int h3ou_send(h3ou_ctx *ctx, const char *target, const void *data, int64_t count, int type)
{
    int id, err = find_component(ctx, "h3ou_send", target, &id);
    h3ou__comm *leader = err ? NULL : h3ou__world_leader(ctx->world);
    if (err || !leader || (h3ou__is_replayed(ctx) && id != h3ou__world_me(ctx->world)))
        return err;
    h3ou__req req;
    err = h3ou__isend(leader, id, TAG_LEADER, data, count, type, "h3ou_send", &req);
    return err ? err : h3ou__waitall(ctx->world, 1, &req);
}

/* Receives on the leader; sets *got to the number of elements that came, which may be fewer than `count`. */
static int recv_as_leader(h3ou_ctx *ctx, int id, const char *source, void *data, int64_t count, int type, int64_t *got)
{
    h3ou__req req;
    int err = h3ou__recv(h3ou__world_leader(ctx->world), id, TAG_LEADER, data, count, type, "h3ou_recv", &req);
    if (err)
        return err;
    *got = h3ou__req_count(&req, type);
    return *got == count ? H3OU__OK
                         : h3ou__lenient(ctx->coupler->config, &ctx->coupler->warned.longer, H3OU__ESIZE,
                                         "h3ou_recv: %s sent %" PRId64 " elements, %s awaits %" PRId64
                                         ": the rest of the array stays as it is",
                                         source, *got, ctx->name, count);
}

int h3ou_recv(h3ou_ctx *ctx, const char *source, void *data, int64_t count, int type)
{
    int64_t got = 0;
    int id, err = find_component(ctx, "h3ou_recv", source, &id);
    if (err)
        return err;
    bool is_own = id == h3ou__world_me(ctx->world);
    if (h3ou__is_replayed(ctx) && !is_own)
        return h3ou__beside_end_array(ctx, "h3ou_recv", err, data, count, h3ou__type_size(type));
    h3ou__comm *local = h3ou__world_local(ctx->world);
    if (h3ou__world_leader(ctx->world))
        err = recv_as_leader(ctx, id, source, data, count, type, &got);
    if (!err && (err = h3ou__bcast(local, &got, 1, H3OU__INT64, 0)) == H3OU__OK)
        err = got <= count ? h3ou__bcast(local, data, got, type, 0)
                           : h3ou__fail(H3OU__ESIZE, "h3ou_recv: the array of rank 0 of %s is longer than that of this one",
                                        ctx->name);
    return is_own ? err : h3ou__beside_end_array(ctx, "h3ou_recv", err, data, got, h3ou__type_size(type));
}

static int check_rank(const h3ou_ctx *ctx, const char *call, int id, int rank)
{
    int size = h3ou__world_component_size(ctx->world, id);
    return rank >= 0 && rank < size
               ? H3OU_OK
               : h3ou__fail(H3OU__EARG, "%s: rank %d: component %s has %d processes", call, rank,
                            h3ou__world_component_name(ctx->world, id), size);
}

/* Finds the communicator of my component and the other one, and the rank of the other process in it. Both components
 * must take the same one, since Model(a, b) is not Model(b, a): the one with the lower id stands first. */
static int find_member(h3ou_ctx *ctx, const char *call, const char *name, int rank, h3ou__comm **comm, int *place)
{
    int id, err = find_component(ctx, call, name, &id);
    if (err || (err = check_rank(ctx, call, id, rank)) != H3OU_OK)
        return err;
    int me = h3ou__world_me(ctx->world);
    *place = rank;
    if (id == me) {
        *comm = h3ou__world_local(ctx->world);
        return H3OU__OK;
    }
    if (id > me)
        *place += h3ou__world_component_size(ctx->world, me);
    return h3ou__world_model(ctx->world, id < me ? id : me, id < me ? me : id, comm);
}

/* Returns whether a message with the component is left out, because it does not run. */
static bool is_left_out(const h3ou_ctx *ctx, const char *name)
{
    return h3ou__is_replayed(ctx) && h3ou__world_find(ctx->world, name) != h3ou__world_me(ctx->world);
}

static int start_send(h3ou_ctx *ctx, const char *call, const char *target, int rank, const void *data, int64_t count,
                      int type, h3ou__req *req)
{
    h3ou__comm *comm;
    int place, err = find_member(ctx, call, target, rank, &comm, &place);
    return err ? err : h3ou__isend(comm, place, TAG_MODEL, data, count, type, call, req);
}

int h3ou_send_model(h3ou_ctx *ctx, const char *target, int rank, const void *data, int64_t count, int type)
{
    h3ou__req req;
    int id, err = find_component(ctx, "h3ou_send_model", target, &id);
    if (err || is_left_out(ctx, target))
        return err;
    err = start_send(ctx, "h3ou_send_model", target, rank, data, count, type, &req);
    return err ? err : h3ou__waitall(ctx->world, 1, &req);
}

int h3ou_recv_model(h3ou_ctx *ctx, const char *source, int rank, void *data, int64_t count, int type)
{
    const char *const call = "h3ou_recv_model";
    h3ou__comm *comm;
    h3ou__req req;
    int id, place, err = find_component(ctx, call, source, &id);
    if (err)
        return err;
    int64_t n = count;
    if (!is_left_out(ctx, source)) {
        if ((err = find_member(ctx, call, source, rank, &comm, &place)) == H3OU_OK)
            err = h3ou__recv(comm, place, TAG_MODEL, data, count, type, call, &req);
        n = err ? 0 : h3ou__req_count(&req, type);
    }
    return id == h3ou__world_me(ctx->world) ? err : h3ou__beside_end_array(ctx, call, err, data, n, h3ou__type_size(type));
}

int h3ou_send_local(h3ou_ctx *ctx, int rank, const void *data, int64_t count, int type)
{
    h3ou__req req;
    int err = h3ou__ctx_check_wait(ctx, "h3ou_send_local");
    if (err || (err = check_rank(ctx, "h3ou_send_local", h3ou__world_me(ctx->world), rank)) != H3OU_OK)
        return err;
    err = h3ou__isend(h3ou__world_local(ctx->world), rank, TAG_MODEL, data, count, type, "h3ou_send_local", &req);
    return err ? err : h3ou__waitall(ctx->world, 1, &req);
}

int h3ou_recv_local(h3ou_ctx *ctx, int rank, void *data, int64_t count, int type)
{
    h3ou__req req;
    int err = h3ou__ctx_check_wait(ctx, "h3ou_recv_local");
    if (err || (err = check_rank(ctx, "h3ou_recv_local", h3ou__world_me(ctx->world), rank)) != H3OU_OK)
        return err;
    return h3ou__recv(h3ou__world_local(ctx->world), rank, TAG_MODEL, data, count, type, "h3ou_recv_local", &req);
}

static int add_request(h3ou__started *s, h3ou__req **req)
{
    if (!h3ou__grow(&s->req, sizeof *s->req, &s->room, s->n + 1))
        return h3ou__no_memory("a message");
    *req = &s->req[s->n];
    return H3OU__OK;
}

int h3ou_isend_model(h3ou_ctx *ctx, const char *target, int rank, const void *data, int64_t count, int type)
{
    h3ou__req *req;
    int id, err = find_component(ctx, "h3ou_isend_model", target, &id);
    if (err || is_left_out(ctx, target))
        return err;
    if ((err = add_request(&ctx->sends, &req)) == H3OU__OK &&
        (err = start_send(ctx, "h3ou_isend_model", target, rank, data, count, type, req)) == H3OU__OK)
        ctx->sends.n++;
    return err;
}

/* Keeps where the message of a receive from another component will be, for h3ou_irecv_waitall, if the record needs it. */
static int await(h3ou_ctx *ctx, int id, void *data, int64_t count, int type)
{
    if (id == h3ou__world_me(ctx->world) || !(ctx->coupler->recorder || ctx->coupler->replay))
        return H3OU__OK;
    if (!h3ou__grow(&ctx->awaited, sizeof *ctx->awaited, &ctx->awaited_room, ctx->nawaited + 1))
        return h3ou__no_memory("a message");
    ctx->awaited[ctx->nawaited++] = (h3ou__awaited){data, count, h3ou__type_size(type)};
    return H3OU__OK;
}

int h3ou_irecv_model(h3ou_ctx *ctx, const char *source, int rank, void *data, int64_t count, int type)
{
    const char *const call = "h3ou_irecv_model";
    h3ou__comm *comm;
    h3ou__req *req;
    int id, place, err = find_component(ctx, call, source, &id);
    if (!err)
        err = await(ctx, id, data, count, type);
    if (err || is_left_out(ctx, source))
        return err;
    if ((err = find_member(ctx, call, source, rank, &comm, &place)) == H3OU__OK &&
        (err = add_request(&ctx->receives, &req)) == H3OU__OK &&
        (err = h3ou__irecv(comm, place, TAG_MODEL, data, count, type, call, req)) == H3OU__OK)
        ctx->receives.n++;
    return err;
}

static int complete_requests(h3ou_ctx *ctx, const char *call, h3ou__started *s)
{
    int err = h3ou__ctx_check_wait(ctx, call);
    if (!err)
        err = h3ou__waitall(ctx->world, s->n, s->req);
    if (!err)
        s->n = 0;
    return err;
}

int h3ou_isend_waitall(h3ou_ctx *ctx)
{
    return complete_requests(ctx, "h3ou_isend_waitall", ctx ? &ctx->sends : NULL);
}

int h3ou_irecv_waitall(h3ou_ctx *ctx)
{
    int err = complete_requests(ctx, "h3ou_irecv_waitall", ctx ? &ctx->receives : NULL);
    for (int i = 0; !err && i < ctx->nawaited; i++)
        err = h3ou__beside_end_array(ctx, "h3ou_irecv_model", err, ctx->awaited[i].data, ctx->awaited[i].n, ctx->awaited[i].width);
    if (!err)
        ctx->nawaited = 0;
    return err;
}
