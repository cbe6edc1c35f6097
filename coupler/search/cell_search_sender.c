/* SPDX-License-Identifier: BSD-3-Clause */
/* The sending component's part in the distributed search: keeping bins, passing questions on, sending cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"
#include "comm/collective/collective.h"
#include "coupler/common/index_set.h"
#include "coupler/common/message_tags.h"
#include "coupler/common/redistribute.h"
#include "coupler/common/sphere_bins.h"
#include "coupler/search/cell_search_inside.h"
#include "coupler/search/number_pairs.h"
#include "interp/grid/cell_polygon.h"
#include "interp/rows/latitude_rows.h"
#include "interp/sphere/polygon.h"
#include "interp/sphere/vector.h"

typedef h3ou__pairs pairs;
typedef h3ou__search_sender sender;

/* Finds whether the cells of all processes stand in rows along circles of latitude, when a method asks for it. */
static int find_latitude_rows(const sender *s, int64_t all)
{
    h3ou__cells *c = s->grid->cells;
    const h3ou__stack *stack = s->task->stack;
    bool is_wanted = false;
    for (int k = 0; k < stack->n; k++)
        is_wanted |= stack->method[k]->latitude_rows;
    if (!is_wanted || c->rank != 1 || c->latitude_rows != 0)
        return H3OU__OK;
    int64_t room = h3ou__latitude_rows_room(all);
    int64_t *mine = malloc(sizeof *mine * (size_t)room), *table = malloc(sizeof *table * (size_t)room);
    int err = mine && table ? H3OU__OK : h3ou__no_memory("the latitudes of a grid");
    if (!err) {
        h3ou__latitude_rows_enter(c, all, mine);
        err = h3ou__allreduce(s->task->local, mine, table, room, H3OU__INT64, H3OU__MAX);
    }
    if (!err)
        h3ou__latitude_rows_set(c, all, table);
    free(mine);
    free(table);
    return err;
}

/* Appends the bins of a cap to the cells of this process. */
static int add_bins(sender *s, int64_t i, const double x[3], double radius)
{
    int64_t n = 0;
    int err = h3ou__sphere_bins_of_cap((int)s->about[H3OU__ABOUT_LEVEL], x, radius, NULL, &s->bin, &n, &s->bin_room);
    for (int64_t k = 0; k < n && !err; k++)
        err = h3ou__pairs_add(&s->cells, s->bin[k], i);
    return err;
}

/* What of a cell is found: its cap, or by centres the place of its centre. */
static void locate_cell(sender *s, int64_t i, double x[3], double *radius)
{
    const h3ou__cells *c = s->grid->cells;
    *radius = 0.0;
    if (s->by_centres)
        h3ou__unit_vector(c->lon[i], c->lat[i], x);
    else
        h3ou__row_cap(&s->row, c, i, x, radius);
}

/* Lists the bins that the cells that take part touch, and finds the largest of these cells. */
static int list_cells(sender *s)
{
    const h3ou__cells *c = s->grid->cells;
    int err = H3OU__OK;
    for (int64_t i = 0; i < c->n && !err; i++) {
        double x[3], radius;
        if (!c->mask[i])
            continue;
        locate_cell(s, i, x, &radius);
        s->largest = fmax(s->largest, radius);
        err = add_bins(s, i, x, radius);
    }
    return err;
}

/* Lists the bins of a masked cell, whose corners may be anywhere. Of one that is larger than all cells that take part, as
 * those that are not used often are, the bins of its centre and its corners: where it meets a cell that takes part it is
 * found by these. */
static int list_masked(sender *s, int64_t i)
{
    const h3ou__cells *c = s->grid->cells;
    h3ou__polygon p;
    double x[3], radius;
    if (h3ou__cell_is_nowhere(c, i))
        return H3OU__OK;
    locate_cell(s, i, x, &radius);
    if (radius <= s->largest)
        return add_bins(s, i, x, radius);
    int err = add_bins(s, i, x, 0.0);
    h3ou__cell_polygon(c, i, &p);
    for (int k = 0; k < p.n && !err; k++)
        err = add_bins(s, i, p.v[k], 0.0);
    return err;
}

