/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/coverage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "coupler/config/leniency.h"
#include "coupler/grid/grid_areas.h"
#include "coupler/search/cell_search_inside.h"
#include "interp/search/kdtree.h"
#include "interp/sphere/angles.h"
#include "interp/weights/threads.h"

int h3ou__coverage_log_grid(const h3ou__grid *g, h3ou__comm *local)
{
    const h3ou__geometry *m = &g->geometry;
    int64_t mine[2] = {g->n, 0}, all[2], shape = (int64_t)m->nx * m->ny, said;
    char unheld[64] = "", masked[64] = "";
    for (int64_t i = 0; i < g->n && m->mask; i++)
        mine[1] += m->mask[i] == 0;
    int err = h3ou__allreduce(local, mine, all, 2, H3OU__INT64, H3OU__SUM);
    if (!err)
        err = h3ou__allreduce(local, &shape, &said, 1, H3OU__INT64, H3OU__MAX);
    if (err || h3ou__comm_rank(local) != 0)
        return err;
    if (said > 0)
        snprintf(unheld, sizeof unheld, " shape=%dx%d unheld=%" PRId64, m->nx, m->ny, said - all[0]);
    if (m->mask)
        snprintf(masked, sizeof masked, " masked=%" PRId64, all[1]);
    h3ou__log(H3OU__LOG_WHISPER, "grid", "grid=%s cells=%" PRId64 "%s%s", g->name, all[0], unheld, masked);
    if (all[0] > 0 && all[1] == all[0])
        h3ou__warn(NULL,
                   "grid %s: its mask takes out all %" PRId64 " cells: 0 stands for a cell that takes no part, is the "
                   "mask inverted?",
                   g->name, all[0]);
    return H3OU__OK;
}

/* Sums the areas of all cells, of those that take part, and of those of them that get values. */
static void sum_areas(const h3ou__grid *g, const h3ou__sparse *rows, const h3ou__remainder *left, const double area[],
                      double sum[3])
{
    const int *mask = g->geometry.mask;
    for (int64_t i = 0; i < g->n; i++) {
        sum[0] += area[i];
        sum[1] += !mask || mask[i] ? area[i] : 0.0;
    }
    for (int64_t r = 0; rows && r < rows->nrow; r++)
        sum[2] += !mask || mask[rows->row[r]] ? area[rows->row[r]] : 0.0;
    for (int64_t i = 0; left && i < left->nfixed; i++)
        sum[2] += area[left->fixed[i]];
}

int h3ou__coverage_log_area(const h3ou__grid *g, const h3ou__sparse *rows, const h3ou__remainder *left,
                            h3ou__comm *local)
{
    double *area = NULL, mine[3] = {0.0, 0.0, 0.0}, all[3];
    char served[48] = "";
    int err = h3ou__grid_measure(g, h3ou__threads(0), &area);
    int64_t unknown = !area, is_unknown;
    if (area)
        sum_areas(g, rows, left, area, mine);
    free(area);
    if (!err)
        err = h3ou__allreduce(local, &unknown, &is_unknown, 1, H3OU__INT64, H3OU__MAX);
    if (!err && !is_unknown)
        err = h3ou__allreduce(local, mine, all, 3, H3OU__DOUBLE, H3OU__SUM);
    if (err || is_unknown || h3ou__comm_rank(local) != 0)
        return err;
    if (rows && all[1] > 0.0)
        snprintf(served, sizeof served, " served=%.6f", all[2] / all[1]);
    h3ou__log(H3OU__LOG_WHISPER, "area", "grid=%s over-4pi=%.6f%s", g->name, all[0] / (4.0 * H3OU__PI), served);
    return H3OU__OK;
}

/* Numbers of target cells that some source cell reaches, and of those of them whose nearest source cell takes part. */
enum { REACHED, GOOD, COUNTS };

