/* SPDX-License-Identifier: BSD-3-Clause */
/* Method creep: fills the targets that are left, ring by ring, beginning at their edges: a cell gets the mean of the
 * rows of those neighbours that have one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/neighbours.h"
#include "interp/stencils/dual_polygons.h"
#include "interp/weights/weights.h"

/* The rows made here, in the order of their making. */
typedef struct fill {
    const h3ou__weights *w;
    h3ou__lists neighbours;
    int64_t *made; /* [ntarget] which row, or -1 */
    int64_t nrow;
    int64_t *target; /* [ntarget] of each row */
    int64_t *start;  /* [ntarget + 1] */
    int64_t room;
    int32_t *src;
    double *coef;
    double *sum;        /* [nsource] of the row at work */
    int32_t *touched;   /* [nsource] */
    unsigned char *has; /* [nsource] */
} fill;

/* Structured grids without corners: their neighbours by index. */
static int lattice_neighbours(const h3ou__cells *c, h3ou__lists *out)
{
    out->n = c->n;
    out->start = calloc((size_t)c->n + 1, sizeof *out->start);
    out->list = malloc(4 * sizeof *out->list * (size_t)(c->n + 1));
    if (!out->start || !out->list)
        return h3ou__no_memory("filling");
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++) {
        static const int STEP[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
        int64_t x = h3ou__cell_id(c, i) % c->dims[0], y = h3ou__cell_id(c, i) / c->dims[0];
        for (int k = 0; k < 4; k++) {
            int64_t other = h3ou__lattice_cell(c, x + STEP[k][0], y + STEP[k][1]);
            if (other >= 0 && other != i)
                out->list[n++] = (int32_t)other;
        }
        out->start[i + 1] = n;
    }
    return H3OU__OK;
}

int h3ou__creep_neighbours(const h3ou__cells *c, h3ou__lists *out)
{
    if (h3ou__cells_have_corners(c))
        return h3ou__neighbours_by_edge(c, out);
    if (c->rank == 2)
        return lattice_neighbours(c, out);
    return h3ou__fail(H3OU__EARG,
                      "method creep: %s has neither rows and columns nor corners, so its cells have no neighbours; "
                      "use nearest",
                      c->name);
}

static int open_fill(const h3ou__method_task *task, fill *f)
{
    const h3ou__cells *c = task->target;
    size_t n = (size_t)c->n + 1, sources = (size_t)task->source->n + 1;
    f->w = task->weights;
    f->made = malloc(sizeof *f->made * n);
    f->target = malloc(sizeof *f->target * n);
    f->start = calloc(n, sizeof *f->start);
    f->sum = calloc(sources, sizeof *f->sum);
    f->touched = malloc(sizeof *f->touched * sources);
    f->has = calloc(sources, 1);
    if (!f->made || !f->target || !f->start || !f->sum || !f->touched || !f->has)
        return h3ou__no_memory("filling");
    for (int64_t i = 0; i < c->n; i++)
        f->made[i] = -1;
    return h3ou__creep_neighbours(c, &f->neighbours);
}

static void close_fill(fill *f)
{
    h3ou__lists_free(&f->neighbours);
    free(f->made);
    free(f->target);
    free(f->start);
    free(f->src);
    free(f->coef);
    free(f->sum);
    free(f->touched);
    free(f->has);
}

/* The row of a target, by a former method or made in a former ring (rows before `before`); 0: it has none. */
static int64_t find_row(const fill *f, int64_t i, int64_t before, const int32_t **src, const double **coef)
{
    int64_t from = f->w->start[i], to = f->w->start[i + 1];
    *src = f->w->src + from;
    *coef = f->w->coef + from;
    if (f->w->served[i] == H3OU__BY_NONE && f->made[i] >= 0 && f->made[i] < before) {
        from = f->start[f->made[i]];
        to = f->start[f->made[i] + 1];
        *src = f->src + from;
        *coef = f->coef + from;
    }
    return to - from;
}

