/* SPDX-License-Identifier: BSD-3-Clause */
/* Making the cells of a grid, as interp expects them, from the geometry that the model gave. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/grid/grid.h"
#include "coupler/grid/grid_fold.h"

static int sort_by_index(h3ou__grid *g, int64_t **id)
{
    h3ou__index_set all = {0};
    int64_t twice;
    g->order = h3ou__heap_array(g->n, sizeof *g->order);
    *id = h3ou__heap_array(g->n, sizeof **id);
    int err = g->order && *id ? h3ou__index_set_add_all(&all, g->n, g->index, 1, &twice)
                              : h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its cells", g->name);
    h3ou__index_set_count(&all);
    if (!err)
        h3ou__index_set_list(&all, *id);
    for (int64_t i = 0; i < g->n && !err; i++)
        g->order[h3ou__index_set_place(&all, g->index[i] - 1)] = i;
    h3ou__index_set_free(&all);
    return err;
}

/* Returns a copy with `width` numbers for each cell, in the order of g->cells; NULL for NULL. */
static double *copy_sorted(const h3ou__grid *g, const double from[], int width, int *err)
{
    double *to = from ? malloc(sizeof *to * (size_t)(g->n * width + 1)) : NULL;
    if (from && !to)
        *err = h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its cells", g->name);
    for (int64_t i = 0; to && i < g->n; i++)
        memcpy(to + i * width, from + g->order[i] * width, sizeof *to * (size_t)width);
    return to;
}

static int least_of_processes(void *user, double value[], int64_t n)
{
    double *mine = malloc(sizeof *mine * (size_t)(n + 1));
    if (!mine)
        return h3ou__no_memory("what the processes of a component agree on");
    memcpy(mine, value, sizeof *mine * (size_t)n);
    int err = h3ou__allreduce(user, mine, value, n, H3OU__DOUBLE, H3OU__MIN);
    free(mine);
    return err;
}

/* Agrees on one kind of edges over all processes, since the weights must not depend on the decomposition. */
static int agree_edges(const h3ou__grid *g, const h3ou__agreement *agree, int *edges)
{
    double follow = h3ou__geometry_is_boxes(&g->geometry, g->n) ? 1.0 : 0.0;
    int err = h3ou__agree_on_least(agree, &follow, 1);
    *edges = g->geometry.edges != H3OU__EDGES_DEFAULT ? g->geometry.edges
             : follow == 0.0                          ? H3OU__EDGES_GREAT
                                                      : H3OU__EDGES_LATITUDE;
    return err;
}

static int check_shape(const h3ou__grid *g)
{
    int64_t all = (int64_t)g->geometry.nx * g->geometry.ny;
    if (g->geometry.nx && g->last > all)
        return h3ou__fail(H3OU__EARG, "grid %s: its shape is %d x %d cells, but there is a cell %" PRId64
                          ": indices count from 1 to nx * ny",
                          g->name, g->geometry.nx, g->geometry.ny, g->last);
    return H3OU__OK;
}

/* What the model gave, in the order of g->cells. */
typedef struct sorted {
    const double *lon, *lat, *x, *y;
    const int *mask;
    unsigned char *takes_part; /* NULL: all */
    double *copy[4];           /* of the coordinates, where the model has the cells in another order */
    int *mask_copy;
} sorted;

static bool is_in_order(const h3ou__grid *g)
{
    for (int64_t i = 0; i < g->n; i++)
        if (g->order[i] != i)
            return false;
    return true;
}

static int copy_geometry(const h3ou__grid *g, sorted *s)
{
    const h3ou__geometry *m = &g->geometry;
    const double *const from[4] = {m->lon, m->lat, m->corner_lon, m->corner_lat};
    const double **const to[4] = {&s->lon, &s->lat, &s->x, &s->y};
    int err = H3OU__OK;
    for (int k = 0; k < 4 && !err; k++)
        *to[k] = s->copy[k] = copy_sorted(g, from[k], k < 2 ? 1 : m->most, &err);
    if (err || !m->mask)
        return err;
    s->mask = s->mask_copy = malloc(sizeof *s->mask_copy * (size_t)(g->n + 1));
    if (!s->mask)
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its cells", g->name);
    for (int64_t i = 0; i < g->n; i++)
        s->mask_copy[i] = m->mask[g->order[i]];
    return H3OU__OK;
}

static int sort_geometry(const h3ou__grid *g, sorted *s)
{
    const h3ou__geometry *m = &g->geometry;
    int err = H3OU__OK;
    if (is_in_order(g))
        *s = (sorted){.lon = m->lon, .lat = m->lat, .x = m->corner_lon, .y = m->corner_lat, .mask = m->mask};
    else
        err = copy_geometry(g, s);
    if (err || !m->mask)
        return err;
    if (!(s->takes_part = malloc((size_t)g->n + 1)))
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its cells", g->name);
    for (int64_t i = 0; i < g->n; i++)
        s->takes_part[i] = s->mask[i] != 0;
    return H3OU__OK;
}

