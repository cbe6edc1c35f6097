/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/bridge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/plan/plan.h"

/* Returns the table that gives each of my cells the value of the same cell at the other member. */
static h3ou__table *same_cells(const h3ou__grid *g, const h3ou__pair_name *name)
{
    h3ou__table *table = NULL;
    int *index = malloc(sizeof *index * (size_t)(g->n + 1));
    for (int64_t i = 0; i < g->n && index; i++)
        index[i] = (int)g->index[i];
    if (index && h3ou__table_create(name, index, index, NULL, g->n, true, &table))
        table = NULL;
    free(index);
    return table;
}

/* Takes partners and cells out of a plan in which each target cell has one source cell. */
static int take_cells(h3ou__bridge *b, h3ou__plan *plan)
{
    int64_t n = plan->start[plan->npartner];
    b->cell = malloc(sizeof *b->cell * (size_t)(n + 1));
    if (!b->cell)
        return h3ou__no_memory("the members of an ensemble");
    for (int64_t i = 0; i < n && plan->sender; i++)
        b->cell[i] = plan->slot[i];
    for (int64_t r = 0; r < plan->rows.nrow && !plan->sender; r++)
        b->cell[plan->rows.col[r]] = plan->rows.row[r];
    b->npartner = plan->npartner;
    b->partner = plan->partner;
    b->start = plan->start;
    plan->partner = NULL;
    plan->start = NULL;
    return H3OU__OK;
}

/* Checks, where the values come from, that each cell has its partner; where they go to the plan has done so. */
static int check_cells(const h3ou__bridge_task *t, const h3ou__bridge *b)
{
    int64_t mine[2] = {t->grid->n, b->start[b->npartner]}, all[2];
    int err = h3ou__allreduce(h3ou__world_local(t->world), mine, all, 2, H3OU__INT64, H3OU__SUM);
    if (err || all[0] == all[1])
        return err;
    return h3ou__fail(
        H3OU__EINDEX,
        "grid %s has %" PRId64 " cells in %s, of which %s has only %" PRId64 ": the members of an ensemble "
        "must have the same grid",
        t->grid->name, all[0], h3ou__world_component_name(t->world, h3ou__world_me(t->world)), b->name, all[1]);
}

int h3ou__bridge_make(const h3ou__bridge_task *t, h3ou__bridge **out)
{
    int me = h3ou__world_me(t->world);
    const char *mine = h3ou__world_component_name(t->world, me),
               *theirs = h3ou__world_component_name(t->world, t->other);
    h3ou__pair_name name = {t->is_parent ? theirs : mine, t->grid->name, t->is_parent ? mine : theirs, t->grid->name,
                            0};
    h3ou__plan_task task = {.world = t->world,
                            .name = name,
                            .sender = !t->is_parent,
                            .grid = t->grid,
                            .config = t->config,
                            .clock = t->clock};
    h3ou__plan *plan = NULL;
    h3ou__bridge *b = calloc(1, sizeof *b);
    h3ou__table *table = t->is_parent ? same_cells(t->grid, &name) : NULL;
    int err = b && (table || !t->is_parent) ? H3OU__OK : h3ou__no_memory("the members of an ensemble");
    task.table = table;
    if (!err && (err = h3ou__plan_make(&task, &plan)) == H3OU__OK)
        err = take_cells(b, plan);
    if (!err) {
        b->model = task.model;
        memcpy(b->name, theirs, strlen(theirs) + 1);
        err = t->is_parent ? H3OU__OK : check_cells(t, b);
    }
    h3ou__plan_free(plan);
    h3ou__table_free(table);
    if (err) {
        h3ou__bridge_free(b);
        return err;
    }
    *out = b;
    return H3OU__OK;
}

void h3ou__bridge_free(h3ou__bridge *b)
{
    if (!b)
        return;
    free(b->partner);
    free(b->start);
    free(b->cell);
    free(b);
}
