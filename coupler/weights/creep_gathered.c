/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/creep_gathered.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "interp/grid/neighbours.h"
#include "interp/stencils/method.h"

extern const h3ou__method h3ou__method_creep;

enum { ID, LON, LAT, IS_LEFT, HEAD }; /* then the corners' longitudes and latitudes */

/* Cells packed as numbers, `width` each. */
typedef struct bundle {
    int most;
    int64_t n, room;
    double *cell;
} bundle;

static int64_t width_of(const bundle *b)
{
    return HEAD + 2 * b->most;
}

static int put_cell(bundle *b, const h3ou__grid *g, int64_t i, bool is_left)
{
    if (!h3ou__grow(&b->cell, sizeof *b->cell * (size_t)width_of(b), &b->room, b->n + 1))
        return h3ou__no_memory("creep");
    double *to = b->cell + b->n++ * width_of(b);
    const h3ou__geometry *m = &g->geometry;
    to[ID] = (double)g->cells->id[i];
    to[LON] = g->cells->lon[i];
    to[LAT] = g->cells->lat[i];
    to[IS_LEFT] = is_left;
    for (int k = 0; k < b->most; k++) {
        int64_t at = g->order[i] * m->most + (k < m->most ? k : m->most - 1);
        to[HEAD + k] = m->corner_lon[at];
        to[HEAD + b->most + k] = m->corner_lat[at];
    }
    return H3OU__OK;
}

/* Makes cells of the bundle, by ascending number; sorts the bundle. */
static int to_cells(bundle *b, const h3ou__grid *g, h3ou__cells **out)
{
    int64_t width = width_of(b), *id = malloc(sizeof *id * (size_t)(b->n + 1));
    double *column[4];
    const int at[4] = {LON, LAT, HEAD, HEAD + b->most}, count[4] = {1, 1, b->most, b->most};
    int err = id ? H3OU__OK : h3ou__no_memory("creep");
    if (b->n)
        qsort(b->cell, (size_t)b->n, sizeof *b->cell * (size_t)width, h3ou__compare_double);
    for (int k = 0; k < 4; k++) {
        column[k] = malloc(sizeof(double) * (size_t)(b->n * count[k] + 1));
        if (!column[k])
            err = h3ou__no_memory("creep");
        for (int64_t i = 0; i < b->n && column[k]; i++)
            memcpy(column[k] + i * count[k], b->cell + i * width + at[k], sizeof(double) * (size_t)count[k]);
    }
    for (int64_t i = 0; i < b->n && !err; i++)
        id[i] = (int64_t)b->cell[i * width];
    *out = NULL;
    if (!err && (err = h3ou__cells_create(g->name, b->n, column[0], column[1], NULL, out)) == H3OU__OK)
        err = h3ou__cells_number(*out, id);
    if (!err && g->boxes.nx > 0)
        err = h3ou__cells_set_boxes(*out, g->boxes.nx, g->boxes.ny, g->boxes.lon_bounds, g->boxes.lat_bounds,
                                    g->cells->edges);
    else if (!err && b->most > 0)
        err = h3ou__cells_set_corners(*out, b->most, column[2], column[3], NULL, g->cells->edges);
    if (!err && g->boxes.nx == 0) {
        (*out)->rank = g->cells->rank;
        memcpy((*out)->dims, g->cells->dims, sizeof g->cells->dims);
        (*out)->cyclic = g->cells->cyclic;
        (*out)->fold = g->cells->fold;
        (*out)->fold_shift = g->cells->fold_shift;
        (*out)->fold_rows = g->cells->fold_rows;
        (*out)->overlap = g->cells->overlap;
    }
    for (int k = 0; k < 4; k++)
        free(column[k]);
    free(id);
    return err;
}