static int compare_sources(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

static int store_row(fill *f, int64_t target, int64_t n, double whole)
{
    int64_t at = f->start[f->nrow];
    if (at + n > f->room) {
        int64_t room = h3ou__larger_room(f->room, at + n);
        if (!h3ou__resize(&f->src, sizeof *f->src, room) || !h3ou__resize(&f->coef, sizeof *f->coef, room))
            return h3ou__no_memory("filling");
        f->room = room;
    }
    qsort(f->touched, (size_t)n, sizeof *f->touched, compare_sources);
    for (int64_t k = 0; k < n; k++) {
        int32_t s = f->touched[k];
        f->src[at + k] = s;
        f->coef[at + k] = f->sum[s] / whole;
        f->sum[s] = 0.0;
        f->has[s] = 0;
    }
    f->target[f->nrow] = target;
    f->made[target] = f->nrow++;
    f->start[f->nrow] = at + n;
    return H3OU__OK;
}

/* Neighbours in the order of their numbers, sources within each in theirs: the sums do not depend on anything else.
 * Rows that sum to less than 1 (destarea) are scaled to the sum 1, since the mean value is filled in, not the covered
 * share. */
static int fill_one(fill *f, int64_t target, int64_t before)
{
    int64_t n = 0;
    double whole = 0.0;
    for (int64_t k = f->neighbours.start[target]; k < f->neighbours.start[target + 1]; k++) {
        const int32_t *src;
        const double *coef;
        int64_t size = find_row(f, f->neighbours.list[k], before, &src, &coef);
        double sum = 0.0;
        for (int64_t i = 0; i < size; i++)
            sum += coef[i];
        if (!(fabs(sum) > 0.0))
            continue;
        for (int64_t i = 0; i < size; i++) {
            if (!f->has[src[i]])
                f->touched[n++] = src[i];
            f->has[src[i]] = 1;
            f->sum[src[i]] += coef[i] / sum;
        }
        whole += 1.0;
    }
    return n > 0 ? store_row(f, target, n, whole) : H3OU__OK;
}

/* Inserts the rows into the weights in the order of their targets. */
static int insert_rows(const fill *f, h3ou__weights *w, int number)
{
    int64_t n = 0, *target = malloc(sizeof *target * (size_t)(f->nrow + 1));
    int64_t *start = malloc(sizeof *start * (size_t)(f->nrow + 1)), all = f->start[f->nrow], at = 0;
    int32_t *src = malloc(sizeof *src * (size_t)(all + 1));
    double *coef = malloc(sizeof *coef * (size_t)(all + 1));
    int err = target && start && src && coef ? H3OU__OK : h3ou__no_memory("filling");
    for (int64_t i = 0; i < w->ntarget && !err; i++) {
        if (f->made[i] < 0)
            continue;
        int64_t from = f->start[f->made[i]], size = f->start[f->made[i] + 1] - from;
        target[n] = i;
        start[n++] = at;
        memcpy(src + at, f->src + from, sizeof *src * (size_t)size);
        memcpy(coef + at, f->coef + from, sizeof *coef * (size_t)size);
        at += size;
    }
    if (!err) {
        start[n] = at;
        err = h3ou__weights_insert(w, number, n, target, start, src, coef);
    }
    free(target);
    free(start);
    free(src);
    free(coef);
    return err;
}

static int creep_targets(h3ou__method_task *task)
{
    fill f = {0};
    const h3ou__weights *w = task->weights;
    int64_t nleft = 0, before = -1, *left = malloc(sizeof *left * (size_t)(w->ntarget + 1));
    int err = left ? open_fill(task, &f) : h3ou__no_memory("filling");
    for (int64_t i = 0; i < w->ntarget && !err; i++)
        if (w->served[i] == H3OU__BY_NONE)
            left[nleft++] = i;
    while (nleft > 0 && before != f.nrow && !err) {
        int64_t still = 0;
        before = f.nrow;
        for (int64_t k = 0; k < nleft && !err; k++) {
            err = fill_one(&f, left[k], before);
            if (f.made[left[k]] < 0)
                left[still++] = left[k];
        }
        nleft = still;
    }
    if (!err && f.nrow > 0)
        err = insert_rows(&f, task->weights, task->number);
    free(left);
    close_fill(&f);
    return err;
}

const h3ou__method h3ou__method_creep = {
    .name = "creep",
    .links = 1.0,
    .help = "what is left takes the mean of its neighbours, ring by ring",
    .keys = "",
    .fill = creep_targets,
    .target_corners = true,
    .by_neighbours = true,
};
