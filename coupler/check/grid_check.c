/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/grid_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"

static int check_source(const h3ou__plan *plan, const h3ou__config_pair *pair, const h3ou__grid *grid, h3ou__comm *local)
{
    int64_t mine[2] = {grid->n, 0}, all[2];
    unsigned char *is_used = calloc((size_t)grid->n + 1, 1);
    if (!is_used)
        return h3ou__no_memory("the check of grid %s", grid->name);
    for (int64_t k = 0; k < plan->start[plan->npartner]; k++) {
        mine[1] += !is_used[plan->slot[k]];
        is_used[plan->slot[k]] = 1;
    }
    free(is_used);
    int err = h3ou__allreduce(local, mine, all, 2, H3OU__INT64, H3OU__SUM);
    if (!err && h3ou__comm_rank(local) == 0)
        h3ou__log(H3OU__LOG_WARNING, "grid-check", "from=%s/%s to=%s/%s source-cells=%" PRId64 " used=%" PRId64, pair->comp_put,
                  pair->grid_put, pair->comp_get, pair->grid_get, all[0], all[1]);
    return err;
}

/* Returns the lowest global index of my cells that have no row, or INT64_MAX. */
static int64_t find_without_row(const h3ou__sparse *rows, const h3ou__grid *grid)
{
    int64_t first = INT64_MAX, k = 0;
    for (int64_t i = 0; i < grid->n; i++) {
        while (k < rows->nrow && rows->row[k] < i)
            k++;
        bool has_row = k < rows->nrow && rows->row[k] == i;
        if (!has_row && grid->index[i] < first)
            first = grid->index[i];
    }
    return first;
}

/* Sets sums to the largest of the rows' sums and to the largest of their negatives; returns how many coefficients are negative. */
static int64_t sum_rows(const h3ou__sparse *rows, double sums[2])
{
    int64_t negative = 0;
    sums[0] = sums[1] = -INFINITY;
    for (int64_t r = 0; r < rows->nrow; r++) {
        double sum = 0.0;
        for (int64_t k = rows->start[r]; k < rows->start[r + 1]; k++) {
            sum += rows->coef[k];
            negative += rows->coef[k] < 0.0;
        }
        sums[0] = fmax(sums[0], sum);
        sums[1] = fmax(sums[1], -sum);
    }
    return negative;
}

static int check_target(const h3ou__plan *plan, const h3ou__config_pair *pair, const h3ou__grid *grid, h3ou__comm *local)
{
    const h3ou__sparse *rows = &plan->rows;
    double my_sums[2], sums[2];
    int64_t negative = sum_rows(rows, my_sums), my_first = find_without_row(rows, grid), first, all[4];
    int64_t mine[4] = {grid->n, rows->nrow, rows->nrow > 0 ? rows->start[rows->nrow] : 0, negative};
    char without[64] = "", range[96] = "";
    int err = h3ou__allreduce(local, mine, all, 4, H3OU__INT64, H3OU__SUM);
    if (err || (err = h3ou__allreduce(local, my_sums, sums, 2, H3OU__DOUBLE, H3OU__MAX)) != H3OU__OK ||
        (err = h3ou__allreduce(local, &my_first, &first, 1, H3OU__INT64, H3OU__MIN)) != H3OU__OK || h3ou__comm_rank(local) != 0)
        return err;
    if (first != INT64_MAX)
        snprintf(without, sizeof without, " first-without=%" PRId64, first);
    if (all[1] > 0)
        snprintf(range, sizeof range, " row-sums=%.9g..%.9g", -sums[1], sums[0]);
    h3ou__log(H3OU__LOG_WARNING, "grid-check",
              "from=%s/%s to=%s/%s target-cells=%" PRId64 " with-row=%" PRId64 "%s links=%" PRId64 "%s negative=%" PRId64,
              pair->comp_put, pair->grid_put, pair->comp_get, pair->grid_get, all[0], all[1], without, all[2], range, all[3]);
    return H3OU__OK;
}

int h3ou__grid_check(const h3ou__plan *plan, const h3ou__config_pair *pair, const h3ou__grid *grid, h3ou__comm *local)
{
    return plan->sender ? check_source(plan, pair, grid, local) : check_target(plan, pair, grid, local);
}