int h3ou__search_sender_describe(sender *s)
{
    const h3ou__grid *g = s->grid;
    const h3ou__cells *c = g->cells;
    int64_t n = c->n, all;
    int err = h3ou__allreduce(s->task->local, &n, &all, 1, H3OU__INT64, H3OU__SUM);
    if (err)
        return err;
    s->about[H3OU__ABOUT_LEVEL] = h3ou__sphere_bins_level(all);
    s->by_centres = h3ou__searches_by_centres(s->task->stack);
    if ((err = list_cells(s)) != H3OU__OK)
        return err;
    double mine[3] = {s->largest, (double)g->geometry.most, c->area ? 1.0 : 0.0}, most[3];
    err = h3ou__allreduce(s->task->local, mine, most, 3, H3OU__DOUBLE, H3OU__MAX);
    if (!err)
        err = find_latitude_rows(s, all);
    if (err)
        return err;
    s->largest = most[0];
    s->about[H3OU__ABOUT_CELLS] = (double)all;
    s->about[H3OU__ABOUT_DIAMETER] = most[1] > 0 && !s->by_centres ? 2.0 * most[0] : 4.0 / sqrt((double)all + 1.0);
    s->about[H3OU__ABOUT_BOXES] = g->boxes.nx > 0;
    s->about[H3OU__ABOUT_SCATTERED] = c->scattered;
    s->about[H3OU__ABOUT_MOST] = g->boxes.nx > 0 ? 0 : most[1];
    s->about[H3OU__ABOUT_EDGES] = c->edges;
    s->about[H3OU__ABOUT_NX] = c->rank == 2 ? (double)c->dims[0] : 0;
    s->about[H3OU__ABOUT_NY] = c->rank == 2 ? (double)c->dims[1] : 0;
    s->about[H3OU__ABOUT_LATITUDE_ROWS] = c->latitude_rows;
    s->about[H3OU__ABOUT_CYCLIC] = c->cyclic;
    s->about[H3OU__ABOUT_FOLD] = c->fold;
    s->about[H3OU__ABOUT_FOLD_SHIFT] = (double)c->fold_shift;
    s->about[H3OU__ABOUT_FOLD_ROWS] = (double)c->fold_rows;
    s->about[H3OU__ABOUT_OVERLAP] = (double)c->overlap;
    s->about[H3OU__ABOUT_AREA] = most[2];
    return H3OU__OK;
}

static int tell_about(sender *s)
{
    h3ou__req req;
    if (h3ou__comm_rank(s->task->local) != 0)
        return H3OU__OK;
    int err = h3ou__isend(s->task->model, s->task->nsend, H3OU__TAG_GRID, s->about, H3OU__ABOUT, H3OU__DOUBLE,
                          "the description of a grid", &req);
    return err ? err : h3ou__waitall(s->task->world, 1, &req);
}

static int tell_bounds(const sender *s)
{
    const h3ou__regular_grid *b = &s->grid->boxes;
    h3ou__req req[2];
    if (b->nx == 0 || h3ou__comm_rank(s->task->local) != 0)
        return H3OU__OK;
    int err = h3ou__isend(s->task->model, s->task->nsend, H3OU__TAG_GRID, b->lon_bounds, 2 * b->nx, H3OU__DOUBLE,
                          "the columns of a grid", &req[0]);
    if (!err)
        err = h3ou__isend(s->task->model, s->task->nsend, H3OU__TAG_GRID, b->lat_bounds, 2 * b->ny, H3OU__DOUBLE,
                          "the rows of a grid", &req[1]);
    return err ? err : h3ou__waitall(s->task->world, 2, req);
}

