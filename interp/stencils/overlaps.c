/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/overlaps.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/box_overlaps.h"
#include "interp/grid/cell_polygon.h"
#include "interp/grid/coincident.h"
#include "interp/search/celltree.h"
#include "interp/sphere/clip.h"

struct h3ou__overlaps {
    const h3ou__cells *source, *target;
    h3ou__celltree *tree; /* or NULL: both are boxes */
    h3ou__box_overlaps boxes;
};

int h3ou__overlaps_open(const h3ou__cells *source, const h3ou__cells *target, h3ou__overlaps **out)
{
    h3ou__overlaps *o = calloc(1, sizeof *o);
    if (!o)
        return h3ou__no_memory("overlaps");
    o->source = source;
    o->target = target;
    *out = o;
    if (source->lon_west && target->lon_west)
        return h3ou__box_overlaps_make(source, target, &o->boxes);
    return h3ou__celltree_create(source, &o->tree);
}

void h3ou__overlaps_close(h3ou__overlaps *o)
{
    if (!o)
        return;
    h3ou__celltree_free(o->tree);
    h3ou__box_overlaps_free(&o->boxes);
    free(o);
}

int h3ou__overlaps_open_search(const h3ou__method_task *task, void **state)
{
    h3ou__overlaps *o = NULL;
    int err = h3ou__overlaps_open(task->source, task->target, &o);
    *state = o;
    return err;
}

void h3ou__overlaps_close_search(void *state)
{
    h3ou__overlaps_close(state);
}

void h3ou__under_free(h3ou__under *u)
{
    free(u->source);
    free(u->area);
    free(u->moment);
    free(u->side);
    free(u->list);
    *u = (h3ou__under){0};
}

h3ou__under *h3ou__row_under(h3ou__row *row)
{
    if (!row->under && !(row->under = calloc(1, sizeof *row->under)))
        h3ou__no_memory("overlaps");
    return row->under;
}

static int add_overlap(h3ou__under *u, int64_t source, double area, const double moment[3])
{
    if (u->n == u->room) {
        int64_t room = h3ou__larger_room(u->room, u->n + 1);
        if (!h3ou__resize(&u->source, sizeof *u->source, room) || !h3ou__resize(&u->area, sizeof *u->area, room) ||
            !h3ou__resize(&u->moment, 3 * sizeof *u->moment, room))
            return h3ou__no_memory("overlaps");
        u->room = room;
    }
    u->source[u->n] = (int32_t)source;
    u->area[u->n] = area;
    for (int d = 0; d < 3; d++)
        u->moment[3 * u->n + d] = moment[d];
    u->n++;
    u->covered += area;
    return H3OU__OK;
}

static const double LEAST = 1e-14; /* of the smaller cell: less is rounding of cells that only touch */

static int of_boxes(const h3ou__overlaps *o, int64_t target, bool moments, h3ou__under *u)
{
    const h3ou__box_overlaps *b = &o->boxes;
    int64_t id = h3ou__cell_id(o->target, target), x = id % o->target->dims[0], y = id / o->target->dims[0];
    double moment[3] = {0, 0, 0};
    int err = H3OU__OK;
    for (int64_t r = b->row.start[y]; r < b->row.start[y + 1]; r++)
        for (int64_t c = b->column.start[x]; c < b->column.start[x + 1] && !err; c++) {
            int64_t s = h3ou__cells_find_between(o->source, b->row.list[r] * o->source->dims[0] + b->column.list[c],
                                                 b->first[b->row.list[r]], b->first[b->row.list[r] + 1]);
            if (s < 0 || !o->source->mask[s] || h3ou__cell_is_repeated(o->source, s))
                continue;
            double area = h3ou__box_measure(b->west[c], b->east[c], b->south[r], b->north[r], moments ? moment : NULL);
            err = add_overlap(u, s, area, moment);
        }
    return err;
}

int h3ou__overlaps_of(const h3ou__overlaps *o, int64_t target, const double source_area[], double target_area,
                      bool moments, h3ou__under *u)
{
    h3ou__polygon mine, other;
    h3ou__clipper clipper;
    h3ou__bound bound;
    double moment[3] = {0, 0, 0};
    u->n = 0;
    u->covered = 0.0;
    if (!o->tree)
        return of_boxes(o, target, moments, u);
    h3ou__cell_polygon(o->target, target, &mine);
    if (mine.n < 3)
        return H3OU__OK;
    h3ou__polygon_bound(&mine, &bound);
    int64_t n = h3ou__celltree_touching(o->tree, &bound, &u->list, &u->list_room);
    if (n < 0)
        return (int)n;
    if (!h3ou__grow(&u->side, sizeof *u->side, &u->side_room, mine.n))
        return h3ou__no_memory("overlaps");
    h3ou__clipper_set(&clipper, &mine, u->side);
    int err = H3OU__OK;
    for (int64_t k = 0; k < n && !err; k++) {
        if (h3ou__cell_is_repeated(o->source, u->list[k]))
            continue;
        h3ou__cell_polygon(o->source, u->list[k], &other);
        double area = h3ou__clipper_overlap(&clipper, &other, moments ? moment : NULL);
        if (area > LEAST * fmin(source_area[u->list[k]], target_area))
            err = add_overlap(u, u->list[k], area, moment);
    }
    return err;
}
