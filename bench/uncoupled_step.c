/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a step costs in which nothing is exchanged: a set_time, and for each field a get that is not due and a put.
 *
 *   uncoupled_step A|B CONFIG CELLS FIELDS STEPS
 *
 * A makes STEPS steps of a second, B one of as many; their fields A_v0, A_v1, ... and B_v0, B_v1, ... are exchanged at
 * the start and the end alone. A prints one line: nanoseconds of a set_time (with its h3ou_time_inc), of a get, of a
 * put, and of a copy of the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"
#include "spread.h"

enum { MOST_FIELDS = 1000 };

static h3ou_ctx *ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void set_up(const char *me, int n, int time[6])
{
    int is_a = me[0] == 'A', *index = malloc(sizeof(int) * (size_t)n);
    double *coef = malloc(sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        index[i] = i + 1;
        coef[i] = 1.0;
    }
    check_call(h3ou_grid_define(ctx, me, is_a ? "A_g" : "B_g", index, n, 1));
    check_call(h3ou_grid_end(ctx));
    check_call(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 1, is_a ? index : NULL, is_a ? index : NULL,
                              is_a ? coef : NULL, is_a ? n : 0, 0));
    check_call(h3ou_table_set(ctx, me, "B", "B_g", "A", "A_g", 1, is_a ? index : NULL, is_a ? index : NULL,
                              is_a ? coef : NULL, is_a ? n : 0, 0));
    check_call(h3ou_time_init(ctx, time));
    free(index);
    free(coef);
}

static void name_fields(char name[][16], int is_a, int fields)
{
    for (int k = 0; k < fields; k++)
        snprintf(name[k], sizeof name[k], "%s_v%d", is_a ? "A" : "B", k);
}

/* Clocks are read once a pass of each kind of call, so that they do not count. */
static void run_steps(int n, int fields, char put[][16], char got[][16], int steps, int time[6])
{
    enum { SET, GET, PUT, COPY, KINDS };
    double *value = calloc((size_t)n, sizeof *value), *copy = calloc((size_t)n, sizeof *copy), spent[KINDS] = {0},
           t[KINDS];
    for (int i = 0; i < steps; i++) {
        int ok;
        t[SET] = seconds_now();
        check_call(h3ou_time_set(ctx, "A", time, 1));
        check_call(h3ou_time_inc(time, 1));
        t[GET] = seconds_now();
        for (int k = 0; k < fields; k++)
            check_call(h3ou_get(ctx, got[k], value, n, 1, &ok));
        t[PUT] = seconds_now();
        for (int k = 0; k < fields; k++)
            check_call(h3ou_put(ctx, put[k], value, n, 1));
        t[COPY] = seconds_now();
        for (int k = 0; k < fields; k++) {
            memcpy(copy, value, sizeof *copy * (size_t)n);
            value[k % n] = copy[(k + 1) % n] + 1.0;
        }
        double end = seconds_now();
        for (int kind = 0; kind < KINDS; kind++)
            spent[kind] += (kind + 1 < KINDS ? t[kind + 1] : end) - t[kind];
    }
    for (int kind = 0; kind < KINDS; kind++)
        printf(" %.1f", 1e9 * spent[kind] / steps / (kind == SET ? 1 : fields));
    printf("\n");
    free(value);
    free(copy);
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    static char put[MOST_FIELDS][16], got[MOST_FIELDS][16];
    int is_a = argv[1][0] == 'A', n = atoi(argv[3]), fields = atoi(argv[4]), steps = atoi(argv[5]), ok,
        time[6] = {2000, 1, 1, 0, 0, 0};
    double *value = calloc((size_t)n, sizeof *value);
    if (fields < 1 || fields > MOST_FIELDS || n < 1)
        return 2;
    name_fields(put, is_a, fields);
    name_fields(got, !is_a, fields);
    check_call(h3ou_open(argv[1], argv[2], 1, &ctx));
    set_up(argv[1], n, time);
    for (int k = 0; k < fields; k++)
        check_call(h3ou_put(ctx, put[k], value, n, 1));
    check_call(h3ou_time_set(ctx, argv[1], time, is_a ? 1 : steps));
    for (int k = 0; k < fields; k++)
        check_call(h3ou_get(ctx, got[k], value, n, 1, &ok));
    for (int k = 0; k < fields; k++)
        check_call(h3ou_put(ctx, put[k], value, n, 1));
    check_call(h3ou_time_inc(time, is_a ? 1 : steps));
    if (is_a)
        run_steps(n, fields, put, got, steps - 2, time);
    free(value);
    check_call(h3ou_close(ctx, time, 1));
    return 0;
}
