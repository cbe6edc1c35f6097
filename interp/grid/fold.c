/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/fold.h"

#include <math.h>
#include <stddef.h>

#include "interp/sphere/vector.h"

enum {
    DEPTH = 6,       /* rows */
    MOST_OVERLAP = 8 /* columns */
};

typedef struct strip {
    int64_t nx, rows, period;
    const double *xyz;
} strip;

int64_t h3ou__fold_depth(const int64_t dims[2])
{
    return dims[1] < DEPTH ? dims[1] : DEPTH;
}

int64_t h3ou__fold_room(const int64_t dims[2])
{
    return 3 * dims[0] * h3ou__fold_depth(dims);
}

void h3ou__fold_copy_rows(const h3ou__cells *c, double xyz[])
{
    int64_t nx = c->dims[0], first = nx * (c->dims[1] - h3ou__fold_depth(c->dims));
    for (int64_t k = 0; k < h3ou__fold_room(c->dims); k++)
        xyz[k] = H3OU__FOLD_UNKNOWN;
    for (int64_t i = c->n - 1; i >= 0 && c->lon; i--) { /* numbers ascend: the last rows come last */
        int64_t at = h3ou__cell_id(c, i) - first;
        if (at < 0)
            break;
        if (!h3ou__cell_is_nowhere(c, i))
            h3ou__unit_vector(c->lon[i], c->lat[i], xyz + 3 * at);
    }
}

/* The centre in a row, counted from the last one on; NULL when it is not known. */
static const double *centre_at(const strip *s, int64_t x, int64_t row)
{
    const double *p = s->xyz + 3 * (x + s->nx * (s->rows - 1 - row));
    return p[0] == H3OU__FOLD_UNKNOWN ? NULL : p;
}

static double distance(const double a[3], const double b[3])
{
    double d[3];
    h3ou__sub(a, b, d);
    return sqrt(h3ou__dot(d, d));
}

static int64_t wrap_column(const strip *s, int64_t x)
{
    return (x % s->period + s->period) % s->period;
}

/* The distance to the next centre of the row; 0 when it is not known, or at the same place, as at a pole. */
static double step_at(const strip *s, int64_t x, int64_t row)
{
    const double *here = centre_at(s, x, row), *next = centre_at(s, wrap_column(s, x + 1), row);
    double step = here && next ? distance(here, next) : 0.0;
    return step > 1e-12 ? step : 0.0;
}

/* How far two centres that are at one place may differ: coordinates may be in single precision. */
static const double SAME = 0.01; /* of the distance to the next centre */

/* How many columns at the end are the first ones again, in most of the rows. A row on the line of a fold meets itself
 * otherwise; it is one of several. */
static int64_t find_overlap(const strip *s)
{
    for (int64_t overlap = MOST_OVERLAP; overlap > 0; overlap--) {
        int64_t seen = 0, met = 0;
        for (int64_t row = 0; row < s->rows && s->nx > 3 * overlap; row++)
            for (int64_t x = 0; x < overlap; x++) {
                const double *here = centre_at(s, x, row), *there = centre_at(s, s->nx - overlap + x, row);
                double step = step_at(s, x, row);
                if (step > 0.0 && there) {
                    seen++;
                    met += distance(here, there) < SAME * step;
                }
            }
        if (met > 1 && 2 * met > seen)
            return overlap;
    }
    return 0;
}

/* As far behind b as a is before it, on their great circle. */
static void mirror(const double a[3], const double b[3], double out[3])
{
    double twice = 2 * h3ou__dot(a, b);
    for (int d = 0; d < 3; d++)
        out[d] = twice * b[d] - a[d];
    h3ou__normalise(out);
}

/* Where the mirror image of cell x of the last row is expected, and how near; false when that is not known. rows 0: the
 * place of a further row, nearer to the image than to the cell itself. Else: the cell's place. */
