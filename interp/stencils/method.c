/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/method.h"

#include "base/error.h"
#include "base/grow.h"

int h3ou__row_add(h3ou__row *row, int64_t src, double coef)
{
    if (row->n == row->room) {
        int64_t room = h3ou__larger_room(row->room, row->n + 1);
        if (!h3ou__resize(&row->src, sizeof *row->src, room) || !h3ou__resize(&row->coef, sizeof *row->coef, room))
            return h3ou__no_memory("weights");
        row->room = room;
    }
    row->src[row->n] = (int32_t)src;
    row->coef[row->n++] = coef;
    return H3OU__OK;
}
