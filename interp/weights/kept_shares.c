/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/kept_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "interp/kernels/row_sums.h"

enum { CHANGES = 4 }; /* in turn, after which shares are not kept any more */

/* So many rows of one layer take no longer than to end a range and to begin another. A table that does not stay in the
 * caches is read ahead, so that rows of it that are left out are read from memory even so. */
enum { GAP = 32, GAP_OF_FAR = 256 };

static int gap_of(const h3ou__sparse *s)
{
    return s->nrow > 0 && s->start[s->nrow] >= H3OU__FAR_ENTRIES ? GAP_OF_FAR : GAP;
}

h3ou__kept_shares *h3ou__kept_shares_new(const h3ou__sparse *s, int64_t nsource, int nlayer)
{
    h3ou__kept_shares *kept = calloc(1, sizeof *kept);
    if (kept)
        *kept = (h3ou__kept_shares){.s = s, .nsource = nsource, .gap = gap_of(s) / nlayer};
    return kept;
}

static void free_rows(h3ou__kept_shares *kept)
{
    free(kept->full.range);
    free(kept->gone.range);
    free(kept->kind);
    free(kept->origin);
    free(kept->part);
    free(kept->divisor);
    free(kept->whole);
    h3ou__sparse_free(&kept->listed);
    kept->full = kept->gone = (h3ou__row_ranges){0};
    kept->kind = NULL;
    kept->origin = kept->part = NULL;
    kept->divisor = kept->whole = NULL;
}

/* Shares are not kept any more. */
static void give_up(h3ou__kept_shares *kept)
{
    free_rows(kept);
    free(kept->share);
    kept->share = NULL;
    kept->changed = CHANGES;
}

void h3ou__kept_shares_free(h3ou__kept_shares *kept)
{
    if (kept)
        give_up(kept);
    free(kept);
}

/* Adds a row to the last range, if few rows are between them, or as a new one; false without memory. */
static bool add_to_ranges(h3ou__row_ranges *to, int64_t r, int64_t gap)
{
    if (to->count > 0 && r - to->range[to->count - 1].end <= gap) {
        to->range[to->count - 1].end = r + 1;
        return true;
    }
    if (!h3ou__grow(&to->range, sizeof *to->range, &to->room, to->count + 1))
        return false;
    to->range[to->count++] = (h3ou__row_range){r, r + 1};
    return true;
}

/* What the entries of a row are, by their shares. */
typedef struct row_shares {
    enum h3ou__row_kind kind;
    double counted, whole, weight; /* sums of coefficients: of what counts, of all, and of the sizes of all */
} row_shares;

static row_shares shares_of_row(const h3ou__kept_shares *kept, int64_t r)
{
    const h3ou__sparse *s = kept->s;
    row_shares row = {.kind = H3OU__ROW_MIXED};
    bool full = true, gone = true;
    for (int64_t i = s->start[r]; i < s->start[r + 1]; i++) {
        double share = kept->share[s->col[i]];
        bool counts = !(share <= 0.0);
        full = full && share == 1.0;
        gone = gone && !counts;
        row.counted += counts ? s->coef[i] * share : 0.0;
        row.whole += s->coef[i];
        row.weight += fabs(s->coef[i]);
    }
    if (full)
        row.kind = H3OU__ROW_FULL;
    else if (gone && fabs(row.whole) > 0.0) /* of a whole of 0, nothing is all that counts */
        row.kind = H3OU__ROW_GONE;
    return row;
}

/* Finds the ranges, and the size of the list; false without memory. */
static bool find_ranges(h3ou__kept_shares *kept, int64_t *rows, int64_t *entries)
{
    *rows = *entries = 0;
    kept->kind = malloc((size_t)kept->s->nrow + 1);
    if (!kept->kind)
        return false;
    for (int64_t r = 0; r < kept->s->nrow; r++) {
        kept->kind[r] = shares_of_row(kept, r).kind;
        if (kept->kind[r] == H3OU__ROW_FULL && !add_to_ranges(&kept->full, r, kept->gap))
            return false;
        if (kept->kind[r] == H3OU__ROW_GONE && !add_to_ranges(&kept->gone, r, 0))
            return false;
        if (kept->kind[r] != H3OU__ROW_MIXED)
            continue;
        ++*rows;
        *entries += kept->s->start[r + 1] - kept->s->start[r];
    }
    return true;
}

