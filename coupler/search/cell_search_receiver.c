/* SPDX-License-Identifier: BSD-3-Clause */
/* The receiving component's part in the distributed search: asking for bins, collecting cells, asking for more. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "coupler/common/sphere_bins.h"
#include "coupler/search/cell_search_inside.h"
#include "interp/grid/coincident.h"
#include "interp/search/kdtree.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/vector.h"

typedef h3ou__search_receiver receiver;

static int receive_description(receiver *r)
{
    h3ou__req req;
    int err = H3OU__OK;
    if (h3ou__comm_rank(r->task->local) == 0 &&
        (err = h3ou__irecv(r->task->model, 0, H3OU__TAG_GRID, r->about, H3OU__ABOUT, H3OU__DOUBLE,
                           "the description of a grid", &req)) == H3OU__OK)
        err = h3ou__waitall(r->task->world, 1, &req);
    return err ? err : h3ou__bcast(r->task->local, r->about, H3OU__ABOUT, H3OU__DOUBLE, 0);
}

static int receive_lines(const receiver *r, int64_t n, double **bounds, const char *what)
{
    h3ou__req req;
    if (!(*bounds = malloc(2 * sizeof **bounds * (size_t)n)))
        return h3ou__no_memory("%s", what);
    int err = H3OU__OK;
    if (h3ou__comm_rank(r->task->local) == 0 && (err = h3ou__irecv(r->task->model, 0, H3OU__TAG_GRID, *bounds, 2 * n,
                                                                   H3OU__DOUBLE, what, &req)) == H3OU__OK)
        err = h3ou__waitall(r->task->world, 1, &req);
    return err ? err : h3ou__bcast(r->task->local, *bounds, 2 * n, H3OU__DOUBLE, 0);
}

static int receive_bounds(receiver *r)
{
    if (r->about[H3OU__ABOUT_BOXES] == 0.0)
        return H3OU__OK;
    r->boxes.nx = (int64_t)r->about[H3OU__ABOUT_NX];
    r->boxes.ny = (int64_t)r->about[H3OU__ABOUT_NY];
    int err = receive_lines(r, r->boxes.nx, &r->boxes.lon_bounds, "the columns of a grid");
    return err ? err : receive_lines(r, r->boxes.ny, &r->boxes.lat_bounds, "the rows of a grid");
}

static int receive_counts(receiver *r)
{
    h3ou__req req;
    r->wanted = h3ou__nearest_wanted(r->task->stack, r->about[H3OU__ABOUT_DIAMETER]);
    if (r->wanted == 0)
        return H3OU__OK;
    int err = h3ou__bin_counts_create(h3ou__counts_level(r->about), &r->counts);
    if (!err && h3ou__comm_rank(r->task->local) == 0 &&
        (err = h3ou__irecv(r->task->model, 0, H3OU__TAG_GRID, r->counts.count, r->counts.n, H3OU__INT64,
                           "the description of a grid", &req)) == H3OU__OK)
        err = h3ou__waitall(r->task->world, 1, &req);
    return err ? err : h3ou__bcast(r->task->local, r->counts.count, r->counts.n, H3OU__INT64, 0);
}

static int set_reach(receiver *r)
{
    const h3ou__cells *c = r->task->grid->cells;
    const h3ou__stack *stack = r->task->stack;
    double diameter = r->about[H3OU__ABOUT_DIAMETER], halo = h3ou__stack_halo(stack, diameter);
    bool by_centres = h3ou__searches_by_centres(stack);
    h3ou__cap_row row = {0};
    r->middle = malloc(sizeof *r->middle * (size_t)(c->n + 1));
    r->reach = malloc(sizeof *r->reach * (size_t)(c->n + 1));
    if (!r->middle || !r->reach)
        return h3ou__no_memory("the cells of the other grid");
    /* When a method of the stack uses the nearest sources however far they are, the halos of the others set the first
     * reach. */
    if (halo < 0) {
        halo = by_centres ? diameter * (1.0 + 0.5 * sqrt(r->wanted)) : diameter;
        for (int k = 0; k < stack->n; k++)
            if (stack->method[k]->halo)
                halo = fmax(halo, stack->method[k]->halo(&stack->keys[k], diameter));
    }
    for (int64_t i = 0; i < c->n; i++) {
        double radius = 0.0;
        if (by_centres)
            h3ou__unit_vector(c->lon[i], c->lat[i], r->middle[i]);
        else
            h3ou__row_cap(&row, c, i, r->middle[i], &radius);
        r->reach[i] = radius + halo;
    }
    return H3OU__OK;
}

