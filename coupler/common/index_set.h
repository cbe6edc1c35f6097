/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A set of numbers from 0 on, such as indices of cells, and the place of each of them in ascending order: what sorting
 * and searching would find, in a time that does not grow with the set. A bit stands for a number; the bits are kept in pages
 * of 2048, which take memory once one of their numbers is in the set.
 */
#ifndef H3OU_COUPLER_COMMON_INDEX_SET_H
#define H3OU_COUPLER_COMMON_INDEX_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { H3OU__INDEX_PAGE = 2048, H3OU__INDEX_WORDS = H3OU__INDEX_PAGE / 64 };

typedef struct h3ou__index_page {
    uint64_t bits[H3OU__INDEX_WORDS];
    int64_t before;                          /* members below the page's first number, after h3ou__index_set_count */
    uint16_t before_word[H3OU__INDEX_WORDS]; /* the same inside the page, below each word's first number */
} h3ou__index_page;

/* Begins as all zeros. */
typedef struct h3ou__index_set {
    int64_t nnumber;       /* numbers for which `which` has room / H3OU__INDEX_PAGE */
    int32_t *which;        /* [nnumber] place in `page` of the page of these numbers, plus 1; 0: there is none */
    int64_t npage, room;
    h3ou__index_page *page;
    int64_t n; /* members */
} h3ou__index_set;

/* Adds a number; *is_new: it was not in the set. H3OU__ENOMEM. */
int h3ou__index_set_add(h3ou__index_set *s, int64_t number, bool *is_new);
/* Adds all numbers of a list, minus `first`; *twice is the place in the list of one that was in the set before, else -1. */
int h3ou__index_set_add_all(h3ou__index_set *s, int64_t n, const int64_t number[], int64_t first, int64_t *twice);
/* To be called after the last number was added, and before the next two. */
void h3ou__index_set_count(h3ou__index_set *s);
/* Writes the members, ascending, to number[s->n]. */
void h3ou__index_set_list(const h3ou__index_set *s, int64_t number[]);
void h3ou__index_set_free(h3ou__index_set *s);

/* Returns how many members are less than a number that is in the set; -1: it is not. */
static inline int64_t h3ou__index_set_place(const h3ou__index_set *s, int64_t number)
{
    int64_t at = number / H3OU__INDEX_PAGE;
    if (number < 0 || at >= s->nnumber || !s->which[at])
        return -1;
    const h3ou__index_page *page = &s->page[s->which[at] - 1];
    int word = (int)(number % H3OU__INDEX_PAGE) / 64, bit = (int)(number % 64);
    if (!(page->bits[word] >> bit & 1))
        return -1;
    uint64_t below = page->bits[word] & ((UINT64_C(1) << bit) - 1);
    return page->before + page->before_word[word] + __builtin_popcountll(below);
}

#endif
