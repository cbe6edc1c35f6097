/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/box_overlaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
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

/* Where an interval that is held begins: from 0 to the turn where the intervals repeat. */
typedef struct begin {
    double low; /* stands first: the begins are sorted by it */
    int64_t interval;
} begin;

/* Two sets of intervals, and what is found of their overlaps. */
typedef struct meeting {
    const intervals *source, *target;
    double turn;   /* > 0: the source's intervals repeat every turn */
    double widest; /* of the source's */
    int64_t nbegin, nnear;
    begin *begin;  /* [nbegin] of the source's, ascending */
    int64_t *near; /* [nnear] those of the source that may overlap the target's one, ascending */
    int64_t n, room;
    int32_t *list;      /* [n] */
    double *low, *high; /* [n] of the overlaps */
} meeting;

static double within_turn(double x, double turn)
{
    return turn > 0 ? x - turn * floor(x / turn) : x;
}

static int sort_begins(meeting *m)
{
    const intervals *source = m->source;
    m->begin = malloc(sizeof *m->begin * (size_t)(source->n + 1));
    m->near = malloc(sizeof *m->near * (size_t)(source->n + 1));
    if (!m->begin || !m->near)
        return h3ou__no_memory("the overlaps of two regular grids");
    for (int64_t s = 0; s < source->n; s++)
        if (source->held[s]) {
            m->begin[m->nbegin++] = (begin){within_turn(source->low[s], m->turn), s};
            m->widest = fmax(m->widest, source->high[s] - source->low[s]);
        }
    qsort(m->begin, (size_t)m->nbegin, sizeof *m->begin, h3ou__compare_double);
    return H3OU__OK;
}

/* Lists the source's intervals that may overlap this one: they begin at most the widest of them before it, and before
 * its end. */
static void find_near(meeting *m, double low, double high)
{
    const double MARGIN = 1e-9;
    double span = high - low + m->widest + 2 * MARGIN, from = within_turn(low - m->widest - MARGIN, m->turn);
    bool ascends = true;
    int64_t first = 0, end = m->nbegin;
    while (first < end) {
        int64_t middle = first + (end - first) / 2;
        if (m->begin[middle].low < from)
            first = middle + 1;
        else
            end = middle;
    }
    m->nnear = 0;
    for (int64_t k = first; k < m->nbegin + (m->turn > 0 ? first : 0); k++) {
        const begin *b = &m->begin[k < m->nbegin ? k : k - m->nbegin];
        if (b->low + (k < m->nbegin ? 0.0 : m->turn) - from > span)
            break;
        ascends &= m->nnear == 0 || m->near[m->nnear - 1] < b->interval;
        m->near[m->nnear++] = b->interval;
    }
    if (!ascends)
        qsort(m->near, (size_t)m->nnear, sizeof *m->near, h3ou__compare_int64);
}

/* Appends the overlap of an interval of the source with one of the target, or both: a wide one may overlap at both of
 * its ends. */
static int add_overlaps(meeting *m, int64_t s, int64_t t)
{
    const intervals *source = m->source, *target = m->target;
    double shift = m->turn > 0 ? m->turn * floor((target->high[t] - source->low[s]) / m->turn) : 0.0;
    for (int k = 0; k < (m->turn > 0 ? 2 : 1); k++, shift -= m->turn) {
        double low = fmax(target->low[t], source->low[s] + shift),
               high = fmin(target->high[t], source->high[s] + shift);
        if (high - low <= 1e-14)
            continue;
        if (m->n == m->room) {
            int64_t room = h3ou__larger_room(m->room, m->n + 1);
            if (!h3ou__resize(&m->list, sizeof *m->list, room) || !h3ou__resize(&m->low, sizeof *m->low, room) ||
                !h3ou__resize(&m->high, sizeof *m->high, room))
                return h3ou__no_memory("the overlaps of two regular grids");
            m->room = room;
        }
        m->list[m->n] = (int32_t)s;
        m->low[m->n] = low;
        m->high[m->n++] = high;
    }
    return H3OU__OK;
}

/* Finds the overlaps of two sets of intervals; with turn > 0 the source's intervals repeat every turn. */
static int overlap_intervals(const intervals *source, const intervals *target, double turn, h3ou__lists *out,
                             double **from, double **to)
{
    meeting m = {.source = source, .target = target, .turn = turn};
    int err = sort_begins(&m);
    out->n = target->n;
    out->start = malloc(sizeof *out->start * (size_t)(target->n + 1));
    if (!err && !out->start)
        err = h3ou__no_memory("the overlaps of two regular grids");
    for (int64_t t = 0; t < target->n && !err; t++) {
        out->start[t] = m.n;
        m.nnear = 0;
        if (target->held[t])
            find_near(&m, target->low[t], target->high[t]);
        for (int64_t k = 0; k < m.nnear && !err; k++)
            err = add_overlaps(&m, m.near[k], t);
    }
    if (!err)
        out->start[target->n] = m.n;
    free(m.begin);
    free(m.near);
    out->list = m.list;
    *from = m.low;
    *to = m.high;
    return err;
}

/* Finds where the held cells of each row of the grid begin among those of this process. */
static int find_rows(const h3ou__cells *c, int64_t **first)
{
    if (!(*first = malloc(sizeof **first * (size_t)(c->dims[1] + 1))))
        return h3ou__no_memory("the overlaps of two regular grids");
    int64_t i = 0;
    for (int64_t y = 0; y <= c->dims[1]; y++) {
        while (i < c->n && h3ou__cell_id(c, i) < y * c->dims[0])
            i++;
        (*first)[y] = i;
    }
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
    if (!err)
        err = find_rows(source, &out->first);
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
    free(o->first);
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
