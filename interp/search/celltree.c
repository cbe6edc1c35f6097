/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/search/celltree.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cell_polygon.h"
#include "interp/search/box_tree.h"
#include "interp/sphere/vector.h"

/* The items in the order of the curve, and the tree of their boxes. */
struct h3ou__celltree {
    int64_t n;
    int32_t *item; /* [n] */
    h3ou__box_tree boxes;
};

static float round_down(double v)
{
    return nextafterf((float)v, -3.0f);
}

static float round_up(double v)
{
    return nextafterf((float)v, 3.0f);
}

void h3ou__point_bound(const double x[3], double radius, h3ou__bound *out)
{
    for (int d = 0; d < 3; d++) {
        out->low[d] = round_down(x[d] - radius);
        out->high[d] = round_up(x[d] + radius);
    }
}

/* A point of a spherical polygon is a mean of its corners, pushed out to the sphere: by less than half the square of
 * its radius. A latitude circle's arc leaves the chord by no more than its own sagitta, which that covers twice. */
void h3ou__polygon_bound(const h3ou__polygon *p, h3ou__bound *out)
{
    double low[3] = {2, 2, 2}, high[3] = {-2, -2, -2}, across = 0.0;
    for (int k = 0; k < p->n; k++) {
        for (int d = 0; d < 3; d++) {
            low[d] = fmin(low[d], p->v[k][d]);
            high[d] = fmax(high[d], p->v[k][d]);
        }
        double e[3];
        h3ou__sub(p->v[k], p->v[0], e);
        across = fmax(across, h3ou__dot(e, e));
    }
    double more = p->has_circles ? fmin(2.0, across) : fmin(1.0, 0.5 * across);
    for (int d = 0; d < 3; d++) {
        out->low[d] = round_down(low[d] - more);
        out->high[d] = round_up(high[d] + more);
    }
}

void h3ou__cell_bound(const h3ou__cells *c, int64_t i, h3ou__bound *out)
{
    h3ou__polygon p;
    h3ou__cell_polygon(c, i, &p);
    h3ou__polygon_bound(&p, out);
}

static void widen_bound(const void *of, int64_t i, h3ou__box *out)
{
    const h3ou__bound *b = &((const h3ou__bound *)of)[i];
    for (int d = 0; d < 3; d++) {
        out->low[d] = b->low[d];
        out->high[d] = b->high[d];
    }
}

/* item[n] with bound[i] of item[i]: both are put in order. */
static int build_tree(h3ou__celltree *t, const h3ou__bound bound[])
{
    h3ou__curve_key *key = malloc(sizeof *key * (size_t)(t->n + 1));
    h3ou__bound *sorted = malloc(sizeof *sorted * (size_t)(t->n + 1));
    int err = key && sorted ? H3OU__OK : h3ou__no_memory("a search tree");
    for (int64_t i = 0; i < t->n && !err; i++) {
        double middle[3];
        for (int d = 0; d < 3; d++)
            middle[d] = (double)bound[i].low[d] + bound[i].high[d];
        key[i] = (h3ou__curve_key){h3ou__curve_code(middle), (int32_t)i};
    }
    if (!err)
        err = h3ou__curve_sort(t->n, key);
    for (int64_t i = 0; i < t->n && !err; i++) {
        sorted[i] = bound[key[i].item];
        key[i].item = t->item[key[i].item];
    }
    for (int64_t i = 0; i < t->n && !err; i++)
        t->item[i] = key[i].item;
    free(key);
    if (!err)
        err = h3ou__box_tree_fill(&t->boxes, t->n, widen_bound, sorted);
    free(sorted);
    return err;
}

static int allocate_tree(int64_t n, h3ou__celltree **out)
{
    h3ou__celltree *t = calloc(1, sizeof *t);
    if (!t || !(t->item = malloc(sizeof *t->item * (size_t)(n + 1)))) {
        free(t);
        return h3ou__no_memory("a search tree");
    }
    *out = t;
    return H3OU__OK;
}

static int finish_tree(h3ou__celltree *t, const h3ou__bound bound[], h3ou__celltree **out)
{
    int err = build_tree(t, bound);
    if (err)
        h3ou__celltree_free(t);
    else
        *out = t;
    return err;
}

