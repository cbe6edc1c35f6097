/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/search/kdtree.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

enum { FAN = 8, LEVELS = 11 }; /* 8^11 > 2^31 */

/* The boxes around the FAN parts of a node, by middle and half width, rounded outwards; an absent part lies far away.
 */
typedef struct node {
    float middle[3][FAN], half[3][FAN];
} node;

/* FAN points, by coordinate; absent ones are far away. */
typedef struct leaf {
    double x[3][FAN];
} leaf;

/* Points in the order of the curve; every FAN of them are a leaf, every FAN leaves a node of level 0, and so on. */
struct h3ou__kdtree {
    const double *xyz;
    int64_t n, nleaf;
    int32_t *point; /* [n] */
    leaf *leaf;     /* [nleaf] */
    int level;      /* levels of nodes */
    int64_t size[LEVELS];
    node *node[LEVELS];
};

double h3ou__chord2(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

typedef struct key {
    uint32_t code;
    int32_t point;
} key;

static uint32_t spread_bits(uint32_t v)
{
    v = (v | v << 8) & 0x00FF00FF;
    v = (v | v << 4) & 0x0F0F0F0F;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

/* The position on the Morton curve: 3 bits of the face, then 14 of each coordinate on it, interleaved. */
static uint32_t curve_code(const double x[3])
{
    int a = 0;
    for (int d = 1; d < 3; d++)
        a = fabs(x[d]) > fabs(x[a]) ? d : a;
    double scale = 8192.0 / fabs(x[a]);
    int u = (int)(8192.0 + x[(a + 1) % 3] * scale), v = (int)(8192.0 + x[(a + 2) % 3] * scale);
    u = u > 16383 ? 16383 : u;
    v = v > 16383 ? 16383 : v;
    return (uint32_t)(2 * a + (x[a] > 0)) << 28 | spread_bits((uint32_t)u) | spread_bits((uint32_t)v) << 1;
}

/* By code, least digit first; equal codes keep their order. Sorted in a; b is room. */
static void sort_keys(int64_t n, key *a, key *b)
{
    enum { BITS = 8, PASSES = 4 }; /* an even number: the last pass ends in a */
    static const uint32_t DIGIT = (1u << BITS) - 1;
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t at[(1 << BITS) + 1] = {0};
        for (int64_t i = 0; i < n; i++)
            at[(a[i].code >> (BITS * pass) & DIGIT) + 1]++;
        for (int k = 0; k < 1 << BITS; k++)
            at[k + 1] += at[k];
        for (int64_t i = 0; i < n; i++)
            b[at[a[i].code >> (BITS * pass) & DIGIT]++] = a[i];
        key *keep = a;
        a = b;
        b = keep;
    }
}

static int order_points(h3ou__kdtree *t, const unsigned char mask[], int64_t n)
{
    key *a = malloc(sizeof *a * (size_t)(n + 1)), *b = malloc(sizeof *b * (size_t)(n + 1));
    int err = a && b ? H3OU__OK : H3OU__ENOMEM;
    for (int64_t i = 0; i < n && !err; i++)
        if (!mask || mask[i])
            a[t->n++] = (key){curve_code(t->xyz + 3 * i), (int32_t)i};
    if (!err && !(t->point = malloc(sizeof *t->point * (size_t)(t->n + 1))))
        err = H3OU__ENOMEM;
    if (!err)
        sort_keys(t->n, a, b);
    for (int64_t i = 0; i < t->n && !err; i++)
        t->point[i] = a[i].point;
    free(a);
    free(b);
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

typedef struct extent {
    double low, high;
} extent;

static extent of_leaf(const h3ou__kdtree *t, int64_t l, int d)
{
    extent e = {2.0, -2.0};
    for (int i = 0; i < FAN && l * FAN + i < t->n; i++) {
        double v = t->leaf[l].x[d][i];
        e.low = v < e.low ? v : e.low;
        e.high = v > e.high ? v : e.high;
    }
    return e;
}

static extent of_node(const node *below, int d)
{
    extent e = {2.0, -2.0};
    for (int i = 0; i < FAN && below->middle[d][i] < 10.0f; i++) {
        double low = (double)below->middle[d][i] - below->half[d][i];
        double high = (double)below->middle[d][i] + below->half[d][i];
        e.low = low < e.low ? low : e.low;
        e.high = high > e.high ? high : e.high;
    }
    return e;
}

static void put_part(node *to, int i, int d, extent e)
{
    float middle = (float)(0.5 * (e.low + e.high));
    double half = e.high - middle > middle - e.low ? e.high - middle : middle - e.low;
    to->middle[d][i] = middle;
    to->half[d][i] = nextafterf((float)half, 3.0f);
}

static int build_levels(h3ou__kdtree *t)
{
    t->nleaf = (t->n + FAN - 1) / FAN;
    /* Aligned to the lines of the cache, which a leaf's coordinate fills. */
    t->leaf = aligned_alloc(64, sizeof(leaf) * (size_t)(t->nleaf + 1));
    if (!t->leaf)
        return H3OU__ENOMEM;
    for (int64_t l = 0; l < t->nleaf; l++)
        fill_leaf(t, l);
    for (int64_t below = t->nleaf; below > 0 && (t->level == 0 || below > 1); t->level++) {
        int64_t n = (below + FAN - 1) / FAN;
        node *out = aligned_alloc(64, sizeof *out * (size_t)n);
        if (!out)
            return H3OU__ENOMEM;
        t->node[t->level] = out;
        t->size[t->level] = n;
        for (int64_t k = 0; k < n * FAN; k++)
            for (int d = 0; d < 3; d++) {
                extent e = {1e3, 1e3};
                if (k < below)
                    e = t->level == 0 ? of_leaf(t, k, d) : of_node(&t->node[t->level - 1][k], d);
                put_part(&out[k / FAN], (int)(k % FAN), d, e);
            }
        below = n;
    }
    return H3OU__OK;
}

int h3ou__kdtree_create(const double xyz[], const unsigned char mask[], int64_t n, h3ou__kdtree **out)
{
    h3ou__kdtree *t = calloc(1, sizeof *t);
    int err = t ? H3OU__OK : H3OU__ENOMEM;
    if (!err) {
        t->xyz = xyz;
        err = order_points(t, mask, n);
    }
    if (!err)
        err = build_levels(t);
    if (err) {
        h3ou__kdtree_free(t);
        return h3ou__no_memory("a search tree");
    }
    *out = t;
    return H3OU__OK;
}

void h3ou__kdtree_free(h3ou__kdtree *t)
{
    if (!t)
        return;
    free(t->point);
    free(t->leaf);
    for (int k = 0; k < LEVELS; k++)
        free(t->node[k]);
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
    h3ou__near *found; /* the best so far, nearest first */
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
    const node *b = &s->tree->node[level][k];
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
        visit_node(&s, t->level - 1, 0);
    return s.n;
}

int64_t h3ou__kdtree_one(const h3ou__kdtree *t, const double q[3], int64_t hint)
{
    h3ou__near best = {-1, 0.0};
    search s = {.tree = t, .q = q, .k = 1, .found = &best};
    begin_search(&s);
    if (hint >= 0)
        offer_point(&s, h3ou__chord2(q, t->xyz + 3 * hint), hint);
    if (t->n > 0)
        visit_node(&s, t->level - 1, 0);
    return best.point;
}
