/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component of an ensemble whose members cut the grid in different ways; every value that it gets is written to the file
 * got.NAME.RANK in the working directory.
 *
 *   members NAME OTHER NENSEMBLE CELLS LAYERS plain|shares STEPS PUTS GETS
 *
 * PUTS and GETS are names of fields with commas between. A field whose name begins with m has no value, NaN, in some cells.
 * One whose name begins with x is a vector of three components, with y one of two; the layers of the second count from 100,
 * those of the third from 200. For cell 0 the file has how many members took part. Target cells with an odd number are the mean
 * of two source cells, the others have no row. The table with the mapping_tag 2, for fields with y, turns these two vectors, by
 * other angles.
 *
 * The variable MEMBERS_END in the environment, "A0002 put 3 kill", ends rank 0 of a member before its puts of step 3: by a
 * signal (kill), by h3ou_abort (abort) or by exit (exit), or lets it sleep (slow). Other places are open, grid, set, get, close;
 * several members have commas between.
 */
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"

enum { STEP = 600 };

typedef struct component component;
struct component {
    h3ou_ctx *ctx;
    const char *name, *other;
    const char *puts, *gets;
    char grid[70], other_grid[70];
    int member, rank, size, ncell, nlayer;
    int n, *cell;
    bool shares;
    FILE *out;
};

static void check(int err, h3ou_ctx *ctx)
{
    if (err)
        h3ou_abort(ctx, err);
}

/* Ends this process here if MEMBERS_END says so. */
static void end_here(const component *c, const char *place, int step)
{
    char name[65], here[128];
    const char *said = getenv("MEMBERS_END"), *found;
    if (!said || c->rank != 0 || h3ou_my_name(c->ctx, name))
        return;
    snprintf(here, sizeof here, "%s %s %d ", name, place, step);
    if (!(found = strstr(said, here)))
        return;
    found += strlen(here);
    if (*found == 'k')
        raise(SIGKILL);
    if (*found == 's') {
        usleep(1500000);
        return;
    }
    if (*found == 'a')
        h3ou_abort(c->ctx, H3OU_EARG);
    exit(3);
}

/* Even members hold blocks of cells, odd ones every size-th cell, the last one first. */
static void list_cells(component *c)
{
    c->cell = malloc(sizeof *c->cell * (size_t)c->ncell);
    int begin = (int)((int64_t)c->ncell * c->rank / c->size), end = (int)((int64_t)c->ncell * (c->rank + 1) / c->size);
    for (int i = begin; i < end && c->member % 2 == 0; i++)
        c->cell[c->n++] = i + 1;
    for (int i = c->ncell - c->rank; i > 0 && c->member % 2 == 1; i -= c->size)
        c->cell[c->n++] = i;
}

static void give_table(const component *c)
{
    int n = 0, *send = malloc(sizeof(int) * (size_t)(2 * c->ncell)), *recv = malloc(sizeof(int) * (size_t)(2 * c->ncell));
    size_t size = sizeof(double) * (size_t)(2 * c->ncell);
    double *coef = malloc(size), *turn_cos = malloc(size), *turn_sin = malloc(size);
    for (int i = 1; i <= c->ncell; i += 2)
        for (int k = 0; k < 2; k++, n++) {
            recv[n] = i;
            send[n] = (i + k - 1) % c->ncell + 1;
            coef[n] = 0.5;
            turn_cos[n] = k ? 0.0 : 0.6;
            turn_sin[n] = k ? 1.0 : 0.8;
        }
    check(h3ou_table_set(c->ctx, c->name, c->other, c->other_grid, c->name, c->grid, 1, send, recv, coef, n, H3OU_TABLE_LEADER),
          c->ctx);
    check(h3ou_table_set(c->ctx, c->name, c->name, c->grid, c->other, c->other_grid, 1, NULL, NULL, NULL, 0, H3OU_TABLE_LEADER),
          c->ctx);
    if (strchr(c->gets, 'y'))
        check(h3ou_table_set_rotated(c->ctx, c->name, c->other, c->other_grid, c->name, c->grid, 2, send, recv, coef, turn_cos,
                                     turn_sin, n, H3OU_TABLE_LEADER),
              c->ctx);
    free(send);
    free(recv);
    free(coef);
    free(turn_cos);
    free(turn_sin);
}

/* What a member puts: a number that the driver makes, too (members.py: value_of). */
static double value_of(int member, int cell, int layer, int step, int first)
{
    int64_t z = member * INT64_C(7919) + cell * INT64_C(104729) + layer * INT64_C(1299709) + (step + 1) * INT64_C(15485863) + first;
    return (double)(z % 1000003) / 1000003.0;
}

static double share_of(int member, int cell)
{
    return (double)((member * 31 + cell * 17) % 5) / 4.0;
}

static int components_of(const char *field)
{
    return field[0] == 'x' ? 3 : field[0] == 'y' ? 2 : 1;
}

static bool is_missing(const char *field, int member, int cell, int layer)
{
    return field[0] == 'm' && (member * 5 + cell + layer) % 11 == 0;
}

static double *allocate(const component *c, const char *field, int *nlayer)
{
    check(h3ou_layers(c->ctx, field, nlayer), c->ctx);
    return malloc(sizeof(double) * (size_t)(components_of(field) * c->n * *nlayer + 1));
}

