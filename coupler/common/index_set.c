/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/index_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

static int grow_directory(h3ou__index_set *s, int64_t need)
{
    int64_t room = s->nnumber;
    if (!h3ou__grow(&s->which, sizeof *s->which, &room, need))
        return h3ou__no_memory("a set of indices");
    memset(s->which + s->nnumber, 0, sizeof *s->which * (size_t)(room - s->nnumber));
    s->nnumber = room;
    return H3OU__OK;
}

/* Returns the page of a number, which is made if there is none; NULL: there is no memory. */
static h3ou__index_page *find_page(h3ou__index_set *s, int64_t number)
{
    int64_t at = number / H3OU__INDEX_PAGE;
    if (at >= s->nnumber && grow_directory(s, at + 1))
        return NULL;
    if (!s->which[at]) {
        if (!h3ou__grow(&s->page, sizeof *s->page, &s->room, s->npage + 1)) {
            h3ou__no_memory("a set of indices");
            return NULL;
        }
        memset(&s->page[s->npage], 0, sizeof *s->page);
        s->which[at] = (int32_t)++s->npage;
    }
    return &s->page[s->which[at] - 1];
}

int h3ou__index_set_add(h3ou__index_set *s, int64_t number, bool *is_new)
{
    h3ou__index_page *page = find_page(s, number);
    if (!page)
        return H3OU__ENOMEM;
    uint64_t bit = UINT64_C(1) << number % 64, *word = &page->bits[number % H3OU__INDEX_PAGE / 64];
    *is_new = !(*word & bit);
    s->n += *is_new;
    *word |= bit;
    return H3OU__OK;
}

int h3ou__index_set_add_all(h3ou__index_set *s, int64_t n, const int64_t number[], int64_t first, int64_t *twice)
{
    int err = H3OU__OK;
    bool is_new;
    *twice = -1;
    for (int64_t i = 0; i < n && !err; i++) {
        err = h3ou__index_set_add(s, number[i] - first, &is_new);
        if (!err && !is_new)
            *twice = i;
    }
    return err;
}

void h3ou__index_set_count(h3ou__index_set *s)
{
    int64_t before = 0;
    for (int64_t k = 0; k < s->nnumber; k++) {
        if (!s->which[k])
            continue;
        h3ou__index_page *page = &s->page[s->which[k] - 1];
        int inside = 0;
        page->before = before;
        for (int w = 0; w < H3OU__INDEX_WORDS; w++) {
            page->before_word[w] = (uint16_t)inside;
            inside += __builtin_popcountll(page->bits[w]);
        }
        before += inside;
    }
}

void h3ou__index_set_list(const h3ou__index_set *s, int64_t number[])
{
    int64_t n = 0;
    for (int64_t k = 0; k < s->nnumber; k++)
        for (int w = 0; s->which[k] && w < H3OU__INDEX_WORDS; w++)
            for (uint64_t bits = s->page[s->which[k] - 1].bits[w]; bits; bits &= bits - 1)
                number[n++] = k * H3OU__INDEX_PAGE + 64 * w + __builtin_ctzll(bits);
}

void h3ou__index_set_free(h3ou__index_set *s)
{
    free(s->which);
    free(s->page);
    memset(s, 0, sizeof *s);
}
