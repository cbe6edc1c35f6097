/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/member/job_division.h"

#include <stdlib.h>

#include "base/grow.h"

/* Sets the places of the jobs, and how many members each has, in first[place + 1]. */
static void count_members(const universe_comm *c, universe_division *d, int place_of_job[])
{
    for (int job = 0; job < universe.njob; job++)
        place_of_job[job] = -1;
    for (int r = 0; r < c->size; r++) {
        int job = universe_job_of(c->world_rank[r]);
        if (place_of_job[job] < 0) {
            place_of_job[job] = d->n++;
            d->is_mixed = d->is_mixed || (job != universe.job && universe.is_unlike[job]);
        }
        d->place[r] = place_of_job[job];
        d->first[d->place[r] + 1]++;
    }
    d->mine = d->place[c->rank];
}

static void order_members(const universe_comm *c, universe_division *d, int next[])
{
    for (int p = 0; p < d->n; p++) {
        d->first[p + 1] += d->first[p];
        next[p] = d->first[p];
    }
    d->is_contiguous = true;
    for (int r = 0; r < c->size; r++) {
        int at = next[d->place[r]]++;
        d->order[at] = r;
        d->is_contiguous = d->is_contiguous && at == r;
    }
}

const universe_division *universe_division_of(universe_comm *c)
{
    if (c->division)
        return c->division;
    size_t jobs = (size_t)universe.njob, n = (size_t)c->size;
    universe_division *d = calloc(1, sizeof *d + (2 * jobs + 1 + 2 * n) * sizeof(int));
    if (!d) {
        h3ou__no_memory("the members of a communicator");
        return NULL;
    }
    d->first = (int *)(d + 1);
    d->order = d->first + jobs + 1;
    d->place = d->order + n;
    int *work = d->place + n;
    count_members(c, d, work);
    order_members(c, d, work);
    return c->division = d;
}
