/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/centre_search.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou__centre_search_open(const h3ou__method_task *task, const char *name, bool by_rows, void **state)
{
    h3ou__centre_search *s = calloc(1, sizeof *s);
    *state = s;
    if (!s)
        return h3ou__no_memory("a search");
    int err = by_rows ? h3ou__raster_create(task->source, &s->raster) : H3OU__OK;
    if (!err && by_rows && !s->raster)
        err = h3ou__row_pairs_create(task->source, &s->pairs);
    return err || s->raster || s->pairs ? err : h3ou__dual_create(name, task->source, &s->dual);
}

void h3ou__centre_search_close(void *state)
{
    h3ou__centre_search *s = state;
    if (!s)
        return;
    h3ou__raster_free(s->raster);
    h3ou__row_pairs_free(s->pairs);
    h3ou__dual_free(s->dual);
    free(s);
}
