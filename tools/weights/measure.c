/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void measure_exact(const field *f, const h3ou__cells *c, double out[])
{
    for (int64_t i = 0; i < c->n; i++)
        out[i] = f->value(c->lon[i], c->lat[i]);
}

int measure_field(const h3ou__weightfile *w, const product *p, const field *f, double source[], double exact[],
                  double remapped[])
{
    measure_exact(f, w->source, source);
    measure_exact(f, w->target, exact);
    return product_apply(p, 1, false, NAN, source, remapped);
}

/* Returns the area of target cell i that has a value. */
static double served_area(const h3ou__weights *w, int64_t i)
{
    return w->served[i] < 0 ? 0.0 : w->target_area[i] * (w->norm == H3OU__FRACAREA ? w->frac[i] : 1.0);
}

static bool has_sources(const h3ou__weights *w, int64_t i)
{
    return w->start[i + 1] > w->start[i];
}

/* Returns the integral of value (NULL: of 1) over the unmasked source cells. */
static double integrate_source(const h3ou__weights *w, const h3ou__cells *source, const double value[])
{
    double sum = 0.0;
    for (int64_t i = 0; i < w->nsource; i++)
        sum += source->mask[i] ? w->source_area[i] * (value ? value[i] : 1.0) : 0.0;
    return sum;
}

static measure_misfit measure_misfits(const h3ou__weights *w, const h3ou__cells *source, const double from[],
                                      const double exact[], const double remapped[])
{
    measure_misfit m = {.max_cell = -1, .conservation = NAN};
    double sum = 0.0, squares = 0.0, integral = 0.0, area = 0.0;
    int64_t n = 0;
    for (int64_t i = 0; i < w->ntarget; i++) {
        if (!has_sources(w, i))
            continue;
        double misfit = fabs(remapped[i] - exact[i]) / fabs(exact[i]);
        sum += misfit;
        squares += misfit * misfit;
        n++;
        if (misfit > m.max || m.max_cell < 0) {
            m.max = misfit;
            m.max_cell = i;
        }
        if (w->target_area) {
            integral += served_area(w, i) * remapped[i];
            area += served_area(w, i);
        }
    }
    m.mean = n ? sum / (double)n : NAN;
    m.rms = n ? sqrt(squares / (double)n) : NAN;
    m.max = n ? m.max : NAN;
    if (w->target_area && w->source_area && fabs(area / integrate_source(w, source, NULL) - 1.0) < 0.1) {
        double given = integrate_source(w, source, from);
        m.conservation = fabs(integral - given) / fabs(given);
    }
    return m;
}

typedef struct use {
    const h3ou__weights *weights;
    const unsigned char *mask, *used;
} use;

static bool is_left_over(const void *user, int64_t i)
{
    return ((const use *)user)->weights->served[i] == H3OU__BY_NONE;
}

static bool is_unused(const void *user, int64_t i)
{
    const use *u = user;
    return u->mask[i] && !u->used[i];
}

static void measure_coverage(const h3ou__weights *w, const h3ou__cells *source, double given[], measure *out)
{
    double all = 0.0, have = 0.0, target_all = 0.0, target_have = 0.0;
    for (int64_t i = 0; i < w->ntarget; i++) {
        double area = served_area(w, i);
        target_all += w->served[i] == H3OU__MASKED ? 0.0 : w->target_area[i];
        target_have += w->served[i] < 0 ? 0.0 : w->target_area[i] * w->frac[i];
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
            given[w->src[k]] += w->coef[k] * area;
    }
    for (int64_t s = 0; s < w->nsource; s++) {
        all += source->mask[s] ? w->source_area[s] : 0.0;
        have += given[s];
    }
    out->target_covered = target_have / target_all;
    out->source_given = have / all;
}

static int look_at_cells(const h3ou__weightfile *f, measure *out)
{
    const h3ou__weights *w = f->weights;
    int64_t links = w->start[w->ntarget];
    unsigned char *used = calloc((size_t)w->nsource + 1, 1);
    double *given = calloc((size_t)w->nsource + 1, sizeof *given);
    int err =
        used && given ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "out of memory for %lld cells", (long long)w->nsource);
    if (!err) {
        use u = {w, f->source->mask, used};
        for (int64_t k = 0; k < links; k++)
            used[w->src[k]] = 1;
        out->left_over = region_find(f->target, is_left_over, &u);
        out->unused = region_find(f->source, is_unused, &u);
        out->source_unused = out->unused.n;
        for (int64_t s = 0; s < w->nsource; s++)
            out->source_masked += !f->source->mask[s];
        out->target_covered = out->source_given = NAN;
        if (w->source_area && w->target_area)
            measure_coverage(w, f->source, given, out);
    }
    free(used);
    free(given);
    return err;
}

int measure_make(const h3ou__weightfile *f, measure *out)
{
    const h3ou__weights *w = f->weights;
    product p;
    *out = (measure){0};
    h3ou__weights_look(w, &out->facts);
    int err = product_create(w, &p);
    if (err)
        return err;
    double *source = malloc(sizeof *source * (size_t)(w->nsource + 2 * w->ntarget + 1));
    err = source ? look_at_cells(f, out)
                 : h3ou__fail(H3OU__ENOMEM, "out of memory for fields of %lld cells", (long long)w->ntarget);
    for (int k = 0; k < FIELDS && !err; k++) {
        double *exact = source + w->nsource, *remapped = exact + w->ntarget;
        err = measure_field(f, &p, &fields[k], source, exact, remapped);
        if (!err)
            out->misfit[k] = measure_misfits(w, f->source, source, exact, remapped);
    }
    free(source);
    product_free(&p);
    return err;
}