int h3ou__search_sender_count(const sender *s, h3ou__bin_counts *all)
{
    const h3ou__cells *c = s->grid->cells;
    h3ou__bin_counts mine = {0};
    int level = h3ou__counts_level(s->about), err = h3ou__bin_counts_create(level, &mine);
    if (!err)
        err = h3ou__bin_counts_create(level, all);
    for (int64_t i = 0; i < c->n && !err; i++)
        if (c->mask[i]) {
            double x[3];
            h3ou__unit_vector(c->lon[i], c->lat[i], x);
            h3ou__bin_counts_add(&mine, x);
        }
    if (!err)
        err = h3ou__allreduce(s->task->local, mine.count, all->count, mine.n, H3OU__INT64, H3OU__SUM);
    h3ou__bin_counts_free(&mine);
    return err;
}

/* Tells the receivers where their nearest sources may be, when a method uses these. */
static int tell_counts(const sender *s)
{
    h3ou__bin_counts all = {0};
    h3ou__req req;
    if (h3ou__nearest_wanted(s->task->stack, s->about[H3OU__ABOUT_DIAMETER]) == 0)
        return H3OU__OK;
    int err = h3ou__search_sender_count(s, &all);
    if (!err && h3ou__comm_rank(s->task->local) == 0 &&
        (err = h3ou__isend(s->task->model, s->task->nsend, H3OU__TAG_GRID, all.count, all.n, H3OU__INT64,
                           "the description of a grid", &req)) == H3OU__OK)
        err = h3ou__waitall(s->task->world, 1, &req);
    h3ou__bin_counts_free(&all);
    return err;
}

int h3ou__search_sender_register(sender *s)
{
    const h3ou__cells *c = s->grid->cells;
    int64_t n = 0;
    int err = H3OU__OK;
    for (int64_t i = 0; i < c->n && !err; i++)
        if (!c->mask[i])
            err = list_masked(s, i);
    if (!err)
        err = h3ou__pairs_sort(&s->cells);
    if (err)
        return err;
    int64_t *item = malloc(sizeof *item * (size_t)(s->cells.n + 1));
    int *to = malloc(sizeof *to * (size_t)(s->cells.n + 1));
    h3ou__redistribution d = {0};
    err = item && to ? H3OU__OK : h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; i < s->cells.n && !err; i++)
        if (i == 0 || s->cells.item[2 * i] != s->cells.item[2 * i - 2]) {
            item[n] = s->cells.item[2 * i];
            to[n] = (int)(item[n] % s->task->nsend);
            n++;
        }
    if (!err)
        err = h3ou__redistribute(s->task->local, n, to, 1, item, &d);
    int64_t at = 0;
    for (int r = 0; r < d.from.n && !err; r++)
        for (int64_t k = 0; k < d.from.count[r] && !err; k++)
            err = h3ou__pairs_add(&s->kept, d.item[at++], d.from.rank[r]);
    if (!err)
        err = h3ou__pairs_sort(&s->kept);
    h3ou__redistribution_free(&d);
    free(item);
    free(to);
    return err;
}

static int peer_of(const sender *s, int k)
{
    return h3ou__comm_rank(s->task->local) + k * s->task->nsend;
}

/* Receives the bins that the receivers whose home this is ask for in this round. */
static int receive_bins(sender *s)
{
    const h3ou__cell_search_task *t = s->task;
    int err = H3OU__OK;
    s->asked.n = 0;
    for (int k = 0; k < s->npeer && !err; k++) {
        h3ou__req req;
        int64_t n = 0, *bin = NULL;
        if ((err = h3ou__irecv(t->model, t->nsend + peer_of(s, k), H3OU__TAG_BINS, &n, 1, H3OU__INT64,
                               "bins asked for by a receiver", &req)) != H3OU__OK ||
            (err = h3ou__waitall(t->world, 1, &req)) != H3OU__OK)
            break;
        if (!(bin = malloc(sizeof *bin * (size_t)(n + 1))))
            err = h3ou__no_memory("the cells of the other grid");
        if (!err && (err = h3ou__irecv(t->model, t->nsend + peer_of(s, k), H3OU__TAG_BINS, bin, n, H3OU__INT64,
                                       "bins asked for by a receiver", &req)) == H3OU__OK)
            err = h3ou__waitall(t->world, 1, &req);
        for (int64_t i = 0; i < n && !err; i++)
            err = h3ou__pairs_add(&s->asked, bin[i], peer_of(s, k));
        free(bin);
    }
    return err;
}