int h3ou__celltree_create(const h3ou__cells *c, h3ou__celltree **out)
{
    h3ou__celltree *t;
    int err = allocate_tree(c->n, &t);
    if (err)
        return err;
    for (int64_t i = 0; i < c->n; i++)
        if (c->mask[i] && (!c->first || c->first[i + 1] > c->first[i]))
            t->item[t->n++] = (int32_t)i;
    h3ou__bound *bound = malloc(sizeof *bound * (size_t)(t->n + 1));
    if (!bound) {
        h3ou__celltree_free(t);
        return h3ou__no_memory("a search tree");
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < t->n; i++)
        h3ou__cell_bound(c, t->item[i], &bound[i]);
    err = finish_tree(t, bound, out);
    free(bound);
    return err;
}

int h3ou__celltree_over(int64_t n, const h3ou__bound bound[], h3ou__celltree **out)
{
    h3ou__celltree *t;
    int err = allocate_tree(n, &t);
    if (err)
        return err;
    t->n = n;
    for (int64_t i = 0; i < n; i++)
        t->item[i] = (int32_t)i;
    return finish_tree(t, bound, out);
}

void h3ou__celltree_free(h3ou__celltree *t)
{
    if (!t)
        return;
    free(t->item);
    h3ou__box_tree_release(&t->boxes);
    free(t);
}

static int compare_items(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

static void sort_items(int32_t *list, int64_t n)
{
    if (n > 32) {
        qsort(list, (size_t)n, sizeof *list, compare_items);
        return;
    }
    for (int64_t i = 1; i < n; i++) {
        int32_t v = list[i];
        int64_t k = i;
        for (; k > 0 && list[k - 1] > v; k--)
            list[k] = list[k - 1];
        list[k] = v;
    }
}

/* A box by its middle and half width, with more room than the rounding of touching_parts can take. */
typedef struct query {
    float middle[3], half[3];
} query;

static void begin_query(const h3ou__bound *b, query *q)
{
    for (int d = 0; d < 3; d++) {
        q->middle[d] = 0.5f * (b->low[d] + b->high[d]);
        q->half[d] = 0.5f * (b->high[d] - b->low[d]) + 1e-6f;
    }
}

/* Bit i: part i of the node touches. */
static unsigned touching_parts(const h3ou__box_node *b, const query *q)
{
    enum { FAN = H3OU__FAN };
    float gap[FAN];
    for (int i = 0; i < FAN; i++) {
        float x = fabsf(q->middle[0] - b->middle[0][i]) - (q->half[0] + b->half[0][i]),
              y = fabsf(q->middle[1] - b->middle[1][i]) - (q->half[1] + b->half[1][i]),
              z = fabsf(q->middle[2] - b->middle[2][i]) - (q->half[2] + b->half[2][i]);
        float xy = x > y ? x : y;
        gap[i] = xy > z ? xy : z;
    }
    unsigned parts = 0;
    for (int i = 0; i < FAN; i++)
        parts |= (unsigned)(gap[i] <= 0.0f) << i;
    return parts;
}

int64_t h3ou__celltree_touching(const h3ou__celltree *t, const h3ou__bound *b, int32_t **list, int64_t *room)
{
    struct {
        int level;
        int64_t node;
    } stack[H3OU__BOX_LEVELS * H3OU__FAN];
    int depth = t->boxes.level > 0;
    int64_t n = 0;
    query q;
    begin_query(b, &q);
    stack[0].level = t->boxes.level - 1;
    stack[0].node = 0;
    while (depth > 0) {
        int level = stack[--depth].level;
        int64_t first = stack[depth].node * H3OU__FAN;
        unsigned parts = touching_parts(&t->boxes.node[level][stack[depth].node], &q);
        for (; parts; parts &= parts - 1) {
            int64_t i = first + __builtin_ctz(parts);
            if (level > 0) {
                stack[depth].level = level - 1;
                stack[depth++].node = i;
                continue;
            }
            if (!h3ou__grow(list, sizeof **list, room, n + 1))
                return h3ou__no_memory("a search");
            (*list)[n++] = t->item[i];
        }
    }
    sort_items(*list, n);
    return n;
}
