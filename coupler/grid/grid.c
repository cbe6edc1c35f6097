/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "coupler/common/redistribute.h"

static int check_unique(const h3ou__grid *g)
{
    int64_t *sorted = malloc(sizeof *sorted * (size_t)(g->n + 1));
    if (!sorted)
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for %" PRId64 " cells", g->name, g->n);
    memcpy(sorted, g->index, sizeof *sorted * (size_t)g->n);
    qsort(sorted, (size_t)g->n, sizeof *sorted, h3ou__compare_int64);
    int err = H3OU__OK;
    for (int64_t i = 1; i < g->n && !err; i++)
        if (sorted[i] == sorted[i - 1])
            err = h3ou__fail(H3OU__EINDEX,
                             "grid %s: index %" PRId64 " is given twice by this process: a cell belongs to one "
                             "process, once; leave halo cells out",
                             g->name, sorted[i]);
    free(sorted);
    return err;
}

int h3ou__grid_create(const char *name, const int index[], int64_t n, int nz, h3ou__grid **out)
{
    int err;
    h3ou__grid *g = calloc(1, sizeof *g);
    if (!g || !(g->index = malloc(sizeof *g->index * (size_t)(n + 1)))) {
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
    free(g->entry);
    free(g->order);
    h3ou__cells_free(g->cells);
    h3ou__regular_grid_free(&g->boxes);
    h3ou__geometry_free(&g->geometry);
    h3ou__positions_free(&g->positions);
    free(g);
}

/* Stores the received {index, place} as sorted entries; the owner's rank follows from the order of arrival. */
static int keep_entries(h3ou__grid *g, const h3ou__redistribution *d)
{
    g->entry = malloc(sizeof *g->entry * (size_t)(3 * d->ngot + 1));
    if (!g->entry)
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its directory", g->name);
    int64_t i = 0;
    for (int r = 0; r < d->size; r++)
        for (int64_t k = 0; k < d->got[r]; k++, i++) {
            g->entry[3 * i] = d->item[2 * i];
            g->entry[3 * i + 1] = r;
            g->entry[3 * i + 2] = d->item[2 * i + 1];
        }
    g->nentry = d->ngot;
    qsort(g->entry, (size_t)g->nentry, 3 * sizeof *g->entry, h3ou__compare_int64);
    for (i = 1; i < g->nentry; i++)
        if (g->entry[3 * i] == g->entry[3 * i - 3])
            return h3ou__fail(H3OU__EINDEX,
                              "grid %s: index %" PRId64 " is given twice, by ranks %" PRId64 " and %" PRId64
                              ": a cell belongs to one process",
                              g->name, g->entry[3 * i], g->entry[3 * i - 2], g->entry[3 * i + 1]);
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
    int *to = malloc(sizeof *to * (size_t)(g->n + 1));
    int64_t *item = malloc(sizeof *item * (size_t)(2 * g->n + 1));
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
        err = keep_entries(g, &d);
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

const int64_t *h3ou__grid_entry(const h3ou__grid *g, int64_t index)
{
    return bsearch(&index, g->entry, (size_t)g->nentry, 3 * sizeof *g->entry, h3ou__compare_int64);
}
