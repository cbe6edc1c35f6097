/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/model/event_queue.h"

#include "base/error.h"
#include "base/grow.h"

enum { BRANCHES = 4 }; /* of the heap: fewer levels than with 2 */

static bool is_before(const event *a, const event *b)
{
    return a->time < b->time || (a->time <= b->time && a->number < b->number);
}

int event_add(event_queue *q, double time, uint8_t kind, uint32_t what)
{
    if (!h3ou__grow(&q->heap, sizeof *q->heap, &q->room, q->n + 1))
        return h3ou__no_memory("the events of a simulation");
    event new = {.time = time, .number = q->added++, .what = what, .kind = kind};
    int64_t at = q->n++;
    q->most = q->n > q->most ? q->n : q->most;
    for (; at && is_before(&new, &q->heap[(at - 1) / BRANCHES]); at = (at - 1) / BRANCHES)
        q->heap[at] = q->heap[(at - 1) / BRANCHES];
    q->heap[at] = new;
    return H3OU__OK;
}

bool event_take(event_queue *q, event *out)
{
    if (!q->n)
        return false;
    *out = q->heap[0];
    event last = q->heap[--q->n];
    int64_t at = 0;
    for (;;) {
        int64_t best = -1, child = BRANCHES * at + 1;
        for (int64_t i = child; i < child + BRANCHES && i < q->n; i++)
            if (best < 0 || is_before(&q->heap[i], &q->heap[best]))
                best = i;
        if (best < 0 || !is_before(&q->heap[best], &last))
            break;
        q->heap[at] = q->heap[best];
        at = best;
    }
    q->heap[at] = last;
    return true;
}
