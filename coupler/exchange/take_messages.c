/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting the source values and shares of an exchange together from the messages that arrived: where the product reads
 * them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/single_precision.h"
#include "coupler/cells/cell_values.h"
#include "coupler/exchange/incoming.h"
#include "interp/weights/kept_shares.h"

/* Copies values of a message, from value `at` on, to where the product reads them, from value `to` on. */
static void copy_values(const h3ou__incoming *in, const double *message, int64_t at, int64_t count, int64_t to)
{
    const float *single = h3ou__message_singles(message) + at;
    if (!in->has_singles)
        memcpy((double *)in->room + to, message + H3OU__HEAD + at, sizeof(double) * (size_t)count);
    else if (in->is_single)
        memcpy((float *)in->room + to, single, sizeof *single * (size_t)count);
    else
        h3ou__widen(count, single, (double *)in->room + to);
}

/* Copies the values of a message to where the product reads them: rows together, one after the other, or, for a limited
 * gradient, row after row though they came together. */
static void unpack_values(const h3ou__incoming *in, int k, const double *message)
{
    const h3ou__plan *p = in->plan;
    int64_t rows = h3ou__incoming_rows(in), count = h3ou__incoming_cells(in, k), nslot = p->start[p->npartner],
            first = p->start[k];
    if (h3ou__incoming_is_turned(in)) {
        copy_values(in, message, 0, count * rows, first * rows);
        return;
    }
    bool is_together = h3ou__message_is_turned(p, rows);
    for (int64_t row = 0; row < rows; row++) {
        double *to = (double *)in->room + row * nslot + first;
        if (!is_together)
            copy_values(in, message, row * count, count, row * nslot + first);
        for (int64_t i = 0; i < count && is_together; i++)
            to[i] =
                in->has_singles ? h3ou__message_singles(message)[i * rows + row] : message[H3OU__HEAD + i * rows + row];
    }
}

/* Returns the shares of the cells of the message that arrived from partner k, or NULL: all count fully, or they stand
 * beside the values. */
static const double *shares_from(const h3ou__incoming *in, int k)
{
    const double *message = in->arrived[k];
    return h3ou__got_shares_of(&in->got_shares, in->plan, k, message, message + h3ou__incoming_length(in, k));
}

int h3ou__incoming_keep_shares(h3ou__incoming *in)
{
    int err = H3OU__OK;
    for (int k = 0; k < in->plan->npartner && !err; k++)
        if (h3ou__got_shares_are_new(in->arrived[k]))
            err = h3ou__got_shares_keep(&in->got_shares, in->plan, k, shares_from(in, k));
    return err;
}

/* Puts the source values together from the messages of all partners. */
static void unpack_messages(h3ou__incoming *in)
{
    const h3ou__plan *p = in->plan;
    for (int k = 0; k < p->npartner; k++) {
        const double *share = shares_from(in, k), *message = in->arrived[k];
        int64_t first = p->start[k], count = h3ou__incoming_cells(in, k);
        if (h3ou__message_is_paired(message)) {
            h3ou__cells_split(count, message + H3OU__HEAD, in->share_room + first, (double *)in->room + first);
            continue;
        }
        unpack_values(in, k, message);
        for (int64_t i = 0; i < count && in->has_share && !in->share; i++)
            in->share_room[first + i] = share ? share[i] : 1.0;
    }
    in->source = in->room;
    in->share = in->share ? in->share : in->share_room;
}

/* Makes that by which shares take less time, if they came: what is kept of them, or room, if they are others each time.
 * Without memory there is none. */
static void prepare_shares(h3ou__incoming *in)
{
    int64_t slots = in->plan->start[in->plan->npartner], rows = h3ou__incoming_rows(in);
    if (!in->has_share)
        return;
    if (!in->kept)
        in->kept = h3ou__kept_shares_new(&in->plan->rows, slots, (int)rows);
    bool is_kept = in->kept && h3ou__kept_shares_may_help(in->kept);
    if (!is_kept && !in->marks && !h3ou__incoming_is_turned(in))
        in->marks =
            malloc(h3ou__apply_room(&(h3ou__apply){.nlayer = (int)rows, .is_single = in->is_single}, slots) + 1);
}

/* Returns whether all messages have shares beside the values, and only a product that looks for no NaN reads them. */
static bool are_read_in_pairs(const h3ou__incoming *in)
{
    const h3ou__plan *p = in->plan;
    bool are_paired =
        p->npartner > 0 && !p->left.gradient && !p->rotated && !in->budget && !h3ou__incoming_skips_nan(in);
    for (int k = 0; k < p->npartner && are_paired; k++)
        are_paired = h3ou__message_is_paired(in->arrived[k]);
    return are_paired;
}

/* Makes in->pair_room, if there is none. */
static int find_pair_room(h3ou__incoming *in)
{
    size_t slots = (size_t)in->plan->start[in->plan->npartner];
    if (!in->pair_room)
        in->pair_room = malloc(2 * sizeof *in->pair_room * (slots + 1));
    return in->pair_room ? H3OU__OK : h3ou__no_memory("%s", in->what);
}

/* Takes the pairs of all partners as the source. */
static int take_pairs(h3ou__incoming *in)
{
    const h3ou__plan *p = in->plan;
    in->source = in->arrived[0] + H3OU__HEAD;
    if (!in->room)
        return H3OU__OK;
    int err = find_pair_room(in);
    if (err)
        return err;
    for (int k = 0; k < p->npartner; k++)
        memcpy(in->pair_room + 2 * p->start[k], in->arrived[k] + H3OU__HEAD,
               2 * sizeof *in->pair_room * (size_t)h3ou__incoming_cells(in, k));
    in->source = in->pair_room;
    return H3OU__OK;
}

/* Takes the pairs of the only message apart. */
static int split_pairs(h3ou__incoming *in)
{
    int64_t slots = h3ou__incoming_cells(in, 0);
    int err = find_pair_room(in);
    if (err)
        return err;
    h3ou__cells_split(slots, in->arrived[0] + H3OU__HEAD, in->pair_room, in->pair_room + slots);
    in->share = in->pair_room;
    in->source = in->pair_room + slots;
    return H3OU__OK;
}

int h3ou__incoming_take_messages(h3ou__incoming *in)
{
    in->has_share = in->has_nan = false;
    for (int k = 0; k < in->plan->npartner; k++) {
        in->has_share |= shares_from(in, k) != NULL || h3ou__message_is_paired(in->arrived[k]);
        in->has_nan |= in->arrived[k][H3OU__HEAD_MORE] != 0.0;
    }
    in->share = NULL;
    in->share_number = 0;
    in->is_paired = are_read_in_pairs(in);
    if (in->is_paired)
        return take_pairs(in);
    prepare_shares(in);
    if (h3ou__got_shares_are_all(&in->got_shares, in->plan->npartner, in->arrived)) {
        in->share = in->got_shares.share;
        in->share_number = in->got_shares.number;
    }
    if (in->room) {
        unpack_messages(in);
        return H3OU__OK;
    }
    if (h3ou__message_is_paired(in->arrived[0]))
        return split_pairs(in);
    in->source = in->arrived[0] + H3OU__HEAD;
    in->share = in->share ? in->share : shares_from(in, 0);
    return H3OU__OK;
}