/* Adds the bins that the cap of a target touches. occupied: as of h3ou__sphere_bins_of_cap. */
static int want_bins(const receiver *r, int64_t i, const h3ou__bin_counts *occupied, h3ou__bin_set *wanted)
{
    h3ou__bin_rectangle rectangle[3];
    int64_t *bin = NULL, n = 0, room = 0;
    int count = occupied ? -1 : h3ou__sphere_bins_rectangles(wanted->level, r->middle[i], r->reach[i], rectangle);
    for (int k = 0; k < count; k++)
        h3ou__bin_set_add_rectangle(wanted, &rectangle[k]);
    if (count >= 0)
        return H3OU__OK;
    int err = h3ou__sphere_bins_of_cap(wanted->level, r->middle[i], r->reach[i], occupied, &bin, &n, &room);
    for (int64_t k = 0; k < n && !err; k++)
        h3ou__bin_set_add(wanted, bin[k]);
    free(bin);
    return err;
}

/* Targets are pending for the sake of their nearest sources, so that bins without cells that take part need not be asked
 * for. */
int h3ou__search_receiver_bins(receiver *r, const unsigned char *pending, int64_t **bin, int64_t *n)
{
    const h3ou__cells *c = r->task->grid->cells;
    h3ou__bin_set wanted = {0};
    int level = (int)r->about[H3OU__ABOUT_LEVEL], err = H3OU__OK;
    *bin = NULL;
    *n = 0;
    if (!r->asked.word)
        err = h3ou__bin_set_create(level, &r->asked);
    if (!err)
        err = h3ou__bin_set_create(level, &wanted);
    for (int64_t i = 0; i < c->n && !err; i++)
        if (c->mask[i] && (!pending || pending[i]))
            err = want_bins(r, i, pending ? &r->counts : NULL, &wanted);
    if (!err)
        err = h3ou__bin_set_list_new(&wanted, &r->asked, bin, n);
    h3ou__bin_set_free(&wanted);
    return err;
}

static int ask_for_bins(const receiver *r, int64_t *bin, int64_t n, int64_t **owner, int64_t *nowner)
{
    const h3ou__cell_search_task *t = r->task;
    int home = h3ou__comm_rank(t->local) % t->nsend;
    h3ou__req req[3];
    int err = h3ou__isend(t->model, home, H3OU__TAG_BINS, &n, 1, H3OU__INT64, "bins asked for", &req[0]);
    if (!err)
        err = h3ou__isend(t->model, home, H3OU__TAG_BINS, bin, n, H3OU__INT64, "bins asked for", &req[1]);
    if (!err)
        err = h3ou__irecv(t->model, home, H3OU__TAG_SENDERS, nowner, 1, H3OU__INT64, "who sends cells", &req[2]);
    if (err || (err = h3ou__waitall(t->world, 3, req)) != H3OU__OK)
        return err;
    if (!(*owner = malloc(sizeof **owner * (size_t)(*nowner + 1))))
        return h3ou__no_memory("the cells of the other grid");
    if ((err = h3ou__irecv(t->model, home, H3OU__TAG_SENDERS, *owner, *nowner, H3OU__INT64, "who sends cells",
                           &req[0])) == H3OU__OK)
        err = h3ou__waitall(t->world, 1, req);
    return err;
}

int h3ou__search_receiver_reserve(receiver *r, int64_t n)
{
    size_t width = (size_t)h3ou__cell_width(r->about);
    if (!h3ou__grow(&r->cell, sizeof *r->cell * width, &r->room, r->ncell + n) ||
        !h3ou__grow(&r->owner, sizeof *r->owner, &r->owner_room, r->ncell + n))
        return h3ou__no_memory("the cells of the other grid");
    return H3OU__OK;
}

void h3ou__search_receiver_took(receiver *r, int64_t n, int owner)
{
    for (int64_t i = 0; i < n; i++)
        r->owner[r->ncell++] = owner;
}

