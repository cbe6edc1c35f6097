/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/sent_shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/cell_values.h"
#include "coupler/message/message_form.h"

int h3ou__sent_shares_create(h3ou__outgoing *o)
{
    o->shares = calloc((size_t)o->plan->npartner + 1, sizeof *o->shares);
    return o->shares ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "%s: out of memory", o->what);
}

void h3ou__sent_shares_free(h3ou__outgoing *o)
{
    for (int k = 0; o->shares && k < o->plan->npartner; k++)
        free(o->shares[k].gone);
    free(o->shares);
}

void h3ou__sent_shares_choose(h3ou__outgoing *o, const h3ou__sample *s, bool is_now)
{
    for (int k = 0; k < o->plan->npartner; k++) {
        h3ou__sent_shares *shares = &o->shares[k];
        shares->number = s && s->share && !is_now && !o->is_direct ? s->share_number : 0;
        shares->is_same = shares->number > 0 && shares->number == shares->kept;
    }
}

void h3ou__sent_shares_mark(h3ou__outgoing *o, int k, double *message)
{
    h3ou__sent_shares *shares = &o->shares[k];
    if (message[H3OU__HEAD_STATE] != H3OU__SHARED || message[H3OU__HEAD_MARK] < 0.0)
        return;
    if (shares->is_same) {
        message[H3OU__HEAD_STATE] = H3OU__SAME_SHARES;
    } else if (shares->number > 0 && shares->number == shares->last) {
        message[H3OU__HEAD_KEEP] = 1.0;
        shares->kept = shares->number;
    }
    shares->last = shares->number;
}

/* Lists the cells with share 0; without memory there is no list. */
static bool list_gone(h3ou__sent_shares *shares, const h3ou__picked *cells, const double *share)
{
    shares->gone_number = shares->ngone = 0;
    for (int64_t i = 0; i < cells->count; i++) {
        if (share[cells->at[i]] > 0.0)
            continue;
        int64_t *run = shares->ngone > 0 ? shares->gone[shares->ngone - 1] : NULL;
        if (run && run[0] + run[1] == i) {
            run[1]++;
            continue;
        }
        if (!h3ou__grow(&shares->gone, sizeof *shares->gone, &shares->room, shares->ngone + 1))
            return false;
        shares->gone[shares->ngone][0] = i;
        shares->gone[shares->ngone++][1] = 1;
    }
    shares->gone_number = shares->number;
    return true;
}

/* Sets the values of `count` cells from cell `first` on to 0. */
static void clear_run(const h3ou__outgoing *o, int k, double *message, int64_t first, int64_t count)
{
    int64_t size = h3ou__message_has_singles(o->var) ? sizeof(float) : sizeof(double), rows = o->layer;
    char *value = (char *)(message + H3OU__HEAD);
    if (h3ou__message_is_turned(o->plan, rows))
        memset(value + first * rows * size, 0, (size_t)(count * rows * size));
    else
        for (int64_t row = 0; row < rows; row++)
            memset(value + (row * o->cells[k].count + first) * size, 0, (size_t)(count * size));
}

void h3ou__sent_shares_clear(h3ou__outgoing *o, const h3ou__sample *s, int k, double *message)
{
    h3ou__sent_shares *shares = &o->shares[k];
    const h3ou__picked *cells = &o->cells[k];
    bool stay = shares->number > 0 && (shares->is_same || shares->number == shares->last);
    if (stay && (shares->gone_number == shares->number || list_gone(shares, cells, s->share))) {
        for (int64_t i = 0; i < shares->ngone; i++)
            clear_run(o, k, message, shares->gone[i][0], shares->gone[i][1]);
        return;
    }
    bool is_double_rows = !h3ou__message_has_singles(o->var) && !h3ou__message_is_turned(o->plan, o->layer) && !shares->is_same;
    const double *share = message + h3ou__message_length(false, cells->count, o->layer);
    for (int64_t row = 0; row < o->layer && is_double_rows; row++)
        h3ou__cells_clear(cells->count, share, message + H3OU__HEAD + row * cells->count);
    for (int64_t i = 0; i < cells->count && !is_double_rows; i++)
        if (s->share[cells->at[i]] <= 0.0)
            clear_run(o, k, message, i, 1);
}
