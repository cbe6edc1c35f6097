/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/conserve.h"

#include <math.h>

#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"
#include "coupler/config/monitor_keys.h"
#include "coupler/exchange/budget.h"

/* Returns what is added to a cell, or, in proportion, for each unit of its size; what is missing in the integral over what there is. */
static double find_correction(const h3ou__incoming *in, const h3ou__exact_sum *sum, double *lacks)
{
    bool is_global = in->var->monitor.conserve == H3OU__CONSERVE_GLOBAL;
    h3ou__exact_sum difference = sum[H3OU__SUM_SOURCE];
    for (int k = 0; k < H3OU__EXACT_LIMBS; k++)
        difference.limb[k] -= sum[H3OU__SUM_TARGET].limb[k];
    double room = h3ou__budget_value(&sum[is_global ? H3OU__SUM_TARGET_AREA : H3OU__SUM_SIZE]);
    *lacks = h3ou__budget_value(&difference);
    return room > 0.0 ? *lacks / room : 0.0;
}

static void correct_layer(const h3ou__incoming *in, int layer, double by, double data[])
{
    bool is_global = in->var->monitor.conserve == H3OU__CONSERVE_GLOBAL;
    const h3ou__sparse *s = &in->plan->rows;
    for (int64_t r = 0; r < s->nrow; r++) {
        double *value = &data[s->row[r]];
        if (isfinite(*value) && h3ou__budget_part(in, layer, r) != 0.0)
            *value += is_global ? by : by * fabs(*value);
    }
}

int h3ou__conserve(h3ou__incoming *in, double data[])
{
    h3ou__budget *b = in->budget;
    h3ou__comm *local = h3ou__world_local(in->world);
    int64_t sums = (int64_t)in->layer * H3OU__BUDGET_SUMS;
    h3ou__budget_measure(in, data);
    int err = h3ou__allreduce(local, b->sum, b->all, sums * H3OU__EXACT_LIMBS, H3OU__INT64, H3OU__SUM);
    b->corrected = 0.0;
    for (int layer = 0; layer < in->layer && !err; layer++) {
        double lacks, by = find_correction(in, b->all + layer * H3OU__BUDGET_SUMS, &lacks);
        correct_layer(in, layer, by, data + layer * in->n);
        b->corrected += by != 0.0 ? lacks : 0.0;
        if (by == 0.0 && lacks != 0.0 && in->config->is_leader)
            h3ou__warn(&b->is_told, "%s:%d: field %s: conserve='%s' cannot correct the integral: no value of %s has %s", in->config->file,
                       in->var->line, in->var->get, in->var->monitor.conserve_text, in->grid->name,
                       in->var->monitor.conserve == H3OU__CONSERVE_GLOBAL ? "an area" : "another size than 0");
        b->correction = layer == 0 ? by : b->correction;
    }
    if (!err && in->config->is_leader)
        h3ou__log(H3OU__LOG_LOUD, "conserved", "field=%s from=%s time=%.15g by=%.9g integral=%+.9g", in->var->get,
                  in->config->pair[in->var->pair].comp_put, in->got, b->correction, b->corrected);
    return err;
}