static bool make_room(h3ou__kept_shares *kept, int64_t rows, int64_t entries)
{
    h3ou__sparse *list = &kept->listed;
    list->row = malloc(sizeof *list->row * (size_t)(rows + 1));
    list->start = malloc(sizeof *list->start * (size_t)(rows + 1));
    list->col = malloc(sizeof *list->col * (size_t)(entries + 1));
    list->coef = malloc(sizeof *list->coef * (size_t)(entries + 1));
    kept->origin = malloc(sizeof *kept->origin * (size_t)(rows + 1));
    kept->part = malloc(sizeof *kept->part * (size_t)(kept->s->nrow / H3OU__PART_ROWS + 2));
    kept->divisor = malloc(sizeof *kept->divisor * (size_t)(rows + 1));
    kept->whole = malloc(sizeof *kept->whole * (size_t)(rows + 1));
    return list->row && list->start && list->col && list->coef && kept->origin && kept->part && kept->divisor &&
           kept->whole;
}

static void list_row(h3ou__kept_shares *kept, int64_t r)
{
    const h3ou__sparse *s = kept->s;
    h3ou__sparse *list = &kept->listed;
    const row_shares row = shares_of_row(kept, r);
    int64_t n = list->start[list->nrow], at = list->nrow++;
    for (int64_t i = s->start[r]; i < s->start[r + 1]; i++) {
        double share = kept->share[s->col[i]];
        list->col[n] = s->col[i];
        list->coef[n++] = share <= 0.0 ? 0.0 : s->coef[i] * share;
    }
    list->start[at + 1] = n;
    list->row[at] = s->row[r];
    kept->origin[at] = r;
    kept->divisor[at] = fabs(row.counted) <= 1e-12 * row.weight ? NAN : row.counted;
    kept->whole[at] = row.whole;
    if (row.counted == row.whole) /* the sum stays as it is: x / 1 * 1 has the bits of x */
        kept->divisor[at] = kept->whole[at] = 1.0;
}

static void find_parts(h3ou__kept_shares *kept)
{
    for (int64_t k = 0, n = 0; k < kept->s->nrow / H3OU__PART_ROWS + 2; k++) {
        while (n < kept->listed.nrow && kept->origin[n] < k * H3OU__PART_ROWS)
            n++;
        kept->part[k] = n;
    }
}

/* Sorts all rows by kept->share; false without memory. */
static bool sort_rows(h3ou__kept_shares *kept)
{
    int64_t rows, entries;
    free_rows(kept);
    if (!find_ranges(kept, &rows, &entries) || !make_room(kept, rows, entries))
        return false;
    kept->listed.start[0] = 0;
    for (int64_t r = 0; r < kept->s->nrow && kept->listed.nrow < rows; r++)
        if (kept->kind[r] == H3OU__ROW_MIXED)
            list_row(kept, r);
    find_parts(kept);
    return h3ou__sparse_prepare(&kept->listed) == 0;
}

bool h3ou__kept_shares_take(h3ou__kept_shares *kept, const double *share, int64_t number)
{
    size_t size = sizeof *share * (size_t)kept->nsource;
    bool is_known = number > 0 && number == kept->number;
    kept->number = number;
    if (number > 0 && !kept->share)
        kept->changed = 0; /* those that are numbered stay, though others changed each time */
    if (kept->share && (is_known || memcmp(kept->share, share, size) == 0)) {
        kept->changed = 0;
        return true;
    }
    if (!h3ou__kept_shares_may_help(kept))
        return false;
    kept->changed++;
    if (!kept->share)
        kept->share = malloc(size + 1);
    if (kept->changed < CHANGES && kept->share) {
        memcpy(kept->share, share, size);
        if (sort_rows(kept))
            return true;
    }
    give_up(kept);
    return false;
}

bool h3ou__kept_shares_may_help(const h3ou__kept_shares *kept)
{
    return kept->changed < CHANGES;
}

int64_t h3ou__row_ranges_behind(const h3ou__row_ranges *ranges, int64_t r)
{
    int64_t first = 0, last = ranges->count;
    while (first < last) {
        int64_t middle = first + (last - first) / 2;
        if (ranges->range[middle].end > r)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

int64_t h3ou__kept_shares_listed(const h3ou__kept_shares *kept, int64_t r)
{
    int64_t first = kept->part[r / H3OU__PART_ROWS], last = kept->part[r / H3OU__PART_ROWS + 1];
    if (r % H3OU__PART_ROWS == 0)
        return first;
    while (first < last) {
        int64_t middle = first + (last - first) / 2;
        if (kept->origin[middle] >= r)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}