static int collect_from(receiver *r, int owner)
{
    const h3ou__cell_search_task *t = r->task;
    int64_t n = 0, width = h3ou__cell_width(r->about);
    h3ou__req req;
    int err = h3ou__irecv(t->model, owner, H3OU__TAG_CELLS, &n, 1, H3OU__INT64, "cells of the other grid", &req);
    if (err || (err = h3ou__waitall(t->world, 1, &req)) != H3OU__OK)
        return err;
    if ((err = h3ou__search_receiver_reserve(r, n)) == H3OU__OK &&
        (err = h3ou__irecv(t->model, owner, H3OU__TAG_CELLS, r->cell + r->ncell * width, n * width, H3OU__DOUBLE,
                           "cells of the other grid", &req)) == H3OU__OK)
        err = h3ou__waitall(t->world, 1, &req);
    if (!err)
        h3ou__search_receiver_took(r, n, owner);
    return err;
}

static bool cells_ascend(const receiver *r)
{
    int64_t width = h3ou__cell_width(r->about);
    for (int64_t i = 1; i < r->ncell; i++)
        if (r->cell[(i - 1) * width] >= r->cell[i * width])
            return false;
    return true;
}

/* Puts the cells in the order of these pairs, of a number and a position, and keeps one of each number. */
static int take_order(receiver *r, const h3ou__pairs *order)
{
    int64_t width = h3ou__cell_width(r->about), kept = 0;
    double *sorted = malloc(sizeof *sorted * (size_t)(r->ncell * width + 1));
    int64_t *owner = malloc(sizeof *owner * (size_t)(r->ncell + 1));
    if (!sorted || !owner) {
        free(sorted);
        free(owner);
        return h3ou__no_memory("the cells of the other grid");
    }
    for (int64_t i = 0; i < r->ncell; i++) {
        int64_t at = order->item[2 * i + 1];
        if (i > 0 && order->item[2 * i] == order->item[2 * i - 2])
            continue;
        owner[kept] = r->owner[at];
        memcpy(sorted + kept++ * width, r->cell + at * width, sizeof *sorted * (size_t)width);
    }
    free(r->cell);
    free(r->owner);
    r->cell = sorted;
    r->owner = owner;
    r->room = r->owner_room = r->ncell;
    r->ncell = kept;
    return H3OU__OK;
}

/* Sorts the cells by number and keeps each once: a cell may have come for two bins. */
static int sort_cells(receiver *r)
{
    h3ou__pairs order = {0};
    int64_t width = h3ou__cell_width(r->about);
    int err = H3OU__OK;
    if (cells_ascend(r))
        return H3OU__OK;
    for (int64_t i = 0; i < r->ncell && !err; i++)
        err = h3ou__pairs_add(&order, (int64_t)r->cell[i * width], i);
    if (!err)
        err = h3ou__pairs_sort(&order);
    if (!err)
        err = take_order(r, &order);
    free(order.item);
    return err;
}

static int locate_sources(const receiver *r, double **xyz, unsigned char **mask)
{
    int64_t width = h3ou__cell_width(r->about);
    *xyz = malloc(3 * sizeof **xyz * (size_t)(r->ncell + 1));
    *mask = malloc((size_t)r->ncell + 1);
    if (!*xyz || !*mask)
        return h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; i < r->ncell; i++) {
        const double *c = r->cell + i * width;
        h3ou__unit_vector(c[H3OU__CELL_LON], c[H3OU__CELL_LAT], *xyz + 3 * i);
        (*mask)[i] = c[H3OU__CELL_MASK] != 0.0;
    }
    return H3OU__OK;
}

/* Leaves out all but one of the cells at one place, since the methods count these once. */
static int leave_out_coincident(const receiver *r, const double xyz[], unsigned char mask[])
{
    int32_t *same;
    int err = h3ou__coincident_places(r->ncell, xyz, mask, &same);
    for (int64_t i = 0; i < r->ncell && !err && same; i++)
        mask[i] = mask[i] && same[i] == i;
    free(same);
    return err;
}

/* Returns whether all cells of the other grid that take part came. */
static bool has_all(const receiver *r)
{
    int64_t width = h3ou__cell_width(r->about), mine = 0, all = 0;
    for (int64_t i = 0; i < r->ncell; i++)
        mine += r->cell[i * width + H3OU__CELL_MASK] != 0.0;
    for (int face = 0; face < 6; face++)
        all += r->counts.count[face];
    return mine == all;
}

