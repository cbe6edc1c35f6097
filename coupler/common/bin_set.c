/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/bin_set.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

enum { WORD = 64 };

int h3ou__bin_set_create(int level, h3ou__bin_set *out)
{
    int64_t side = INT64_C(1) << level, words = (side + WORD - 1) / WORD;
    *out = (h3ou__bin_set){.level = level, .words = words, .nword = 6 * side * words};
    out->word = calloc((size_t)out->nword, sizeof *out->word);
    return out->word ? H3OU__OK : h3ou__no_memory("a search");
}

void h3ou__bin_set_free(h3ou__bin_set *s)
{
    free(s->word);
    *s = (h3ou__bin_set){0};
}

static uint64_t *row_of(const h3ou__bin_set *s, int face, int64_t row)
{
    return s->word + (((int64_t)face << s->level) + row) * s->words;
}

void h3ou__bin_set_add(h3ou__bin_set *s, int64_t bin)
{
    int face;
    int64_t column, row;
    h3ou__sphere_bins_place(s->level, bin, &face, &column, &row);
    row_of(s, face, row)[column / WORD] |= UINT64_C(1) << column % WORD;
}

void h3ou__bin_set_add_rectangle(h3ou__bin_set *s, const h3ou__bin_rectangle *r)
{
    int64_t first = r->column[0] / WORD, last = r->column[1] / WORD;
    uint64_t from = UINT64_MAX << r->column[0] % WORD, to = UINT64_MAX >> (WORD - 1 - r->column[1] % WORD);
    for (int64_t row = r->row[0]; row <= r->row[1]; row++) {
        uint64_t *word = row_of(s, r->face, row);
        for (int64_t k = first; k <= last; k++)
            word[k] |= (k == first ? from : UINT64_MAX) & (k == last ? to : UINT64_MAX);
    }
}

int h3ou__bin_set_list_new(const h3ou__bin_set *s, h3ou__bin_set *known, int64_t **list, int64_t *n)
{
    int64_t side = INT64_C(1) << s->level, count = 0;
    for (int64_t k = 0; k < s->nword; k++)
        count += __builtin_popcountll(s->word[k] & ~known->word[k]);
    *n = 0;
    if (!(*list = malloc(sizeof **list * (size_t)(count + 1))))
        return h3ou__no_memory("a search");
    for (int64_t k = 0; k < s->nword; k++) {
        int64_t row = k / s->words, first = k % s->words * WORD;
        for (uint64_t left = s->word[k] & ~known->word[k]; left; left &= left - 1)
            (*list)[(*n)++] =
                h3ou__sphere_bins_at(s->level, (int)(row / side), first + __builtin_ctzll(left), row % side);
        known->word[k] |= s->word[k];
    }
    return H3OU__OK;
}
