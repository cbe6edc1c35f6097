/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/search/number_pairs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

typedef struct pair {
    int64_t number[2];
} pair;

int h3ou__pairs_add(h3ou__pairs *p, int64_t a, int64_t b)
{
    if (!h3ou__grow(&p->item, 2 * sizeof *p->item, &p->room, p->n + 1))
        return h3ou__no_memory("the cells of the other grid");
    p->item[2 * p->n] = a;
    p->item[2 * p->n++ + 1] = b;
    return H3OU__OK;
}

/* Returns whether each pair comes after the one before it. */
static bool ascends(int64_t n, const pair p[])
{
    for (int64_t i = 1; i < n; i++)
        if (p[i - 1].number[0] > p[i].number[0] ||
            (p[i - 1].number[0] == p[i].number[0] && p[i - 1].number[1] >= p[i].number[1]))
            return false;
    return true;
}

/* Radix sort by one of both numbers, least digit first. Returns where the pairs stand then, in p or in spare. */
static pair *sort_by(int which, int64_t n, pair *p, pair *spare)
{
    enum { BITS = 11, MASK = (1 << BITS) - 1 };
    int64_t most = 0;
    bool is_sorted = true;
    for (int64_t i = 0; i < n; i++) {
        is_sorted &= i == 0 || p[i - 1].number[which] <= p[i].number[which];
        most = p[i].number[which] > most ? p[i].number[which] : most;
    }
    for (int shift = 0; !is_sorted && most >> shift > 0; shift += BITS) {
        int64_t at[MASK + 2] = {0};
        for (int64_t i = 0; i < n; i++)
            at[(p[i].number[which] >> shift & MASK) + 1]++;
        for (int k = 0; k < MASK; k++)
            at[k + 1] += at[k];
        for (int64_t i = 0; i < n; i++)
            spare[at[p[i].number[which] >> shift & MASK]++] = p[i];
        pair *keep = p;
        p = spare;
        spare = keep;
    }
    return p;
}

int h3ou__pairs_sort(h3ou__pairs *p)
{
    pair *item = (pair *)p->item;
    if (ascends(p->n, item))
        return H3OU__OK;
    pair *spare = malloc(sizeof *spare * (size_t)p->n);
    if (!spare)
        return h3ou__no_memory("the cells of the other grid");
    pair *by_second = sort_by(1, p->n, item, spare);
    pair *sorted = sort_by(0, p->n, by_second, by_second == item ? spare : item);
    int64_t kept = 0;
    for (int64_t i = 0; i < p->n; i++)
        if (i == 0 || memcmp(&sorted[i], &sorted[i - 1], sizeof *sorted) != 0)
            item[kept++] = sorted[i]; /* kept <= i: nothing that is still read is overwritten */
    p->n = kept;
    free(spare);
    return H3OU__OK;
}

int64_t h3ou__pairs_first(const h3ou__pairs *p, int64_t a)
{
    int64_t low = 0, high = p->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (p->item[2 * middle] < a)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
