/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/deal_to_owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"
#include "coupler/common/message_tags.h"

struct h3ou__dealer {
    const h3ou__grid *grid;
    h3ou__comm *local;
    int width;
    int64_t room;           /* items of `item` */
    int64_t *item;          /* in the order of their owners */
    int32_t *owner, *place; /* first process: [grid->last + 1] by index; an owner is -1 where nobody holds the cell */
    int *to;                /* first process: [most] owners of the items */
    int64_t *count, *start; /* first process: [size], [size + 1] items of each owner, and where they stand */
    h3ou__req *req;         /* first process: [2 * size] */
};

static const char what_cells[] = "the cells of a process";
static const char what_items[] = "items for the owners of cells";

int h3ou__dealer_suits(const h3ou__grid *g, h3ou__comm *local, int64_t items, bool *suits)
{
    const int64_t SPARSE = 4; /* indices for each item: their memory is that of an item */
    int err = h3ou__parts_are_dense(local, suits);
    *suits = *suits && h3ou__comm_size(local) > 1 && g->last / SPARSE <= items;
    return err;
}

static int send_numbers(h3ou__dealer *d, int peer, const int64_t number[], int64_t n, const char *what)
{
    h3ou__req req;
    int err = h3ou__isend(d->local, peer, H3OU__TAG_PARTS, number, n, H3OU__INT64, what, &req);
    return err ? err : h3ou__waitall(h3ou__comm_world(d->local), 1, &req);
}

static int receive_numbers(h3ou__dealer *d, int peer, int64_t number[], int64_t n, const char *what)
{
    h3ou__req req;
    int err = h3ou__irecv(d->local, peer, H3OU__TAG_PARTS, number, n, H3OU__INT64, what, &req);
    return err ? err : h3ou__waitall(h3ou__comm_world(d->local), 1, &req);
}

static void note_owner(h3ou__dealer *d, int rank, int64_t n, const int64_t index[])
{
    for (int64_t i = 0; i < n; i++) {
        d->owner[index[i]] = rank;
        d->place[index[i]] = (int32_t)i;
    }
}

/* Learns which cells each process holds. */
static int learn_owners(h3ou__dealer *d)
{
    int64_t *index = NULL, n;
    int err = H3OU__OK;
    for (int64_t i = 0; i <= d->grid->last; i++)
        d->owner[i] = -1;
    note_owner(d, 0, d->grid->n, d->grid->index);
    for (int rank = 1; rank < h3ou__comm_size(d->local) && !err; rank++) {
        err = receive_numbers(d, rank, &n, 1, what_cells);
        if (!err && !h3ou__resize(&index, sizeof *index, n + 1))
            err = h3ou__no_memory(what_cells);
        if (!err)
            err = receive_numbers(d, rank, index, n, what_cells);
        if (!err)
            note_owner(d, rank, n, index);
    }
    free(index);
    return err;
}

/* Takes the memory that only the first process needs. */
static bool has_arrays(h3ou__dealer *d, int64_t most)
{
    size_t indices = (size_t)d->grid->last + 1, size = (size_t)h3ou__comm_size(d->local);
    d->owner = h3ou__heap_array((int64_t)indices, sizeof *d->owner);
    d->place = h3ou__heap_array((int64_t)indices, sizeof *d->place);
    d->to = malloc(sizeof *d->to * (size_t)(most + 1));
    d->count = malloc(sizeof *d->count * size);
    d->start = malloc(sizeof *d->start * (size + 1));
    d->req = malloc(sizeof *d->req * 2 * size);
    return d->owner && d->place && d->to && d->count && d->start && d->req &&
           h3ou__grow(&d->item, sizeof *d->item * (size_t)d->width, &d->room, most + 1);
}

