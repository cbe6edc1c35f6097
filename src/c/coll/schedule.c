/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule.h"

#include <stdlib.h>

#include "base/error.h"

int h3ou__schedule_add(h3ou__schedule *s, int kind, int peer)
{
    if (s->n == s->room) {
        int room = s->room ? 2 * s->room : 8;
        h3ou__step *grown = realloc(s->step, sizeof *grown * (size_t)room);
        if (!grown)
            return h3ou__fail(H3OU__ENOMEM, "out of memory for a collective's schedule");
        s->step = grown;
        s->room = room;
    }
    s->step[s->n++] = (h3ou__step){kind, peer};
    return H3OU__OK;
}

void h3ou__schedule_free(h3ou__schedule *s)
{
    free(s->step);
    *s = (h3ou__schedule){0};
}
