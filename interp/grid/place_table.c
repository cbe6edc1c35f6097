/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/place_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/vector.h"

static const double BOXES = 1e6; /* of the lattice, along a length of 1 */

/* The number of the box along an axis; the sum is positive, so that cutting its fraction off is rounding down. */
static int64_t number_box(double x)
{
    return (int64_t)(x * BOXES + 1e9);
}

static uint64_t hash_box(int64_t a, int64_t b, int64_t c)
{
    uint64_t h = (uint64_t)a * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)b * UINT64_C(0xC2B2AE3D27D4EB4F) ^
                 (uint64_t)c * UINT64_C(0x165667B19E3779F9);
    h ^= h >> 31;
    return h * UINT64_C(0xBF58476D1CE4E5B9) >> 20;
}

/* Is the place so far inside the box along this axis that it stays in it when it moves? */
static bool is_inside(double x, int64_t box)
{
    const double BORDER = 2.0 * BOXES * H3OU__SAME_PLACE;
    double within = (x * BOXES + 1e9) - (double)box;
    return within > BORDER && within < 1.0 - BORDER;
}

int h3ou__place_boxes(const double x[3], uint64_t hash[8])
{
    int64_t low[3] = {number_box(x[0]), number_box(x[1]), number_box(x[2])}, high[3];
    int n = 0;
    if (is_inside(x[0], low[0]) && is_inside(x[1], low[1]) && is_inside(x[2], low[2])) { /* nearly all are */
        hash[0] = hash_box(low[0], low[1], low[2]);
        return 1;
    }
    for (int d = 0; d < 3; d++) {
        low[d] = number_box(x[d] - H3OU__SAME_PLACE);
        high[d] = number_box(x[d] + H3OU__SAME_PLACE);
    }
    for (int64_t a = low[0]; a <= high[0]; a++)
        for (int64_t b = low[1]; b <= high[1]; b++)
            for (int64_t c = low[2]; c <= high[2]; c++)
                hash[n++] = hash_box(a, b, c);
    return n;
}

int h3ou__place_table_create(int64_t n, const char *what, h3ou__place_table *out)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)n)
        size *= 2;
    memset(out, 0, sizeof *out);
    out->mask = size - 1;
    out->slot = calloc(size, sizeof *out->slot);
    out->place = malloc(3 * sizeof *out->place * (size_t)(n + 1));
    return out->slot && out->place ? H3OU__OK : h3ou__no_memory("%s", what);
}

void h3ou__place_table_free(h3ou__place_table *t)
{
    free(t->slot);
    free(t->place);
    memset(t, 0, sizeof *t);
}

static int32_t find_in_box(const h3ou__place_table *t, uint64_t hash, const double x[3])
{
    for (uint64_t at = hash & t->mask; t->slot[at]; at = (at + 1) & t->mask) {
        double d[3];
        h3ou__sub(t->place + 3 * (t->slot[at] - 1), x, d);
        if (h3ou__dot(d, d) < H3OU__SAME_PLACE * H3OU__SAME_PLACE)
            return t->slot[at] - 1;
    }
    return -1;
}

int32_t h3ou__place_table_find(const h3ou__place_table *t, const double x[3])
{
    uint64_t hash[8];
    int n = h3ou__place_boxes(x, hash);
    for (int k = 0; k < n; k++) {
        int32_t found = find_in_box(t, hash[k], x);
        if (found >= 0)
            return found;
    }
    return -1;
}

int32_t h3ou__place_table_find_or_add(h3ou__place_table *t, const double x[3])
{
    int32_t found = h3ou__place_table_find(t, x);
    if (found >= 0)
        return found;
    uint64_t at = hash_box(number_box(x[0]), number_box(x[1]), number_box(x[2])) & t->mask;
    while (t->slot[at])
        at = (at + 1) & t->mask;
    memcpy(t->place + 3 * t->nplace, x, 3 * sizeof *x);
    t->slot[at] = (int32_t)++t->nplace;
    return (int32_t)(t->nplace - 1);
}
