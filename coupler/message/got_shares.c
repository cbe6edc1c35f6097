/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/got_shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "coupler/message/message_form.h"

void h3ou__got_shares_free(h3ou__got_shares *got)
{
    free(got->share);
    free(got->has);
    *got = (h3ou__got_shares){0};
}

bool h3ou__got_shares_has(const h3ou__got_shares *got, int k)
{
    return got->share && got->has[k];
}

bool h3ou__got_shares_are_new(const double *message)
{
    return message[H3OU__HEAD_STATE] == H3OU__SHARED && message[H3OU__HEAD_KEEP] != 0.0;
}

int h3ou__got_shares_keep(h3ou__got_shares *got, const h3ou__plan *plan, int k, const double *share)
{
    int64_t first = plan->start[k], count = plan->start[k + 1] - first;
    if (!got->share) {
        got->share = malloc(sizeof *got->share * (size_t)(plan->start[plan->npartner] + 1));
        got->has = calloc((size_t)plan->npartner + 1, sizeof *got->has);
    }
    if (!got->share || !got->has) {
        h3ou__got_shares_free(got);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the shares of a field");
    }
    memcpy(got->share + first, share, sizeof *share * (size_t)count);
    got->has[k] = true;
    got->number++;
    return H3OU__OK;
}

bool h3ou__got_shares_are_all(const h3ou__got_shares *got, int npartner, const double *const message[])
{
    bool are_all = got->share != NULL;
    for (int k = 0; k < npartner && are_all; k++)
        are_all = message[k][H3OU__HEAD_STATE] == H3OU__SAME_SHARES || h3ou__got_shares_are_new(message[k]);
    return are_all;
}

const double *h3ou__got_shares_of(const h3ou__got_shares *got, const h3ou__plan *plan, int k, const double *message,
                                  const double *inside)
{
    if (message[H3OU__HEAD_STATE] == H3OU__SAME_SHARES)
        return got->share + plan->start[k];
    return message[H3OU__HEAD_STATE] == H3OU__SHARED ? inside : NULL;
}
