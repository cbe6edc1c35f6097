/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two components that exchange each field twice: between two grids whose arrays have the cells alone, and between two
 * of the same cells that stand in blocks with a halo, with the layers as the first, second or last index, and with
 * NaN, infinity, the missing value or a number in the halo. Grids, table and layouts follow from a seed. What arrives
 * is the same to the bit, and elements of no cell stay as they were.
 *
 *   layouts A|B CONFIG SEED LAYERS CELLS [other]
 *
 * CELLS: how many each grid has at least. With `other` A puts other values of the last field in blocks: a difference
 * that is to be found. Exit code 1 on every rank of the component that found one.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { STEPS = 6, STEP = 60, MOST_LINKS = 7, OWN = -7, MISSING = -99 };
enum { NO_SHARES, A_MASK, NEW_SHARES };

/* A field: the type of the models' arrays, its components, and what of it counts. */
typedef struct field {
    const char *name;
    int type, count, shares, has_holes;
} field;

static const field FIELDS[] = {
    {"snap", H3OU_TYPE_DOUBLE, 1, NO_SHARES, 0},       {"float", H3OU_TYPE_FLOAT, 1, NO_SHARES, 0},
    {"narrow", H3OU_TYPE_DOUBLE, 1, NO_SHARES, 0},     {"holes", H3OU_TYPE_DOUBLE, 1, NO_SHARES, 1},
    {"float_holes", H3OU_TYPE_FLOAT, 1, NO_SHARES, 1}, {"narrow_holes", H3OU_TYPE_DOUBLE, 1, NO_SHARES, 1},
    {"mask", H3OU_TYPE_DOUBLE, 1, A_MASK, 0},          {"narrow_mask", H3OU_TYPE_DOUBLE, 1, A_MASK, 0},
    {"float_ice", H3OU_TYPE_FLOAT, 1, NEW_SHARES, 0},  {"ice", H3OU_TYPE_DOUBLE, 1, NEW_SHARES, 1},
    {"mean", H3OU_TYPE_DOUBLE, 1, NO_SHARES, 0},       {"mean_mask", H3OU_TYPE_DOUBLE, 1, A_MASK, 0},
    {"mean_ice", H3OU_TYPE_DOUBLE, 1, NEW_SHARES, 1},  {"least", H3OU_TYPE_DOUBLE, 1, A_MASK, 1},
    {"wind", H3OU_TYPE_DOUBLE, 2, NO_SHARES, 0},       {"float_wind", H3OU_TYPE_FLOAT, 2, A_MASK, 0},
    {"narrow_mean", H3OU_TYPE_DOUBLE, 1, A_MASK, 0},   {"mean_wind", H3OU_TYPE_DOUBLE, 2, NO_SHARES, 0},
};
enum { FIELDS_COUNT = sizeof FIELDS / sizeof *FIELDS };

/* How the cells of a process stand in an array of two indices, `inside` and `rows`, and one of layers. */
typedef struct layout {
    int width, halo, inside, rows, is_reversed;
    int layer_at; /* which index is that of the layers */
} layout;

static h3ou_ctx *ctx;
static int is_a, is_other, rank, size, n, layers, cells[2], run_length, *index_of;
static uint64_t seed;
static layout placed;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

/* Returns a number that follows from the seed and three others: steps of splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t random_of(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + a;
    for (int k = 0; k < 3; k++) {
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
        x += k == 0 ? b * UINT64_C(0x9e3779b97f4a7c15) : c * UINT64_C(0xd1b54a32d192ed03);
    }
    return x ^ (x >> 29);
}

/* Returns a number between 0 and 1. */
static double part_of(uint64_t a, uint64_t b, uint64_t c)
{
    return (double)(random_of(a, b, c) >> 11) / 9007199254740992.0;
}

static void *new_array(size_t each, int64_t count)
{
    void *array = malloc(each * (size_t)count + 1);
    if (!array)
        exit(2);
    return array;
}

