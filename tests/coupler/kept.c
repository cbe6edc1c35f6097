/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sender with steps of any length, which puts in some of them: its k-th put has the value k in all cells, with
 * shares k - 100, the initial one -1. The receiver prints what it gets.
 *
 *   kept A|B CONFIG [START] STEP...
 *
 * START: "+" and the seconds by which the component starts later.
 * STEP: seconds; with "p" the sender puts then, with "s" or "t" it puts with the one or the other shares, with "n"
 * both exchange at once before.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { CELLS = 3 };

static h3ou_ctx *ctx;
static int is_a;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void set_up(const char *me, int time[6])
{
    const int index[CELLS] = {1, 2, 3};
    const double coef[CELLS] = {1.0, 1.0, 1.0};
    check(h3ou_grid_define(ctx, me, "g", index, CELLS, 1));
    check(h3ou_grid_end(ctx));
    check(h3ou_table_set(ctx, me, "A", "g", "B", "g", 1, is_a ? index : NULL, is_a ? index : NULL, is_a ? coef : NULL, is_a ? CELLS : 0,
                         H3OU_TABLE_LEADER));
    check(h3ou_time_init(ctx, time));
}

static void put(int number, const double share[])
{
    double value = share ? number - 100 : number;
    const double values[CELLS] = {value, value, value};
    if (share)
        check(h3ou_put_share(ctx, "f", values, share, CELLS, 1));
    else
        check(h3ou_put(ctx, "f", values, CELLS, 1));
}

static void get(int seconds)
{
    double values[CELLS];
    int ok;
    check(h3ou_get(ctx, "f", values, CELLS, 1, &ok));
    if (ok)
        printf("%d:%.15g,%.15g,%.15g ", seconds, values[0], values[1], values[2]);
}

int main(int argc, char **argv)
{
    const double some[CELLS] = {1.0, 0.0, 0.6}, other[CELLS] = {0.3, 1.0, 0.0};
    bool starts_later = argc > 3 && argv[3][0] == '+';
    int time[6] = {2000, 1, 1, 0, 0, 0}, number = 0, seconds = starts_later ? atoi(argv[3]) : 0;
    if (argc < 3)
        return 2;
    is_a = !strcmp(argv[1], "A");
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    check(h3ou_time_add(ctx, time, seconds));
    set_up(argv[1], time);
    if (is_a)
        put(-1, NULL);
    for (int i = starts_later ? 4 : 3; i < argc; i++) {
        int step = atoi(argv[i]);
        check(h3ou_time_set(ctx, argv[1], time, step));
        if (strchr(argv[i], 'n'))
            check(is_a ? h3ou_send_now(ctx, "A", "B") : h3ou_recv_now(ctx, "A", "B"));
        if (is_a && strpbrk(argv[i], "pst"))
            put(++number, strchr(argv[i], 's') ? some : strchr(argv[i], 't') ? other : NULL);
        if (!is_a)
            get(seconds);
        check(h3ou_time_add(ctx, time, step));
        seconds += step;
    }
    if (!is_a)
        printf("\n");
    check(h3ou_close(ctx, time, 1));
    return 0;
}
