/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/neighbours.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/place_table.h"

void h3ou__lists_free(h3ou__lists *l)
{
    free(l->start);
    free(l->list);
    memset(l, 0, sizeof *l);
}

/* The place of every corner, *at: [first[n]]. */
static int find_places(const h3ou__cells *c, int32_t **at, h3ou__place_table *t)
{
    int64_t n = c->first[c->n];
    int err = h3ou__place_table_create(n, "the neighbours of cells", t);
    *at = malloc(sizeof **at * (size_t)(n + 1));
    if (!err && !*at)
        err = h3ou__no_memory("the neighbours of cells");
    for (int64_t k = 0; k < n && !err; k++)
        (*at)[k] = h3ou__place_table_find_or_add(t, c->corner + 3 * k);
    free(t->slot);
    t->slot = NULL;
    return err;
}

/* Lists from `count` counted pairs: of pair k, item[k] gets value[k]; value ascends with k inside an item. */
static int list_up(int64_t n, int64_t count, const int32_t item[], const int32_t value[], h3ou__lists *out)
{
    out->n = n;
    out->start = calloc((size_t)n + 2, sizeof *out->start);
    out->list = malloc(sizeof *out->list * (size_t)(count + 1));
    if (!out->start || !out->list)
        return h3ou__no_memory("the neighbours of cells");
    for (int64_t k = 0; k < count; k++)
        out->start[item[k] + 2]++;
    for (int64_t i = 0; i < n; i++)
        out->start[i + 2] += out->start[i + 1];
    for (int64_t k = 0; k < count; k++)
        out->list[out->start[item[k] + 1]++] = value[k];
    return H3OU__OK;
}

/* Drops repeated entries of each list; lists are ascending. */
static void drop_repeated(h3ou__lists *l)
{
    int64_t to = 0;
    for (int64_t i = 0; i < l->n; i++) {
        int64_t from = l->start[i], end = l->start[i + 1];
        l->start[i] = to;
        for (int64_t k = from; k < end; k++)
            if (k == from || l->list[k] != l->list[k - 1])
                l->list[to++] = l->list[k];
    }
    l->start[l->n] = to;
}

int h3ou__cells_around_vertices(const h3ou__cells *c, h3ou__lists *out, double **place)
{
    h3ou__place_table t = {0};
    int32_t *at = NULL, *cell = NULL;
    memset(out, 0, sizeof *out);
    *place = NULL;
    if (!c->first)
        return h3ou__fail(H3OU__EARG, "%s: its cells have no corners, by which their neighbours are found", c->name);
    int err = find_places(c, &at, &t);
    if (!err && !(cell = malloc(sizeof *cell * (size_t)(c->first[c->n] + 1))))
        err = h3ou__no_memory("the neighbours of cells");
    for (int64_t i = 0; i < c->n && !err; i++)
        for (int64_t k = c->first[i]; k < c->first[i + 1]; k++)
            cell[k] = (int32_t)i;
    if (!err && (err = list_up(t.nplace, c->first[c->n], at, cell, out)) == H3OU__OK) {
        drop_repeated(out);
        *place = t.place;
        t.place = NULL;
    }
    if (err)
        h3ou__lists_free(out);
    free(cell);
    h3ou__place_table_free(&t);
    free(at);
    return err;
}

/* An edge, by its two places, the lesser first. */
typedef struct edge {
    int32_t a, b, cell;
} edge;

static int by_places(const void *x, const void *y)
{
    const edge *e = x, *f = y;
    if (e->a != f->a)
        return (e->a > f->a) - (e->a < f->a);
    if (e->b != f->b)
        return (e->b > f->b) - (e->b < f->b);
    return (e->cell > f->cell) - (e->cell < f->cell);
}

static int by_cell(const void *x, const void *y)
{
    const int32_t *e = x, *f = y;
    return e[0] != f[0] ? (e[0] > f[0]) - (e[0] < f[0]) : (e[1] > f[1]) - (e[1] < f[1]);
}

static bool same_edge(const edge *e, const edge *f)
{
    return e->a == f->a && e->b == f->b;
}

/* Pairs of cells over shared edges, both ways, to pair[2 * n] (NULL: only counts); returns n. Where cells are doubled,
 * more than two share an edge: each is paired with some of those that follow, so that the two sides meet. */
static int64_t pair_cells(const edge *e, int64_t n, int32_t *pair)
{
    enum { REACH = 8 };
    int64_t npair = 0;
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = k + 1; j < n && j <= k + REACH && same_edge(&e[k], &e[j]); j++) {
            const int32_t two[4] = {e[j].cell, e[k].cell, e[k].cell, e[j].cell};
            if (two[0] == two[1])
                continue;
            if (pair)
                memcpy(pair + 2 * npair, two, sizeof two);
            npair += 2;
        }
    return npair;
}

