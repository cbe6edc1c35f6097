/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou__schedule_add(h3ou__schedule *s, int kind, int peer)
{
    if (!h3ou__grow(&s->step, sizeof *s->step, &s->room, s->n + 1))
        return h3ou__no_memory("a collective's schedule");
    s->step[s->n++] = (h3ou__step){kind, peer};
    return H3OU__OK;
}

void h3ou__schedule_free(h3ou__schedule *s)
{
    free(s->step);
    *s = (h3ou__schedule){0};
}
