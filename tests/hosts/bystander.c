/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component with a grid, g, of one cell, whose table goes to itself, and without a field: for a job beside the one
 * that is tested.
 *
 *   bystander NAME CONFIG
 */
#include <stdio.h>

#include "h3ou.h"

static h3ou_ctx *ctx;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

int main(int argc, char **argv)
{
    const char *me = argv[1];
    int time[6] = {2000, 1, 1, 0, 0, 0};
    const int first = 1;
    const double whole = 1.0;
    if (argc != 3) {
        fprintf(stderr, "usage: bystander NAME CONFIG\n");
        return 2;
    }
    check(h3ou_open(me, argv[2], 1, &ctx));
    check(h3ou_grid_define(ctx, me, "g", &first, 1, 1));
    check(h3ou_grid_end(ctx));
    check(h3ou_table_set(ctx, me, me, "g", me, "g", 1, &first, &first, &whole, 1, H3OU_TABLE_LEADER));
    check(h3ou_time_init(ctx, time));
    check(h3ou_close(ctx, time, 1));
    return 0;
}