static void put(const component *c, const char *field, int step)
{
    int nlayer, err;
    double *data = allocate(c, field, &nlayer), *share = malloc(sizeof *share * (size_t)(c->n + 1)), *to = data;
    for (int k = 0; k < components_of(field); k++)
        for (int layer = 0; layer < nlayer; layer++)
            for (int i = 0; i < c->n; i++)
                *to++ = is_missing(field, c->member, c->cell[i], layer)
                            ? NAN
                            : value_of(c->member, c->cell[i], 100 * k + layer, step, c->name[0]);
    for (int i = 0; i < c->n; i++)
        share[i] = share_of(c->member, c->cell[i]);
    if (components_of(field) == 3)
        err = h3ou_put_xyz(c->ctx, field, data, data + c->n * nlayer, data + 2 * c->n * nlayer, c->n, nlayer);
    else if (components_of(field) == 2)
        err = h3ou_put_vector(c->ctx, field, data, data + c->n * nlayer, c->n, nlayer);
    else if (c->shares)
        err = h3ou_put_share(c->ctx, field, data, share, c->n, nlayer);
    else
        err = h3ou_put(c->ctx, field, data, c->n, nlayer);
    check(err, c->ctx);
    free(data);
    free(share);
}

/* A field with slices is got as (cell, layer, member) by processes with an odd rank, as Fortran programs do. */
static int get_field(const component *c, const char *field, double *data, int nlayer, int *ok)
{
    h3ou_arrays arrays = {.type = H3OU_TYPE_DOUBLE, .rank = 3, .count = 1, .component = {data}};
    arrays.extent[0] = c->n;
    arrays.extent[1] = c->nlayer;
    arrays.extent[2] = nlayer / c->nlayer;
    if (components_of(field) == 3)
        return h3ou_get_xyz(c->ctx, field, data, data + c->n * nlayer, data + 2 * c->n * nlayer, c->n, nlayer, ok);
    if (components_of(field) == 2)
        return h3ou_get_vector(c->ctx, field, data, data + c->n * nlayer, c->n, nlayer, ok);
    return nlayer > c->nlayer && c->rank % 2 == 1 ? h3ou_get_arrays(c->ctx, field, &arrays, ok)
                                                  : h3ou_get(c->ctx, field, data, c->n, nlayer, ok);
}

static void get(const component *c, const char *field, int step)
{
    int ok, nlayer;
    double *data = allocate(c, field, &nlayer);
    const double *from = data;
    for (int i = 0; i < components_of(field) * c->n * nlayer; i++)
        data[i] = -9.0;
    check(get_field(c, field, data, nlayer, &ok), c->ctx);
    for (int k = 0; k < components_of(field) && ok; k++)
        for (int layer = 0; layer < nlayer; layer++)
            for (int i = 0; i < c->n; i++)
                fprintf(c->out, "%s %d %d %d %a\n", field, step, c->cell[i], 100 * k + layer, *from++);
    int members = 0;
    check(h3ou_members(c->ctx, field, &members), c->ctx);
    if (ok)
        fprintf(c->out, "%s %d 0 0 %a\n", field, step, (double)members);
    fflush(c->out);
    free(data);
}

/* Calls a function for each of a list of fields. */
static void each_field(const component *c, const char *names, void (*call)(const component *, const char *, int), int step)
{
    for (const char *name = names; *name; name += *name != 0) {
        char field[65];
        size_t length = strcspn(name, ",");
        snprintf(field, sizeof field, "%.*s", (int)length, name);
        call(c, field, step);
        name += length;
    }
}

static void open_component(component *c, int nensemble)
{
    int comm, group;
    char name[65], file[100];
    check(h3ou_open(c->name, "coupling.conf", nensemble, &c->ctx), c->ctx);
    check(h3ou_my_name(c->ctx, name), c->ctx);
    check(h3ou_local(c->ctx, &comm, &group, &c->size, &c->rank), c->ctx);
    c->member = name[strlen(c->name)] ? atoi(name + strlen(c->name)) : 0;
    snprintf(file, sizeof file, "got.%s.%d", name, c->rank);
    if (!(c->out = fopen(file, "w")))
        abort();
}

int main(int argc, char **argv)
{
    int date[6] = {2026, 1, 1, 0, 0, 0};
    if (argc != 10)
        return 2;
    component c = {.name = argv[1], .other = argv[2], .ncell = atoi(argv[4]), .nlayer = atoi(argv[5])};
    c.puts = argv[8];
    c.gets = argv[9];
    c.shares = !strcmp(argv[6], "shares");
    snprintf(c.grid, sizeof c.grid, "%s_g", c.name);
    snprintf(c.other_grid, sizeof c.other_grid, "%s_g", c.other);
    open_component(&c, atoi(argv[3]));
    list_cells(&c);
    end_here(&c, "open", 0);
    check(h3ou_grid_define(c.ctx, c.name, c.grid, c.cell, c.n, c.nlayer), c.ctx);
    check(h3ou_grid_end(c.ctx), c.ctx);
    give_table(&c);
    end_here(&c, "grid", 0);
    check(h3ou_time_init(c.ctx, date), c.ctx);
    each_field(&c, c.puts, put, -1);
    for (int step = 0; step < atoi(argv[7]); step++) {
        end_here(&c, "set", step);
        check(h3ou_time_set(c.ctx, c.name, date, STEP), c.ctx);
        end_here(&c, "get", step);
        each_field(&c, c.gets, get, step);
        end_here(&c, "put", step);
        each_field(&c, c.puts, put, step);
        h3ou_time_inc(date, STEP);
    }
    fclose(c.out);
    end_here(&c, "close", 0);
    check(h3ou_close(c.ctx, date, 1), c.ctx);
    free(c.cell);
    return 0;
}
