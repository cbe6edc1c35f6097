/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/weights_from_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "coupler/grid/send_to_owners.h"
#include "coupler/search/cell_search_inside.h"
#include "coupler/weights/grid_needs.h"
#include "interp/file/weightfile.h"

/* What the reader of the file tells all processes of both components. */
enum { CELLS, HAS_GRID, HAS_CENTRES, SIDE };
enum { SOURCE = 0, TARGET = SIDE, FACTS = 2 * SIDE };

/* A cell of the file on its way: longitude, latitude, takes part. */
enum { LON, LAT, MASK, WIDTH };

static const char what[] = "a file of weights";

typedef struct reading {
    const h3ou__cell_search_task *task;
    const char *file;
    int64_t chunk, fact[FACTS];
    h3ou__weightfile read; /* on the receiving rank 0 */
} reading;

static int no_memory(const reading *r)
{
    return h3ou__fail(H3OU__ENOMEM, "%s: out of memory", r->file);
}

static bool is_reader(const reading *r)
{
    return !r->task->sender && h3ou__comm_rank(r->task->local) == 0;
}

static int move_numbers(const reading *r, bool out, void *data, int64_t n, int type)
{
    h3ou__req req;
    int err = out ? h3ou__isend(r->task->model, 0, H3OU__TAG_CELLS, data, n, type, what, &req)
                  : h3ou__irecv(r->task->model, r->task->nsend, H3OU__TAG_CELLS, data, n, type, what, &req);
    return err ? err : h3ou__waitall(r->task->world, 1, &req);
}

static void describe_side(int64_t fact[SIDE], const h3ou__cells *c, int64_t n)
{
    fact[CELLS] = n;
    fact[HAS_GRID] = c != NULL;
    fact[HAS_CENTRES] = c && c->lon;
}

/* The process that read the file broadcasts the sizes. */
static int share_facts(reading *r)
{
    int err = H3OU__OK;
    if (is_reader(r) && (err = h3ou__weightfile_read(r->file, &r->read)) == H3OU__OK) {
        describe_side(r->fact + SOURCE, r->read.source, r->read.weights->nsource);
        describe_side(r->fact + TARGET, r->read.target, r->read.weights->ntarget);
        err = r->task->source ? H3OU__OK : move_numbers(r, true, r->fact, FACTS, H3OU__INT64);
    }
    if (!err && r->task->sender && h3ou__comm_rank(r->task->local) == 0)
        err = move_numbers(r, false, r->fact, FACTS, H3OU__INT64);
    return err ? err : h3ou__bcast(r->task->local, r->fact, FACTS, H3OU__INT64, 0);
}

static const char *side_name(int side)
{
    return side == SOURCE ? "source" : "target";
}

/* Returns my component's grid of a side, or NULL. */
static const h3ou__grid *grid_of(const reading *r, int side)
{
    if (side == SOURCE && r->task->source)
        return r->task->source;
    return r->task->sender == (side == SOURCE) ? r->task->grid : NULL;
}

/* Compares the numbers of cells of a side. */
static int check_size(const reading *r, int side)
{
    const h3ou__grid *g = grid_of(r, side);
    if (!g)
        return H3OU__OK;
    h3ou__grid_facts facts = {.grid = g->name, .last = g->last, .said = (int64_t)g->geometry.nx * g->geometry.ny};
    int err = h3ou__allreduce(r->task->local, &g->n, &facts.cells, 1, H3OU__INT64, H3OU__SUM);
    return err ? err : h3ou__grid_fits_weights(r->file, side_name(side), r->fact[side + CELLS], r->fact[side + HAS_GRID], &facts);
}

/* Compares one cell of the file with the model's. */
static int compare_cell(const reading *r, int side, int64_t place, const double cell[WIDTH])
{
    const h3ou__grid *g = grid_of(r, side);
    const h3ou__geometry *m = &g->geometry;
    h3ou__weightfile_cell in_file = {true, cell[MASK] != 0.0, r->fact[side + HAS_CENTRES] != 0, cell[LON], cell[LAT]};
    h3ou__weightfile_cell in_run = {.has_mask = m->mask, .has_centre = m->lon && !isnan(m->lon[place])};
    in_run.takes_part = m->mask && m->mask[place];
    in_run.lon = m->lon ? m->lon[place] : 0.0;
    in_run.lat = m->lon ? m->lat[place] : 0.0;
    return h3ou__weightfile_check_cell(r->file, side_name(side), &in_file, g->name, &in_run, g->index[place]);
}

/* A cell on its way: index (then place), and the bits of the numbers, which stay inside one job. */
enum { ITEM = 1 + WIDTH };