/* Finds the targets that may have nearer sources than those that came, and enlarges their reach. */
static int find_pending(receiver *r, unsigned char *pending, int64_t *left)
{
    int wanted = r->wanted;
    const h3ou__cells *c = r->task->grid->cells;
    h3ou__kdtree *tree = NULL;
    double *xyz = NULL;
    unsigned char *mask = NULL;
    h3ou__near found[64];
    *left = 0;
    int err = locate_sources(r, &xyz, &mask);
    if (!err)
        err = leave_out_coincident(r, xyz, mask);
    if (!err)
        err = h3ou__kdtree_create(xyz, mask, r->ncell, &tree);
    for (int64_t i = 0; i < c->n && !err; i++) {
        pending[i] = 0;
        if (!c->mask[i] || r->reach[i] >= H3OU__PI)
            continue;
        double near = 2.0 * sin(0.5 * (r->reach[i] - 2e-9));
        if (h3ou__kdtree_has_near(tree, r->middle[i], wanted, near * near))
            continue;
        int n = h3ou__kdtree_nearest(tree, r->middle[i], wanted, found);
        double far = n < wanted ? 2 * H3OU__PI : h3ou__chord_arc(found[n - 1].chord2);
        if (far <= r->reach[i] - 1e-9)
            continue;
        double reach = fmin(far, h3ou__bin_counts_reach(&r->counts, r->middle[i], wanted)) + 1e-6;
        if (reach <= r->reach[i]) /* bins count cells at one place several times: there are too few places in these */
            reach = 2.0 * r->reach[i] + 1e-3;
        r->reach[i] = fmin(H3OU__PI, reach);
        pending[i] = 1;
        ++*left;
    }
    h3ou__kdtree_free(tree);
    free(xyz);
    free(mask);
    return err;
}

/* The receivers' leader tells the senders' leader whether there is another round. */
static int tell_more(const receiver *r, int64_t more)
{
    h3ou__req req;
    if (h3ou__comm_rank(r->task->local) != 0)
        return H3OU__OK;
    int err = h3ou__isend(r->task->model, 0, H3OU__TAG_MORE, &more, 1, H3OU__INT64, "the next round of a search", &req);
    return err ? err : h3ou__waitall(r->task->world, 1, &req);
}

static int search_round(void *user, receiver *r, const unsigned char *pending)
{
    int64_t *bin = NULL, n = 0, *owner = NULL, nowner = 0;
    int err = h3ou__search_receiver_bins(r, pending, &bin, &n);
    (void)user;
    if (!err)
        err = ask_for_bins(r, bin, n, &owner, &nowner);
    for (int64_t i = 0; i < nowner && !err; i++)
        err = collect_from(r, (int)owner[i]);
    free(bin);
    free(owner);
    return err;
}

/* Copies one kind of number of all cells that came. */
static double *copy_column(const receiver *r, int at, int count, int *err)
{
    int64_t width = h3ou__cell_width(r->about);
    double *to = malloc(sizeof *to * (size_t)(r->ncell * count + 1));
    if (!to)
        *err = h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; to && i < r->ncell; i++)
        memcpy(to + i * count, r->cell + i * width + at, sizeof *to * (size_t)count);
    return to;
}

static int give_corners(const receiver *r, h3ou__cells *c)
{
    const double *about = r->about;
    int most = (int)about[H3OU__ABOUT_MOST], edges = (int)about[H3OU__ABOUT_EDGES], err = H3OU__OK;
    c->scattered = about[H3OU__ABOUT_SCATTERED] != 0.0;
    if (r->boxes.nx > 0)
        return h3ou__cells_set_boxes(c, r->boxes.nx, r->boxes.ny, r->boxes.lon_bounds, r->boxes.lat_bounds, edges);
    if (about[H3OU__ABOUT_NX] > 0) {
        c->rank = 2;
        c->dims[0] = (int64_t)about[H3OU__ABOUT_NX];
        c->dims[1] = (int64_t)about[H3OU__ABOUT_NY];
        c->cyclic = about[H3OU__ABOUT_CYCLIC] != 0.0;
        c->fold = about[H3OU__ABOUT_FOLD] != 0.0;
        c->fold_shift = (int64_t)about[H3OU__ABOUT_FOLD_SHIFT];
        c->fold_rows = (int64_t)about[H3OU__ABOUT_FOLD_ROWS];
        c->overlap = (int64_t)about[H3OU__ABOUT_OVERLAP];
    } else {
        c->latitude_rows = (int)about[H3OU__ABOUT_LATITUDE_ROWS];
        c->dims[0] = (int64_t)about[H3OU__ABOUT_CELLS];
    }
    if (most == 0)
        return H3OU__OK;
    double *x = copy_column(r, H3OU__CELL_HEAD, most, &err), *y = copy_column(r, H3OU__CELL_HEAD + most, most, &err);
    if (!err)
        err = h3ou__cells_set_corners(c, most, x, y, NULL, edges);
    free(x);
    free(y);
    return err;
}

