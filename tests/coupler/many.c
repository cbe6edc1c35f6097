/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two components of one process exchange thousands of fields, and ask for the number and the names of all of them.
 *
 *   many COMPONENT OTHER CONFIG FIELDS
 *
 * COMPONENT puts COMPONENT_0001 ... to OTHER, and the first of them twice: its second receiver's name is OTHER_twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { CELLS = 2 };

static h3ou_ctx *ctx;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void must(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "many: wrong: %s\n", what);
    h3ou_abort(ctx, H3OU_ESTATE);
}

/* Every name once, in the order of the namelist, each with its layers. */
static void check_names(const char *me, const char *other, int nfield)
{
    char name[65], expected[80];
    int layers;
    must(h3ou_put_count(ctx) == nfield, "number of fields to put");
    must(h3ou_get_count(ctx) == nfield + 1, "number of fields to get");
    for (int i = 1; i <= nfield; i++) {
        check(h3ou_put_name(ctx, i, name));
        snprintf(expected, sizeof expected, "%s_%04d", me, i);
        must(!strcmp(name, expected), "name of a field to put");
        check(h3ou_layers(ctx, name, &layers));
        must(layers == 1, "layers of a field to put");
        check(h3ou_get_name(ctx, i, name));
        snprintf(expected, sizeof expected, "%s_%04d", other, i);
        must(!strcmp(name, expected), "name of a field to get");
    }
    check(h3ou_get_name(ctx, nfield + 1, name));
    snprintf(expected, sizeof expected, "%s_twice", other);
    must(!strcmp(name, expected), "name of the field that is got twice");
    must(h3ou_put_name(ctx, nfield + 1, name) == H3OU_EARG && h3ou_get_name(ctx, 0, name) == H3OU_EARG, "number");
    must(h3ou_layers(ctx, "no such field", &layers) == H3OU_ENAME, "layers of no field");
}

static void set_up(const char *me, const char *other)
{
    int index[CELLS] = {1, 2};
    double coef[CELLS] = {1.0, 1.0};
    check(h3ou_grid_define(ctx, me, "g", index, CELLS, 1));
    check(h3ou_grid_end(ctx));
    check(h3ou_table_set(ctx, me, me, "g", other, "g", 1, index, index, coef, CELLS, H3OU_TABLE_LEADER));
    check(h3ou_table_set(ctx, me, other, "g", me, "g", 1, NULL, NULL, NULL, 0, H3OU_TABLE_LEADER));
}

static void exchange(const char *me, const char *other, int nfield)
{
    char name[80];
    int ok, time[6] = {2000, 1, 1, 0, 0, 0};
    check(h3ou_time_init(ctx, time));
    for (int i = 1; i <= nfield; i++) {
        double data[CELLS] = {i, -i};
        snprintf(name, sizeof name, "%s_%04d", me, i);
        check(h3ou_put(ctx, name, data, CELLS, 1));
    }
    check(h3ou_time_set(ctx, me, time, 600));
    for (int i = 1; i <= nfield + 1; i++) {
        double got[CELLS] = {0, 0};
        int value = i <= nfield ? i : 1;
        snprintf(name, sizeof name, i <= nfield ? "%s_%04d" : "%s_twice", other, i);
        check(h3ou_get(ctx, name, got, CELLS, 1, &ok));
        must(ok && got[0] == value && got[1] == -value, "value of a field");
    }
    check(h3ou_close(ctx, NULL, 1));
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    const char *me = argv[1], *other = argv[2];
    int nfield = atoi(argv[4]);
    check(h3ou_open(me, argv[3], 1, &ctx));
    check_names(me, other, nfield);
    set_up(me, other);
    exchange(me, other, nfield);
    printf("%s: %d fields\n", me, nfield);
    return 0;
}
