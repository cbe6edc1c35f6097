/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of an exchange. A message is a head of eight numbers, so that the values stand on a cache line: the
 * exchange (h3ou__exchange_mark of exchange_times.h), the state, and a third number: of values whether one of them is
 * NaN, with state H3OU__END the time at which the component ended. With H3OU__NO_VALUE, H3OU__SKIPPED and H3OU__END the
 * head is all. The fourth belongs to the ring by which the messages go (message_ring.h). The fifth is described below.
 * The other three are 0.
 *
 * Values are those of the cells of the plan's slots. They have a row for each layer of each component: the layers of
 * the first component first, then those of the next. A vector has its two components when the table says how to turn
 * them and both models have two, else three Cartesian ones. Where there are many rows, a cell's values of all rows
 * stand together, as the product reads them (h3ou__message_is_turned), else row after row those of all cells. With
 * type='real4' the values are of float, two of them in the place of one number, and an odd one has a 0 behind it. With
 * state H3OU__SHARED the shares of the cells follow, once for all rows, as double. Where the fifth number of the head
 * is 1, the receiver keeps them: they are those of later messages with state H3OU__SAME_SHARES, which have values only,
 * until it is told to keep others. With state H3OU__PAIRED, which only messages of one row of double have, the share
 * and the value of each cell stand next to each other, as the product reads them where shares are others each time.
 */
#ifndef H3OU_COUPLER_MESSAGE_MESSAGE_FORM_H
#define H3OU_COUPLER_MESSAGE_MESSAGE_FORM_H

#include "coupler/common/message_state.h"
#include "coupler/config/config.h"
#include "coupler/plan/plan.h"

enum { H3OU__HEAD = 8 };                                     /* numbers of a head */
enum { H3OU__HEAD_MARK, H3OU__HEAD_STATE, H3OU__HEAD_MORE, H3OU__HEAD_RING, H3OU__HEAD_KEEP }; /* places in it */

/* Returns whether the values of messages are of float. */
static inline bool h3ou__message_has_singles(const h3ou__config_var *var)
{
    return var->type == H3OU__REAL4;
}

/* Returns the number of components of a field in its messages. */
static inline int h3ou__message_width(const h3ou__config_var *var, const h3ou__plan *plan)
{
    return !var->is_vector ? 1 : plan->rotated && !var->put_xyz && !var->get_xyz ? 2 : 3;
}

enum { H3OU__TURNED_ROWS = 4 };

/* Returns whether the values of all rows of a cell stand together: then many rows are interpolated faster. The product
 * with a rotation needs row after row. */
static inline bool h3ou__message_is_turned(const h3ou__plan *plan, int64_t rows)
{
    return rows >= H3OU__TURNED_ROWS && !plan->rotated;
}

/* Returns the length of a message without shares for so many cells, with so many values for each, of float or double. */
static inline int64_t h3ou__message_length(bool has_singles, int64_t cells, int64_t rows)
{
    return H3OU__HEAD + (has_singles ? (cells * rows + 1) / 2 : cells * rows);
}

/* Returns whether a message with this state in its head has values. */
static inline bool h3ou__message_has_values(double state)
{
    return state == H3OU__VALUE || state == H3OU__SHARED || state == H3OU__SAME_SHARES || state == H3OU__PAIRED;
}

/* Returns whether such a message is complete with `got` numbers. state: that of its head. */
static inline bool h3ou__message_is_whole(bool has_singles, double state, int64_t got, int64_t cells, int64_t rows)
{
    if (state == H3OU__PAIRED && (has_singles || rows != 1))
        return false;
    bool has_shares = state == H3OU__SHARED || state == H3OU__PAIRED;
    if (h3ou__message_has_values(state))
        return got == h3ou__message_length(has_singles, cells, rows) + (has_shares ? cells : 0);
    return (state == H3OU__END || state == H3OU__NO_VALUE || state == H3OU__SKIPPED) && got == H3OU__HEAD;
}

/* Returns whether a message has the share and the value of each cell next to each other. */
static inline bool h3ou__message_is_paired(const double *message)
{
    return message[H3OU__HEAD_STATE] == H3OU__PAIRED;
}

/* Returns the values of a message that are of float. */
static inline const float *h3ou__message_singles(const double *message)
{
    return (const float *)(const void *)(message + H3OU__HEAD);
}

#endif
