/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/redistribute.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/index_set.h"

static bool is_ascending(const int to[], int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (to[i] < to[i - 1])
            return false;
    return true;
}

/* Lists the receivers of items that are in their order. */
static int list_runs(h3ou__redistribution *d, const int to[])
{
    int err = H3OU__OK;
    for (int64_t i = 0, end; i < d->nsent && !err; i = end) {
        for (end = i + 1; end < d->nsent && to[end] == to[i]; end++)
            ;
        err = h3ou__parts_append(&d->to, to[i], end - i);
    }
    return err;
}

/* Sets d->order and d->to by a stable counting sort by receiver. */
static int count_items(h3ou__redistribution *d, const int to[], const h3ou__index_set *receivers)
{
    int64_t *next = calloc((size_t)receivers->n + 1, sizeof *next), *rank = malloc(sizeof *rank * (size_t)(receivers->n + 1)), start = 0;
    d->order = malloc(sizeof *d->order * (size_t)(d->nsent + 1));
    int err = next && rank && d->order ? H3OU__OK : h3ou__no_memory("the plan of an exchange");
    if (!err)
        h3ou__index_set_list(receivers, rank);
    for (int64_t i = 0; i < d->nsent && !err; i++)
        next[h3ou__index_set_place(receivers, to[i])]++;
    for (int64_t k = 0; k < receivers->n && !err; k++) {
        int64_t count = next[k];
        next[k] = start;
        start += count;
        err = h3ou__parts_append(&d->to, (int)rank[k], count);
    }
    for (int64_t i = 0; i < d->nsent && !err; i++)
        d->order[i] = next[h3ou__index_set_place(receivers, to[i])]++;
    free(next);
    free(rank);
    return err;
}

static int sort_by_receiver(h3ou__redistribution *d, const int to[])
{
    h3ou__index_set receivers = {0};
    int err = H3OU__OK;
    bool is_new;
    if (is_ascending(to, d->nsent))
        return list_runs(d, to);
    for (int64_t i = 0; i < d->nsent && !err; i++)
        err = h3ou__index_set_add(&receivers, to[i], &is_new);
    h3ou__index_set_count(&receivers);
    if (!err)
        err = count_items(d, to, &receivers);
    h3ou__index_set_free(&receivers);
    return err;
}

/* Returns the items in the order of their receivers; the caller frees them. */
static int64_t *pack_items(const h3ou__redistribution *d, int width, const int64_t item[])
{
    int64_t *packed = malloc(sizeof *packed * (size_t)(d->nsent * width + 1));
    for (int64_t i = 0; i < d->nsent && packed; i++)
        memcpy(packed + d->order[i] * width, item + i * width, sizeof *item * (size_t)width);
    return packed;
}

int h3ou__redistribute(h3ou__comm *local, int64_t n, const int to[], int width, const int64_t item[],
                       h3ou__redistribution *d)
{
    int64_t *packed = NULL;
    void *got = NULL;
    memset(d, 0, sizeof *d);
    d->nsent = n;
    int err = sort_by_receiver(d, to);
    if (!err && d->order && !(packed = pack_items(d, width, item)))
        err = h3ou__no_memory("the plan of an exchange");
    if (!err)
        err = h3ou__parts_exchange(local, &d->to, packed ? packed : item, width, H3OU__INT64, &d->from, false, &got);
    for (int k = 0; k < d->from.n && !err; k++)
        d->ngot += d->from.count[k];
    d->item = got;
    free(packed);
    return err;
}

int h3ou__redistribute_back(h3ou__comm *local, const h3ou__redistribution *d, const int64_t reply[], int64_t **answer)
{
    void *packed = NULL;
    h3ou__parts to = d->to;
    int err = h3ou__parts_exchange(local, &d->from, reply, 1, H3OU__INT64, &to, true, &packed);
    if (err)
        return err;
    int64_t *out = packed;
    if (d->order && (out = malloc(sizeof *out * (size_t)(d->nsent + 1)))) {
        for (int64_t i = 0; i < d->nsent; i++)
            out[i] = ((int64_t *)packed)[d->order[i]];
    }
    if (d->order)
        free(packed);
    if (!out)
        return h3ou__no_memory("the plan of an exchange");
    *answer = out;
    return H3OU__OK;
}

void h3ou__redistribution_free(h3ou__redistribution *d)
{
    free(d->order);
    h3ou__parts_free(&d->to);
    h3ou__parts_free(&d->from);
    free(d->item);
    memset(d, 0, sizeof *d);
}