/* Runs of cells are dealt in turns. */
static void deal_cells(void)
{
    int all = cells[is_a ? 0 : 1];
    run_length = 1 + (int)(random_of(1, (uint64_t)is_a, 0) % 300);
    index_of = new_array(sizeof *index_of, all);
    for (int i = 0; i < all; i++)
        if (i / run_length % size == rank)
            index_of[n++] = i + 1;
}

static void choose_layout(void)
{
    uint64_t me = (uint64_t)(10 + rank + 100 * is_a);
    placed.width = 1 + (int)(random_of(2, me, 0) % 90);
    placed.halo = (int)(random_of(2, me, 1) % 3);
    placed.inside = placed.width + 2 * placed.halo;
    placed.rows = n / placed.width + 1 + 2 * placed.halo;
    placed.is_reversed = random_of(2, me, 2) % 4 == 0;
    placed.layer_at = (int)(random_of(2, (uint64_t)is_a, 3) % 3);
}

/* Returns where a cell stands in an array of one layer. */
static int place_of(int cell)
{
    int c = placed.is_reversed ? n - 1 - cell : cell;
    return placed.halo + c % placed.width + placed.inside * (placed.halo + c / placed.width);
}

/* Returns where one of its layers stands. */
static int64_t element_of(int cell, int layer)
{
    int x = place_of(cell) % placed.inside, y = place_of(cell) / placed.inside;
    return placed.layer_at == 0   ? layer + (int64_t)layers * place_of(cell)
           : placed.layer_at == 1 ? x + (int64_t)placed.inside * (layer + layers * y)
                                  : place_of(cell) + (int64_t)placed.inside * placed.rows * layer;
}

static int64_t elements(int is_placed)
{
    return (int64_t)layers * (is_placed ? placed.inside * placed.rows : n);
}

static void define_grid(const char *me, const char *grid, int is_placed)
{
    int shape[] = {placed.inside, placed.rows, 0}, *position = new_array(2 * sizeof *position, n);
    double *lon = new_array(sizeof *lon, n), *lat = new_array(sizeof *lat, n);
    for (int c = 0; c < n; c++) {
        lon[c] = 360.0 * part_of(3, (uint64_t)is_a, (uint64_t)index_of[c]);
        lat[c] = 178.0 * part_of(4, (uint64_t)is_a, (uint64_t)index_of[c]) - 89.0;
        position[2 * c] = place_of(c) % placed.inside;
        position[2 * c + 1] = place_of(c) / placed.inside;
    }
    for (int k = 2; k > placed.layer_at; k--)
        shape[k] = shape[k - 1];
    shape[placed.layer_at] = -1;
    check(h3ou_grid_define(ctx, me, grid, index_of, n, layers));
    check(h3ou_grid_centres(ctx, grid, lon, lat, "degrees"));
    if (is_placed)
        check(h3ou_grid_positions(ctx, grid, 3, shape, position));
    free(position);
    free(lon);
    free(lat);
}

/* Returns how many links a target cell has: here and there none, and in stretches four, any one number, or any. */
static int links_of(int target)
{
    uint64_t stretch = (uint64_t)target / 150;
    if (random_of(5, (uint64_t)target, 0) % 97 == 0)
        return 0;
    if (stretch % 3 == 0)
        return 4;
    return 1 + (int)(random_of(5, stretch % 3 == 1 ? stretch : (uint64_t)target, 1) % MOST_LINKS);
}

static void set_table(const char *me, const char *from_grid, const char *to_grid, int tag)
{
    int *from = new_array(MOST_LINKS * sizeof *from, cells[1]), *to = new_array(MOST_LINKS * sizeof *to, cells[1]);
    double *coef = new_array(MOST_LINKS * sizeof *coef, cells[1]);
    int64_t count = 0;
    for (int t = 0; t < cells[1]; t++)
        for (int k = 0; k < links_of(t); k++, count++) {
            int64_t near = (int64_t)t * cells[0] / cells[1] + (int64_t)(random_of(6, (uint64_t)t, (uint64_t)k) % 50);
            from[count] = (int)(near % cells[0]) + 1;
            to[count] = t + 1;
            coef[count] = part_of(7, (uint64_t)t, (uint64_t)k) - 0.1;
        }
    check(h3ou_table_set(ctx, me, "A", from_grid, "B", to_grid, tag, is_a ? from : NULL, is_a ? to : NULL,
                         is_a ? coef : NULL, is_a ? count : 0, H3OU_TABLE_LEADER));
    free(from);
    free(to);
    free(coef);
}

