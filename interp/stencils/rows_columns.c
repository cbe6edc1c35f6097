/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/rows_columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/place_table.h"
#include "interp/sphere/angles.h"
#include "interp/stencils/planar_polygon.h"

static const double SAME = 1e-12; /* radians: less is rounding */

/* 0 to 2 pi, or NaN for NaN. The same function for sources and targets: what is equal stays equal. */
static double once_round(double lon)
{
    if (isnan(lon))
        return lon;
    double v = lon - 2 * H3OU__PI * floor(lon / (2 * H3OU__PI));
    return v >= 2 * H3OU__PI ? 0.0 : v;
}

/* Sorts the known lines of one direction by angle: angle[k] is NaN where unknown. */
typedef struct known {
    double angle;
    int64_t at;
} known;

static int by_angle(const void *a, const void *b)
{
    const known *x = a, *y = b;
    if (x->angle != y->angle)
        return (x->angle > y->angle) - (x->angle < y->angle);
    return (x->at > y->at) - (x->at < y->at);
}

static int sort_lines(int64_t n, const double angle[], int64_t *count, int64_t **at, double **value)
{
    known *k = malloc(sizeof *k * (size_t)(n + 1));
    *count = 0;
    *at = malloc(sizeof **at * (size_t)(n + 1));
    *value = malloc(sizeof **value * (size_t)(n + 1));
    if (!k || !*at || !*value) {
        free(k);
        return h3ou__no_memory("rows and columns");
    }
    for (int64_t i = 0; i < n; i++)
        if (!isnan(angle[i]))
            k[(*count)++] = (known){angle[i], i};
    qsort(k, (size_t)*count, sizeof *k, by_angle);
    for (int64_t i = 0; i < *count; i++) {
        (*at)[i] = k[i].at;
        (*value)[i] = k[i].angle;
    }
    free(k);
    return H3OU__OK;
}

/* Makes one of columns or rows (again NULL) at one place. Columns at either side of longitude 0 may be one too. */
static void merge_lines(int64_t *count, int64_t at[], int64_t again[], double value[])
{
    int64_t to = 0, n = *count;
    for (int64_t i = 0; i < n; i++) {
        int64_t same = to > 0 && value[i] - value[to - 1] < H3OU__SAME_PLACE ? to - 1 : to;
        if (again && i == n - 1 && i > 0 && value[0] + 2 * H3OU__PI - value[i] < H3OU__SAME_PLACE)
            same = 0;
        if (same == to) {
            at[to] = at[i];
            value[to] = value[i];
            if (again)
                again[to] = at[i];
            to++;
            continue;
        }
        if (again)
            again[same] = at[i] > again[same] ? at[i] : again[same];
        at[same] = at[i] < at[same] ? at[i] : at[same];
    }
    *count = to;
}

/* The angles of the columns and rows by the cells that are held; false when these do not agree. */
static bool read_lines(const h3ou__cells *c, double lon[], double lat[])
{
    for (int64_t x = 0; x < c->dims[0]; x++)
        lon[x] = NAN;
    for (int64_t y = 0; y < c->dims[1]; y++)
        lat[y] = NAN;
    for (int64_t i = 0; i < c->n; i++) {
        int64_t x = h3ou__cell_id(c, i) % c->dims[0], y = h3ou__cell_id(c, i) / c->dims[0];
        if (h3ou__cell_is_nowhere(c, i))
            continue;
        if ((!isnan(lon[x]) && lon[x] != c->lon[i]) || (!isnan(lat[y]) && lat[y] != c->lat[i]))
            return false;
        lon[x] = c->lon[i];
        lat[y] = c->lat[i];
    }
    for (int64_t x = 0; x < c->dims[0]; x++)
        lon[x] = once_round(lon[x]);
    return true;
}

int h3ou__raster_create(const h3ou__cells *c, h3ou__raster **out)
{
    *out = NULL;
    if (!c->lon_west || c->rank != 2 || c->scattered)
        return H3OU__OK;
    int64_t nx = c->dims[0], ny = c->dims[1];
    h3ou__raster *r = calloc(1, sizeof *r);
    double *angle = malloc(sizeof *angle * (size_t)(nx + ny + 1));
    int err = r && angle ? H3OU__OK : h3ou__no_memory("rows and columns");
    bool aligned = !err && read_lines(c, angle, angle + nx);
    if (aligned) {
        r->cells = c;
        err = sort_lines(nx, angle, &r->ncolumn, &r->column, &r->lon);
        if (!err)
            err = sort_lines(ny, angle + nx, &r->nrow, &r->row, &r->lat);
        if (!err && !(r->column_again = malloc(sizeof *r->column_again * (size_t)(nx + 1))))
            err = h3ou__no_memory("rows and columns");
        if (!err) {
            merge_lines(&r->ncolumn, r->column, r->column_again, r->lon);
            merge_lines(&r->nrow, r->row, NULL, r->lat);
        }
        for (int pole = 0; pole < 2; pole++)
            for (int64_t y = 0; y<ny; y += ny> 1 ? ny - 1 : 1)
                r->round[pole] |= c->cyclic && (pole ? c->lat_north[y] : -c->lat_south[y]) > H3OU__PI / 2 - 1e-6;
    }
    free(angle);
    if (err || !aligned)
        h3ou__raster_free(r);
    else
        *out = r;
    return err;
}

