/* SPDX-License-Identifier: BSD-3-Clause */
/* The key stop_step of the namelist: a run that tries out its beginning ends there, well. */
#include <stdlib.h>

#include "api/context.h"
#include "base/log.h"
#include "comm/collective/collective.h"

int h3ou__stop_step(h3ou_ctx *ctx, int step, const char *where)
{
    int last = ctx->coupler->config->stop_step;
    if (last == 0 || !h3ou__several_reached(ctx, step))
        return H3OU_OK;
    int err = h3ou__barrier(h3ou__world_global(ctx->world));
    if (!err && h3ou__comm_rank(h3ou__world_local(ctx->world)) == 0)
        h3ou__log(H3OU__LOG_WARNING, "stopped", "stop_step=%d at=\"%s\"", last, where);
    for (h3ou_ctx *open; !err && (open = h3ou__context_find(NULL));)
        err = h3ou_close(open, NULL, 1);
    if (err)
        return err;
    exit(EXIT_SUCCESS);
}