static void set_element(int type, void *array, int64_t at, double value)
{
    if (type == H3OU_TYPE_FLOAT)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static double element(int type, const void *array, int64_t at)
{
    return type == H3OU_TYPE_FLOAT ? ((const float *)array)[at] : ((const double *)array)[at];
}

/* The arrays of a field, filled with OWN, or with what no put is to read. */
static h3ou_arrays new_arrays(const field *f, int is_placed, int is_put)
{
    const double unread[] = {NAN, INFINITY, MISSING, 1e30};
    h3ou_arrays a = {.type = f->type, .rank = 2, .extent = {n, layers}, .count = f->count};
    if (is_placed) {
        const int64_t block[] = {placed.inside, placed.rows};
        a.rank = 3;
        for (int k = 0, next = 0; k < 3; k++)
            a.extent[k] = k == placed.layer_at ? layers : block[next++];
    }
    for (int c = 0; c < f->count; c++) {
        a.component[c] = new_array(sizeof(double), elements(is_placed));
        for (int64_t i = 0; i < elements(is_placed); i++)
            set_element(f->type, a.component[c], i, is_put ? unread[i % 4] : OWN);
    }
    return a;
}

static void free_arrays(h3ou_arrays *a)
{
    for (int c = 0; c < a->count; c++)
        free(a->component[c]);
    free((void *)a->share);
}

static double value_of(const field *f, int component, int cell, int layer, int step)
{
    uint64_t kind = (uint64_t)(100 + component + 2 * (f - FIELDS)), which = (uint64_t)(step * 1000 + layer),
             me = (uint64_t)index_of[cell];
    if (f->has_holes && random_of(8, me / 40, layer % 5 ? 0 : (uint64_t)layer) % 3 == 0)
        return random_of(8, me, which) % 2 ? NAN : MISSING;
    return ldexp(part_of(kind, me, which) - 0.5, (int)(random_of(9, me, which) % 40));
}

static double share_of(const field *f, int cell, int step)
{
    uint64_t me = (uint64_t)index_of[cell], when = f->shares == NEW_SHARES ? (uint64_t)step : 0;
    uint64_t kind = random_of(10, me / 70, 0) % 4;
    return kind == 0 ? 0.0 : kind < 3 ? 1.0 : part_of(11, me, when);
}

/* Sets the shares of a field. What the halo has is no share. */
static void set_shares(const field *f, int is_placed, int step, h3ou_arrays *a)
{
    int64_t count = is_placed ? (int64_t)placed.inside * placed.rows : n;
    void *share = new_array(sizeof(double), count);
    for (int64_t i = 0; i < count; i++)
        set_element(f->type, share, i, OWN);
    for (int c = 0; c < n; c++)
        set_element(f->type, share, is_placed ? place_of(c) : c, share_of(f, c, step));
    a->share = share;
    a->nshare = count;
}

static int64_t at_of(int is_placed, int cell, int layer)
{
    return is_placed ? element_of(cell, layer) : cell + (int64_t)n * layer;
}

static void name_of(const field *f, int is_placed, char name[64])
{
    snprintf(name, 64, "%s_%c", f->name, is_placed ? 'q' : 'p');
}

static void put(const field *f, int is_placed, int step)
{
    char name[64];
    int is_changed = is_other && is_placed && f == FIELDS + FIELDS_COUNT - 1;
    h3ou_arrays a = new_arrays(f, is_placed, 1);
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < layers; k++)
            for (int c = 0; c < n; c++)
                set_element(f->type, a.component[i], at_of(is_placed, c, k), value_of(f, i, c, k, step + is_changed));
    if (f->shares)
        set_shares(f, is_placed, step, &a);
    name_of(f, is_placed, name);
    check(h3ou_put_arrays(ctx, name, &a));
    free_arrays(&a);
}

