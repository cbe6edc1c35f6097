/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/row_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/coincident.h"
#include "interp/grid/place_table.h"
#include "interp/rows/latitude_rows.h"
#include "interp/sphere/angles.h"
#include "interp/stencils/planar_polygon.h"

static const double SAME = 1e-12;     /* radians: less is rounding */
static const double ONE_ROW = 1e-8;   /* radians: latitudes of a row */
static const double WIDEST_GAP = 8.0; /* between neighbours, over the square root of the number of cells */
static const char WHAT[] = "rows along circles of latitude";

typedef struct centre {
    double lon, lat;
    int64_t cell;
} centre;

struct h3ou__row_pairs {
    const h3ou__cells *cells;
    int64_t nrow, *start; /* [nrow + 1] in centre; rows ascend in latitude, centres of a row in longitude, 0 to 2 pi */
    centre *centre;
    double gap; /* radians: cells farther from each other are no neighbours */
};

static double once_round(double lon)
{
    double v = lon - 2 * H3OU__PI * floor(lon / (2 * H3OU__PI));
    return v >= 2 * H3OU__PI ? 0.0 : v;
}

static int by_latitude(const void *a, const void *b)
{
    const centre *x = a, *y = b;
    return x->lat != y->lat ? (x->lat > y->lat) - (x->lat < y->lat) : (x->cell > y->cell) - (x->cell < y->cell);
}

static int by_longitude(const void *a, const void *b)
{
    const centre *x = a, *y = b;
    return x->lon != y->lon ? (x->lon > y->lon) - (x->lon < y->lon) : (x->cell > y->cell) - (x->cell < y->cell);
}

/* One centre of each place. */
static int64_t list_centres(const h3ou__cells *c, centre list[])
{
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++)
        if (!h3ou__cell_is_nowhere(c, i) && h3ou__cell_of_centre(c, i) == i)
            list[n++] = (centre){once_round(c->lon[i]), c->lat[i], i};
    return n;
}

static void divide_rows(h3ou__row_pairs *p, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (k == 0 || p->centre[k].lat - p->centre[p->start[p->nrow - 1]].lat > ONE_ROW)
            p->start[p->nrow++] = k;
    p->start[p->nrow] = n;
    for (int64_t r = 0; r < p->nrow; r++)
        qsort(p->centre + p->start[r], (size_t)(p->start[r + 1] - p->start[r]), sizeof *p->centre, by_longitude);
}

/* Asks whether the cells stand in rows, where nobody has. */
static int recognise(h3ou__cells *c)
{
    if (c->latitude_rows != 0)
        return H3OU__OK;
    int64_t *table = malloc(sizeof *table * (size_t)h3ou__latitude_rows_room(c->n));
    if (!table)
        return h3ou__no_memory(WHAT);
    h3ou__latitude_rows_enter(c, c->n, table);
    h3ou__latitude_rows_set(c, c->n, table);
    free(table);
    return H3OU__OK;
}

int h3ou__row_pairs_create(h3ou__cells *c, h3ou__row_pairs **out)
{
    *out = NULL;
    int err = h3ou__latitude_rows_possible(c) ? recognise(c) : H3OU__OK;
    if (err || !h3ou__latitude_rows_possible(c) || c->latitude_rows < 0)
        return err;
    h3ou__row_pairs *p = calloc(1, sizeof *p);
    if (!p || !(p->centre = malloc(sizeof *p->centre * (size_t)(c->n + 1))) ||
        !(p->start = malloc(sizeof *p->start * (size_t)(c->n + 2)))) {
        h3ou__row_pairs_free(p);
        return h3ou__no_memory(WHAT);
    }
    p->cells = c;
    p->gap = WIDEST_GAP / sqrt((double)c->dims[0] + 1.0);
    int64_t n = list_centres(c, p->centre);
    qsort(p->centre, (size_t)n, sizeof *p->centre, by_latitude);
    divide_rows(p, n);
    *out = p;
    return H3OU__OK;
}

void h3ou__row_pairs_free(h3ou__row_pairs *p)
{
    if (!p)
        return;
    free(p->centre);
    free(p->start);
    free(p);
}

static double latitude_of(const h3ou__row_pairs *p, int64_t row)
{
    return p->centre[p->start[row]].lat;
}

