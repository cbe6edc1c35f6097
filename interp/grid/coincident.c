/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/coincident.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cell_polygon.h"
#include "interp/grid/place_table.h"
#include "interp/sphere/vector.h"

static const char WHAT[] = "the search for cells at one place";
static const uint32_t MANY_BOXES = UINT32_MAX; /* the point touches several boxes: their hashes are made again */

static bool near_by(const double a[3], const double b[3])
{
    double d[3];
    h3ou__sub(a, b, d);
    return h3ou__dot(d, d) < H3OU__SAME_PLACE * H3OU__SAME_PLACE;
}

/* One bit for each hash. */
typedef struct bits {
    uint64_t mask;
    unsigned char *byte;
} bits;

static bool bit_is_set(const bits *b, uint64_t hash)
{
    uint64_t at = hash & b->mask;
    return b->byte[at >> 3] >> (at & 7) & 1;
}

static void set_bit(bits *b, uint64_t hash)
{
    uint64_t at = hash & b->mask;
    b->byte[at >> 3] |= (unsigned char)(1 << (at & 7));
}

/* Sets in `again` the hashes that come more than once, and only[i] to the hash of a point that touches one box alone. */
static bool find_repeated(int64_t n, const double xyz[], bits *seen, bits *again, uint32_t only[])
{
    uint64_t hash[8];
    bool any = false;
    for (int64_t i = 0; i < n; i++) {
        int boxes = h3ou__place_boxes(xyz + 3 * i, hash);
        only[i] = boxes == 1 ? (uint32_t)(hash[0] & seen->mask) : MANY_BOXES;
        for (int k = 0; k < boxes; k++) {
            if (bit_is_set(seen, hash[k])) {
                set_bit(again, hash[k]);
                any = true;
            }
            set_bit(seen, hash[k]);
        }
    }
    return any;
}

static bool is_suspect(const double x[3], const bits *again, uint32_t only)
{
    uint64_t hash[8];
    if (only != MANY_BOXES)
        return bit_is_set(again, only);
    int boxes = h3ou__place_boxes(x, hash), hit = 0;
    for (int k = 0; k < boxes; k++)
        hit |= bit_is_set(again, hash[k]);
    return hit;
}

/* Points whose boxes are those of other points as well, ascending: only they can be at one place. Bits instead of a
 * table: in most grids there are few. */
static int find_suspects(int64_t n, const double xyz[], int32_t **suspect, int64_t *count)
{
    uint64_t size = 1024;
    while (size < 16 * (uint64_t)n && size < MANY_BOXES)
        size *= 2;
    bits seen = {size - 1, calloc(size / 8, 1)}, again = {size - 1, calloc(size / 8, 1)};
    uint32_t *only = malloc(sizeof *only * (size_t)(n + 1));
    int err = seen.byte && again.byte && only ? H3OU__OK : h3ou__no_memory(WHAT);
    *suspect = NULL;
    *count = 0;
    if (!err && find_repeated(n, xyz, &seen, &again, only)) {
        *suspect = malloc(sizeof **suspect * (size_t)(n + 1));
        err = *suspect ? H3OU__OK : h3ou__no_memory(WHAT);
        for (int64_t i = 0; i < n && !err; i++)
            if (is_suspect(xyz + 3 * i, &again, only[i]))
                (*suspect)[(*count)++] = (int32_t)i;
    }
    free(seen.byte);
    free(again.byte);
    free(only);
    return err;
}

/* Do the cells have the same corners, in whatever order? */
static bool same_corners(const h3ou__cells *c, int64_t i, int64_t k)
{
    h3ou__polygon a, b;
    h3ou__cell_polygon(c, i, &a);
    h3ou__cell_polygon(c, k, &b);
    if (a.n != b.n || a.n == 0)
        return false;
    for (int p = 0; p < a.n; p++) {
        bool found = false;
        for (int q = 0; q < b.n && !found; q++)
            found = near_by(a.v[p], b.v[q]);
        if (!found)
            return false;
    }
    return true;
}