/* Deals pairs, each to the process that `to` names. */
static int deal_pairs(const sender *s, const pairs *p, const int to[], pairs *got)
{
    h3ou__redistribution d = {0};
    int err = h3ou__redistribute(s->task->local, p->n, to, 2, p->item, &d);
    got->n = 0;
    for (int64_t i = 0; i < d.ngot && !err; i++)
        err = h3ou__pairs_add(got, d.item[2 * i], d.item[2 * i + 1]);
    h3ou__redistribution_free(&d);
    return err;
}

/* Passes the questions from the homes to the keepers of the bins. */
static int ask_keepers(const sender *s, pairs *at_keeper)
{
    int *to = malloc(sizeof *to * (size_t)(s->asked.n + 1));
    if (!to)
        return h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; i < s->asked.n; i++)
        to[i] = (int)(s->asked.item[2 * i] % s->task->nsend);
    int err = deal_pairs(s, &s->asked, to, at_keeper);
    free(to);
    return err;
}

/* The keepers send {receiver, bin} to the owners of cells in the bin, and {receiver, owner} to the receivers' homes. */
static int tell_owners(const sender *s, const pairs *asked, pairs *orders, pairs *owners)
{
    pairs order = {0}, owner = {0};
    int *to_owner = NULL, *to_home = NULL, err = H3OU__OK;
    int64_t room = 0;
    for (int64_t i = 0; i < asked->n && !err; i++) {
        int64_t bin = asked->item[2 * i], receiver = asked->item[2 * i + 1];
        for (int64_t k = h3ou__pairs_first(&s->kept, bin); k < s->kept.n && s->kept.item[2 * k] == bin && !err; k++) {
            if (!h3ou__grow(&to_owner, sizeof *to_owner, &room, order.n + 1))
                err = h3ou__no_memory("the cells of the other grid");
            if (!err) {
                to_owner[order.n] = (int)s->kept.item[2 * k + 1];
                err = h3ou__pairs_add(&order, receiver, bin);
            }
            if (!err)
                err = h3ou__pairs_add(&owner, receiver, s->kept.item[2 * k + 1]);
        }
    }
    if (!err)
        err = h3ou__pairs_sort(&owner);
    if (!err && !(to_home = malloc(sizeof *to_home * (size_t)(owner.n + 1))))
        err = h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; i < owner.n && !err; i++)
        to_home[i] = (int)(owner.item[2 * i] % s->task->nsend);
    if (!err)
        err = deal_pairs(s, &order, to_owner, orders);
    if (!err)
        err = deal_pairs(s, &owner, to_home, owners);
    free(order.item);
    free(owner.item);
    free(to_owner);
    free(to_home);
    return err;
}

int h3ou__search_sender_pass_on(const sender *s, pairs *orders, pairs *owners)
{
    pairs at_keeper = {0};
    int err = ask_keepers(s, &at_keeper);
    if (!err)
        err = tell_owners(s, &at_keeper, orders, owners);
    free(at_keeper.item);
    if (!err)
        err = h3ou__pairs_sort(orders);
    return err ? err : h3ou__pairs_sort(owners);
}

/* Tells each receiver whose home this is who will send to it. */
static int tell_receivers(const sender *s, const pairs *owners)
{
    const h3ou__cell_search_task *t = s->task;
    int err = H3OU__OK;
    for (int k = 0; k < s->npeer && !err; k++) {
        h3ou__req req[2];
        int64_t from = h3ou__pairs_first(owners, peer_of(s, k)), n = h3ou__pairs_first(owners, peer_of(s, k) + 1) - from;
        int64_t *rank = malloc(sizeof *rank * (size_t)(n + 1));
        if (!rank)
            return h3ou__no_memory("the cells of the other grid");
        for (int64_t i = 0; i < n; i++)
            rank[i] = owners->item[2 * (from + i) + 1];
        if ((err = h3ou__isend(t->model, t->nsend + peer_of(s, k), H3OU__TAG_SENDERS, &n, 1, H3OU__INT64,
                               "who sends cells", &req[0])) == H3OU__OK &&
            (err = h3ou__isend(t->model, t->nsend + peer_of(s, k), H3OU__TAG_SENDERS, rank, n, H3OU__INT64,
                               "who sends cells", &req[1])) == H3OU__OK)
            err = h3ou__waitall(t->world, 2, req);
        free(rank);
    }
    return err;
}

