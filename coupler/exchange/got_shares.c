/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/got_shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "coupler/message/message_form.h"

static int64_t cells_from(const h3ou__incoming *in, int k)
{
    return in->plan->start[k + 1] - in->plan->start[k];
}

/* Returns whether message k has shares that are to be kept. */
static bool is_to_keep(const h3ou__incoming *in, int k)
{
    return in->arrived[k][H3OU__HEAD_STATE] == H3OU__SHARED && in->arrived[k][H3OU__HEAD_KEEP] != 0.0;
}

/* Returns the shares that stand in message k. */
static const double *shares_in(const h3ou__incoming *in, int k)
{
    int64_t rows = (int64_t)in->layer * h3ou__message_width(in->var, in->plan);
    return in->arrived[k] + h3ou__message_length(in->has_singles, cells_from(in, k), rows);
}

bool h3ou__got_shares_has(const h3ou__incoming *in, int k)
{
    return in->got_shares && in->got_shares->has[k];
}

static h3ou__got_shares *new_shares(const h3ou__plan *plan)
{
    h3ou__got_shares *got = calloc(1, sizeof *got);
    if (!got)
        return NULL;
    got->share = malloc(sizeof *got->share * (size_t)(plan->start[plan->npartner] + 1));
    got->has = calloc((size_t)plan->npartner + 1, sizeof *got->has);
    if (got->share && got->has)
        return got;
    h3ou__got_shares_free(got);
    return NULL;
}

int h3ou__got_shares_keep(h3ou__incoming *in)
{
    for (int k = 0; k < in->plan->npartner; k++) {
        if (!is_to_keep(in, k))
            continue;
        if (!in->got_shares && !(in->got_shares = new_shares(in->plan)))
            return h3ou__fail(H3OU__ENOMEM, "%s: out of memory", in->what);
        memcpy(in->got_shares->share + in->plan->start[k], shares_in(in, k), sizeof(double) * (size_t)cells_from(in, k));
        in->got_shares->has[k] = true;
        in->got_shares->number++;
    }
    return H3OU__OK;
}

bool h3ou__got_shares_are_all(const h3ou__incoming *in)
{
    bool are_all = in->got_shares != NULL;
    for (int k = 0; k < in->plan->npartner && are_all; k++)
        are_all = in->arrived[k][H3OU__HEAD_STATE] == H3OU__SAME_SHARES || is_to_keep(in, k);
    return are_all;
}

const double *h3ou__got_shares_of(const h3ou__incoming *in, int k)
{
    double state = in->arrived[k][H3OU__HEAD_STATE];
    return state == H3OU__SAME_SHARES ? in->got_shares->share + in->plan->start[k] : state == H3OU__SHARED ? shares_in(in, k) : NULL;
}

void h3ou__got_shares_free(h3ou__got_shares *got)
{
    if (!got)
        return;
    free(got->share);
    free(got->has);
    free(got);
}