int h3ou__dealer_open(const h3ou__grid *g, h3ou__comm *local, int width, int64_t most, h3ou__dealer **out)
{
    h3ou__dealer *d = *out = calloc(1, sizeof *d);
    if (!d)
        return h3ou__no_memory(what_items);
    d->grid = g;
    d->local = local;
    d->width = width;
    if (h3ou__comm_rank(local) == 0)
        return has_arrays(d, most) ? learn_owners(d) : h3ou__no_memory(what_items);
    int err = send_numbers(d, 0, &g->n, 1, what_cells);
    return err ? err : send_numbers(d, 0, g->index, g->n, what_cells);
}

/* Finds the owner of each item, and counts those of each owner. */
static int count_items(h3ou__dealer *d, int64_t n, const int64_t item[], h3ou__no_owner *no_owner)
{
    int size = h3ou__comm_size(d->local);
    memset(d->count, 0, sizeof *d->count * (size_t)size);
    for (int64_t i = 0; i < n; i++) {
        int64_t index = item[i * d->width];
        d->to[i] = index >= 0 && index <= d->grid->last ? d->owner[index] : -1;
        if (d->to[i] < 0)
            return no_owner(d->grid, item + i * d->width);
        d->count[d->to[i]]++;
    }
    d->start[0] = 0;
    for (int rank = 0; rank < size; rank++)
        d->start[rank + 1] = d->start[rank] + d->count[rank];
    return H3OU__OK;
}

static void sort_items(h3ou__dealer *d, int64_t n, const int64_t item[])
{
    size_t width = (size_t)d->width;
    for (int64_t i = 0; i < n; i++, item += width) {
        int64_t *to = d->item + width * (size_t)d->start[d->to[i]]++;
        memcpy(to, item, sizeof *item * width);
        to[0] = d->place[item[0]];
    }
    for (int rank = h3ou__comm_size(d->local) - 1; rank >= 0; rank--)
        d->start[rank] -= d->count[rank];
}

int h3ou__dealer_pass(h3ou__dealer *d, int64_t n, const int64_t item[], h3ou__no_owner *no_owner, const int64_t **mine,
                      int64_t *nmine)
{
    int sent = 0, err = count_items(d, n, item, no_owner);
    if (err)
        return err;
    sort_items(d, n, item);
    for (int rank = 1; rank < h3ou__comm_size(d->local) && !err; rank++) {
        if (d->count[rank] == 0)
            continue;
        err = h3ou__isend(d->local, rank, H3OU__TAG_PARTS, &d->count[rank], 1, H3OU__INT64, what_items, &d->req[sent]);
        sent += !err;
        if (err)
            break;
        err = h3ou__isend(d->local, rank, H3OU__TAG_PARTS, d->item + d->width * d->start[rank],
                          d->width * d->count[rank], H3OU__INT64, what_items, &d->req[sent]);
        sent += !err;
    }
    *mine = d->item;
    *nmine = d->count[0];
    return err ? err : h3ou__waitall(h3ou__comm_world(d->local), sent, d->req);
}

int h3ou__dealer_end(h3ou__dealer *d)
{
    static const int64_t none = 0;
    int sent = 0, err = H3OU__OK;
    for (int rank = 1; rank < h3ou__comm_size(d->local) && !err; rank++) {
        err = h3ou__isend(d->local, rank, H3OU__TAG_PARTS, &none, 1, H3OU__INT64, what_items, &d->req[sent]);
        sent += !err;
    }
    return err ? err : h3ou__waitall(h3ou__comm_world(d->local), sent, d->req);
}

int h3ou__dealer_take(h3ou__dealer *d, const int64_t **item, int64_t *n)
{
    int err = receive_numbers(d, 0, n, 1, what_items);
    if (err || *n == 0)
        return err;
    if (!h3ou__grow(&d->item, sizeof *d->item * (size_t)d->width, &d->room, *n))
        return h3ou__no_memory(what_items);
    *item = d->item;
    return receive_numbers(d, 0, d->item, d->width * *n, what_items);
}

void h3ou__dealer_close(h3ou__dealer *d)
{
    if (!d)
        return;
    free(d->item);
    free(d->owner);
    free(d->place);
    free(d->to);
    free(d->count);
    free(d->start);
    free(d->req);
    free(d);
}
