/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/search/celltree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cell_polygon.h"
#include "interp/sphere/vector.h"

enum { FAN = 4, LEVELS = 18 };

/* Items in Morton order of their boxes' middles; every FAN of them, and of every level's boxes, have a box above. */
struct h3ou__celltree {
    int64_t n;
    int32_t *item; /* [n] */
    int level;     /* levels, the boxes of the items included */
    int64_t size[LEVELS];
    h3ou__bound *bound[LEVELS];
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

static uint32_t spread_bits(uint32_t v)
{
    v = (v | v << 16) & 0x030000FF;
    v = (v | v << 8) & 0x0300F00F;
    v = (v | v << 4) & 0x030C30C3;
    return (v | v << 2) & 0x09249249;
}

static uint32_t morton_code(const h3ou__bound *b)
{
    uint32_t code = 0;
    for (int d = 0; d < 3; d++) {
        float middle = (b->low[d] + b->high[d]) * 0.25f + 0.5f; /* 0 to 1 */
        int q = (int)(middle * 1024.0f);
        code |= spread_bits((uint32_t)(q < 0 ? 0 : q > 1023 ? 1023 : q)) << d;
    }
    return code;
}

typedef struct key {
    uint32_t code;
    int32_t item;
} key;

/* Radix sort: three passes of 10 bits, least significant first; the result is in a. */
static void sort_keys(int64_t n, key *a, key *b)
{
    enum { BITS = 10 };
    for (int pass = 0; pass < 3; pass++) {
        int64_t count[(1 << BITS) + 1] = {0};
        for (int64_t i = 0; i < n; i++)
            count[(a[i].code >> (BITS * pass) & ((1 << BITS) - 1)) + 1]++;
        for (int k = 0; k < 1 << BITS; k++)
            count[k + 1] += count[k];
        for (int64_t i = 0; i < n; i++)
            b[count[a[i].code >> (BITS * pass) & ((1 << BITS) - 1)]++] = a[i];
        key *keep = a;
        a = b;
        b = keep;
    }
    memcpy(b, a, sizeof *a * (size_t)n); /* an odd number of passes left it in the other one */
}

static void unite_bounds(h3ou__bound *to, const h3ou__bound *with)
{
    for (int d = 0; d < 3; d++) {
        to->low[d] = fminf(to->low[d], with->low[d]);
        to->high[d] = fmaxf(to->high[d], with->high[d]);
    }
}

static int build_levels(h3ou__celltree *t)
{
    t->size[0] = t->n;
    for (t->level = 1; t->size[t->level - 1] > FAN && t->level < LEVELS; t->level++) {
        int64_t below = t->size[t->level - 1], n = (below + FAN - 1) / FAN;
        h3ou__bound *b = malloc(sizeof *b * (size_t)n);
        if (!b)
            return h3ou__no_memory("a search tree");
        for (int64_t i = 0; i < n; i++) {
            b[i] = t->bound[t->level - 1][i * FAN];
            for (int64_t k = i * FAN + 1; k < (i + 1) * FAN && k < below; k++)
                unite_bounds(&b[i], &t->bound[t->level - 1][k]);
        }
        t->size[t->level] = n;
        t->bound[t->level] = b;
    }
    return H3OU__OK;
}

/* item[n] with bound[i] of item[i]: both are taken over, and put in order. */
static int build_tree(h3ou__celltree *t, const h3ou__bound bound[])
{
    key *a = malloc(sizeof *a * (size_t)(t->n + 1)), *b = malloc(sizeof *b * (size_t)(t->n + 1));
    t->bound[0] = malloc(sizeof(h3ou__bound) * (size_t)(t->n + 1));
    int err = a && b && t->bound[0] ? H3OU__OK : h3ou__no_memory("a search tree");
    for (int64_t i = 0; i < t->n && !err; i++)
        a[i] = (key){morton_code(&bound[i]), (int32_t)i};
    if (!err)
        sort_keys(t->n, a, b);
    for (int64_t i = 0; i < t->n && !err; i++) {
        t->bound[0][i] = bound[a[i].item];
        b[i].item = t->item[a[i].item];
    }
    for (int64_t i = 0; i < t->n && !err; i++)
        t->item[i] = b[i].item;
    free(a);
    free(b);
    return err ? err : build_levels(t);
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
    for (int k = 0; k < LEVELS; k++)
        free(t->bound[k]);
    free(t);
}

static bool bounds_touch(const h3ou__bound *a, const h3ou__bound *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
           a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
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

int64_t h3ou__celltree_touching(const h3ou__celltree *t, const h3ou__bound *b, int32_t **list, int64_t *room)
{
    struct {
        int level;
        int64_t first;
    } stack[LEVELS * FAN];
    int depth = 0;
    int64_t n = 0;
    stack[depth].level = t->level - 1;
    stack[depth++].first = 0;
    while (depth > 0) {
        int level = stack[--depth].level;
        int64_t first = stack[depth].first, last = first + FAN;
        last = level == t->level - 1 || last > t->size[level] ? t->size[level] : last;
        for (int64_t i = first; i < last; i++) {
            if (!bounds_touch(&t->bound[level][i], b))
                continue;
            if (level > 0) {
                stack[depth].level = level - 1;
                stack[depth++].first = i * FAN;
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
