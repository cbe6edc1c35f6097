/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "comm/collective/collective.h"
#include "coupler/common/redistribute.h"

static int check_unique(const h3ou__grid *g)
{
    h3ou__index_set all = {0};
    int64_t twice;
    int err = h3ou__index_set_add_all(&all, g->n, g->index, 1, &twice);
    h3ou__index_set_free(&all);
    if (!err && twice >= 0)
        return h3ou__fail(H3OU__EINDEX,
                          "grid %s: index %" PRId64 " is given twice by this process: a cell belongs to one "
                          "process, once; leave halo cells out",
                          g->name, g->index[twice]);
    return err;
}

int h3ou__grid_create(const char *name, const int index[], int64_t n, int nz, h3ou__grid **out)
{
    int err;
    h3ou__grid *g = calloc(1, sizeof *g);
    if (!g || !(g->index = h3ou__heap_array(n, sizeof *g->index))) {
        err = h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for %" PRId64 " cells", name, n);
        goto fail;
    }
    strncpy(g->name, name, H3OU__NAME);
    g->nz = nz;
    g->n = n;
    for (int64_t i = 0; i < n; i++) {
        if (index[i] < 1) {
            err =
                h3ou__fail(H3OU__EINDEX, "grid %s: index %d of cell %" PRId64 " is out of range: indices count from 1",
                           name, index[i], i + 1);
            goto fail;
        }
        g->index[i] = index[i];
    }
    if ((err = check_unique(g)) != H3OU__OK)
        goto fail;
    *out = g;
    return H3OU__OK;
fail:
    h3ou__grid_free(g);
    return err;
}

void h3ou__grid_free(h3ou__grid *g)
{
    if (!g)
        return;
    free(g->index);
    h3ou__index_set_free(&g->kept);
    free(g->owner);
    free(g->place);
    free(g->order);
    free(g->area);
    h3ou__cells_free(g->cells);
    h3ou__regular_grid_free(&g->boxes);
    h3ou__geometry_free(&g->geometry);
    h3ou__positions_free(&g->positions);
    free(g);
}

static int fail_two_owners(const h3ou__grid *g, int64_t index, int a, int b)
{
    return h3ou__fail(H3OU__EINDEX,
                      "grid %s: index %" PRId64 " is given twice, by ranks %d and %d: a cell belongs to one process", g->name,
                      index, a, b);
}

/* Stores the received {index, place} as entries; the owner's rank follows from the order of arrival. */
static int keep_entries(h3ou__grid *g, int64_t first, const h3ou__redistribution *d)
{
    bool is_new;
    int err = H3OU__OK;
    for (int64_t i = 0; i < d->ngot && !err; i++)
        err = h3ou__index_set_add(&g->kept, d->item[2 * i] - first, &is_new);
    if (err)
        return err;
    h3ou__index_set_count(&g->kept);
    g->first = first;
    g->owner = h3ou__heap_array(g->kept.n, sizeof *g->owner);
    g->place = h3ou__heap_array(g->kept.n, sizeof *g->place);
    if (!g->owner || !g->place)
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its directory", g->name);
    for (int64_t i = 0; i < g->kept.n; i++)
        g->owner[i] = -1;
    const int64_t *item = d->item;
    for (int r = 0; r < d->from.n; r++)
        for (int64_t k = 0; k < d->from.count[r]; k++, item += 2) {
            int64_t at = h3ou__index_set_place(&g->kept, item[0] - first);
            if (g->owner[at] >= 0)
                return fail_two_owners(g, item[0], g->owner[at], d->from.rank[r]);
            g->owner[at] = d->from.rank[r];
            g->place[at] = (int32_t)item[1];
        }
    return H3OU__OK;
}

int h3ou__grid_register(h3ou__grid *g, h3ou__comm *local)
{
    h3ou__redistribution d = {0};
    int64_t mine = 0;
    for (int64_t i = 0; i < g->n; i++)
        mine = g->index[i] > mine ? g->index[i] : mine;
    int err = h3ou__allreduce(local, &mine, &g->last, 1, H3OU__INT64, H3OU__MAX);
    if (err)
        return h3ou__fail_in(err, "grid %s", g->name);
    int size = h3ou__comm_size(local);
    g->block = (g->last + size - 1) / size;
    int *to = h3ou__heap_array(g->n, sizeof *to);
    int64_t *item = h3ou__heap_array(g->n, 2 * sizeof *item);
    if (!to || !item) {
        err = h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its directory", g->name);
        goto done;
    }
    for (int64_t i = 0; i < g->n; i++) {
        to[i] = h3ou__grid_keeper(g, g->index[i]);
        item[2 * i] = g->index[i];
        item[2 * i + 1] = i;
    }
    if ((err = h3ou__redistribute(local, g->n, to, 2, item, &d)) == H3OU__OK)
        err = keep_entries(g, h3ou__comm_rank(local) * g->block + 1, &d);
done:
    h3ou__redistribution_free(&d);
    free(to);
    free(item);
    return err;
}

int h3ou__grid_keeper(const h3ou__grid *g, int64_t index)
{
    return index < 1 || index > g->last ? -1 : (int)((index - 1) / g->block);
}

bool h3ou__grid_owner(const h3ou__grid *g, int64_t index, int *rank, int64_t *place)
{
    int64_t at = h3ou__index_set_place(&g->kept, index - g->first);
    if (at < 0)
        return false;
    *rank = g->owner[at];
    *place = g->place[at];
    return true;
}
