/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls beside the exchange in a run that is recorded, or of which one component is replayed. */
#ifndef H3OU_API_BESIDE_CALL_H
#define H3OU_API_BESIDE_CALL_H

#include "api/context.h"
#include "coupler/record/beside.h"

static inline bool h3ou__is_replayed(const h3ou_ctx *ctx)
{
    return ctx->coupler->replay;
}

/* The end of a call beside the exchange, with its error: records what it brought; in a replay, where the call itself was left out,
 * brings it. most: see h3ou__beside_take. */
int h3ou__beside_end(h3ou_ctx *ctx, const char *call, int err, int64_t most, const h3ou__brought *b);
/* The same for n elements of `width` bytes. */
int h3ou__beside_end_array(h3ou_ctx *ctx, const char *call, int err, void *to, int64_t n, int64_t width);

#endif
