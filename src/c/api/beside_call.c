/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/beside_call.h"

#include "base/error.h"

int h3ou__beside_end(h3ou_ctx *ctx, const char *call, int err, int64_t most, const h3ou__brought *b)
{
    h3ou__coupler *c = err ? NULL : ctx->coupler;
    if (!c)
        return err;
    if (c->replay)
        return h3ou__beside_take(h3ou__replay_recording(c->replay), h3ou__world_local(ctx->world), &ctx->nbeside, call, most, b);
    if (c->recorder)
        h3ou__beside_keep(c->recorder, call, b);
    return H3OU__OK;
}

int h3ou__beside_end_array(h3ou_ctx *ctx, const char *call, int err, void *to, int64_t n, int64_t width)
{
    const h3ou__brought b = {.to = to, .n = n, .width = width};
    return h3ou__beside_end(ctx, call, err, n, &b);
}
