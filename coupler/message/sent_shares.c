/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/sent_shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "coupler/message/message_form.h"

enum { PAIRED_AFTER = 3 }; /* messages in turn with other shares than the one before, after which shares are paired */

void h3ou__sent_shares_free(h3ou__sent_shares *shares)
{
    free(shares->gone);
    shares->gone = NULL;
}

/* Returns whether the message that is made has other shares than the one before. */
static bool are_others(const h3ou__sent_shares *shares)
{
    return shares->number > 0 && shares->number != shares->last;
}

void h3ou__sent_shares_begin(h3ou__sent_shares *shares, int64_t number, bool can_pair)
{
    shares->number = number;
    shares->are_kept = number > 0 && number == shares->kept;
    shares->are_paired = can_pair && !shares->are_kept && are_others(shares) && shares->others == PAIRED_AFTER;
}

/* Counts a message that is sent. */
static void count_others(h3ou__sent_shares *shares, bool has_nan)
{
    if (!are_others(shares) || has_nan)
        shares->others = 0;
    else if (shares->others < PAIRED_AFTER)
        shares->others++;
    shares->last = shares->number;
}

void h3ou__sent_shares_mark(h3ou__sent_shares *shares, double *message)
{
    if (message[H3OU__HEAD_STATE] != H3OU__SHARED)
        return;
    if (shares->are_kept) {
        message[H3OU__HEAD_STATE] = H3OU__SAME_SHARES;
    } else if (shares->number > 0 && shares->number == shares->last) {
        message[H3OU__HEAD_KEEP] = 1.0;
        shares->kept = shares->number;
    } else if (shares->are_paired) {
        message[H3OU__HEAD_STATE] = H3OU__PAIRED;
    }
    count_others(shares, message[H3OU__HEAD_MORE] != 0.0);
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

/* Sets the values of `count` cells from cell `first` on to 0; cells: how many the message has. */
static void clear_run(const h3ou__value_form *form, int64_t cells, int64_t first, int64_t count, double *message)
{
    int64_t size = form->is_single ? sizeof(float) : sizeof(double);
    char *value = (char *)(message + H3OU__HEAD);
    if (form->is_turned)
        memset(value + first * form->rows * size, 0, (size_t)(count * form->rows * size));
    else
        for (int64_t row = 0; row < form->rows; row++)
            memset(value + (row * cells + first) * size, 0, (size_t)(count * size));
}

void h3ou__sent_shares_clear(h3ou__sent_shares *shares, const h3ou__picked *cells, const h3ou__value_form *form,
                             const double *share, double *message)
{
    bool stay = shares->number > 0 && (shares->are_kept || shares->number == shares->last);
    if (stay && (shares->gone_number == shares->number || list_gone(shares, cells, share))) {
        for (int64_t i = 0; i < shares->ngone; i++)
            clear_run(form, cells->count, shares->gone[i][0], shares->gone[i][1], message);
        return;
    }
    for (int64_t i = 0; i < cells->count; i++)
        if (share[cells->at[i]] <= 0.0)
            clear_run(form, cells->count, i, 1, message);
}
