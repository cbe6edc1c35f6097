/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/box_overlaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/angles.h"

/* Overlaps of two sets of intervals; with turn > 0 the source's intervals repeat every turn. */
static int overlap_intervals(int64_t nsource, const double low[], const double high[], int64_t ntarget,
                             const double tlow[], const double thigh[], double turn, h3ou__lists *out, double **from,
                             double **to)
{
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
        for (int64_t s = 0; s < nsource; s++) {
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
    memset(out, 0, sizeof *out);
    int err = overlap_intervals(source->dims[0], source->lon_west, source->lon_east, target->dims[0], target->lon_west,
                                target->lon_east, 2 * H3OU__PI, &out->column, &out->west, &out->east);
    if (!err)
        err = overlap_intervals(source->dims[1], source->lat_south, source->lat_north, target->dims[1],
                                target->lat_south, target->lat_north, 0.0, &out->row, &out->south, &out->north);
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

double h3ou__box_measure(double west, double east, double south, double north, double moment[3])
{
    double width = east - west, middle = 0.5 * (south + north), half = 0.5 * (north - south);
    double area = width * 2.0 * cos(middle) * sin(half); /* width * (sin(north) - sin(south)) */
    if (moment) {
        /* The integrals of cos2(lat) and of sin(lat) cos(lat) over latitude, of the unit vector over longitude. */
        double level = half + 0.5 * cos(2.0 * middle) * sin(2.0 * half);
        double chord = 2.0 * sin(0.5 * width), centre = 0.5 * (west + east);
        moment[0] = level * chord * cos(centre);
        moment[1] = level * chord * sin(centre);
        moment[2] = width * 0.5 * sin(2.0 * middle) * sin(2.0 * half);
    }
    return area;
}
