/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/made_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou__made_rows_create(int64_t nsource, const int64_t id[], const int64_t owner[], h3ou__made_rows **out)
{
    h3ou__made_rows *r = calloc(1, sizeof *r);
    if (!r || !h3ou__resize(&r->source, sizeof *r->source, nsource) ||
        !h3ou__resize(&r->owner, sizeof *r->owner, nsource)) {
        h3ou__made_rows_free(r);
        return h3ou__no_memory("weights");
    }
    for (int64_t i = 0; i < nsource; i++) {
        r->source[i] = id[i] + 1;
        r->owner[i] = owner[i];
    }
    r->nsource = r->source_room = nsource;
    *out = r;
    return H3OU__OK;
}

void h3ou__made_rows_free(h3ou__made_rows *r)
{
    if (!r)
        return;
    free(r->source);
    free(r->owner);
    free(r->target);
    free(r->col);
    free(r->coef);
    free(r);
}

int h3ou__made_rows_reserve(h3ou__made_rows *r, int64_t links)
{
    int64_t room = r->n + links;
    if (room <= r->room)
        return H3OU__OK;
    if (!h3ou__resize(&r->target, sizeof *r->target, room) || !h3ou__resize(&r->col, sizeof *r->col, room) ||
        !h3ou__resize(&r->coef, sizeof *r->coef, room))
        return h3ou__no_memory("weights");
    r->room = room;
    return H3OU__OK;
}

int h3ou__made_rows_add_source(h3ou__made_rows *r, int64_t index, int64_t owner)
{
    int64_t room = h3ou__larger_room(r->source_room, r->nsource + 1);
    if (room != r->source_room) {
        if (!h3ou__resize(&r->source, sizeof *r->source, room) || !h3ou__resize(&r->owner, sizeof *r->owner, room))
            return h3ou__no_memory("weights");
        r->source_room = room;
    }
    r->source[r->nsource] = index;
    r->owner[r->nsource++] = owner;
    return H3OU__OK;
}

typedef struct used_source {
    int64_t index, owner, number;
} used_source;

static int by_index(const void *a, const void *b)
{
    const used_source *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* Returns the sources that links use, by ascending index, as those that the search found are already. number[source] is
 * -1 for all others. */
static used_source *used_sources(const h3ou__made_rows *r, int32_t *number, int64_t *n)
{
    bool ascends = true;
    int64_t used = 0;
    for (int64_t i = 0; i < r->nsource; i++)
        number[i] = -1;
    for (int64_t k = 0; k < r->n; k++)
        if (number[r->col[k]] < 0) {
            number[r->col[k]] = 0;
            used++;
        }
    used_source *list = malloc(sizeof *list * (size_t)(used + 1));
    *n = 0;
    for (int64_t i = 0; i < r->nsource && list; i++) {
        if (number[i] < 0)
            continue;
        ascends &= *n == 0 || list[*n - 1].index < r->source[i];
        list[(*n)++] = (used_source){r->source[i], r->owner[i], i};
    }
    if (list && !ascends)
        qsort(list, (size_t)*n, sizeof *list, by_index);
    return list;
}

int h3ou__made_rows_compact(h3ou__made_rows *r)
{
    int64_t n = 0;
    int32_t *number = malloc(sizeof *number * (size_t)(r->nsource + 1)); /* the new position of each source */
    used_source *list = number ? used_sources(r, number, &n) : NULL;
    if (!list) {
        free(number);
        return h3ou__no_memory("weights");
    }
    r->nsource = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || list[i].index != list[i - 1].index) {
            r->source[r->nsource] = list[i].index;
            r->owner[r->nsource++] = list[i].owner;
        }
        number[list[i].number] = (int32_t)(r->nsource - 1);
    }
    for (int64_t k = 0; k < r->n; k++)
        r->col[k] = number[r->col[k]];
    free(list);
    free(number);
    return H3OU__OK;
}

/* Counts into start[ncell + 1] where the links of each target cell begin. Returns how many cells have links. */
static int64_t count_links(const h3ou__made_rows *r, int64_t ncell, int64_t *start)
{
    int64_t nrow = 0;
    for (int64_t k = 0; k < r->n; k++)
        start[r->target[k] + 1]++;
    for (int64_t i = 0; i < ncell; i++) {
        nrow += start[i + 1] > 0;
        start[i + 1] += start[i];
    }
    return nrow;
}

/* Sorts the links by target cell, stably; next[cell] is where its next link goes. */
static int sort_links(const h3ou__made_rows *r, int64_t *next, h3ou__sparse *out)
{
    for (int64_t k = 0; k < r->n; k++) {
        if (!isfinite(r->coef[k]))
            return h3ou__fail(H3OU__EARG, "weights: the coefficient of source cell %" PRId64 " is not a finite number",
                              r->source[r->col[k]]);
        int64_t at = next[r->target[k]]++;
        out->col[at] = r->col[k];
        out->coef[at] = r->coef[k];
    }
    return H3OU__OK;
}

int h3ou__made_rows_to_sparse(const h3ou__made_rows *r, int64_t ncell, h3ou__sparse *out)
{
    int64_t *next = calloc((size_t)ncell + 1, sizeof *next);
    int64_t nrow = next ? count_links(r, ncell, next) : 0;
    out->row = malloc(sizeof *out->row * (size_t)(nrow + 1));
    out->start = malloc(sizeof *out->start * (size_t)(nrow + 1));
    out->col = malloc(sizeof *out->col * (size_t)(r->n + 1));
    out->coef = malloc(sizeof *out->coef * (size_t)(r->n + 1));
    if (!next || !out->row || !out->start || !out->col || !out->coef) {
        free(next);
        return h3ou__no_memory("weights");
    }
    for (int64_t i = 0; i < ncell; i++)
        if (next[i + 1] > next[i]) {
            out->row[out->nrow] = i;
            out->start[out->nrow++] = next[i];
        }
    out->start[out->nrow] = r->n;
    int err = sort_links(r, next, out);
    free(next);
    return err;
}

int h3ou__made_rows_to_links(const h3ou__made_rows *r, const int64_t index[], h3ou__cache_rows *links)
{
    int64_t room = links->n + r->n;
    if (!h3ou__resize(&links->send, sizeof *links->send, room) ||
        !h3ou__resize(&links->recv, sizeof *links->recv, room) ||
        !h3ou__resize(&links->coef, sizeof *links->coef, room))
        return h3ou__no_memory("weights");
    for (int64_t k = 0; k < r->n; k++) {
        links->send[links->n] = (int)r->source[r->col[k]];
        links->recv[links->n] = (int)index[r->target[k]];
        links->coef[links->n++] = r->coef[k];
    }
    return H3OU__OK;
}
