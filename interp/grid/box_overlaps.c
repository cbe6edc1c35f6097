/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/box_overlaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/angles.h"

/* Intervals of longitude or latitude: the columns or rows of a grid. */
typedef struct intervals {
    int64_t n;
    const double *low, *high;
    unsigned char *held; /* [n] this process has a cell of it */
} intervals;

static intervals columns_of(const h3ou__cells *c, unsigned char *held)
{
    return (intervals){c->dims[0], c->lon_west, c->lon_east, held};
}

static intervals rows_of(const h3ou__cells *c, unsigned char *held)
{
    return (intervals){c->dims[1], c->lat_south, c->lat_north, held + c->dims[0]};
}

/* Marks the columns, then the rows, of which a cell is held: of a part of a grid these are few. */
static unsigned char *mark_held(const h3ou__cells *c)
{
    unsigned char *held = calloc((size_t)(c->dims[0] + c->dims[1]), 1);
    for (int64_t i = 0; held && i < c->n; i++) {
        int64_t id = h3ou__cell_id(c, i);
        held[id % c->dims[0]] = held[c->dims[0] + id / c->dims[0]] = 1;
    }
    return held;
}

/* Overlaps of two sets of intervals; with turn > 0 the source's intervals repeat every turn. */
static int overlap_intervals(const intervals *source, const intervals *target, double turn, h3ou__lists *out,
                             double **from, double **to)
{
    int64_t nsource = source->n, ntarget = target->n;
    const double *low = source->low, *high = source->high, *tlow = target->low, *thigh = target->high;
    int64_t n = 0, room = 4 * (nsource + ntarget) + 16;
    out->n = ntarget;
    out->start = malloc(sizeof *out->start * (size_t)(ntarget + 1));
    out->list = malloc(sizeof *out->list * (size_t)room);
    *from = malloc(sizeof **from * (size_t)room);
    *to = malloc(sizeof **to * (size_t)room);
    if (!out->start || !out->list || !*from || !*to)
        return h3ou__no_memory("the overlaps of two regular grids");
    for (int64_t t = 0; t < ntarget; t++) {
        out->start[t] = n;
        for (int64_t s = 0; s < nsource && target->held[t]; s++) {
            if (!source->held[s])
                continue;
            /* Source intervals nearest to the target's; a wide one may overlap at both of its ends. */
            double shift = turn > 0 ? turn * floor((thigh[t] - low[s]) / turn) : 0.0;
            for (int k = 0; k < (turn > 0 ? 2 : 1); k++, shift -= turn) {
                double a = fmax(tlow[t], low[s] + shift), b = fmin(thigh[t], high[s] + shift);
                if (b - a <= 1e-14)
                    continue;
                if (n == room) {
                    room *= 2;
                    if (!h3ou__resize(&out->list, sizeof *out->list, room) ||
                        !h3ou__resize(from, sizeof **from, room) || !h3ou__resize(to, sizeof **to, room))
                        return h3ou__no_memory("the overlaps of two regular grids");
                }
                out->list[n] = (int32_t)s;
                (*from)[n] = a;
                (*to)[n++] = b;
            }
        }
    }
    out->start[ntarget] = n;
    return H3OU__OK;
}

int h3ou__box_overlaps_make(const h3ou__cells *source, const h3ou__cells *target, h3ou__box_overlaps *out)
{
    unsigned char *held[2] = {mark_held(source), mark_held(target)};
    memset(out, 0, sizeof *out);
    int err = held[0] && held[1] ? H3OU__OK : h3ou__no_memory("the overlaps of two regular grids");
    if (!err) {
        const intervals from = columns_of(source, held[0]), to = columns_of(target, held[1]);
        err = overlap_intervals(&from, &to, 2 * H3OU__PI, &out->column, &out->west, &out->east);
    }
    if (!err) {
        const intervals from = rows_of(source, held[0]), to = rows_of(target, held[1]);
        err = overlap_intervals(&from, &to, 0.0, &out->row, &out->south, &out->north);
    }
    free(held[0]);
    free(held[1]);
    if (err)
        h3ou__box_overlaps_free(out);
    return err;
}

void h3ou__box_overlaps_free(h3ou__box_overlaps *o)
{
    h3ou__lists_free(&o->column);
    h3ou__lists_free(&o->row);
    free(o->west);
    free(o->east);
    free(o->south);
    free(o->north);
    memset(o, 0, sizeof *o);
}

void h3ou__row_factors(double south, double north, double factor[2])
{
    factor[0] = cos(0.5 * (south + north)); /* 2 * factor[0] * factor[1] is sin(north) - sin(south) */
    factor[1] = sin(0.5 * (north - south));
}

double h3ou__box_measure(double west, double east, double south, double north, double moment[3])
{
    double width = east - west, middle = 0.5 * (south + north), half = 0.5 * (north - south);
    double factor[2];
    h3ou__row_factors(south, north, factor);
    if (moment) {
        /* The integrals of cos2(lat) and of sin(lat) cos(lat) over latitude, of the unit vector over longitude. */
        double level = half + 0.5 * cos(2.0 * middle) * sin(2.0 * half);
        double chord = 2.0 * sin(0.5 * width), centre = 0.5 * (west + east);
        moment[0] = level * chord * cos(centre);
        moment[1] = level * chord * sin(centre);
        moment[2] = width * 0.5 * sin(2.0 * middle) * sin(2.0 * half);
    }
    return width * 2.0 * factor[0] * factor[1];
}
