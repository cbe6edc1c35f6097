/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Planning for rows that the receivers made, with owners that the search told: no directory is asked. Owners must learn
 * which receivers will write to them: each receiver tells its home among the senders, rank j mod nsend, how many cells
 * it needs from whom, and the homes pass that on to the owners. The cells themselves go straight to the owners.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_tags.h"
#include "coupler/common/redistribute.h"
#include "coupler/plan/plan.h"

static const char what_counts[] = "how many cells a receiver needs, and from whom";
static const char what_cells[] = "the source cells that a receiver needs";

/* Pairs of the owner's rank and the number of cells. */
static int tell_home(const h3ou__plan_task *task, const h3ou__plan *p)
{
    int home = h3ou__comm_rank(task->local) % task->nsend;
    int64_t n = p->npartner, *count = malloc(2 * sizeof *count * (size_t)(n + 1));
    h3ou__req req[2];
    if (!count)
        return h3ou__no_memory("the plan of an exchange");
    for (int k = 0; k < p->npartner; k++) {
        count[2 * k] = p->partner[k];
        count[2 * k + 1] = p->start[k + 1] - p->start[k];
    }
    int err = h3ou__isend(task->model, home, H3OU__TAG_OWNERS, &n, 1, H3OU__INT64, what_counts, &req[0]);
    if (!err)
        err = h3ou__isend(task->model, home, H3OU__TAG_OWNERS, count, 2 * n, H3OU__INT64, what_counts, &req[1]);
    if (!err)
        err = h3ou__waitall(task->world, 2, req);
    free(count);
    return err;
}

int h3ou__plan_tell_owners(const h3ou__plan_task *task, const h3ou__plan *p)
{
    h3ou__req *req = malloc(sizeof *req * (size_t)(p->npartner + 1));
    int err = req ? tell_home(task, p) : h3ou__no_memory("the plan of an exchange");
    for (int k = 0; k < p->npartner && !err; k++)
        err = h3ou__isend(task->model, p->partner[k], H3OU__TAG_NEEDS, p->source + p->start[k],
                          p->start[k + 1] - p->start[k], H3OU__INT64, what_cells, &req[k]);
    if (!err)
        err = h3ou__waitall(task->world, p->npartner, req);
    free(req);
    return err;
}

/* What the receivers told me as their home: of each item the owner, and {receiver, number of cells}. */
typedef struct counts {
    int64_t n;
    int *to;
    int64_t *item;
} counts;

static int hear_counts(const h3ou__plan_task *task, int peer, counts *all)
{
    int64_t n = 0;
    h3ou__req req;
    int err = h3ou__irecv(task->model, peer, H3OU__TAG_OWNERS, &n, 1, H3OU__INT64, what_counts, &req);
    if (err || (err = h3ou__waitall(task->world, 1, &req)) != H3OU__OK)
        return err;
    if (n < 0 || n > task->nsend)
        return h3ou__fail(H3OU__EPROTO, "process %d of the receiver says that it needs cells of %" PRId64
                          " processes of %d: do both components run the same version of h3ou?",
                          peer, n, task->nsend);
    if (!h3ou__resize(&all->item, 2 * sizeof *all->item, all->n + n) ||
        !h3ou__resize(&all->to, sizeof *all->to, all->n + n))
        return h3ou__no_memory("the plan of an exchange");
    int64_t *item = all->item + 2 * all->n;
    if ((err = h3ou__irecv(task->model, peer, H3OU__TAG_OWNERS, item, 2 * n, H3OU__INT64, what_counts, &req)) ==
        H3OU__OK)
        err = h3ou__waitall(task->world, 1, &req);
    for (int64_t i = 0; i < n && !err; i++) {
        if (item[2 * i] < 0 || item[2 * i] >= task->nsend || item[2 * i + 1] < 1)
            return h3ou__fail(H3OU__EPROTO, "process %d of the receiver says that it needs %" PRId64 " cells of process %" PRId64
                              " of %d: do both components run the same version of h3ou?",
                              peer, item[2 * i + 1], item[2 * i], task->nsend);
        all->to[all->n++] = (int)item[2 * i];
        item[2 * i] = peer;
    }
    return err;
}

/* got: {receiver, number of cells}. Sets index[start[npartner]], which the caller frees, also after an error, to the
 * cells of all receivers. */
static int receive_cells(const h3ou__plan_task *task, h3ou__redistribution *got, h3ou__plan *p, int64_t **index)
{
    h3ou__req *req = malloc(sizeof *req * (size_t)(got->ngot + 1));
    int64_t n = 0;
    int err = H3OU__OK;
    if (got->ngot)
        qsort(got->item, (size_t)got->ngot, 2 * sizeof *got->item, h3ou__compare_int64);
    for (int64_t k = 0; k < got->ngot; k++)
        n += got->item[2 * k + 1];
    p->partner = malloc(sizeof *p->partner * (size_t)(got->ngot + 1));
    p->start = calloc((size_t)got->ngot + 1, sizeof *p->start);
    *index = malloc(sizeof **index * (size_t)(n + 1));
    if (!req || !p->partner || !p->start || !*index)
        err = h3ou__no_memory("the plan of an exchange");
    for (int k = 0; k < got->ngot && !err; k++) {
        int64_t count = got->item[2 * k + 1];
        p->partner[p->npartner++] = (int)got->item[2 * k];
        p->start[k + 1] = p->start[k] + count;
        err = h3ou__irecv(task->model, p->partner[k], H3OU__TAG_NEEDS, *index + p->start[k], count, H3OU__INT64,
                          what_cells, &req[k]);
    }
    if (!err)
        err = h3ou__waitall(task->world, (int)got->ngot, req);
    free(req);
    return err;
}

/* Makes slots of the indices: their positions among my cells. */
static int find_places(const h3ou__grid *grid, const int64_t index[], h3ou__plan *p)
{
    int64_t n = p->start[p->npartner];
    p->slot = malloc(sizeof *p->slot * (size_t)(n + 1));
    if (!p->slot)
        return h3ou__no_memory("the plan of an exchange");
    for (int64_t i = 0; i < n; i++) {
        int64_t place = h3ou__grid_find_place(grid, index[i]);
        if (place < 0)
            return h3ou__fail(H3OU__EPROTO,
                              "a receiver needs cell %" PRId64
                              " of grid %s, which this process does not hold: do both components run the same version "
                              "of h3ou?",
                              index[i], grid->name);
        p->slot[i] = (int32_t)place;
    }
    return H3OU__OK;
}

int h3ou__plan_hear_receivers(const h3ou__plan_task *task, h3ou__plan *plan)
{
    counts all = {0};
    h3ou__redistribution got = {0};
    int64_t *index = NULL;
    int err = H3OU__OK;
    for (int r = h3ou__comm_rank(task->local); r < task->nrecv && !err; r += task->nsend)
        err = hear_counts(task, task->nsend + r, &all);
    if (!err)
        err = h3ou__redistribute(task->local, all.n, all.to, 2, all.item, &got);
    if (!err)
        err = receive_cells(task, &got, plan, &index);
    if (!err)
        err = find_places(task->grid, index, plan);
    h3ou__redistribution_free(&got);
    free(index);
    free(all.to);
    free(all.item);
    return err;
}