/* Gathers n numbers of every process on rank 0, one process after the other. */
static int gather_numbers(h3ou__comm *local, const void *mine, int64_t n, int type, size_t size, void **all,
                          int64_t *count)
{
    int procs = h3ou__comm_size(local), root = h3ou__comm_rank(local) == 0;
    int64_t *counts = calloc((size_t)procs + 1, sizeof *counts), *displs = calloc((size_t)procs + 1, sizeof *displs);
    int err = counts && displs ? h3ou__gather(local, &n, 1, counts, H3OU__INT64, 0) : h3ou__no_memory("creep");
    for (int r = 0; r < procs && !err; r++)
        displs[r + 1] = displs[r] + counts[r];
    *count = err ? 0 : displs[procs];
    *all = NULL;
    if (!err && root && !(*all = malloc(size * (size_t)(*count + 1))))
        err = h3ou__no_memory("creep");
    if (!err)
        err = h3ou__gatherv(local, mine, n, *all, counts, displs, type, 0);
    free(counts);
    free(displs);
    return err;
}

/* Broadcasts from rank 0; *data is allocated on the others. */
static int hand_out(h3ou__comm *local, void **data, int64_t *count, int type, size_t size)
{
    int err = h3ou__bcast(local, count, 1, H3OU__INT64, 0);
    if (!err && h3ou__comm_rank(local) != 0 && !(*data = malloc(size * (size_t)(*count + 1))))
        err = h3ou__no_memory("creep");
    return err ? err : h3ou__bcast(local, *data, *count, type, 0);
}

/* Makes all cells that are left over known to every process. */
static int gather_left(h3ou__comm *local, const h3ou__grid *g, const h3ou__weights *w, bundle *left)
{
    int64_t most = g->boxes.nx > 0 ? 0 : g->geometry.most, all, count;
    bundle mine = {0};
    void *data = NULL;
    int err = h3ou__allreduce(local, &most, &all, 1, H3OU__INT64, H3OU__MAX);
    mine.most = left->most = (int)all;
    for (int64_t i = 0; i < w->ntarget && !err; i++)
        if (w->served[i] == H3OU__BY_NONE)
            err = put_cell(&mine, g, i, true);
    if (!err)
        err = gather_numbers(local, mine.cell, mine.n * width_of(&mine), H3OU__DOUBLE, sizeof(double), &data, &count);
    if (!err)
        err = hand_out(local, &data, &count, H3OU__DOUBLE, sizeof(double));
    left->cell = data;
    left->n = left->room = err ? 0 : count / width_of(left);
    free(mine.cell);
    return err;
}

/* Finds this process's served cells that lie next to a cell that is left over on any process. */
static int find_ring(const h3ou__grid *g, const h3ou__weights *w, const bundle *left, unsigned char *ring)
{
    bundle all = {.most = left->most};
    h3ou__cells *cells = NULL;
    h3ou__lists near = {0};
    int err = H3OU__OK;
    int64_t width = width_of(left);
    for (int64_t i = 0; i < w->ntarget && !err; i++)
        if (w->start[i + 1] > w->start[i])
            err = put_cell(&all, g, i, false);
    if (!err && !h3ou__resize(&all.cell, sizeof *all.cell * (size_t)width, all.n + left->n))
        err = h3ou__no_memory("creep");
    if (!err) {
        if (left->n)
            memcpy(all.cell + all.n * width, left->cell, sizeof *all.cell * (size_t)(left->n * width));
        all.n += left->n;
        err = to_cells(&all, g, &cells);
    }
    if (!err)
        err = h3ou__creep_neighbours(cells, &near);
    for (int64_t i = 0; i < all.n && !err; i++) {
        bool touches = false;
        for (int64_t k = near.start[i]; k < near.start[i + 1]; k++)
            touches |= all.cell[near.list[k] * width + IS_LEFT] != 0.0;
        if (touches && all.cell[i * width + IS_LEFT] == 0.0)
            ring[h3ou__cells_find(g->cells, cells->id[i])] = 1;
    }
    h3ou__lists_free(&near);
    h3ou__cells_free(cells);
    free(all.cell);
    return err;
}

/* Links with global numbers: of sources from 1, of targets from 0. */
typedef struct links {
    int64_t n, *send, *owner, *recv; /* owner: of the source, a rank of the sending component */
    double *coef;
} links;

static void links_free(links *l)
{
    free(l->send);
    free(l->owner);
    free(l->recv);
    free(l->coef);
    memset(l, 0, sizeof *l);
}

