/* SPDX-License-Identifier: BSD-3-Clause */
/* The key data_range of the namelist: values of a field that is put must lie within it. */
#include "coupler/exchange/outgoing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "coupler/config/leniency.h"

/* Returns the place in o->newest of the first value outside, or -1. The comparisons raise no exception for a NaN. */
static int64_t find_outside(const h3ou__outgoing *o)
{
    double least = o->var->data_min, most = o->var->data_max;
    for (int64_t start = 0; start < o->values; start += o->n)
        for (int64_t k = 0; k < o->nneeded; k++) {
            double value = o->newest[start + o->needed[k]];
            if ((isless(value, least) || isgreater(value, most)) && !(o->has_share && o->share[o->needed[k]] <= 0.0))
                return start + o->needed[k];
        }
    return -1;
}

int h3ou__data_range_check(h3ou__outgoing *o, const h3ou__clock *clock)
{
    const h3ou__config_var *v = o->var;
    char date[H3OU__DATE_TEXT], text[H3OU__ERROR_TEXT / 2];
    if (!v->has_range || o->range_told)
        return H3OU__OK;
    int64_t at = find_outside(o);
    if (at < 0)
        return H3OU__OK;
    snprintf(text, sizeof text,
             "%s:%d: field %s, cell %" PRId64 ", layer %" PRId64 ": the value %.9g put at %s is outside data_range=%.9g,%.9g",
             o->config->file, v->line, v->put, o->grid->index[at % o->n], at / o->n % o->layer + 1, o->newest[at],
             h3ou__clock_text(clock, o->config, clock->now, date), v->data_min, v->data_max);
    if (v->range_action == H3OU__RANGE_ERROR)
        return h3ou__fail(H3OU__EARG, "%s (range_action='error')", text);
    h3ou__warn(&o->range_told, "%s", text);
    return H3OU__OK;
}