static int compare_round(const reading *r, int side, const double *cell, int64_t first, int64_t n)
{
    h3ou__redistribution owned = {0};
    int64_t *item = malloc(sizeof *item * (size_t)(n * ITEM + 1));
    if (!item)
        return no_memory(r);
    for (int64_t i = 0; i < n; i++) {
        item[ITEM * i] = first + i;
        memcpy(item + ITEM * i + 1, cell + WIDTH * i, sizeof *cell * WIDTH);
    }
    /* The model may leave out cells that the file has. */
    int err = h3ou__send_to_owners(grid_of(r, side), r->task->local, n, ITEM, item, NULL, &owned);
    free(item);
    for (int64_t i = 0; i < owned.ngot && !err; i++) {
        double one[WIDTH];
        memcpy(one, owned.item + ITEM * i + 1, sizeof one);
        err = compare_cell(r, side, owned.item[ITEM * i], one);
    }
    h3ou__redistribution_free(&owned);
    return err;
}

static void write_cells(const h3ou__cells *c, int64_t from, int64_t n, double *to)
{
    for (int64_t i = 0; i < n; i++) {
        to[WIDTH * i + LON] = c->lon ? c->lon[from + i] : 0.0;
        to[WIDTH * i + LAT] = c->lat ? c->lat[from + i] : 0.0;
        to[WIDTH * i + MASK] = c->mask[from + i];
    }
}

/* Compares the file's cells of one side, round by round: those of this component are dealt out, the other's are sent.
 */
static int compare_side(const reading *r, int side)
{
    const h3ou__cell_search_task *t = r->task;
    bool mine = grid_of(r, side), leader = h3ou__comm_rank(t->local) == 0;
    const h3ou__cells *c = side == SOURCE ? r->read.source : r->read.target;
    int64_t all = r->fact[side + CELLS];
    int err = H3OU__OK;
    if (!r->fact[side + HAS_GRID] || (!mine && !is_reader(r)))
        return H3OU__OK;
    double *cell = malloc(sizeof *cell * (size_t)(WIDTH * r->chunk));
    if (!cell)
        return no_memory(r);
    for (int64_t at = 0; at < all && !err; at += r->chunk) {
        int64_t n = all - at < r->chunk ? all - at : r->chunk;
        if (is_reader(r))
            write_cells(c, at, n, cell);
        if (!mine)
            err = move_numbers(r, true, cell, n * WIDTH, H3OU__DOUBLE);
        else if (t->sender && leader)
            err = move_numbers(r, false, cell, n * WIDTH, H3OU__DOUBLE);
        if (!err && mine)
            err = compare_round(r, side, cell, at + 1, leader ? n : 0);
    }
    free(cell);
    return err;
}

/* Copies the links and values of all cells, in the form that the cache has. */
static int copy_rows(const reading *r, h3ou__cache_rows *rows)
{
    const h3ou__weights *w = r->read.weights;
    size_t links = (size_t)w->start[w->ntarget] + 1, cells = (size_t)w->ntarget + 1;
    rows->send = malloc(sizeof *rows->send * links);
    rows->recv = malloc(sizeof *rows->recv * links);
    rows->coef = malloc(sizeof *rows->coef * links);
    rows->fixed = malloc(sizeof *rows->fixed * cells);
    rows->value = malloc(sizeof *rows->value * cells);
    if (!rows->send || !rows->recv || !rows->coef || !rows->fixed || !rows->value)
        return no_memory(r);
    for (int64_t i = 0; i < w->ntarget; i++) {
        if (w->conserves || h3ou__weights_is_fixed(w, i)) /* fractions beside other weights say nothing of their values */
            h3ou__cache_rows_add_beside(rows, w, i, (int)(i + 1));
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++) {
            rows->send[rows->n] = w->src[k] + 1;
            rows->recv[rows->n] = (int)(i + 1);
            rows->coef[rows->n++] = w->coef[k];
        }
    }
    return H3OU__OK;
}

int h3ou__weights_from_file_read(const h3ou__cell_search_task *task, const char *file, h3ou__cache_rows *rows)
{
    reading r = {.task = task, .file = file};
    int err = h3ou__env_int("H3OU_PLAN_CHUNK", 1, 1 << 24, 1 << 14, &r.chunk);
    if (!err)
        err = share_facts(&r);
    if (!err)
        err = check_size(&r, TARGET);
    if (!err)
        err = check_size(&r, SOURCE);
    if (!err)
        err = compare_side(&r, TARGET);
    if (!err)
        err = compare_side(&r, SOURCE);
    if (!err && is_reader(&r))
        err = copy_rows(&r, rows);
    h3ou__weightfile_free(&r.read);
    return err;
}