static void write_cell(const sender *s, int64_t i, double *to)
{
    const h3ou__grid *g = s->grid;
    const h3ou__cells *c = g->cells;
    int most = (int)s->about[H3OU__ABOUT_MOST];
    int64_t place = g->order[i];
    to[H3OU__CELL_ID] = (double)c->id[i];
    to[H3OU__CELL_LON] = c->lon[i];
    to[H3OU__CELL_LAT] = c->lat[i];
    to[H3OU__CELL_MASK] = c->mask[i];
    to[H3OU__CELL_AREA] = c->area ? c->area[i] : 0.0;
    for (int k = 0; k < most; k++) {
        /* Cells of another process may have more corners: the last one is repeated. */
        int64_t at = place * g->geometry.most + (k < g->geometry.most ? k : g->geometry.most - 1);
        to[H3OU__CELL_HEAD + k] = g->geometry.corner_lon[at];
        to[H3OU__CELL_HEAD + most + k] = g->geometry.corner_lat[at];
    }
}

/* Lists the cells of the bins of some orders, ascending, each once: a cell may stand in several bins. */
static int list_ordered(const sender *s, const int64_t *order, int64_t norder, int64_t **cell, int64_t *n)
{
    h3ou__index_set wanted = {0};
    bool is_new;
    int err = H3OU__OK;
    for (int64_t i = 0; i < norder && !err; i++) {
        int64_t bin = order[2 * i + 1];
        for (int64_t k = h3ou__pairs_first(&s->cells, bin); k < s->cells.n && s->cells.item[2 * k] == bin && !err; k++)
            err = h3ou__index_set_add(&wanted, s->cells.item[2 * k + 1], &is_new);
    }
    *n = wanted.n;
    if (!err && !(*cell = h3ou__heap_array(wanted.n, sizeof **cell)))
        err = h3ou__no_memory("the cells of the other grid");
    if (!err) {
        h3ou__index_set_count(&wanted);
        h3ou__index_set_list(&wanted, *cell);
    }
    h3ou__index_set_free(&wanted);
    return err;
}

int h3ou__search_sender_write(const sender *s, const int64_t *order, int64_t norder, double **data, int64_t *n)
{
    int64_t count = 0, width = h3ou__cell_width(s->about), *cell = NULL;
    int err = list_ordered(s, order, norder, &cell, &count);
    if (!err && !h3ou__resize(data, sizeof **data * (size_t)width, *n + count))
        err = h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; i < count && !err; i++)
        write_cell(s, cell[i], *data + (*n)++ * width);
    free(cell);
    return err;
}

/* Cells that are under way to a receiver. */
typedef struct shipment {
    int64_t n;             /* cells */
    int64_t order, norder; /* the first of the round's orders that is of this receiver, and how many of them are */
    double *data;          /* [n * h3ou__cell_width] */
    int nreq;
    h3ou__req req[2];
} shipment;

/* Begins to send to one receiver the cells of the bins that it asked for. */
static int begin_shipment(const sender *s, const pairs *orders, shipment *sent)
{
    const h3ou__cell_search_task *t = s->task;
    const int64_t *order = orders->item + 2 * sent->order;
    int to = t->nsend + (int)order[0];
    int err = h3ou__search_sender_write(s, order, sent->norder, &sent->data, &sent->n);
    if (!err && (err = h3ou__isend(t->model, to, H3OU__TAG_CELLS, &sent->n, 1, H3OU__INT64, "cells of the other grid",
                                   &sent->req[0])) == H3OU__OK)
        sent->nreq = 1;
    if (!err && (err = h3ou__isend(t->model, to, H3OU__TAG_CELLS, sent->data, sent->n * h3ou__cell_width(s->about),
                                   H3OU__DOUBLE, "cells of the other grid", &sent->req[1])) == H3OU__OK)
        sent->nreq = 2;
    return err;
}

