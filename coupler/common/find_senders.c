/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/find_senders.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_tags.h"

static const char what_counts[] = "who sends how much to whom";

enum { SENDER, RECEIVER, COUNT, WIDTH };

typedef struct notes { /* of WIDTH numbers each */
    int64_t n, room, *item;
} notes;

static int notes_reserve(notes *all, int64_t more)
{
    return h3ou__grow(&all->item, WIDTH * sizeof *all->item, &all->room, all->n + more)
               ? H3OU__OK
               : h3ou__no_memory("the plan of an exchange");
}

/* Moves the notes whose way is an odd multiple of `step`, after smaller steps were made, from `all` to `away`. */
static int part_notes(notes *all, notes *away, int rank, int size, int step)
{
    int64_t kept = 0;
    away->n = 0;
    int err = notes_reserve(away, all->n);
    for (int64_t i = 0; i < all->n && !err; i++) {
        const int64_t *one = all->item + WIDTH * i;
        int way = ((int)one[RECEIVER] - rank + size) % size;
        notes *to = way & step ? away : all;
        memmove(to->item + WIDTH * (to == all ? kept++ : to->n++), one, WIDTH * sizeof *one);
    }
    all->n = err ? all->n : kept;
    return err;
}

/* Passes `away` on to the process `step` ranks above, and adds what comes from the one below. */
static int pass_notes(h3ou__comm *local, const notes *away, notes *all, int step)
{
    int rank = h3ou__comm_rank(local), size = h3ou__comm_size(local), n = 0;
    int above = (int)(((int64_t)rank + step) % size), below = (int)(((int64_t)rank + size - step) % size);
    int64_t come = 0;
    h3ou__req req[2];
    int err = h3ou__irecv(local, below, H3OU__TAG_PARTS, &come, 1, H3OU__INT64, what_counts, &req[0]);
    if (!err)
        err = h3ou__isend(local, above, H3OU__TAG_PARTS, &away->n, 1, H3OU__INT64, what_counts, &req[1]);
    if (!err)
        err = h3ou__waitall(h3ou__comm_world(local), 2, req);
    if (!err)
        err = notes_reserve(all, come);
    if (!err && come > 0)
        err = h3ou__irecv(local, below, H3OU__TAG_PARTS, all->item + WIDTH * all->n, WIDTH * come, H3OU__INT64,
                          what_counts, &req[n++]);
    if (!err && away->n > 0)
        err = h3ou__isend(local, above, H3OU__TAG_PARTS, away->item, WIDTH * away->n, H3OU__INT64, what_counts,
                          &req[n++]);
    all->n += err ? 0 : come;
    return err ? err : h3ou__waitall(h3ou__comm_world(local), n, req);
}

int h3ou__find_senders(h3ou__comm *local, const h3ou__parts *out, h3ou__parts *in)
{
    int rank = h3ou__comm_rank(local), size = h3ou__comm_size(local);
    notes all = {0}, away = {0};
    int err = notes_reserve(&all, out->n);
    for (int k = 0; k < out->n && !err; k++)
        memcpy(all.item + WIDTH * all.n++, (int64_t[WIDTH]){rank, out->rank[k], out->count[k]}, WIDTH * sizeof *all.item);
    for (int64_t step = 1; step < size && !err; step *= 2) {
        err = part_notes(&all, &away, rank, size, (int)step);
        if (!err)
            err = pass_notes(local, &away, &all, (int)step);
    }
    if (!err && all.n > 1)
        qsort(all.item, (size_t)all.n, WIDTH * sizeof *all.item, h3ou__compare_int64);
    for (int64_t i = 0; i < all.n && !err; i++)
        err = h3ou__parts_append(in, (int)all.item[WIDTH * i + SENDER], all.item[WIDTH * i + COUNT]);
    free(all.item);
    free(away.item);
    return err;
}