void h3ou__raster_free(h3ou__raster *r)
{
    if (!r)
        return;
    free(r->column);
    free(r->column_again);
    free(r->row);
    free(r->lon);
    free(r->lat);
    free(r);
}

/* The last k with a[k] <= v, or -1. Lines are mostly spaced evenly: a guess, then bisection. */
static int64_t locate_line(int64_t n, const double a[], double v)
{
    if (v < a[0])
        return -1;
    if (v >= a[n - 1])
        return n - 1;
    int64_t low = 0, high = n - 1; /* a[low] <= v < a[high] */
    int64_t guess = (int64_t)((v - a[0]) / (a[n - 1] - a[0]) * (double)(n - 1));
    for (int64_t k = guess > 0 ? guess - 1 : 0; k <= guess + 1 && k < n - 1; k++)
        if (a[k] <= v && v < a[k + 1])
            return k;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (a[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Coefficients of the polynomial through n places, at v. */
static void lagrange_coefs(int n, const double place[], double v, double coef[])
{
    for (int i = 0; i < n; i++) {
        coef[i] = 1.0;
        for (int j = 0; j < n; j++)
            if (j != i)
                coef[i] *= (v - place[j]) / (place[i] - place[j]);
    }
}

static int64_t wrap_column(const h3ou__raster *r, int64_t k)
{
    return (k % r->ncolumn + r->ncolumn) % r->ncolumn;
}

/* Column k of the known ones and its longitude; both go on when k passes the last column, round the sphere. */
static void column_at(const h3ou__raster *r, int64_t k, int64_t *x, double *lon)
{
    int64_t turns = k >= 0 ? k / r->ncolumn : -((-k + r->ncolumn - 1) / r->ncolumn);
    *x = r->column[k - turns * r->ncolumn];
    *lon = r->lon[k - turns * r->ncolumn] + 2 * H3OU__PI * (double)turns;
}

/* Do columns a and b follow each other in the grid? */
static bool are_adjacent(const h3ou__raster *r, int64_t a, int64_t b)
{
    int64_t step = a > b ? a - b : b - a;
    return step == 1 || (r->cells->cyclic && step == r->cells->dims[0] - 1);
}

/* Do columns k and k + 1, or others at their places? */
static bool are_neighbours(const h3ou__raster *r, int64_t k)
{
    int64_t a = wrap_column(r, k), b = wrap_column(r, k + 1);
    return are_adjacent(r, r->column[a], r->column[b]) || are_adjacent(r, r->column[a], r->column_again[b]) ||
           are_adjacent(r, r->column_again[a], r->column[b]) || are_adjacent(r, r->column_again[a], r->column_again[b]);
}

/* Is column k at an edge of the whole grid? If not, a column that is missing beside it is held by another process. */
static bool is_edge(const h3ou__raster *r, int64_t k)
{
    int64_t x;
    double lon;
    column_at(r, k, &x, &lon);
    return !r->cells->cyclic && (x == 0 || x == r->cells->dims[0] - 1);
}

bool h3ou__raster_along_row(const h3ou__raster *r, double lon, int points, h3ou__line *out)
{
    double v = once_round(lon), place[H3OU__LINE_MOST];
    if (r->ncolumn < 2)
        return false;
    int64_t k = locate_line(r->ncolumn, r->lon, v), x;
    if (k < 0) { /* before the first column: after the last column of the turn before */
        k = r->ncolumn - 1;
        v += 2 * H3OU__PI;
    }
    if (!are_neighbours(r, k)) { /* an edge of the grid; the target may be exactly on it */
        double here, next;
        column_at(r, k, &x, &here);
        column_at(r, k + 1, &x, &next);
        if (v - here < SAME && are_neighbours(r, k - 1))
            k--;
        else if (next - v < SAME && are_neighbours(r, k + 1))
            k++;
        else
            return false;
    }
    int64_t from = k, to = k + 1;
    if (points == 4 && r->cells->dims[0] >= 4) {
        bool west = are_neighbours(r, k - 1), east = are_neighbours(r, k + 1);
        if (!(west || is_edge(r, k)) || !(east || is_edge(r, k + 1)))
            return false;
        from = k - west - (west && !east);
        to = from + 3;
        for (int64_t i = from; i < to; i++)
            if (!are_neighbours(r, i))
                return false;
    }
    out->n = (int)(to - from) + 1;
    for (int i = 0; i < out->n; i++) {
        column_at(r, from + i, &out->at[i], &place[i]);
        out->across[i] = false;
    }
    lagrange_coefs(out->n, place, v, out->coef);
    return true;
}

/* Row k of the known ones: its y, and its latitude, which goes on over a pole that the grid goes round, as k does.
 * False when there is no such row. A row that is on the pole is not counted again on the other side. */
static bool row_at(const h3ou__raster *r, int64_t k, int64_t *y, double *lat, bool *across)
{
    int64_t n = r->nrow, edge = r->cells->dims[1] - 1, at = k;
    *across = k < 0 || k >= n;
    if (*across) {
        int pole = k >= n;
        int64_t last = pole ? n - 1 : 0;
        bool stands_on = H3OU__PI / 2 - fabs(r->lat[last]) < 1e-9;
        if (!r->round[pole] || (r->row[last] != 0 && r->row[last] != edge))
            return false;
        at = pole ? 2 * n - 1 - k - stands_on : -1 - k + stands_on;
        if (at < 0 || at >= n)
            return false;
        *lat = (pole ? H3OU__PI : -H3OU__PI) - r->lat[at];
    } else
        *lat = r->lat[k];
    *y = r->row[at];
    return true;
}

/* Rows k and k + 1 exist and follow each other. */
static bool rows_meet(const h3ou__raster *r, int64_t k)
{
    int64_t y[2];
    double lat[2];
    bool across[2];
    if (!row_at(r, k, &y[0], &lat[0], &across[0]) || !row_at(r, k + 1, &y[1], &lat[1], &across[1]))
        return false;
    int64_t step = y[1] > y[0] ? y[1] - y[0] : y[0] - y[1];
    return across[0] != across[1] || step == 1;
}

/* Row k is known and is the last of the whole grid on a side where the grid ends before the pole. */
static bool rows_end(const h3ou__raster *r, int64_t k)
{
    int64_t y;
    double lat;
    bool across;
    return row_at(r, k, &y, &lat, &across) && !across && (y == 0 || y == r->cells->dims[1] - 1);
}

bool h3ou__raster_along_column(const h3ou__raster *r, double lat, int points, h3ou__line *out)
{
    double place[H3OU__LINE_MOST];
    if (r->nrow < 1)
        return false;
    int64_t k = locate_line(r->nrow, r->lat, lat);
    if (!rows_meet(r, k)) {
        if (k >= 0 && lat - r->lat[k] < SAME && rows_meet(r, k - 1))
            k--;
        else if (k + 1 < r->nrow && r->lat[k + 1] - lat < SAME && rows_meet(r, k + 1))
            k++;
        else
            return false;
    }
    int64_t from = k, to = k + 1;
    if (points == 4 && r->cells->dims[1] >= 4) {
        bool south = rows_meet(r, k - 1), north = rows_meet(r, k + 1);
        if (!(south || rows_end(r, k)) || !(north || rows_end(r, k + 1)))
            return false;
        from = k - south - (south && !north);
        to = from + 3;
        for (int64_t i = from; i < to; i++)
            if (!rows_meet(r, i))
                return false;
    }
    out->n = (int)(to - from) + 1;
    for (int i = 0; i < out->n; i++)
        row_at(r, from + i, &out->at[i], &place[i], &out->across[i]);
    lagrange_coefs(out->n, place, lat, out->coef);
    return true;
}

int h3ou__raster_serve(const h3ou__raster *r, double lon, double lat, int points, h3ou__row *out)
{
    h3ou__line up, along[2];
    bool there[2] = {false, false};
    int64_t cell[H3OU__LINE_MOST * H3OU__LINE_MOST];
    double coef[H3OU__LINE_MOST * H3OU__LINE_MOST];
    int n = 0, err = H3OU__OK;
    if (!h3ou__raster_along_column(r, lat, points, &up))
        return H3OU__OK;
    for (int j = 0; j < up.n; j++) {
        int side = up.across[j];
        if (fabs(up.coef[j]) < SAME)
            continue;
        if (!there[side] && !h3ou__raster_along_row(r, lon + (side ? H3OU__PI : 0.0), points, &along[side]))
            return H3OU__OK;
        there[side] = true;
        for (int i = 0; i < along[side].n; i++) {
            cell[n] = h3ou__cells_find(r->cells, along[side].at[i] + r->cells->dims[0] * up.at[j]);
            coef[n++] = up.coef[j] * along[side].coef[i];
        }
    }
    h3ou__patch_put(r->cells, n, cell, coef, out, &err);
    return err;
}
