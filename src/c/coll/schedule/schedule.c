/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule/schedule.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

static void append_step(h3ou__schedule *s, h3ou__step step)
{
    if (!s->error && !h3ou__grow(&s->step, sizeof *s->step, &s->room, s->n + 1))
        s->error = h3ou__no_memory("a collective's schedule");
    if (!s->error)
        s->step[s->n++] = step;
}

void h3ou__schedule_send(h3ou__schedule *s, int peer, h3ou__span from, int64_t bytes)
{
    append_step(
        s, (h3ou__step){
               .kind = H3OU__STEP_SEND, .buffer = (uint8_t)from.buffer, .peer = peer, .at = from.at, .bytes = bytes});
}

void h3ou__schedule_recv(h3ou__schedule *s, int peer, h3ou__span to, int64_t bytes)
{
    append_step(
        s,
        (h3ou__step){.kind = H3OU__STEP_RECV, .buffer = (uint8_t)to.buffer, .peer = peer, .at = to.at, .bytes = bytes});
}

void h3ou__schedule_local(h3ou__schedule *s, enum h3ou__step_kind kind, h3ou__span to, h3ou__span from, int64_t bytes)
{
    if (!bytes || (to.buffer == from.buffer && to.at == from.at))
        return;
    if (s->n && h3ou__step_is_message(&s->step[s->n - 1]))
        h3ou__schedule_end_round(s);
    append_step(s, (h3ou__step){.kind = (uint8_t)kind,
                                .buffer = (uint8_t)to.buffer,
                                .from_buffer = (uint8_t)from.buffer,
                                .at = to.at,
                                .from = from.at,
                                .bytes = bytes});
}

void h3ou__schedule_end_round(h3ou__schedule *s)
{
    if (s->n)
        s->step[s->n - 1].is_last = true;
}

h3ou__span h3ou__schedule_scratch(h3ou__schedule *s, int64_t bytes)
{
    h3ou__span begin = {H3OU__SCRATCH, s->scratch};
    s->scratch += (bytes + 63) / 64 * 64;
    return begin;
}

int64_t h3ou__schedule_round_end(const h3ou__schedule *s, int64_t first)
{
    int64_t end = first;
    while (end < s->n && !s->step[end].is_last)
        end++;
    return end < s->n ? end + 1 : end;
}

void h3ou__schedule_free(h3ou__schedule *s)
{
    free(s->step);
    *s = (h3ou__schedule){0};
}