static void sorted_free(sorted *s)
{
    for (int k = 0; k < 4; k++)
        free(s->copy[k]);
    free(s->mask_copy);
    free(s->takes_part);
}

/* Do the processes hold the boxes of a regular grid? Those without cells agree to everything. */
static int find_regular(h3ou__grid *g, const sorted *s, const int64_t id[], const h3ou__agreement *agree)
{
    const h3ou__geometry *m = &g->geometry;
    double given = g->n == 0 || s->x ? 1.0 : 0.0;
    const h3ou__corner_lists lists = {.n = g->n, .most = m->most, .lon = s->x, .lat = s->y, .mask = s->takes_part, .id = id};
    int err = h3ou__agree_on_least(agree, &given, 1);
    if (err || given == 0.0 || g->last == 0)
        return err;
    bool is_list = m->nx < 2 || m->ny < 2; /* as in files */
    return h3ou__regular_grid_find(&lists, is_list ? 0 : m->nx, is_list ? 0 : m->ny, g->last, agree, &g->boxes);
}

/* Gives the cells the bounds of the columns and rows, which are the same on all processes, instead of their own corners. */
static int set_boxes(h3ou__grid *g, int edges, const h3ou__agreement *agree)
{
    bool aligned = false;
    int err = h3ou__cells_set_boxes(g->cells, g->boxes.nx, g->boxes.ny, g->boxes.lon_bounds, g->boxes.lat_bounds, edges);
    if (!err)
        err = h3ou__regular_grid_centres(&g->boxes, g->cells, agree, &aligned);
    g->cells->scattered = !aligned;
    g->cells->listed = g->geometry.nx == 0;
    return err;
}

static int set_polygons(h3ou__grid *g, const sorted *s, int edges)
{
    const h3ou__geometry *m = &g->geometry;
    int err = s->x ? h3ou__cells_set_corners(g->cells, m->most, s->x, s->y, NULL, edges) : H3OU__OK;
    if (!err && m->nx) {
        g->cells->rank = 2;
        g->cells->dims[0] = m->nx;
        g->cells->dims[1] = m->ny;
        g->cells->cyclic = m->cyclic;
        g->cells->fold = m->fold;
    }
    return err;
}

static int make_cells(h3ou__grid *g, const int64_t id[], int edges, const h3ou__agreement *agree)
{
    const h3ou__geometry *m = &g->geometry;
    sorted s = {0};
    int err = check_shape(g);
    if (!err)
        err = sort_geometry(g, &s);
    if (!err)
        err = h3ou__cells_create(g->name, g->n, s.lon, s.lat, s.mask, &g->cells);
    if (!err)
        err = h3ou__cells_number(g->cells, id);
    if (!err)
        err = find_regular(g, &s, id, agree);
    if (!err)
        err = g->boxes.nx > 0 ? set_boxes(g, edges, agree) : set_polygons(g, &s, edges);
    if (!err) {
        g->cells->area = copy_sorted(g, m->area, 1, &err);
        g->cells->angle = copy_sorted(g, m->angle, 1, &err);
    }
    sorted_free(&s);
    return err;
}

/* Logs, on rank 0, which cells of the whole grid had faults that were corrected. */
static int log_report(const h3ou__grid *g, h3ou__comm *local)
{
    const h3ou__cell_report *mine = &g->cells->report;
    h3ou__cell_report all;
    int64_t first[H3OU__CELL_FAULTS];
    char text[512];
    for (int k = 0; k < H3OU__CELL_FAULTS; k++)
        first[k] = mine->count[k] ? -mine->first[k] : INT64_MIN;
    int err = h3ou__allreduce(local, mine->count, all.count, H3OU__CELL_FAULTS, H3OU__INT64, H3OU__SUM);
    if (!err)
        err = h3ou__allreduce(local, first, all.first, H3OU__CELL_FAULTS, H3OU__INT64, H3OU__MAX);
    for (int k = 0; k < H3OU__CELL_FAULTS && !err; k++)
        all.first[k] = all.count[k] ? -all.first[k] : 0;
    if (!err && h3ou__comm_rank(local) == 0 && *h3ou__cell_report_text(&all, text, sizeof text))
        h3ou__log(H3OU__LOG_WHISPER, "grid-mended", "grid=%s cells=\"%s\"", g->name, text);
    return err;
}

int h3ou__grid_cells(h3ou__grid *g, h3ou__comm *local)
{
    int64_t *id = NULL;
    const h3ou__agreement agree = {local, least_of_processes};
    int edges;
    if (g->cells)
        return H3OU__OK;
    int err = agree_edges(g, &agree, &edges);
    if (!err)
        err = sort_by_index(g, &id);
    if (!err)
        err = make_cells(g, id, edges, &agree);
    if (!err)
        err = h3ou__grid_find_fold(g, local);
    if (!err)
        err = log_report(g, local);
    free(id);
    return err;
}

int64_t h3ou__grid_find_place(const h3ou__grid *g, int64_t index)
{
    int64_t i = h3ou__cells_find(g->cells, index - 1);
    return i < 0 ? -1 : g->order[i];
}
