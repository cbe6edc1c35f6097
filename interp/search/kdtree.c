/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/search/kdtree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/search/box_tree.h"

enum { FAN = H3OU__FAN };

/* FAN points, by coordinate; absent ones are far away. */
typedef struct leaf {
    double x[3][FAN];
} leaf;

/* Points in the order of the curve; every FAN of them are a leaf, and the tree is one of boxes around the leaves. */
struct h3ou__kdtree {
    const double *xyz;
    int64_t n, nleaf;
    int32_t *point; /* [n] */
    leaf *leaf;     /* [nleaf] */
    h3ou__box_tree boxes;
};

double h3ou__chord2(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static int order_points(h3ou__kdtree *t, const unsigned char mask[], int64_t n)
{
    h3ou__curve_key *key = malloc(sizeof *key * (size_t)(n + 1));
    if (!key)
        return h3ou__no_memory("a search tree");
    for (int64_t i = 0; i < n; i++)
        if (!mask || mask[i])
            key[t->n++] = (h3ou__curve_key){h3ou__curve_code(t->xyz + 3 * i), (int32_t)i};
    int err = h3ou__curve_sort(t->n, key);
    if (!err && !(t->point = malloc(sizeof *t->point * (size_t)(t->n + 1))))
        err = h3ou__no_memory("a search tree");
    for (int64_t i = 0; i < t->n && !err; i++)
        t->point[i] = key[i].item;
    free(key);
    return err;
}

static void fill_leaf(h3ou__kdtree *t, int64_t l)
{
    const double FAR = 1e3;
    for (int i = 0; i < FAN; i++) {
        int64_t at = l * FAN + i;
        for (int d = 0; d < 3; d++)
            t->leaf[l].x[d][i] = at < t->n ? t->xyz[3 * (int64_t)t->point[at] + d] : FAR;
    }
}

static void bound_leaf(const void *of, int64_t l, h3ou__box *out)
{
    const h3ou__kdtree *t = of;
    *out = (h3ou__box){{2.0, 2.0, 2.0}, {-2.0, -2.0, -2.0}};
    for (int i = 0; i < FAN && l * FAN + i < t->n; i++)
        for (int d = 0; d < 3; d++) {
            double v = t->leaf[l].x[d][i];
            out->low[d] = v < out->low[d] ? v : out->low[d];
            out->high[d] = v > out->high[d] ? v : out->high[d];
        }
}

static int fill_leaves(h3ou__kdtree *t)
{
    t->nleaf = (t->n + FAN - 1) / FAN;
    /* Aligned to the lines of the cache, which a leaf's coordinate fills. */
    t->leaf = aligned_alloc(64, sizeof(leaf) * (size_t)(t->nleaf + 1));
    if (!t->leaf)
        return h3ou__no_memory("a search tree");
    for (int64_t l = 0; l < t->nleaf; l++)
        fill_leaf(t, l);
    return h3ou__box_tree_fill(&t->boxes, t->nleaf, bound_leaf, t);
}

int h3ou__kdtree_create(const double xyz[], const unsigned char mask[], int64_t n, h3ou__kdtree **out)
{
    h3ou__kdtree *t = calloc(1, sizeof *t);
    if (!t)
        return h3ou__no_memory("a search tree");
    t->xyz = xyz;
    int err = order_points(t, mask, n);
    if (!err)
        err = fill_leaves(t);
    if (err)
        h3ou__kdtree_free(t);
    else
        *out = t;
    return err;
}

void h3ou__kdtree_free(h3ou__kdtree *t)
{
    if (!t)
        return;
    free(t->point);
    free(t->leaf);
    h3ou__box_tree_release(&t->boxes);
    free(t);
}

int64_t h3ou__kdtree_size(const h3ou__kdtree *t)
{
    return t->n;
}

typedef struct search {
    const h3ou__kdtree *tree;
    const double *q;
    float f[3];  /* q in single precision */
    float limit; /* boxes farther away than this (square of twice the distance) are skipped */
    int k, n;
    h3ou__near *found; /* the best so far, nearest first; NULL: points within `within` are counted */
    double within;
} search;

/* Distances to boxes are in single precision: 3e-7 is more than their error. */
static void set_limit(search *s)
{
    double far = sqrt(s->found[s->k - 1].chord2) + 3e-7;
    s->limit = (float)(4.0 * far * far * (1 + 1e-6));
}

static void offer_point(search *s, double d, int64_t point)
{
    if (s->n == s->k) {
        const h3ou__near *last = &s->found[s->k - 1];
        if (d > last->chord2 || (d == last->chord2 && point >= last->point))
            return;
    }
    int at = s->n < s->k ? s->n++ : s->k - 1;
    for (; at > 0 && (d < s->found[at - 1].chord2 || (d == s->found[at - 1].chord2 && point < s->found[at - 1].point));
         at--)
        s->found[at] = s->found[at - 1];
    s->found[at] = (h3ou__near){point, d};
    if (s->n == s->k)
        set_limit(s);
}

static void visit_leaf(search *s, int64_t l)
{
    const leaf *p = &s->tree->leaf[l];
    double d2[FAN];
    for (int i = 0; i < FAN; i++) {
        double x = s->q[0] - p->x[0][i], y = s->q[1] - p->x[1][i], z = s->q[2] - p->x[2][i];
        d2[i] = x * x + y * y + z * z;
    }
    int64_t left = s->tree->n - l * FAN;
    int n = left < FAN ? (int)left : FAN;
    if (!s->found) {
        for (int i = 0; i < n; i++)
            s->n += d2[i] <= s->within;
        s->limit = s->n >= s->k ? -1.0f : s->limit; /* nothing more is visited */
        return;
    }
    for (int i = 0; i < n; i++)
        if (s->n < s->k || d2[i] <= s->found[s->k - 1].chord2)
            offer_point(s, d2[i], s->tree->point[l * FAN + i]);
}

/* Twice the distance from q to the box along one axis (0 inside), without a branch. */
static inline float doubled_distance(float q, float middle, float half)
{
    float way = fabsf(q - middle) - half;
    return way + fabsf(way);
}

static void visit_node(search *s, int level, int64_t k)
{
    const h3ou__box_node *b = &s->tree->boxes.node[level][k];
    const float q0 = s->f[0], q1 = s->f[1], q2 = s->f[2];
    float d2[FAN];
    for (int i = 0; i < FAN; i++) {
        float x = doubled_distance(q0, b->middle[0][i], b->half[0][i]),
              y = doubled_distance(q1, b->middle[1][i], b->half[1][i]),
              z = doubled_distance(q2, b->middle[2][i], b->half[2][i]);
        d2[i] = x * x + y * y + z * z;
    }
    /* The nearest part first; absent parts lie beyond every limit. */
    int part[FAN], n = 0;
    for (int i = 0; i < FAN; i++) {
        if (d2[i] > s->limit)
            continue;
        int at = n++;
        for (; at > 0 && d2[part[at - 1]] > d2[i]; at--)
            part[at] = part[at - 1];
        part[at] = i;
    }
    for (int i = 0; i < n && d2[part[i]] <= s->limit; i++) {
        if (level > 0)
            visit_node(s, level - 1, k * FAN + part[i]);
        else
            visit_leaf(s, k * FAN + part[i]);
    }
}

static void begin_search(search *s)
{
    for (int d = 0; d < 3; d++)
        s->f[d] = (float)s->q[d];
    s->limit = 100.0f; /* chords are at most 2, twice that squared is 16 */
}

int h3ou__kdtree_nearest(const h3ou__kdtree *t, const double q[3], int k, h3ou__near found[])
{
    search s = {.tree = t, .q = q, .k = k, .found = found};
    begin_search(&s);
    if (k > 0 && t->n > 0)
        visit_node(&s, t->boxes.level - 1, 0);
    return s.n;
}

bool h3ou__kdtree_has_near(const h3ou__kdtree *t, const double q[3], int k, double chord2)
{
    search s = {.tree = t, .q = q, .k = k, .within = chord2};
    begin_search(&s);
    double far = sqrt(chord2) + 3e-7; /* as in set_limit */
    s.limit = (float)(4.0 * far * far * (1 + 1e-6));
    if (k > 0 && t->n >= k)
        visit_node(&s, t->boxes.level - 1, 0);
    return s.n >= k;
}

int64_t h3ou__kdtree_one(const h3ou__kdtree *t, const double q[3], int64_t hint)
{
    h3ou__near best = {-1, 0.0};
    search s = {.tree = t, .q = q, .k = 1, .found = &best};
    begin_search(&s);
    if (hint >= 0)
        offer_point(&s, h3ou__chord2(q, t->xyz + 3 * hint), hint);
    if (t->n > 0)
        visit_node(&s, t->boxes.level - 1, 0);
    return best.point;
}
