/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/search/box_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

enum { FAN = H3OU__FAN };

static uint32_t spread_bits(uint32_t v)
{
    v = (v | v << 8) & 0x00FF00FF;
    v = (v | v << 4) & 0x0F0F0F0F;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

/* 3 bits of the face, then 14 of each coordinate on it, interleaved. */
uint32_t h3ou__curve_code(const double x[3])
{
    int a = 0;
    for (int d = 1; d < 3; d++)
        a = fabs(x[d]) > fabs(x[a]) ? d : a;
    if (!(fabs(x[a]) > 1e-30))
        return 0;
    double scale = 8192.0 / fabs(x[a]);
    int u = (int)(8192.0 + x[(a + 1) % 3] * scale), v = (int)(8192.0 + x[(a + 2) % 3] * scale);
    u = u > 16383 ? 16383 : u;
    v = v > 16383 ? 16383 : v;
    return (uint32_t)(2 * a + (x[a] > 0)) << 28 | spread_bits((uint32_t)u) | spread_bits((uint32_t)v) << 1;
}

/* Radix sort, least digit first. */
int h3ou__curve_sort(int64_t n, h3ou__curve_key *key)
{
    enum { BITS = 8, PASSES = 4 }; /* an even number: the last pass ends in key */
    static const uint32_t DIGIT = (1u << BITS) - 1;
    h3ou__curve_key *a = key, *b = malloc(sizeof *b * (size_t)(n + 1)), *room = b;
    if (!b)
        return h3ou__no_memory("a search tree");
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t at[(1 << BITS) + 1] = {0};
        for (int64_t i = 0; i < n; i++)
            at[(a[i].code >> (BITS * pass) & DIGIT) + 1]++;
        for (int k = 0; k < 1 << BITS; k++)
            at[k + 1] += at[k];
        for (int64_t i = 0; i < n; i++)
            b[at[a[i].code >> (BITS * pass) & DIGIT]++] = a[i];
        h3ou__curve_key *keep = a;
        a = b;
        b = keep;
    }
    free(room);
    return H3OU__OK;
}

static void bound_node(const h3ou__box_node *below, h3ou__box *out)
{
    *out = (h3ou__box){{2.0, 2.0, 2.0}, {-2.0, -2.0, -2.0}};
    for (int i = 0; i < FAN && below->middle[0][i] < 10.0f; i++)
        for (int d = 0; d < 3; d++) {
            double low = (double)below->middle[d][i] - below->half[d][i];
            double high = (double)below->middle[d][i] + below->half[d][i];
            out->low[d] = low < out->low[d] ? low : out->low[d];
            out->high[d] = high > out->high[d] ? high : out->high[d];
        }
}

static void put_part(h3ou__box_node *to, int i, const h3ou__box *b)
{
    for (int d = 0; d < 3; d++) {
        float middle = (float)(0.5 * (b->low[d] + b->high[d]));
        double half = b->high[d] - middle > middle - b->low[d] ? b->high[d] - middle : middle - b->low[d];
        to->middle[d][i] = middle;
        to->half[d][i] = nextafterf((float)half, 9.0f);
    }
}

int h3ou__box_tree_fill(h3ou__box_tree *t, int64_t n, void (*box)(const void *of, int64_t i, h3ou__box *out),
                        const void *of)
{
    static const h3ou__box absent = {{1e3, 1e3, 1e3}, {1e3, 1e3, 1e3}};
    for (int64_t below = n; below > 0 && (t->level == 0 || below > 1); t->level++) {
        int64_t nodes = (below + FAN - 1) / FAN;
        /* Aligned to the lines of the cache: a node fills three. */
        h3ou__box_node *out = aligned_alloc(64, sizeof *out * (size_t)nodes);
        if (!out)
            return h3ou__no_memory("a search tree");
        t->node[t->level] = out;
        t->size[t->level] = nodes;
        for (int64_t k = 0; k < nodes * FAN; k++) {
            h3ou__box b = absent;
            if (k < below && t->level == 0)
                box(of, k, &b);
            else if (k < below)
                bound_node(&t->node[t->level - 1][k], &b);
            put_part(&out[k / FAN], (int)(k % FAN), &b);
        }
        below = nodes;
    }
    return H3OU__OK;
}

void h3ou__box_tree_release(h3ou__box_tree *t)
{
    for (int k = 0; k < H3OU__BOX_LEVELS; k++)
        free(t->node[k]);
    *t = (h3ou__box_tree){0};
}