static int make_part(const receiver *r, h3ou__cells **part)
{
    int err = H3OU__OK;
    double *lon = copy_column(r, H3OU__CELL_LON, 1, &err), *lat = copy_column(r, H3OU__CELL_LAT, 1, &err);
    int64_t *id = malloc(sizeof *id * (size_t)(r->ncell + 1)), width = h3ou__cell_width(r->about);
    int *mask = malloc(sizeof *mask * (size_t)(r->ncell + 1));
    h3ou__cells *c = NULL;
    if (!id || !mask)
        err = h3ou__no_memory("the cells of the other grid");
    for (int64_t i = 0; i < r->ncell && !err; i++) {
        id[i] = (int64_t)r->cell[i * width + H3OU__CELL_ID];
        mask[i] = r->cell[i * width + H3OU__CELL_MASK] != 0.0;
    }
    if (!err && (err = h3ou__cells_create(r->task->source_name, r->ncell, lon, lat, mask, &c)) == H3OU__OK &&
        (err = h3ou__cells_number(c, id)) == H3OU__OK)
        err = give_corners(r, c);
    if (!err && r->about[H3OU__ABOUT_AREA] != 0.0)
        c->area = copy_column(r, H3OU__CELL_AREA, 1, &err);
    free(lon);
    free(lat);
    free(id);
    free(mask);
    if (err)
        h3ou__cells_free(c);
    else
        *part = c;
    return err;
}

void h3ou__search_receiver_free(receiver *r)
{
    free(r->middle);
    free(r->reach);
    h3ou__bin_set_free(&r->asked);
    free(r->cell);
    free(r->owner);
    h3ou__regular_grid_free(&r->boxes);
    h3ou__bin_counts_free(&r->counts);
}

/* Returns an error, or sets *more to whether some receiver needs another round. */
static int end_round(receiver *r, unsigned char *pending, int64_t *more)
{
    int64_t left = 0;
    int err = sort_cells(r);
    if (!err && r->wanted > 0 && !has_all(r))
        err = find_pending(r, pending, &left);
    return err ? err : h3ou__allreduce(r->task->local, &left, more, 1, H3OU__INT64, H3OU__MAX);
}

int h3ou__search_receiver_collect(receiver *r, h3ou__search_round *round, void *user, int tell(const receiver *r, int64_t more),
                                  h3ou__cells **part, int64_t **owner)
{
    int64_t more = 1, rounds = 0;
    unsigned char *pending = calloc((size_t)r->task->grid->n + 1, 1);
    int err = pending ? set_reach(r) : h3ou__no_memory("the cells of the other grid");
    while (!err && more) {
        err = round(user, r, rounds++ ? pending : NULL);
        if (!err)
            err = end_round(r, pending, &more);
        if (!err && tell)
            err = tell(r, more);
    }
    if (!err)
        err = make_part(r, part);
    if (!err)
        h3ou__log(H3OU__LOG_LOUD, "matched", "grid=%s cells=%" PRId64 " of=%.0f rounds=%" PRId64, r->task->source_name,
                  r->ncell, r->about[H3OU__ABOUT_CELLS], rounds);
    if (!err && owner) {
        *owner = r->owner;
        r->owner = NULL;
    }
    free(pending);
    h3ou__search_receiver_free(r);
    return err;
}

int h3ou__cell_search_receiver(const h3ou__cell_search_task *task, h3ou__cells **part, int64_t **owner)
{
    receiver r = {.task = task};
    int err = receive_description(&r);
    if (!err)
        err = receive_bounds(&r);
    if (!err)
        err = receive_counts(&r);
    if (!err)
        return h3ou__search_receiver_collect(&r, search_round, NULL, tell_more, part, owner);
    h3ou__search_receiver_free(&r);
    return err;
}