/* Fills same[] for the suspects: first those that take part, so that they stand for the others. polygons: of these
 * cells the corners must be the same too; NULL: places alone. */
static int match_suspects(int64_t count, const int32_t suspect[], const double xyz[], const unsigned char mask[],
                          const h3ou__cells *polygons, int32_t same[], bool *any)
{
    h3ou__place_table t;
    int32_t *of = malloc(sizeof *of * (size_t)(count + 1));
    int err = h3ou__place_table_create(count, WHAT, &t);
    if (!err && !of)
        err = h3ou__no_memory(WHAT);
    for (int part = 1; part >= 0 && !err; part--)
        for (int64_t k = 0; k < count; k++) {
            int32_t i = suspect[k];
            if ((!mask || mask[i]) != part)
                continue;
            int64_t before = t.nplace;
            int32_t at = part ? h3ou__place_table_find_or_add(&t, xyz + 3 * (int64_t)i)
                              : h3ou__place_table_find(&t, xyz + 3 * (int64_t)i);
            if (t.nplace > before)
                of[at] = i;
            else if (at >= 0 && (!polygons || same_corners(polygons, of[at], i))) {
                same[i] = of[at];
                *any = true;
            }
        }
    h3ou__place_table_free(&t);
    free(of);
    return err;
}

static int compare_places(int64_t n, const double xyz[], const unsigned char mask[], const h3ou__cells *polygons,
                          int32_t **same)
{
    int32_t *suspect = NULL;
    int64_t count = 0;
    bool any = false;
    *same = NULL;
    int err = find_suspects(n, xyz, &suspect, &count);
    if (!err && count > 0) {
        if (!(*same = malloc(sizeof **same * (size_t)(n + 1))))
            err = h3ou__no_memory(WHAT);
        for (int64_t i = 0; i < n && !err; i++)
            (*same)[i] = (int32_t)i;
        if (!err)
            err = match_suspects(count, suspect, xyz, mask, polygons, *same, &any);
    }
    free(suspect);
    if (err || !any) {
        free(*same);
        *same = NULL;
    }
    return err;
}

int h3ou__coincident_places(int64_t n, const double xyz[], const unsigned char mask[], int32_t **same)
{
    return compare_places(n, xyz, mask, NULL, same);
}

/* Are the columns a and b at one place in most rows of which both cells are held? */
static bool columns_coincide(const h3ou__cells *c, int64_t a, int64_t b)
{
    int64_t seen = 0, met = 0;
    for (int64_t y = 0; y < c->dims[1]; y++) {
        int64_t i = h3ou__cells_find(c, a + c->dims[0] * y), k = h3ou__cells_find(c, b + c->dims[0] * y);
        if (i < 0 || k < 0)
            continue;
        seen++;
        met += near_by(c->xyz + 3 * i, c->xyz + 3 * k);
    }
    return met > 1 && 2 * met > seen;
}

/* Columns that a grid has twice: those at its end are those of its beginning again, so that the rows go round. Rows
 * that lie at one point, as at a pole, and the row on the line of a fold say nothing. */
static void find_overlap(h3ou__cells *c)
{
    int64_t nx = c->dims[0], tried = -1;
    for (int64_t i = 0; i < c->n; i++) {
        int64_t k = c->same_centre[i], id = h3ou__cell_id(c, i), other = h3ou__cell_id(c, k);
        int64_t a = id % nx, b = other % nx, low = a < b ? a : b, high = a < b ? b : a;
        if (id / nx != other / nx || high - low <= nx / 2 || high - low == tried)
            continue;
        int64_t next = h3ou__cells_find(c, low + 1 + nx * (id / nx));
        if (next < 0 || near_by(c->xyz + 3 * next, c->xyz + 3 * i))
            continue;
        tried = high - low;
        if (columns_coincide(c, low, high)) {
            c->overlap = nx - tried;
            c->cyclic = true;
            return;
        }
    }
}

