/* SPDX-License-Identifier: BSD-3-Clause */
/* What the making of weights left beside the table, in the plan's numbers: slots for sources, positions for targets. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/plan/plan.h"

typedef struct slotted {
    int64_t index, slot;
} slotted;

static int by_index(const void *a, const void *b)
{
    const slotted *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* The slot of each number of the gradient; -1 where the field does not come. */
static int32_t *slots_of(const h3ou__plan *p, const h3ou__remainder *left)
{
    int64_t n = p->start[p->npartner];
    slotted *by = malloc(sizeof *by * (size_t)(n + 1));
    int32_t *slot = malloc(sizeof *slot * (size_t)(left->nsource + 1));
    if (!by || !slot) {
        free(by);
        free(slot);
        return NULL;
    }
    for (int64_t i = 0; i < n; i++)
        by[i] = (slotted){p->source[i], i};
    qsort(by, (size_t)n, sizeof *by, by_index);
    for (int64_t i = 0; i < left->nsource; i++) {
        slotted wanted = {left->source[i] + 1, 0},
                *found = n ? bsearch(&wanted, by, (size_t)n, sizeof *by, by_index) : NULL;
        slot[i] = found ? (int32_t)found->slot : -1;
    }
    free(by);
    return slot;
}

static int renumber_sources(const h3ou__plan *p, h3ou__remainder *left)
{
    h3ou__gradient *g = left->gradient;
    int32_t *slot = slots_of(p, left);
    if (!slot)
        return h3ou__no_memory("the plan of an exchange");
    bool all = true;
    for (int64_t i = 0; i < g->ncell; i++)
        all &= (g->cell[i] = slot[g->cell[i]]) >= 0;
    for (int64_t k = 0; k < g->start[g->ncell]; k++)
        all &= (g->stencil[k] = slot[g->stencil[k]]) >= 0;
    free(slot);
    return all ? H3OU__OK : h3ou__fail(H3OU__EPROTO, "a source cell of a limited gradient is in no row of the weights");
}

/* Rows stand in the order of the cells' numbers: put them where the model has the cells. */
static int reorder_rows(const h3ou__grid *grid, h3ou__gradient *g)
{
    int64_t links = g->link[g->nrow], n = 0;
    int64_t *cell = malloc(sizeof *cell * (size_t)(g->nrow + 1)), *link = malloc(sizeof *link * (size_t)(g->nrow + 1));
    int32_t *of = malloc(sizeof *of * (size_t)(links + 1));
    double *number[3];
    const double *old[3] = {g->share, g->dx, g->dy};
    bool ok = cell && link && of;
    for (int k = 0; k < 3; k++)
        ok &= (number[k] = malloc(sizeof(double) * (size_t)(links + 1))) != NULL;
    for (int64_t i = 0; i < g->nrow && ok; i++)
        cell[grid->order[i]] = i;
    for (int64_t r = 0; r < g->nrow && ok; r++) {
        int64_t from = g->link[cell[r]], count = g->link[cell[r] + 1] - from;
        link[r] = n;
        memcpy(of + n, g->of + from, sizeof *of * (size_t)count);
        for (int k = 0; k < 3; k++)
            memcpy(number[k] + n, old[k] + from, sizeof(double) * (size_t)count);
        n += count;
    }
    free(cell);
    if (!ok) {
        free(link);
        free(of);
        for (int k = 0; k < 3; k++)
            free(number[k]);
        return h3ou__no_memory("the plan of an exchange");
    }
    link[g->nrow] = n;
    free(g->link);
    free(g->of);
    free(g->share);
    free(g->dx);
    free(g->dy);
    g->link = link;
    g->of = of;
    g->share = number[0];
    g->dx = number[1];
    g->dy = number[2];
    return H3OU__OK;
}

int h3ou__plan_keep_remainder(h3ou__plan *p, const h3ou__grid *grid, h3ou__remainder *left)
{
    int err = H3OU__OK;
    p->is_made = true;
    if (left->gradient && (err = renumber_sources(p, left)) == H3OU__OK)
        err = reorder_rows(grid, left->gradient);
    p->left = *left;
    memset(left, 0, sizeof *left);
    return err;
}