static int links_make(links *l, int64_t room)
{
    l->send = malloc(sizeof *l->send * (size_t)(room + 1));
    l->owner = malloc(sizeof *l->owner * (size_t)(room + 1));
    l->recv = malloc(sizeof *l->recv * (size_t)(room + 1));
    l->coef = malloc(sizeof *l->coef * (size_t)(room + 1));
    return l->send && l->owner && l->recv && l->coef ? H3OU__OK : h3ou__no_memory("creep");
}

/* Gathers the ring's cells and rows on rank 0. */
static int gather_ring(h3ou__comm *local, const h3ou__grid *g, const h3ou__weights *w, const h3ou__made_rows *made,
                       const unsigned char *ring, bundle *cells, links *rows)
{
    bundle mine = {.most = cells->most};
    links own = {0};
    int64_t n = 0, count = 0;
    void *data = NULL, *send = NULL, *owner = NULL, *recv = NULL, *coef = NULL;
    for (int64_t i = 0; i < w->ntarget; i++)
        n += ring[i] ? w->start[i + 1] - w->start[i] : 0;
    int err = links_make(&own, n);
    for (int64_t i = 0; i < w->ntarget && !err; i++) {
        if (!ring[i])
            continue;
        err = put_cell(&mine, g, i, false);
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++) {
            own.send[own.n] = made->source[w->src[k]];
            own.owner[own.n] = made->owner[w->src[k]];
            own.recv[own.n] = g->cells->id[i];
            own.coef[own.n++] = w->coef[k];
        }
    }
    if (!err)
        err = gather_numbers(local, mine.cell, mine.n * width_of(&mine), H3OU__DOUBLE, sizeof(double), &data, &count);
    cells->cell = data;
    cells->n = cells->room = err ? 0 : count / width_of(cells);
    if (!err &&
        (err = gather_numbers(local, own.send, own.n, H3OU__INT64, sizeof(int64_t), &send, &rows->n)) == H3OU__OK &&
        (err = gather_numbers(local, own.owner, own.n, H3OU__INT64, sizeof(int64_t), &owner, &rows->n)) == H3OU__OK &&
        (err = gather_numbers(local, own.recv, own.n, H3OU__INT64, sizeof(int64_t), &recv, &rows->n)) == H3OU__OK)
        err = gather_numbers(local, own.coef, own.n, H3OU__DOUBLE, sizeof(double), &coef, &rows->n);
    rows->send = send;
    rows->owner = owner;
    rows->recv = recv;
    rows->coef = coef;
    links_free(&own);
    free(mine.cell);
    return err;
}

typedef struct source_cell {
    int64_t index, owner;
} source_cell;

