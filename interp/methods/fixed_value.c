/* SPDX-License-Identifier: BSD-3-Clause */
/* A fixed value, without sources. */
#include "interp/stencils/method.h"

static int serve_value(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    (void)state;
    (void)target;
    row->is_fixed = true;
    row->fixed = task->keys.value;
    return 0;
}

const h3ou__method h3ou__method_value = {
    .name = "value",
    .help = "a fixed value for all that is left",
    .keys = "value",
    .serve = serve_value,
};
