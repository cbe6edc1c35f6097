/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A put that is refused for its size or its shares changes nothing: the exchange has the value, and the shares, of the
 * put before.
 *
 *   refused A|B CONFIG size|share|late_share|none RESTART_OF_A RESTART_OF_B
 *
 * In some steps A puts a second time: with too few cells, or with shares above 1; with late_share the first put has
 * shares, which must stay. B looks at all that it gets, and answers, so that A is never ahead. Half of the target cells
 * have no row. With none, where lag is -2, values are those of two steps before. At the end both write restart files.
 * Exit code 1 where B got anything else.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { CELLS = 4000, SERVED = CELLS / 2, STEP = 60, STEPS = 24, OTHER = -9 };

static h3ou_ctx *ctx;
static double v[CELLS], share[CELLS];

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static double put_at(int step, int cell)
{
    return 1000.0 * step + cell;
}

static bool is_shared(const char *how)
{
    return !strcmp(how, "late_share");
}

static void put(const char *how, int step)
{
    int err = H3OU_OK;
    for (int i = 0; i < CELLS; i++) {
        v[i] = put_at(step, i);
        share[i] = i % 3 ? 1.0 : 0.0;
    }
    check(is_shared(how) ? h3ou_put_share(ctx, "x", v, share, CELLS, 1) : h3ou_put(ctx, "x", v, CELLS, 1));
    if (step % 4 != 3 || !strcmp(how, "none"))
        return;
    for (int i = 0; i < CELLS; i++) {
        v[i] = 7.0;
        share[i] = 2.0;
    }
    err = strcmp(how, "size") ? h3ou_put_share(ctx, "x", v, share, CELLS, 1) : h3ou_put(ctx, "x", v, CELLS - 1, 1);
    if (err != (strcmp(how, "size") ? H3OU_EARG : H3OU_ESIZE)) {
        fprintf(stderr, "refused: the second put returned %d\n", err);
        exit(1);
    }
}

/* Returns the step of which the value is due in a step. */
static int due_step(const char *how, int step)
{
    int lag = strcmp(how, "none") ? 1 : 2;
    return step < lag ? -1 : step - lag;
}

/* Returns how many cells are wrong. */
static int get(const char *how, int step)
{
    int ok, bad = 0;
    for (int i = 0; i < CELLS; i++)
        v[i] = OTHER;
    check(h3ou_get(ctx, "x", v, CELLS, 1, &ok));
    for (int i = 0; i < CELLS; i++) {
        bool is_gone = is_shared(how) && i % 3 == 0;
        double due = i < SERVED ? put_at(due_step(how, step), i) : OTHER;
        bad += i < SERVED && is_gone ? !isnan(v[i]) : v[i] != due;
    }
    if (bad)
        fprintf(stderr, "refused: in step %d %d cells are wrong, the last but one is %g\n", step, bad, v[SERVED - 2]);
    return bad;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    int is_a = argv[1][0] == 'A', time[6] = {2000, 1, 1, 0, 0, 0}, index[CELLS], word = 0, bad = 0;
    double coef[CELLS];
    const char *how = argv[3];
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    for (int i = 0; i < CELLS; i++) {
        index[i] = i + 1;
        coef[i] = 1.0;
    }
    check(h3ou_grid_define(ctx, argv[1], "g", index, CELLS, 1));
    check(h3ou_grid_end(ctx));
    check(h3ou_table_set(ctx, argv[1], "A", "g", "B", "g", 1, is_a ? index : NULL, is_a ? index : NULL,
                         is_a ? coef : NULL, is_a ? SERVED : 0, H3OU_TABLE_LEADER));
    check(h3ou_time_init(ctx, time));
    if (is_a)
        put(how, -1);
    for (int step = 0; step < STEPS; step++) {
        check(h3ou_time_set(ctx, argv[1], time, STEP));
        if (is_a) {
            put(how, step);
            check(h3ou_recv(ctx, "B", &word, 1, H3OU_TYPE_INT32));
        } else {
            bad += get(how, step);
            check(h3ou_send(ctx, "A", &word, 1, H3OU_TYPE_INT32));
        }
        check(h3ou_time_inc(time, STEP));
    }
    check(h3ou_write_restart(ctx, is_a ? argv[4] : argv[5]));
    check(h3ou_close(ctx, time, 1));
    return bad > 0;
}
