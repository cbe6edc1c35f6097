/* SPDX-License-Identifier: BSD-3-Clause */
/* Planning, at last: the order of the cells in messages. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_tags.h"
#include "coupler/plan/plan.h"
#include "coupler/plan/reading_order.h"

static const char what[] = "the order in which a receiver reads cells";

/* Gives the slots of a receiver their new numbers. */
static int renumber(h3ou__plan *p, const int32_t to[])
{
    int64_t n = p->start[p->npartner], *source = malloc(sizeof *source * (size_t)(n + 1));
    if (!source)
        return h3ou__no_memory("%s", what);
    for (int64_t i = 0; i < n; i++)
        source[to[i]] = p->source[i];
    free(p->source);
    p->source = source;
    for (int64_t k = 0; k < p->rows.start[p->rows.nrow]; k++)
        p->rows.col[k] = to[p->rows.col[k]];
    return H3OU__OK;
}

/* Sends or receives one array for each partner: those of a sender's slots, or of how many there are. */
static int swap_parts(const h3ou__plan_task *task, const h3ou__plan *p, int32_t all[], const int64_t start[])
{
    h3ou__req *req = malloc(sizeof *req * (size_t)(p->npartner + 1));
    int err = req ? H3OU__OK : h3ou__no_memory("%s", what), n = 0;
    for (int k = 0; k < p->npartner && !err; k++) {
        int64_t count = start[k + 1] - start[k];
        if (count > 0)
            err = p->sender ? h3ou__irecv(task->model, p->partner[k], H3OU__TAG_NEEDS, all + start[k], count,
                                          H3OU__INT32, what, &req[n++])
                            : h3ou__isend(task->model, p->partner[k], H3OU__TAG_NEEDS, all + start[k], count,
                                          H3OU__INT32, what, &req[n++]);
    }
    if (!err)
        err = h3ou__waitall(task->world, n, req);
    free(req);
    return err;
}

/* Puts the cells of partner k in the order that it asks for: order[i] is the place of the cell that comes at i now. */
static int follow_order(const int32_t order[], int64_t count, int32_t slot[], int32_t room[])
{
    for (int64_t i = 0; i < count; i++)
        room[i] = -1;
    for (int64_t i = 0; i < count; i++) {
        if (order[i] < 0 || order[i] >= count || room[order[i]] >= 0)
            return h3ou__fail(H3OU__EPROTO,
                              "a receiver asks for cell %" PRId64 " of %" PRId64 " at place %" PRId32
                              ": do both components run the same version of h3ou?",
                              i, count, order[i]);
        room[order[i]] = slot[i];
    }
    memcpy(slot, room, sizeof *slot * (size_t)count);
    return H3OU__OK;
}

/* Sets start[npartner + 1] to where the arrays of those partners begin that give the order of their cells. */
static void find_parts(const h3ou__plan *p, const int32_t gives[], int64_t start[])
{
    start[0] = 0;
    for (int k = 0; k < p->npartner; k++)
        start[k + 1] = start[k] + (gives[k] ? p->start[k + 1] - p->start[k] : 0);
}

typedef struct parts {
    int32_t *gives; /* [npartner] whether a partner's array is sent */
    int64_t *one;   /* [npartner + 1] where an array of one number for each begins */
    int64_t *start; /* [npartner + 1] where an array of its cells begins */
    int32_t *order; /* [slots] where cells are to stand, from 0 for each partner */
} parts;

static int make_parts(const h3ou__plan *p, parts *out)
{
    size_t n = (size_t)p->npartner + 1;
    *out = (parts){calloc(n, sizeof *out->gives), malloc(sizeof *out->one * n), malloc(sizeof *out->start * n),
                   malloc(sizeof *out->order * (size_t)(p->start[p->npartner] + 1))};
    for (int k = 0; k <= p->npartner && out->one; k++)
        out->one[k] = k;
    return out->gives && out->one && out->start && out->order ? H3OU__OK : h3ou__no_memory("%s", what);
}

/* Finds the order, and tells it the senders. */
static int tell_order(const h3ou__plan_task *task, h3ou__plan *p, parts *all)
{
    bool gains;
    int err = h3ou__reading_order_find(&p->rows, p->npartner, p->start, all->order, &gains);
    if (!err && gains)
        err = renumber(p, all->order);
    p->in_row_order = gains;
    for (int k = 0; k < p->npartner && !err; k++) {
        all->gives[k] = gains;
        for (int64_t i = p->start[k]; i < p->start[k + 1]; i++)
            all->order[i] -= (int32_t)p->start[k];
    }
    find_parts(p, all->gives, all->start);
    if (!err)
        err = swap_parts(task, p, all->gives, all->one);
    return err ? err : swap_parts(task, p, all->order, all->start);
}

static int hear_order(const h3ou__plan_task *task, h3ou__plan *p, parts *all)
{
    int32_t *room = malloc(sizeof *room * (size_t)(p->start[p->npartner] + 1));
    int err = room ? swap_parts(task, p, all->gives, all->one) : h3ou__no_memory("%s", what);
    find_parts(p, all->gives, all->start);
    p->in_row_order = all->start[p->npartner] > 0;
    if (!err)
        err = swap_parts(task, p, all->order, all->start);
    for (int k = 0; k < p->npartner && !err; k++)
        if (all->gives[k])
            err = follow_order(all->order + all->start[k], p->start[k + 1] - p->start[k], p->slot + p->start[k], room);
    free(room);
    return err;
}

int h3ou__plan_order(const h3ou__plan_task *task, h3ou__plan *p)
{
    parts all;
    int err = make_parts(p, &all);
    if (!err)
        err = p->sender ? hear_order(task, p, &all) : tell_order(task, p, &all);
    free(all.gives);
    free(all.one);
    free(all.start);
    free(all.order);
    return err;
}