static int64_t pair_edges(const h3ou__cells *c, const int32_t *at, int32_t **pair)
{
    int64_t n = c->first[c->n], npair = 0;
    edge *e = malloc(sizeof *e * (size_t)(n + 1));
    *pair = NULL;
    for (int64_t i = 0; i < c->n && e; i++)
        for (int64_t k = c->first[i]; k < c->first[i + 1]; k++) {
            int32_t p = at[k], q = at[k + 1 < c->first[i + 1] ? k + 1 : c->first[i]];
            e[k] = (edge){p < q ? p : q, p < q ? q : p, (int32_t)i};
        }
    if (e) {
        qsort(e, (size_t)n, sizeof *e, by_places);
        npair = pair_cells(e, n, NULL);
        *pair = malloc(2 * sizeof **pair * (size_t)(npair + 1));
    }
    if (!*pair) {
        free(e);
        return h3ou__no_memory("the neighbours of cells");
    }
    pair_cells(e, n, *pair);
    free(e);
    return npair;
}

static int by_polygons(const h3ou__cells *c, h3ou__lists *out)
{
    h3ou__place_table t = {0};
    int32_t *at = NULL, *pair = NULL, *item = NULL, *value = NULL;
    int err = find_places(c, &at, &t);
    int64_t n = err ? err : pair_edges(c, at, &pair);
    err = n < 0 ? (int)n : H3OU__OK;
    if (!err && n > 0)
        qsort(pair, (size_t)n, 2 * sizeof *pair, by_cell);
    if (!err &&
        (!(item = malloc(sizeof *item * (size_t)(n + 1))) || !(value = malloc(sizeof *value * (size_t)(n + 1)))))
        err = h3ou__no_memory("the neighbours of cells");
    for (int64_t k = 0; k < n && !err; k++) {
        item[k] = pair[2 * k];
        value[k] = pair[2 * k + 1];
    }
    if (!err && (err = list_up(c->n, n, item, value, out)) == H3OU__OK)
        drop_repeated(out);
    free(item);
    free(value);
    free(pair);
    h3ou__place_table_free(&t);
    free(at);
    return err;
}

/* The four sides of a box, by number; rows and columns are taken to be in order. */
static int by_boxes(const h3ou__cells *c, h3ou__lists *out)
{
    int64_t nx = c->dims[0], ny = c->dims[1], period = nx - c->overlap, n = 0;
    out->n = c->n;
    out->start = malloc(sizeof *out->start * (size_t)(c->n + 1));
    out->list = malloc(4 * sizeof *out->list * (size_t)(c->n + 1));
    if (!out->start || !out->list)
        return h3ou__no_memory("the neighbours of cells");
    for (int64_t i = 0; i < c->n; i++) {
        int64_t id = h3ou__cell_id(c, i), x = id % nx, y = id / nx, near[4] = {-1, -1, -1, -1};
        near[0] = y > 0 ? id - nx : -1;
        near[1] = y + 1 < ny ? id + nx : -1;
        near[2] = x > 0 ? id - 1 : c->cyclic ? id + period - 1 : -1;
        near[3] = x + 1 < nx ? id + 1 : c->cyclic ? id + 1 - period : -1;
        out->start[i] = n;
        for (int k = 0; k < 4; k++) {
            int64_t local = near[k] < 0 ? -1 : h3ou__cells_find(c, near[k]);
            int64_t to = n;
            if (local < 0 || local == i)
                continue;
            for (; to > out->start[i] && out->list[to - 1] > local; to--)
                out->list[to] = out->list[to - 1];
            out->list[to] = (int32_t)local;
            n++;
        }
    }
    out->start[c->n] = n;
    drop_repeated(out);
    return H3OU__OK;
}

int h3ou__neighbours_by_edge(const h3ou__cells *c, h3ou__lists *out)
{
    memset(out, 0, sizeof *out);
    int err = H3OU__OK;
    if (c->lon_west)
        err = by_boxes(c, out);
    else if (c->first)
        err = by_polygons(c, out);
    else if (!(out->start = calloc((size_t)c->n + 1, sizeof *out->start)) || !(out->list = malloc(sizeof *out->list)))
        err = h3ou__no_memory("the neighbours of cells");
    out->n = c->n;
    if (err)
        h3ou__lists_free(out);
    return err;
}