/* The last row whose latitude is not above, or -1. */
static int64_t last_row_below(const h3ou__row_pairs *p, double lat)
{
    int64_t low = -1, high = p->nrow;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (latitude_of(p, middle) <= lat)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* What one row gives at a longitude: two cells, or one where that is at the longitude, or at the pole. */
typedef struct share {
    int n;
    int64_t cell[2];
    double coef[2];
    double lat; /* beyond 90 degrees: across the pole */
} share;

static bool share_one(const centre *at, share *out)
{
    *out = (share){.n = 1, .cell = {at->cell}, .coef = {1.0}, .lat = at->lat};
    return true;
}

/* False when the centres around the longitude are no neighbours. */
static bool share_row(const h3ou__row_pairs *p, int64_t row, double lon, share *out)
{
    const centre *c = p->centre + p->start[row];
    int64_t n = p->start[row + 1] - p->start[row], low = -1, high = n;
    double v = once_round(lon);
    if (H3OU__PI / 2 - fabs(c->lat) < ONE_ROW)
        return share_one(c, out);
    while (high - low > 1) { /* low: the last centre not east of the longitude */
        int64_t middle = low + (high - low) / 2;
        if (c[middle].lon <= v)
            low = middle;
        else
            high = middle;
    }
    const centre *west = &c[low < 0 ? n - 1 : low], *east = &c[high == n ? 0 : high];
    double from = v - west->lon + (low < 0 ? 2 * H3OU__PI : 0.0), to = east->lon - v + (high == n ? 2 * H3OU__PI : 0.0);
    if (from < SAME || to < SAME)
        return share_one(from < SAME ? west : east, out);
    if (n < 2 || (from + to) * cos(c->lat) > p->gap)
        return false;
    double x = from / (from + to);
    *out = (share){.n = 2, .cell = {west->cell, east->cell}, .coef = {1.0 - x, x}, .lat = west->lat};
    return true;
}

/* The next row towards a pole (way: 1 north, -1 south), from `row` on, that has neighbours around the longitude; behind
 * the pole those of the opposite meridian. False when there is none within the gap. */
static bool share_next(const h3ou__row_pairs *p, int64_t row, int way, double lon, double lat, share *out)
{
    for (int64_t r = row; r >= 0 && r < p->nrow && fabs(latitude_of(p, r) - lat) <= p->gap; r += way)
        if (share_row(p, r, lon, out))
            return true;
    for (int64_t r = way > 0 ? p->nrow - 1 : 0; r >= 0 && r < p->nrow; r -= way) {
        if (fabs(way * H3OU__PI - latitude_of(p, r) - lat) > p->gap)
            return false;
        if (share_row(p, r, lon + H3OU__PI, out)) {
            out->lat = way * H3OU__PI - out->lat;
            return true;
        }
    }
    return false;
}

static int put_shares(const h3ou__row_pairs *p, const share *a, double of_a, const share *b, double of_b,
                      h3ou__row *row)
{
    int64_t cell[4];
    double coef[4];
    int n = 0, err;
    for (int i = 0; i < a->n; i++) {
        cell[n] = a->cell[i];
        coef[n++] = of_a * a->coef[i];
    }
    for (int i = 0; i < b->n; i++) {
        cell[n] = b->cell[i];
        coef[n++] = of_b * b->coef[i];
    }
    h3ou__patch_put(p->cells, n, cell, coef, row, &err);
    return err;
}

int h3ou__row_pairs_serve(const h3ou__row_pairs *p, double lon, double lat, h3ou__row *row)
{
    share south, north;
    int64_t below = last_row_below(p, lat);
    for (int64_t r = below < 0 ? 0 : below; r <= below + 1 && r < p->nrow; r++) /* the target may be on a row */
        if (fabs(latitude_of(p, r) - lat) < ONE_ROW && share_row(p, r, lon, &south) && fabs(south.lat - lat) < SAME)
            return put_shares(p, &south, 1.0, &south, 0.0, row);
    if (!share_next(p, below, -1, lon, lat, &south) || !share_next(p, below + 1, 1, lon, lat, &north))
        return H3OU__OK;
    double x = (lat - south.lat) / (north.lat - south.lat);
    return put_shares(p, &south, 1.0 - x, &north, x, row);
}
