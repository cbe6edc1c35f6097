/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/rows/fold.h"

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

/* How far the image of cell x, taken at column sum - x, is from where it is expected, in parts of the distance that is
 * allowed; negative when the two cannot be compared. */
static double misfit_of(const strip *s, int64_t rows, int64_t sum, int64_t x)
{
    double at[3], within;
    int64_t image = wrap_column(s, sum - x), row = rows > 0 ? rows - 1 : 0;
    const double *p = centre_at(s, image, row);
    if ((row == 0 && image == x) || !p || !expect(s, rows, x, at, &within))
        return -1.0;
    return distance(p, at) / within;
}

/* Looks at every `step`th cell, and returns the mean misfit of those that can be compared. */
static double compare_images(const strip *s, int64_t rows, int64_t sum, int64_t step, h3ou__fold *out)
{
    double misfit = 0.0;
    out->rows = rows;
    out->shift = sum - (s->nx - 1);
    out->shift -= s->period * (int64_t)llround((double)out->shift / (double)s->period);
    out->compared = out->met = 0;
    for (int64_t x = 0; x < s->period; x += step) {
        double one = misfit_of(s, rows, sum, x);
        out->compared += one >= 0.0;
        out->met += one >= 0.0 && one < 1.0;
        misfit += one >= 0.0 ? fmin(one, 9.0) : 0.0;
    }
    return out->compared > 0 ? misfit / (double)out->compared : HUGE_VAL;
}

/* Of the sums beside one that fits some of the cells takes that which fits all of them best: cells may be narrow. */
static void take_nearby(const strip *s, int64_t rows, int64_t sum, h3ou__fold *out)
{
    enum { NEAR = 3 };
    double least = HUGE_VAL;
    for (int64_t beside = -NEAR; beside <= NEAR; beside++) {
        h3ou__fold f = *out;
        double misfit = compare_images(s, rows, wrap_column(s, sum + beside), 1, &f);
        if (misfit < least || beside == -NEAR) {
            least = misfit;
            *out = f;
        }
    }
}

/* Cell and image have columns with one sum: that whose images fit best in some of the cells is taken. Behind a row round a
 * pole each pair of cells has another sum, and no sum fits better than the others. */
static void try_pivot(const strip *s, int64_t rows, h3ou__fold *out)
{
    enum { SAMPLES = 32 };
    static const double FITS = 0.5; /* of the mean over all sums */
    int64_t best = s->nx - 1, nsum = 0;
    double least = HUGE_VAL, all = 0.0;
    for (int64_t sum = 0; sum < s->period; sum++) {
        double misfit = compare_images(s, rows, sum, s->period / SAMPLES + 1, out);
        if (out->compared == 0)
            continue;
        nsum++;
        all += misfit;
        if (misfit < least) {
            least = misfit;
            best = sum;
        }
    }
    take_nearby(s, rows, best, out);
    out->found = nsum > 0 && least * (double)nsum < FITS * all && out->met > 2 && 4 * out->met >= 3 * out->compared;
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