static int compare_sources(const void *a, const void *b)
{
    const source_cell *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* Returns the sources of some rows, each once, ascending. */
static source_cell *sources_of(const links *rows, int64_t *n)
{
    source_cell *list = malloc(sizeof *list * (size_t)(rows->n + 1));
    *n = 0;
    for (int64_t k = 0; k < rows->n && list; k++)
        list[k] = (source_cell){rows->send[k], rows->owner[k]};
    if (list)
        qsort(list, (size_t)rows->n, sizeof *list, compare_sources);
    for (int64_t k = 0; k < rows->n && list; k++)
        if (k == 0 || list[k].index != list[k - 1].index)
            list[(*n)++] = list[k];
    return list;
}

static int64_t place_of(const source_cell *list, int64_t n, int64_t index)
{
    const source_cell wanted = {index, 0}, *found = bsearch(&wanted, list, (size_t)n, sizeof *list, compare_sources);
    return found ? found - list : -1;
}

/* Solves the creep on one process: the cells of the ring have rows, the others get them. */
static int solve_creep(const h3ou__cells *cells, const links *ring, const source_cell *source, int64_t nsource,
                       links *out)
{
    h3ou__weights *w = NULL;
    h3ou__cells *sources = NULL;
    h3ou__weights_options options = {.threads = 1};
    h3ou__method_task task = {.target = (h3ou__cells *)cells, .options = &options, .number = 1};
    int err = h3ou__weights_create(nsource, cells->n, NULL, &w);
    if (!err)
        err = h3ou__cells_create("source", nsource, NULL, NULL, NULL, &sources);
    for (int64_t k = 0; k < ring->n && !err; k++) {
        int64_t src = place_of(source, nsource, ring->send[k]), dst = h3ou__cells_find(cells, ring->recv[k]);
        err = h3ou__weights_append(w, 1, &src, &dst, &ring->coef[k]);
    }
    if (!err)
        err = h3ou__weights_finish(w);
    task.source = sources;
    task.weights = w;
    if (!err)
        err = h3ou__method_creep.fill(&task);
    if (!err)
        err = links_make(out, w->start[w->ntarget]);
    for (int64_t i = 0; i < cells->n && !err; i++)
        for (int64_t k = w->start[i]; k < w->start[i + 1] && w->served[i] == task.number; k++) {
            out->send[out->n] = source[w->src[k]].index;
            out->owner[out->n] = source[w->src[k]].owner;
            out->recv[out->n] = cells->id[i];
            out->coef[out->n++] = w->coef[k];
        }
    h3ou__cells_free(sources);
    h3ou__weights_free(w);
    return err;
}

/* Solves, on rank 0, for the cells that are left over and the ring together. */
static int solve_all(const h3ou__grid *g, const bundle *left, bundle *ring, const links *rows, links *out)
{
    h3ou__cells *cells = NULL;
    int64_t nsource, width = width_of(left);
    source_cell *source = sources_of(rows, &nsource);
    bool has_room = h3ou__resize(&ring->cell, sizeof *ring->cell * (size_t)width, ring->n + left->n);
    int err = source && has_room ? H3OU__OK : h3ou__no_memory("creep");
    if (!err) {
        if (left->n)
            memcpy(ring->cell + ring->n * width, left->cell, sizeof *ring->cell * (size_t)(left->n * width));
        ring->n += left->n;
        err = to_cells(ring, g, &cells);
    }
    if (!err)
        err = solve_creep(cells, rows, source, nsource, out);
    h3ou__cells_free(cells);
    free(source);
    return err;
}

/* Each process keeps the links of its own cells. Their sources may be cells that the search gave to another process. */
static int keep_mine(const h3ou__grid *g, const links *all, h3ou__made_rows *rows, unsigned char *crept)
{
    int err = h3ou__made_rows_reserve(rows, all->n);
    for (int64_t k = 0; k < all->n && !err; k++) {
        int64_t i = h3ou__cells_find(g->cells, all->recv[k]);
        if (i < 0)
            continue;
        crept[i] = 1;
        if ((err = h3ou__made_rows_add_source(rows, all->send[k], all->owner[k])) == H3OU__OK)
            h3ou__made_rows_append(rows, g->order[i], rows->nsource - 1, all->coef[k]);
    }
    return err;
}

int h3ou__creep_gathered_fill(h3ou__comm *local, const h3ou__grid *grid, const h3ou__weights *w, h3ou__made_rows *rows,
                              unsigned char *crept)
{
    bundle left = {0}, ring = {0};
    links ring_rows = {0}, made = {0};
    unsigned char *is_ring = calloc((size_t)grid->n + 1, 1);
    int err = is_ring ? gather_left(local, grid, w, &left) : h3ou__no_memory("creep");
    ring.most = left.most;
    if (!err)
        err = find_ring(grid, w, &left, is_ring);
    if (!err)
        err = gather_ring(local, grid, w, rows, is_ring, &ring, &ring_rows);
    if (!err && h3ou__comm_rank(local) == 0)
        err = solve_all(grid, &left, &ring, &ring_rows, &made);
    void *send = made.send, *owner = made.owner, *recv = made.recv, *coef = made.coef;
    if (!err && (err = hand_out(local, &send, &made.n, H3OU__INT64, sizeof(int64_t))) == H3OU__OK &&
        (err = hand_out(local, &owner, &made.n, H3OU__INT64, sizeof(int64_t))) == H3OU__OK &&
        (err = hand_out(local, &recv, &made.n, H3OU__INT64, sizeof(int64_t))) == H3OU__OK)
        err = hand_out(local, &coef, &made.n, H3OU__DOUBLE, sizeof(double));
    made.send = send;
    made.owner = owner;
    made.recv = recv;
    made.coef = coef;
    if (!err)
        err = keep_mine(grid, &made, rows, crept);
    free(is_ring);
    free(left.cell);
    free(ring.cell);
    links_free(&ring_rows);
    links_free(&made);
    return err;
}