static int end_shipment(const sender *s, shipment *sent)
{
    int err = h3ou__waitall(s->task->world, sent->nreq, sent->req);
    free(sent->data);
    return err;
}

/* Sends the cells to one receiver after the other, and waits for the first of them only when many bytes are under way:
 * a receiver takes cells from one sender at a time, all receivers from the senders in the same order, so that none
 * waits for ever. */
static int ship(const sender *s, const pairs *orders, int64_t n, shipment sent[])
{
    enum { MOST = 1 << 18 }; /* numbers under way */
    int64_t ended = 0, begun = 0, under_way = 0, width = h3ou__cell_width(s->about);
    int err = H3OU__OK;
    while (begun < n && !err) {
        shipment *next = &sent[begun++];
        err = begin_shipment(s, orders, next);
        for (under_way += next->n * width; under_way > MOST && ended < begun && !err; ended++) {
            under_way -= sent[ended].n * width;
            err = end_shipment(s, &sent[ended]);
        }
    }
    while (ended < begun) {
        int late = end_shipment(s, &sent[ended++]);
        err = err ? err : late;
    }
    return err;
}

static int send_all(const sender *s, const pairs *orders)
{
    int64_t n = 0;
    shipment *sent = calloc((size_t)s->task->nrecv + 1, sizeof *sent);
    if (!sent)
        return h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; i < orders->n; i += sent[n++].norder) {
        sent[n].order = i;
        sent[n].norder = h3ou__pairs_first(orders, orders->item[2 * i] + 1) - i;
    }
    int err = ship(s, orders, n, sent);
    free(sent);
    return err;
}

/* Receives whether the receivers want another round. */
static int hear_more(const sender *s, int64_t *more)
{
    h3ou__req req;
    int err = H3OU__OK;
    if (h3ou__comm_rank(s->task->local) == 0 &&
        (err = h3ou__irecv(s->task->model, s->task->nsend, H3OU__TAG_MORE, more, 1, H3OU__INT64,
                           "the next round of a search", &req)) == H3OU__OK)
        err = h3ou__waitall(s->task->world, 1, &req);
    return err ? err : h3ou__bcast(s->task->local, more, 1, H3OU__INT64, 0);
}

static int one_round(sender *s)
{
    pairs orders = {0}, owners = {0};
    int err = receive_bins(s);
    if (!err)
        err = h3ou__search_sender_pass_on(s, &orders, &owners);
    if (!err)
        err = tell_receivers(s, &owners);
    if (!err)
        err = send_all(s, &orders);
    free(orders.item);
    free(owners.item);
    return err;
}

void h3ou__search_sender_free(sender *s)
{
    free(s->bin);
    free(s->cells.item);
    free(s->kept.item);
    free(s->asked.item);
}

int h3ou__cell_search_sender(const h3ou__cell_search_task *task)
{
    sender s = {.task = task, .grid = task->grid};
    int64_t more = 1;
    int rank = h3ou__comm_rank(task->local);
    s.npeer = rank < task->nrecv ? (task->nrecv - rank + task->nsend - 1) / task->nsend : 0;
    int err = h3ou__search_sender_describe(&s);
    if (!err)
        err = tell_about(&s);
    if (!err)
        err = tell_bounds(&s);
    if (!err)
        err = tell_counts(&s);
    if (!err)
        err = h3ou__search_sender_register(&s);
    while (!err && more && (err = one_round(&s)) == H3OU__OK)
        err = hear_more(&s, &more);
    h3ou__search_sender_free(&s);
    return err;
}
