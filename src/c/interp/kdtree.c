/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/kdtree.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

enum { LEAF = 8 };

/* The tree is implicit: the middle of every part of `point` splits it, along the axis in which the part is widest. */
struct h3ou__kdtree {
    const double *xyz;
    int64_t n;
    int64_t *point;
    unsigned char *axis; /* of the part whose middle this is */
};

double h3ou__chord2(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static int widest(const h3ou__kdtree *t, int64_t from, int64_t to)
{
    int best = 0;
    double width = -1.0;
    for (int axis = 0; axis < 3; axis++) {
        double low = 2.0, high = -2.0;
        for (int64_t i = from; i < to; i++) {
            double v = t->xyz[3 * t->point[i] + axis];
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        if (high - low > width) {
            width = high - low;
            best = axis;
        }
    }
    return best;
}

/* Quickselect: afterwards what stands before the middle is not above it, what stands behind not below. */
static void split(h3ou__kdtree *t, int64_t from, int64_t to, int64_t middle, int axis)
{
    while (to - from > 1) {
        double pivot = t->xyz[3 * t->point[from + (to - from) / 2] + axis];
        int64_t i = from, j = to - 1;
        while (i <= j) {
            while (t->xyz[3 * t->point[i] + axis] < pivot)
                i++;
            while (t->xyz[3 * t->point[j] + axis] > pivot)
                j--;
            if (i <= j) {
                int64_t keep = t->point[i];
                t->point[i++] = t->point[j];
                t->point[j--] = keep;
            }
        }
        if (middle <= j)
            to = j + 1;
        else if (middle >= i)
            from = i;
        else
            return;
    }
}

static void build(h3ou__kdtree *t, int64_t from, int64_t to)
{
    while (to - from > LEAF) {
        int64_t middle = from + (to - from) / 2;
        int axis = widest(t, from, to);
        split(t, from, to, middle, axis);
        t->axis[middle] = (unsigned char)axis;
        build(t, from, middle);
        from = middle + 1;
    }
}

int h3ou__kdtree_create(const double xyz[], const unsigned char mask[], int64_t n, h3ou__kdtree **out)
{
    h3ou__kdtree *t = calloc(1, sizeof *t);
    if (!t || !(t->point = malloc(sizeof *t->point * (size_t)(n + 1))) || !(t->axis = calloc((size_t)n + 1, 1))) {
        h3ou__kdtree_free(t);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a search tree");
    }
    t->xyz = xyz;
    for (int64_t i = 0; i < n; i++)
        if (!mask || mask[i])
            t->point[t->n++] = i;
    build(t, 0, t->n);
    *out = t;
    return H3OU__OK;
}

void h3ou__kdtree_free(h3ou__kdtree *t)
{
    if (!t)
        return;
    free(t->point);
    free(t->axis);
    free(t);
}

int64_t h3ou__kdtree_size(const h3ou__kdtree *t)
{
    return t->n;
}

typedef struct search {
    const h3ou__kdtree *tree;
    const double *q;
    int k, n;
    h3ou__near *found; /* the best so far, nearest first */
} search;

static bool nearer(double chord2, int64_t point, const h3ou__near *than)
{
    return chord2 < than->chord2 || (chord2 == than->chord2 && point < than->point);
}

static void offer(search *s, int64_t point)
{
    double d = h3ou__chord2(s->q, s->tree->xyz + 3 * point);
    if (s->n == s->k && !nearer(d, point, &s->found[s->k - 1]))
        return;
    int at = s->n < s->k ? s->n++ : s->k - 1;
    for (; at > 0 && nearer(d, point, &s->found[at - 1]); at--)
        s->found[at] = s->found[at - 1];
    s->found[at] = (h3ou__near){point, d};
}

static void visit(search *s, int64_t from, int64_t to)
{
    const h3ou__kdtree *t = s->tree;
    if (to - from <= LEAF) {
        for (int64_t i = from; i < to; i++)
            offer(s, t->point[i]);
        return;
    }
    int64_t middle = from + (to - from) / 2;
    int axis = t->axis[middle];
    double beyond = s->q[axis] - t->xyz[3 * t->point[middle] + axis];
    bool low_first = beyond < 0;
    visit(s, low_first ? from : middle + 1, low_first ? middle : to);
    offer(s, t->point[middle]);
    /* The other side may hold an equally near point with a lower number, hence <=. */
    if (s->n < s->k || beyond * beyond <= s->found[s->n - 1].chord2)
        visit(s, low_first ? middle + 1 : from, low_first ? to : middle);
}

int h3ou__kdtree_nearest(const h3ou__kdtree *t, const double q[3], int k, h3ou__near found[])
{
    search s = {.tree = t, .q = q, .k = k, .found = found};
    if (k > 0)
        visit(&s, 0, t->n);
    return s.n;
}
