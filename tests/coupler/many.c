/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two components of one process exchange thousands of fields, and ask for the number and the names of all of them.
 *
 *   many COMPONENT OTHER CONFIG FIELDS
 *
 * COMPONENT puts COMPONENT_0001 ... to OTHER, and the first of them twice: its second receiver's name is OTHER_twice. Fields with even
 * numbers are put and got by their handles.
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

static void check_handles(const char *me, const char *other)
{
    char name[65];
    int put, twice, none = 1, ok = 1;
    double data[CELLS] = {0};
    h3ou_arrays single = {.type = H3OU_TYPE_DOUBLE, .rank = 1, .extent = {CELLS}, .count = 1, .component = {data}};
    snprintf(name, sizeof name, "%s_0002", me);
    check(h3ou_field(ctx, name, &put));
    check(h3ou_field_name(ctx, put, name));
    must(put > 0 && !strncmp(name, me, strlen(me)) && !strcmp(name + strlen(me), "_0002"), "name of a handle");
    snprintf(name, sizeof name, "%s_twice", other);
    check(h3ou_field(ctx, name, &twice));
    check(h3ou_field_name(ctx, twice, name));
    must(!strcmp(name + strlen(other), "_twice"), "name of the handle of a field to get");
    must(h3ou_field(ctx, "a_0O02", &none) == H3OU_ENAME && none == 0, "handle of no field");
    must(strstr(h3ou_error(), "did you mean") != NULL, "the nearest name");
    must(h3ou_field(ctx, "", &none) == H3OU_EARG, "handle of no name");
    const int wrong[] = {0, -1, 1, put + 1, 1 << 30};
    for (int i = 0; i < 5; i++) {
        must(h3ou_field_put(ctx, wrong[i], data, CELLS, 1) == H3OU_EARG, "put by what is no handle");
        must(h3ou_field_put_arrays(ctx, wrong[i], &single) == H3OU_EARG, "put of arrays by what is no handle");
        must(h3ou_field_get(ctx, wrong[i], data, CELLS, 1, &ok) == H3OU_EARG && !ok, "get by what is no handle");
    }
    must(h3ou_field_name(ctx, 0, name) == H3OU_EARG, "name of no handle");
}

/* After the first step: each field only in its direction. */
static void check_directions(const char *me, const char *other)
{
    char name[65];
    int put, got, ok = 1;
    double data[CELLS] = {0};
    snprintf(name, sizeof name, "%s_0002", me);
    check(h3ou_field(ctx, name, &put));
    snprintf(name, sizeof name, "%s_0002", other);
    check(h3ou_field(ctx, name, &got));
    must(h3ou_field_put(ctx, got, data, CELLS, 1) == H3OU_ENAME, "put of a field to get");
    must(h3ou_field_get(ctx, put, data, CELLS, 1, &ok) == H3OU_ENAME && !ok, "get of a field to put");
    must(h3ou_field_put(ctx, put, data, CELLS + 1, 1) == H3OU_ESIZE, "put of too many cells");
    must(h3ou_field_put(ctx, put, NULL, CELLS, 1) == H3OU_EARG && strstr(h3ou_error(), "_0002") != NULL, "put of no array");
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

static int handle_of(const char *name)
{
    int handle;
    check(h3ou_field(ctx, name, &handle));
    return handle;
}

static void exchange(const char *me, const char *other, int nfield)
{
    char name[80];
    int ok, time[6] = {2000, 1, 1, 0, 0, 0};
    check(h3ou_time_init(ctx, time));
    for (int i = 1; i <= nfield; i++) {
        double data[CELLS] = {i, -i};
        h3ou_arrays arrays = {.type = H3OU_TYPE_DOUBLE, .rank = 1, .extent = {CELLS}, .count = 1, .component = {data}};
        snprintf(name, sizeof name, "%s_%04d", me, i);
        if (i % 2)
            check(h3ou_put(ctx, name, data, CELLS, 1));
        else if (i % 4)
            check(h3ou_field_put(ctx, handle_of(name), data, CELLS, 1));
        else
            check(h3ou_field_put_arrays(ctx, handle_of(name), &arrays));
    }
    check(h3ou_time_set(ctx, me, time, 600));
    for (int i = 1; i <= nfield + 1; i++) {
        double got[CELLS] = {0, 0};
        int value = i <= nfield ? i : 1;
        snprintf(name, sizeof name, i <= nfield ? "%s_%04d" : "%s_twice", other, i);
        h3ou_arrays arrays = {.type = H3OU_TYPE_DOUBLE, .rank = 1, .extent = {CELLS}, .count = 1, .component = {got}};
        if (i % 2)
            check(h3ou_get(ctx, name, got, CELLS, 1, &ok));
        else if (i % 4)
            check(h3ou_field_get(ctx, handle_of(name), got, CELLS, 1, &ok));
        else
            check(h3ou_field_get_arrays(ctx, handle_of(name), &arrays, &ok));
        must(ok && got[0] == value && got[1] == -value, "value of a field");
    }
    check_directions(me, other);
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
    check_handles(me, other);
    set_up(me, other);
    exchange(me, other, nfield);
    printf("%s: %d fields\n", me, nfield);
    return 0;
}
