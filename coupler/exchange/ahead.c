/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges that are received when a restart is written, and got later. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_state.h"
#include "coupler/config/interval_flag.h"
#include "coupler/exchange/incoming.h"

int h3ou__incoming_add_ahead(h3ou__incoming *in, int64_t number, int state, bool has_value, h3ou__ahead **out)
{
    h3ou__ahead *a = calloc(1, sizeof *a), **last = &in->ahead;
    if (a && has_value)
        a->value = malloc(sizeof *a->value * (size_t)(h3ou__incoming_values(in) + 1));
    if (!a || (has_value && !a->value)) {
        free(a);
        return h3ou__no_memory("%s", in->what);
    }
    a->number = number;
    a->mark = h3ou__exchange_mark(&in->times, number);
    a->state = state;
    while (*last)
        last = &(*last)->next;
    *last = a;
    *out = a;
    return H3OU__OK;
}

/* Receives exchange `number`. A process that needs no cells gets nothing, but has values: those of cells without a source. */
static int receive_one(h3ou__incoming *in, int64_t number)
{
    h3ou__ahead *a;
    int state = H3OU__VALUE, err = H3OU__OK;
    if (in->relay)
        err = h3ou__incoming_pass_on(in, &state);
    else if (in->plan->npartner > 0)
        err = h3ou__incoming_receive(in, &state);
    else
        in->next = number + 1;
    if (err || in->has_ended)
        return err;
    if (state == H3OU__VALUE && !in->relay)
        err = h3ou__incoming_compute(in);
    if (!err)
        err = h3ou__incoming_add_ahead(in, number, state, state == H3OU__VALUE, &a);
    if (!err && a->value)
        h3ou__incoming_copy_mine(in, a->value);
    h3ou__incoming_release(in);
    return err;
}

/* Returns the exchange behind the last one that was sent by the sender's time `senders`. */
static int64_t end_of_sent(const h3ou__incoming *in, h3ou__rational now, h3ou__rational senders)
{
    int64_t k = in->next;
    if (in->var->lag > 0 && in->var->flag != H3OU__FLAG_INT && h3ou__rational_compare(now, senders) == 0)
        return k; /* a get before `now` took what is needed */
    while (h3ou__rational_compare(h3ou__exchange_leaves(&in->times, k), senders) < (in->var->lag > 0))
        k++;
    return k;
}

int h3ou__incoming_receive_ahead(h3ou__incoming *in, h3ou__rational now, h3ou__rational senders, int64_t next, int64_t sent)
{
    in->next = next;
    int64_t end = in->var->lag == 0 ? sent : end_of_sent(in, now, senders);
    int err = H3OU__OK, state;
    for (int64_t k = in->next; k < end && !err && !in->has_ended; k++)
        err = receive_one(in, k);
    while (!err && in->ahead && h3ou__exchange_is_over(&in->times, in->ahead->number, now))
        err = h3ou__incoming_take_ahead(in, &state);
    return err;
}

void h3ou__incoming_let_go(h3ou__incoming *in)
{
    free(in->held);
    in->held = NULL;
}

void h3ou__incoming_free_ahead(h3ou__incoming *in)
{
    h3ou__incoming_let_go(in);
    for (h3ou__ahead *a = in->ahead, *later; a; a = later) {
        later = a->next;
        free(a->value);
        free(a);
    }
}

int h3ou__incoming_take_ahead(h3ou__incoming *in, int *state)
{
    h3ou__ahead *a = in->ahead;
    in->ahead = a->next;
    in->got = a->mark;
    *state = a->state;
    h3ou__incoming_let_go(in);
    in->held = a->value;
    int err = a->value && in->var->flag == H3OU__FLAG_INT ? h3ou__incoming_keep_next(in, a->value) : H3OU__OK;
    free(a);
    return err;
}
