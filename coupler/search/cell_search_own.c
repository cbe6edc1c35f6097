/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributed search inside one component: each process asks, keeps bins and sends cells. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/common/rank_parts.h"
#include "coupler/search/cell_search_inside.h"

/* Copies what the sending grid is to the receiving side. Rank 0 speaks for all, as it does to another component. */
static int describe_to_myself(const h3ou__search_sender *s, h3ou__search_receiver *r)
{
    const h3ou__regular_grid *boxes = &s->grid->boxes;
    h3ou__comm *local = s->task->local;
    memcpy(r->about, s->about, sizeof r->about);
    int err = h3ou__bcast(local, r->about, H3OU__ABOUT, H3OU__DOUBLE, 0);
    if (err || r->about[H3OU__ABOUT_BOXES] == 0.0)
        return err;
    r->boxes.nx = (int64_t)r->about[H3OU__ABOUT_NX];
    r->boxes.ny = (int64_t)r->about[H3OU__ABOUT_NY];
    r->boxes.lon_bounds = malloc(2 * sizeof *r->boxes.lon_bounds * (size_t)r->boxes.nx);
    r->boxes.lat_bounds = malloc(2 * sizeof *r->boxes.lat_bounds * (size_t)r->boxes.ny);
    if (!r->boxes.lon_bounds || !r->boxes.lat_bounds)
        return h3ou__no_memory("the bounds of a grid");
    if (h3ou__comm_rank(local) == 0) {
        memcpy(r->boxes.lon_bounds, boxes->lon_bounds, 2 * sizeof *boxes->lon_bounds * (size_t)r->boxes.nx);
        memcpy(r->boxes.lat_bounds, boxes->lat_bounds, 2 * sizeof *boxes->lat_bounds * (size_t)r->boxes.ny);
    }
    if ((err = h3ou__bcast(local, r->boxes.lon_bounds, 2 * r->boxes.nx, H3OU__DOUBLE, 0)) == H3OU__OK)
        err = h3ou__bcast(local, r->boxes.lat_bounds, 2 * r->boxes.ny, H3OU__DOUBLE, 0);
    return err;
}

/* Asks, as its own home, for the bins of the pending targets. */
static int ask(h3ou__search_sender *s, h3ou__search_receiver *r, const unsigned char *pending)
{
    int64_t *bin = NULL, n = 0;
    int err = h3ou__search_receiver_bins(r, pending, &bin, &n);
    s->asked.n = 0;
    for (int64_t i = 0; i < n && !err; i++)
        err = h3ou__pairs_add(&s->asked, bin[i], h3ou__comm_rank(s->task->local));
    free(bin);
    return err;
}

/* Writes the cells that are ordered of me, receiver by receiver. */
static int write_orders(const h3ou__search_sender *s, const h3ou__pairs *orders, double **data, h3ou__parts *to)
{
    int64_t n = 0;
    int err = H3OU__OK;
    for (int64_t i = 0; i < orders->n && !err;) {
        int64_t receiver = orders->item[2 * i], end = h3ou__pairs_first(orders, receiver + 1), before = n;
        err = h3ou__search_sender_write(s, orders->item + 2 * i, end - i, data, &n);
        if (!err && n > before)
            err = h3ou__parts_append(to, (int)receiver, n - before);
        i = end;
    }
    return err;
}

static int take_cells(h3ou__search_receiver *r, const double *data, const h3ou__parts *from)
{
    int64_t width = h3ou__cell_width(r->about);
    int err = H3OU__OK;
    for (int k = 0; k < from->n && !err; k++) {
        int64_t n = from->count[k];
        if ((err = h3ou__search_receiver_reserve(r, n)) != H3OU__OK)
            break;
        memcpy(r->cell + r->ncell * width, data, sizeof *data * (size_t)(n * width));
        h3ou__search_receiver_took(r, n, from->rank[k]);
        data += n * width;
    }
    return err;
}

static int round_of_cells(void *user, h3ou__search_receiver *r, const unsigned char *pending)
{
    h3ou__search_sender *s = user;
    h3ou__pairs orders = {0}, owners = {0};
    double *data = NULL;
    void *got = NULL;
    h3ou__parts to = {0}, from = {0};
    int err = ask(s, r, pending);
    if (!err)
        err = h3ou__search_sender_pass_on(s, &orders, &owners);
    if (!err)
        err = write_orders(s, &orders, &data, &to);
    if (!err)
        err = h3ou__parts_exchange(s->task->local, &to, data, (int)h3ou__cell_width(s->about), H3OU__DOUBLE, &from, false, &got);
    if (!err)
        err = take_cells(r, got, &from);
    free(orders.item);
    free(owners.item);
    free(data);
    free(got);
    h3ou__parts_free(&to);
    h3ou__parts_free(&from);
    return err;
}

int h3ou__cell_search_own(const h3ou__cell_search_task *task, h3ou__cells **part, int64_t **owner)
{
    h3ou__search_sender s = {.task = task, .grid = task->source};
    h3ou__search_receiver r = {.task = task};
    int err = h3ou__search_sender_describe(&s);
    if (!err)
        err = describe_to_myself(&s, &r);
    if (!err)
        r.wanted = h3ou__nearest_wanted(task->stack, r.about[H3OU__ABOUT_DIAMETER]);
    if (!err && r.wanted > 0)
        err = h3ou__search_sender_count(&s, &r.counts);
    if (!err)
        err = h3ou__search_sender_register(&s);
    if (!err)
        err = h3ou__search_receiver_collect(&r, round_of_cells, &s, NULL, part, owner);
    else
        h3ou__search_receiver_free(&r);
    h3ou__search_sender_free(&s);
    return err;
}
