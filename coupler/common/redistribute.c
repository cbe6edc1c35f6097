/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/redistribute.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

/* Sets d->order, the place of each item in the send buffer, by a stable counting sort by receiver. */
static int sort_by_receiver(h3ou__redistribution *d, const int to[])
{
    int64_t *next = malloc(sizeof *next * (size_t)d->size);
    if (!next)
        return h3ou__no_memory("the plan of an exchange");
    for (int64_t i = 0; i < d->nsent; i++)
        d->sent[to[i]]++;
    int64_t start = 0;
    for (int r = 0; r < d->size; r++) {
        next[r] = start;
        start += d->sent[r];
    }
    for (int64_t i = 0; i < d->nsent; i++)
        d->order[i] = next[to[i]]++;
    free(next);
    return H3OU__OK;
}

int h3ou__redistribute(h3ou__comm *local, int64_t n, const int to[], int width, const int64_t item[],
                       h3ou__redistribution *d)
{
    int err;
    int64_t *packed = NULL;
    void *got = NULL;
    memset(d, 0, sizeof *d);
    d->size = h3ou__comm_size(local);
    d->nsent = n;
    d->order = malloc(sizeof *d->order * (size_t)(n + 1));
    d->sent = calloc((size_t)d->size, sizeof *d->sent);
    d->got = calloc((size_t)d->size, sizeof *d->got);
    packed = malloc(sizeof *packed * (size_t)(n * width + 1));
    if (!d->order || !d->sent || !d->got || !packed) {
        err = h3ou__no_memory("the plan of an exchange");
        goto done;
    }
    if ((err = sort_by_receiver(d, to)) != H3OU__OK)
        goto done;
    for (int64_t i = 0; i < n; i++)
        memcpy(packed + d->order[i] * width, item + i * width, sizeof *item * (size_t)width);
    for (int r = 0; r < d->size; r++)
        d->sent[r] *= width;
    err = h3ou__alltoallv(local, packed, d->sent, H3OU__INT64, &got, d->got);
    for (int r = 0; r < d->size; r++) {
        d->sent[r] /= width;
        d->got[r] /= width;
        d->ngot += err ? 0 : d->got[r];
    }
    d->item = got;
done:
    free(packed);
    return err;
}

int h3ou__redistribute_back(h3ou__comm *local, const h3ou__redistribution *d, const int64_t reply[], int64_t **answer)
{
    int err = H3OU__OK;
    void *packed = NULL;
    int64_t *out = malloc(sizeof *out * (size_t)(d->nsent + 1));
    int64_t *counts = malloc(sizeof *counts * (size_t)d->size);
    if (!out || !counts) {
        err = h3ou__no_memory("the plan of an exchange");
        goto fail;
    }
    if ((err = h3ou__alltoallv(local, reply, d->got, H3OU__INT64, &packed, counts)) != H3OU__OK)
        goto fail;
    for (int64_t i = 0; i < d->nsent; i++)
        out[i] = ((int64_t *)packed)[d->order[i]];
    free(packed);
    free(counts);
    *answer = out;
    return H3OU__OK;
fail:
    free(out);
    free(counts);
    return err;
}

void h3ou__redistribution_free(h3ou__redistribution *d)
{
    free(d->order);
    free(d->sent);
    free(d->got);
    free(d->item);
    memset(d, 0, sizeof *d);
}