static bool expect(const strip *s, int64_t rows, int64_t x, double at[3], double *within)
{
    const double *here = centre_at(s, x, 0), *below = rows == 0 && s->rows > 1 ? centre_at(s, x, 1) : here;
    double step = step_at(s, x, 0);
    if (step == 0.0 || !below)
        return false;
    if (rows == 0)
        mirror(below, here, at);
    else
        for (int d = 0; d < 3; d++)
            at[d] = here[d];
    *within = rows == 0 ? distance(at, here) : SAME * step;
    return *within > 1e-12;
}

/* The column of the mirror image of cell x, by a search in the whole row; -1: there is none. */
static int64_t search_image(const strip *s, int64_t rows, int64_t x)
{
    double at[3], best;
    int64_t found = -1, row = rows > 0 ? rows - 1 : 0;
    if (!expect(s, rows, x, at, &best))
        return -1;
    for (int64_t k = 0; k < s->period; k++) {
        const double *p = centre_at(s, k, row);
        double far = p && (row > 0 || k != x) ? distance(p, at) : 9.0;
        if (far < best) {
            best = far;
            found = k;
        }
    }
    return found;
}

/* How many of the cells x have their image at column sum - x. */
static void count_images(const strip *s, int64_t rows, int64_t sum, h3ou__fold *out)
{
    int64_t row = rows > 0 ? rows - 1 : 0;
    out->rows = rows;
    out->shift = sum - (s->nx - 1);
    out->shift -= s->period * (int64_t)llround((double)out->shift / (double)s->period);
    out->compared = out->met = 0;
    for (int64_t x = 0; x < s->period; x++) {
        double at[3], within;
        int64_t image = wrap_column(s, sum - x);
        const double *p = centre_at(s, image, row);
        if ((row == 0 && image == x) || !p || !expect(s, rows, x, at, &within))
            continue;
        out->compared++;
        out->met += distance(p, at) < within;
    }
}

/* The images of some cells tell the sum of the columns of cell and image; that which most of them tell is tried. Behind
 * a row round a pole each pair of cells tells another sum. */
static void try_pivot(const strip *s, int64_t rows, h3ou__fold *out)
{
    enum { SAMPLES = 64 };
    int64_t sum[SAMPLES], n = 0, best = 0, most = 0;
    int64_t step = s->period / SAMPLES + 1;
    for (int64_t x = 0; x < s->period && n < SAMPLES; x += step) {
        int64_t image = search_image(s, rows, x);
        if (image >= 0)
            sum[n++] = wrap_column(s, x + image);
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t votes = 0;
        for (int64_t k = i; k < n; k++)
            votes += sum[k] == sum[i];
        if (votes > most) {
            most = votes;
            best = sum[i];
        }
    }
    count_images(s, rows, n > 0 ? best : s->nx - 1, out);
    out->found = 2 * most > n && out->met > 2 && 4 * out->met >= 3 * out->compared;
}

static bool fits_better(const h3ou__fold *a, const h3ou__fold *b)
{
    return a->met * (b->compared > 0 ? b->compared : 1) > b->met * (a->compared > 0 ? a->compared : 1) ||
           b->compared == 0;
}

void h3ou__fold_find(const int64_t dims[2], const double xyz[], h3ou__fold *out)
{
    strip s = {.nx = dims[0], .rows = h3ou__fold_depth(dims), .period = dims[0], .xyz = xyz};
    *out = (h3ou__fold){0};
    if (dims[0] < 6 || dims[1] < 2)
        return;
    int64_t overlap = find_overlap(&s);
    s.period = s.nx - overlap;
    out->overlap = overlap;
    /* Rows that are there again come first: their places say more than the place where a further row would be. */
    for (int64_t k = 1; k <= s.rows && !out->found; k++) {
        h3ou__fold f = {.overlap = overlap};
        try_pivot(&s, k % s.rows, &f);
        if (f.found || fits_better(&f, out))
            *out = f;
    }
}

void h3ou__fold_set(h3ou__cells *c, const h3ou__fold *f)
{
    if (!f->found)
        return;
    c->fold = c->cyclic = true;
    c->fold_shift = f->shift;
    c->fold_rows = f->rows;
    c->overlap = f->overlap;
}
