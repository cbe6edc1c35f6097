/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/array/placed_cells.h"

#include <stdlib.h>

/* Returns whether cells stand at the same elements of the first layer in both. */
static bool are_alike(const h3ou__place *a, const h3ou__place *b)
{
    return a->row == b->row && a->first == b->first && a->next_row == b->next_row && a->positions == b->positions &&
           a->next_high == b->next_high;
}

/* Sets at[i] to the element of cell[i]. Returns whether all fit. */
static bool place_list(const h3ou__place *place, int64_t count, const int32_t cell[], int32_t at[])
{
    bool fits = true;
    for (int64_t i = 0; i < count; i++) {
        int64_t element = h3ou__place_of(place, cell[i]);
        fits &= element <= INT32_MAX;
        at[i] = (int32_t)element;
    }
    return fits;
}

const h3ou__picked *h3ou__placed_cells_find(h3ou__placed_cells *p, const h3ou__place *place, int lists,
                                            const h3ou__picked list[])
{
    int64_t all = 0;
    bool fits = true;
    if (p->list && are_alike(&p->place, place))
        return p->list;
    h3ou__placed_cells_free(p);
    for (int k = 0; k < lists; k++)
        all += list[k].count;
    p->place = *place;
    p->at = malloc(sizeof *p->at * (size_t)(all + 1));
    p->list = malloc(sizeof *p->list * ((size_t)lists + 1));
    int32_t *at = p->at;
    for (int k = 0; k < lists && fits && at && p->list; k++) {
        fits = place_list(place, list[k].count, list[k].at, at);
        p->list[k] = h3ou__picked_of(at, list[k].count);
        at += list[k].count;
    }
    if (!fits || !at || !p->list)
        h3ou__placed_cells_free(p);
    return p->list;
}

void h3ou__placed_cells_free(h3ou__placed_cells *p)
{
    free(p->list);
    free(p->at);
    *p = (h3ou__placed_cells){0};
}

/* Returns whether row i begins a run. */
static bool begins_run(const int64_t at[], int64_t i)
{
    return i == 0 || at[i] != at[i - 1] + 1;
}

/* Lists the runs of so many rows, unless they are short: then to begin and end each takes longer than to compute rows
 * aside. Returns false if memory is short. */
static bool list_runs(h3ou__placed_rows *p, int64_t count)
{
    enum { LEAST = 64 };
    for (int64_t i = 0; i < count; i++)
        p->nrun += begins_run(p->at, i);
    if (p->nrun > count / LEAST) {
        p->nrun = 0;
        return true;
    }
    p->run = malloc(sizeof *p->run * (size_t)(p->nrun + 1));
    for (int64_t i = 0, k = 0; i < count && p->run; i++)
        if (begins_run(p->at, i))
            p->run[k++] = i;
    return p->run != NULL;
}

bool h3ou__placed_rows_find(h3ou__placed_rows *p, const h3ou__place *place, int columns, int64_t count,
                            const int64_t cell[])
{
    if (p->at && p->columns == columns && are_alike(&p->place, place))
        return p->ascends;
    h3ou__placed_rows_free(p);
    p->at = malloc(sizeof *p->at * (size_t)(count + 1));
    if (!p->at)
        return false;
    p->place = *place;
    p->columns = columns;
    p->ascends = true;
    for (int64_t i = 0; i < count; i++) {
        p->at[i] = h3ou__place_of(place, cell[i]) / columns;
        p->ascends &= i == 0 || p->at[i] > p->at[i - 1];
    }
    if (p->ascends && !list_runs(p, count))
        h3ou__placed_rows_free(p);
    return p->ascends;
}

void h3ou__placed_rows_free(h3ou__placed_rows *p)
{
    free(p->at);
    free(p->run);
    *p = (h3ou__placed_rows){0};
}