int h3ou__cells_compare_centres(h3ou__cells *c)
{
    if (c->centres_compared)
        return H3OU__OK;
    int err = compare_places(c->n, c->xyz, c->mask, NULL, &c->same_centre);
    if (!err && c->same_centre && c->rank == 2 && !c->lon_west && c->overlap == 0 && c->dims[0] > 3)
        find_overlap(c);
    c->centres_compared = !err;
    return err;
}

/* The mean of the corners of every cell. */
static int find_middles(const h3ou__cells *c, double **out)
{
    double *middle = *out = calloc(3 * (size_t)c->n + 1, sizeof *middle);
    if (!middle)
        return h3ou__no_memory(WHAT);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < c->n; i++) {
        h3ou__polygon p;
        h3ou__cell_polygon(c, i, &p);
        for (int k = 0; k < p.n; k++)
            for (int d = 0; d < 3; d++)
                middle[3 * i + d] += p.v[k][d];
        for (int d = 0; d < 3 && p.n > 0; d++)
            middle[3 * i + d] /= p.n;
        if (p.n == 0) /* masked, without corners: at no place of the sphere, and each at another */
            middle[3 * i] = 10.0 + (double)i;
    }
    return H3OU__OK;
}

/* Is one of the intervals there twice? Each is a point: on a circle by its middle (turn) or on a line, and its width.
 */
static int intervals_repeat(int64_t n, const double low[], const double high[], bool turn, bool *any)
{
    double *x = malloc(3 * sizeof *x * (size_t)n);
    int32_t *same = NULL;
    if (!x)
        return h3ou__no_memory(WHAT);
    for (int64_t k = 0; k < n; k++) {
        double middle = 0.5 * (low[k] + high[k]);
        x[3 * k] = turn ? cos(middle) : middle;
        x[3 * k + 1] = turn ? sin(middle) : 0.0;
        x[3 * k + 2] = high[k] - low[k];
    }
    int err = h3ou__coincident_places(n, x, NULL, &same);
    *any |= same != NULL;
    free(same);
    free(x);
    return err;
}

int h3ou__cells_compare_polygons(h3ou__cells *c)
{
    double *middle = NULL;
    bool any = c->first != NULL;
    int err = H3OU__OK;
    if (c->polygons_compared || !h3ou__cells_have_corners(c))
        return H3OU__OK;
    if (c->lon_west && (err = intervals_repeat(c->dims[0], c->lon_west, c->lon_east, true, &any)) == H3OU__OK)
        err = intervals_repeat(c->dims[1], c->lat_south, c->lat_north, false, &any);
    if (!err && any && (err = find_middles(c, &middle)) == H3OU__OK)
        err = compare_places(c->n, middle, c->mask, c, &c->same_polygon);
    free(middle);
    c->polygons_compared = !err;
    return err;
}

void h3ou__coincident_count(const h3ou__cells *c, const int32_t same[], h3ou__coincident *out)
{
    *out = (h3ou__coincident){0};
    for (int64_t i = 0; same && i < c->n; i++)
        if (c->mask[i] && same[i] != i && out->count++ == 0) {
            out->first = h3ou__cell_id(c, i) + 1;
            out->first_as = h3ou__cell_id(c, same[i]) + 1;
        }
}

char *h3ou__coincident_text(const h3ou__cells *c, char text[], size_t size)
{
    const int32_t *same[2] = {c->same_centre, c->same_polygon};
    static const char *const what[2] = {"centre", "corners"};
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < 2; k++) {
        h3ou__coincident found;
        h3ou__coincident_count(c, same[k], &found);
        if (found.count > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used,
                                     "%s%" PRId64 " cells have the %s of another cell, which stands for them (first: "
                                     "%" PRId64 ", by %" PRId64 ")",
                                     used ? "; " : "", found.count, what[k], found.first, found.first_as);
    }
    return text;
}