/* Gets a field of both grids, and compares them. Sets elements of the second array that were compared to OWN. Adds to
 * *arrived how many values there were. */
static int get(const field *f, int step, int64_t *arrived)
{
    char name[2][64];
    int ok[2], bad = 0;
    h3ou_arrays a[2] = {new_arrays(f, 0, 0), new_arrays(f, 1, 0)};
    for (int k = 0; k < 2; k++) {
        name_of(f, k, name[k]);
        check(h3ou_get_arrays(ctx, name[k], &a[k], &ok[k]));
    }
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < layers; k++)
            for (int c = 0; c < n; c++) {
                double x = element(f->type, a[0].component[i], at_of(0, c, k)),
                       y = element(f->type, a[1].component[i], at_of(1, c, k));
                if (!(isnan(x) && isnan(y)) && memcmp(&x, &y, sizeof x) && bad++ < 3)
                    printf("B.%d: %s, step %d, cell %d, layer %d: %.17g and %.17g\n", rank, name[1], step, c, k, x, y);
                *arrived += x != OWN;
                set_element(f->type, a[1].component[i], at_of(1, c, k), OWN);
            }
    for (int i = 0; i < f->count; i++)
        for (int64_t k = 0; k < elements(1); k++)
            if (element(f->type, a[1].component[i], k) != OWN && bad++ < 3)
                printf("B.%d: %s, step %d: element %lld, of no cell, was written\n", rank, name[1], step, (long long)k);
    free_arrays(&a[0]);
    free_arrays(&a[1]);
    return bad + (ok[0] != ok[1]);
}

static void set_up(const char *me, int time[6])
{
    deal_cells();
    choose_layout();
    define_grid(me, is_a ? "ap" : "bp", 0);
    define_grid(me, is_a ? "aq" : "bq", 1);
    check(h3ou_grid_end(ctx));
    set_table(me, "ap", "bp", 1);
    set_table(me, "aq", "bq", 2);
    check(h3ou_time_init(ctx, time));
}

int main(int argc, char **argv)
{
    int64_t arrived[FIELDS_COUNT] = {0};
    int comm, group, bad = 0, worst = 0, time[6] = {2001, 1, 1, 0, 0, 0};
    if (argc < 6)
        return 2;
    is_other = argc > 6;
    is_a = argv[1][0] == 'A';
    seed = strtoull(argv[3], NULL, 10);
    layers = atoi(argv[4]);
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    check(h3ou_local(ctx, &comm, &group, &size, &rank));
    for (int k = 0; k < 2; k++)
        cells[k] = atoi(argv[5]) + (int)(random_of(0, (uint64_t)k, 0) % 3000);
    set_up(argv[1], time);
    for (int step = 0; step < STEPS; step++) {
        if (step > 0)
            check(h3ou_time_set(ctx, argv[1], time, STEP));
        for (int f = 0; f < FIELDS_COUNT; f++)
            if (is_a)
                put(&FIELDS[f], 0, step), put(&FIELDS[f], 1, step);
            else if (step > 0)
                bad += get(&FIELDS[f], step, &arrived[f]);
        if (step > 0)
            check(h3ou_time_add(ctx, time, STEP));
    }
    for (int f = 0; f < FIELDS_COUNT && !is_a; f++)
        if (arrived[f] < (int64_t)n * layers &&
            bad++ == 0) /* a field arrives twice or more, most of its cells have a row */
            printf("B.%d: only %lld values of %s arrived\n", rank, (long long)arrived[f], FIELDS[f].name);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(comm));
    check(h3ou_close(ctx, time, 1));
    free(index_of);
    return worst ? 1 : 0;
}
