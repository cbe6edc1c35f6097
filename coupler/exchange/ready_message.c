/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/ready_message.h"

#include <string.h>

#include "base/heap.h"
#include "base/single_precision.h"
#include "coupler/exchange/observer.h"
#include "coupler/exchange/pack_message.h"
#include "coupler/exchange/put_values.h"

/* Returns whether the newest value is sent as it was put, and nothing else looks at it. */
static bool is_sent_as_put(const h3ou__outgoing *o)
{
    const h3ou__config_var *v = o->var;
    return v->flag == H3OU__FLAG_SNP && !v->is_vector && !o->axes && !o->members && o->slices == 1 &&
           o->slices_put == 1 && !h3ou__is_watched(o->watched, H3OU__SIDE_SENT) && !v->has_range;
}

/* Returns whether a value of the model's array may say that a cell has none. */
static bool has_missing_value(const h3ou__outgoing *o)
{
    return o->var->remap.has_missing && !o->var->remap.keep_missing;
}

/* Returns whether such values, and NaN, can be sent as quiet NaN while they are packed, and should be: the field has
 * had some. */
static bool packs_missing(const h3ou__outgoing *o, const h3ou__arrays *given)
{
    return (has_missing_value(o) || o->nan_logged) && !given->share;
}

/* Finds where the cells stand in the array: s->placed, unless it has the cells alone. Returns false where messages cannot
 * be packed from it. */
static bool find_places(h3ou__outgoing *o, const h3ou__arrays *given, h3ou__sample *s)
{
    h3ou__place place;
    if (given->count != 1 || (given->is_single && !h3ou__message_has_singles(o->var)) ||
        !h3ou__place_find_slices(o->grid, given, o->layer, 1, &place))
        return false;
    if (h3ou__place_is_dense(&place, o->n))
        return true;
    s->placed = h3ou__placed_cells_find(&o->placed, &place, o->plan->npartner, o->cells);
    s->next_row = place.next_layer;
    s->has_columns = h3ou__place_has_columns(&place);
    return s->placed != NULL;
}

/* Returns whether a value of a message is NaN. */
static bool has_nan_value(const h3ou__outgoing *o, int k, const double *message)
{
    int64_t values = o->cells[k].count * o->layer;
    bool is_single = h3ou__message_has_singles(o->var);
    uint64_t any = 0;
    for (int64_t i = 0; i < values && !is_single; i++)
        any |= h3ou__nan_mark(message[H3OU__HEAD + i]);
    for (int64_t i = 0; i < values && is_single; i++) { /* a comparison might raise a floating-point exception */
        uint32_t bits;
        memcpy(&bits, h3ou__message_singles(message) + i, sizeof bits);
        any |= (uint64_t)h3ou__single_nan_mark(bits) << 32;
    }
    return any >> 63;
}

/* Packs message k where its receiver reads it. Returns whether a value that counts is NaN. */
static bool pack_in_place(h3ou__outgoing *o, const h3ou__sample *s, int k)
{
    double *message = o->message[k] = h3ou__outgoing_place(o, k);
    memset(message, 0, sizeof *message * H3OU__HEAD);
    h3ou__pack_message(o, s, k, message);
    if (s->share && !h3ou__message_is_cleared(o, s, k)) {
        h3ou__value_form form = {h3ou__message_has_singles(o->var), h3ou__message_is_turned(o->plan, o->layer),
                                 o->layer};
        h3ou__sent_shares_clear(&o->shares[k], &o->cells[k], &form, s->share, message);
        if (message[H3OU__HEAD_MORE] != 0.0)
            message[H3OU__HEAD_MORE] = has_nan_value(o, k, message);
    }
    return message[H3OU__HEAD_MORE] != 0.0;
}

/* Gives back, once, the memory of the initial value: few later steps write o->newest, those whose values cannot be
 * packed from the model's array. */
static void forget_newest(h3ou__outgoing *o)
{
    if (!o->is_forgotten)
        h3ou__heap_forget(o->newest, sizeof *o->newest * (size_t)o->values);
    o->is_forgotten = true;
}

bool h3ou__ready_message_pack(h3ou__outgoing *o, const h3ou__arrays *given)
{
    h3ou__sample s = {.scale = 1.0, .times = 1.0, .share_scale = 1.0, .is_clear = true};
    if (!o->plan || o->plan->npartner == 0 || !is_sent_as_put(o))
        return false;
    bool packs = packs_missing(o, given);
    if (has_missing_value(o) && !packs)
        return false;
    for (int k = 0; k < o->plan->npartner; k++)
        if (!h3ou__outgoing_place(o, k))
            return false;
    if (!find_places(o, given, &s) || h3ou__put_values_copy_share(o, given))
        return false;
    s.share = o->has_share ? o->share : NULL;
    if (given->is_single)
        s.single = given->component[0];
    else
        s.value = given->component[0];
    if (o->has_share)
        s.share_number = h3ou__statistics[H3OU__FLAG_SNP].result(o).share_number;
    s.has_missing = packs;
    s.missing = h3ou__put_values_missing(o, given);
    h3ou__choose_shares(o, &s, false);
    if (!o->is_forgotten)
        h3ou__parcel_give_back(&o->parcels); /* of the messages that found no place */
    bool has_nan = false;
    for (int k = 0; k < o->plan->npartner; k++)
        has_nan |= pack_in_place(o, &s, k);
    o->is_packed = !has_nan || (packs && o->nan_logged); /* the first NaN is looked for in newest */
    o->has_nan = has_nan;
    if (o->is_packed)
        forget_newest(o);
    return o->is_packed;
}

bool h3ou__ready_message_waits(const h3ou__outgoing *o)
{
    bool waits = o->is_packed && is_sent_as_put(o);
    for (int k = 0; waits && k < o->plan->npartner; k++)
        waits = o->message[k] == h3ou__outgoing_place(o, k);
    return waits;
}

void h3ou__ready_message_settle(h3ou__outgoing *o)
{
    if (!o->is_packed)
        return;
    bool is_turned = h3ou__message_is_turned(o->plan, o->layer);
    for (int k = 0; k < o->plan->npartner; k++) {
        const h3ou__picked *cells = &o->cells[k];
        const double *value = o->message[k] + H3OU__HEAD;
        bool is_paired = o->shares[k].are_paired;
        const float *single = h3ou__message_has_singles(o->var) ? h3ou__message_singles(o->message[k]) : NULL;
        for (int row = 0; row < o->layer; row++)
            for (int64_t i = 0; i < cells->count; i++) {
                int64_t at = is_paired ? 2 * i + 1 : is_turned ? i * o->layer + row : row * cells->count + i;
                o->newest[row * o->n + cells->at[i]] = single ? single[at] : value[at];
            }
    }
    o->is_packed = false;
}
