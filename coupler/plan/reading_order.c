/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/plan/reading_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

/* A cache of so many lines, of so many values each, is what the first one of most machines has. */
enum { LINES = 512, IN_LINE = 8 };

/* Returns how often an entry reads a value whose line was not among the last ones. to: the slots' numbers, or NULL. */
static int64_t count_fetches(const h3ou__sparse *rows, const int32_t to[])
{
    int32_t line[LINES];
    int64_t fetches = 0;
    memset(line, -1, sizeof line);
    for (int64_t k = 0; k < rows->start[rows->nrow]; k++) {
        int32_t at = (to ? to[rows->col[k]] : rows->col[k]) / IN_LINE;
        fetches += line[at % LINES] != at;
        line[at % LINES] = at;
    }
    return fetches;
}

int h3ou__reading_order_find(const h3ou__sparse *rows, int npartner, const int64_t start[], int32_t to[], bool *gains)
{
    int64_t n = start[npartner], *next = malloc(sizeof *next * (size_t)(npartner + 1));
    int32_t *partner = malloc(sizeof *partner * (size_t)(n + 1));
    bool has = next && partner;
    for (int k = 0; k < npartner && has; k++) {
        next[k] = start[k];
        for (int64_t i = start[k]; i < start[k + 1]; i++) {
            partner[i] = k;
            to[i] = -1;
        }
    }
    for (int64_t k = 0; has && k < rows->start[rows->nrow]; k++) {
        int32_t slot = rows->col[k];
        if (to[slot] < 0)
            to[slot] = (int32_t)next[partner[slot]]++;
    }
    for (int64_t i = 0; i < n && has; i++)
        if (to[i] < 0) /* read by a gradient only */
            to[i] = (int32_t)next[partner[i]]++;
    free(next);
    free(partner);
    /* Picking a cell that does not follow the one before takes about half as long as fetching a line. */
    *gains = has && 2 * (count_fetches(rows, NULL) - count_fetches(rows, to)) > n;
    return has ? H3OU__OK : h3ou__no_memory("the order in which cells are read");
}