/* Counts the target cells of this process whose mask is `wanted`. */
static int count_cells(h3ou__cells *target, unsigned char wanted, h3ou__cells *part, int64_t count[COUNTS])
{
    h3ou__kdtree *tree = NULL;
    int64_t near = -1;
    count[REACHED] = count[GOOD] = 0;
    int err = h3ou__cells_places(target);
    if (!err)
        err = h3ou__cells_places(part);
    if (!err)
        err = h3ou__kdtree_create(part->xyz, NULL, part->n, &tree);
    for (int64_t i = 0; i < target->n && !err; i++) {
        double middle[3], mine, its;
        if (target->mask[i] != wanted || h3ou__cell_is_nowhere(target, i) ||
            (near = h3ou__kdtree_one(tree, target->xyz + 3 * i, near)) < 0)
            continue;
        h3ou__cell_cap(target, i, middle, &mine);
        h3ou__cell_cap(part, near, middle, &its);
        bool points = mine + its == 0.0; /* without corners nobody knows how far they reach */
        if (!points && sqrt(h3ou__chord2(part->xyz + 3 * near, target->xyz + 3 * i)) > mine + its)
            continue;
        count[REACHED]++;
        count[GOOD] += part->mask[near] != 0;
    }
    h3ou__kdtree_free(tree);
    return err;
}

/* The receiver's leader tells the senders whether to search again. */
static int share_decision(const h3ou__cell_search_task *t, int64_t *again)
{
    h3ou__req req;
    int err = H3OU__OK;
    if (t->source) /* all of them are receivers, and know it */
        return H3OU__OK;
    if (h3ou__comm_rank(t->local) == 0) {
        err = t->sender
                  ? h3ou__irecv(t->model, t->nsend, H3OU__TAG_MORE, again, 1, H3OU__INT64, "a word on masks", &req)
                  : h3ou__isend(t->model, 0, H3OU__TAG_MORE, again, 1, H3OU__INT64, "a word on masks", &req);
        if (!err)
            err = h3ou__waitall(t->world, 1, &req);
    }
    return err ? err : h3ou__bcast(t->local, again, 1, H3OU__INT64, 0);
}

static bool has_masked(const h3ou__cells *c)
{
    for (int64_t i = 0; i < c->n; i++)
        if (!c->mask[i])
            return true;
    return false;
}

/* *suspect: few of the target cells that take part lie over source cells that do, so the others are looked at too. */
static int is_suspect(const h3ou__cell_search_task *t, h3ou__cells *part, int64_t all[COUNTS], int64_t *suspect)
{
    int64_t mine[COUNTS] = {has_masked(t->grid->cells), has_masked(part)}, masked[COUNTS];
    int err = h3ou__allreduce(t->local, mine, masked, COUNTS, H3OU__INT64, H3OU__MAX);
    *suspect = 0;
    if (err || !masked[0] || !masked[1])
        return err;
    if ((err = count_cells(t->grid->cells, 1, part, mine)) == H3OU__OK)
        err = h3ou__allreduce(t->local, mine, all, COUNTS, H3OU__INT64, H3OU__SUM);
    *suspect = !err && 4 * all[GOOD] < all[REACHED];
    return err;
}

static void invert_mask(h3ou__cells *c)
{
    for (int64_t i = 0; i < c->n; i++)
        c->mask[i] = !c->mask[i];
}

/* Counts the same for the target cells that take no part, whose sources are searched for here. */
static int look_at_others(const h3ou__cell_search_task *t, int64_t all[COUNTS])
{
    int64_t mine[COUNTS] = {0, 0};
    h3ou__cells *part = NULL;
    if (!t->sender)
        invert_mask(t->grid->cells);
    int err = h3ou__cell_search(t, &part, NULL);
    if (!t->sender)
        invert_mask(t->grid->cells);
    if (!err && !t->sender)
        err = count_cells(t->grid->cells, 0, part, mine);
    h3ou__cells_free(part);
    return err || t->sender ? err : h3ou__allreduce(t->local, mine, all, COUNTS, H3OU__INT64, H3OU__SUM);
}

int h3ou__coverage_compare_masks(const h3ou__cell_search_task *task, const h3ou__pair_name *name, h3ou__cells *part)
{
    int64_t in[COUNTS] = {0, 0}, out[COUNTS] = {0, 0}, suspect = 0;
    int err = task->sender ? H3OU__OK : is_suspect(task, part, in, &suspect);
    if (!err)
        err = share_decision(task, &suspect);
    if (!err && suspect)
        err = look_at_others(task, out);
    if (!err && 4 * out[GOOD] > 3 * out[REACHED] && h3ou__comm_rank(task->local) == 0)
        h3ou__warn(
            NULL,
            "the mask of grid %s of %s or of grid %s of %s looks inverted: of the target cells that take part, %" PRId64
            " of %" PRId64 " lie over source cells that do, of the masked ones %" PRId64 " of %" PRId64,
            name->send_grid, name->send_comp, name->recv_grid, name->recv_comp, in[GOOD], in[REACHED], out[GOOD],
            out[REACHED]);
    return err;
}
