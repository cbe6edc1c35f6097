/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_grids [COUNT [SEED]]: good grids, COUNT times made worse in one to three ways (cells doubled, shifted, swapped,
 * scaled, reversed, given numbers that are none), as the source, the target or both. Whatever methods make of them must
 * be an error with a sentence, or weights that are finite, within -10 and 10, and whose rows sum to 1.
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/methods/method_stack.h"
#include "ocean_grids.h"

/* A grid as a user gives it. */
typedef struct raw {
    int n, most, nx, ny;
    bool cyclic, fold;
    int edges;
    double *lon, *lat, *x, *y; /* [n]; [most * n] corners, NULL: none */
    double *column, *row;      /* [2 * nx], [2 * ny] bounds; NULL: no boxes */
    int *mask;
} raw;

static void raw_free(raw *g)
{
    free(g->lon);
    free(g->lat);
    free(g->x);
    free(g->y);
    free(g->column);
    free(g->row);
    free(g->mask);
}

static int pick(int n)
{
    return (int)(chance() * n);
}

static double *copy(const double from[], int n)
{
    double *to = malloc(sizeof *to * (size_t)(n + 1));
    memcpy(to, from, sizeof *to * (size_t)n);
    return to;
}

/* The arrays of cells that a generator made; the cells are freed. */
static void raw_take(h3ou__cells *c, bool corners, raw *g)
{
    *g = (raw){.n = (int)c->n, .most = 4, .cyclic = c->cyclic, .fold = c->fold, .edges = c->edges};
    assert_int_equal(h3ou__cells_centre_by_corners(c), 0);
    g->lon = copy(c->lon, g->n);
    g->lat = copy(c->lat, g->n);
    g->mask = malloc(sizeof *g->mask * (size_t)g->n);
    g->nx = c->rank == 2 ? (int)c->dims[0] : 0;
    g->ny = c->rank == 2 ? (int)c->dims[1] : 0;
    for (int i = 0; i < g->n; i++)
        g->mask[i] = c->mask[i] && chance() < 0.97;
    if (c->lon_west) {
        g->column = malloc(2 * sizeof(double) * (size_t)g->nx);
        g->row = malloc(2 * sizeof(double) * (size_t)g->ny);
        for (int i = 0; i < g->nx; i++) {
            g->column[2 * i] = c->lon_west[i];
            g->column[2 * i + 1] = c->lon_east[i];
        }
        for (int i = 0; i < g->ny; i++) {
            g->row[2 * i] = c->lat_south[i];
            g->row[2 * i + 1] = c->lat_north[i];
        }
    } else if (c->first && corners) {
        g->x = malloc(4 * sizeof(double) * (size_t)g->n);
        g->y = malloc(4 * sizeof(double) * (size_t)g->n);
        for (int64_t i = 0; i < g->n; i++)
            for (int64_t k = 0; k < 4; k++) {
                int64_t n = c->first[i + 1] - c->first[i], at = c->first[i] + (k < n ? k : n - 1);
                g->x[4 * i + k] = g->y[4 * i + k] = 0.0;
                if (n > 0)
                    to_angles(c->corner + 3 * at, &g->x[4 * i + k], &g->y[4 * i + k]);
            }
    }
    h3ou__cells_free(c);
}

static void make_base(int kind, raw *g)
{
    const lattice edge = {22, 14, 20, 0, 9, 0}, centre = {22, 15, 20, 3, 9, 0};
    switch (kind) {
    case 0:
        raw_take(column_boxes(24, 24, 12, false, NULL, H3OU__EDGES_DEFAULT), true, g);
        break;
    case 1:
        raw_take(column_boxes(19, 18, 11, true, NULL, H3OU__EDGES_GREAT), true, g);
        break;
    case 2:
        raw_take(global_triangles(2, NULL), true, g);
        break;
    case 3:
        raw_take(lattice_cells(&edge, NULL, true), true, g);
        break;
    case 4:
        raw_take(lattice_cells(&centre, NULL, true), true, g);
        break;
    case 5:
        raw_take(lattice_cells(&edge, NULL, false), false, g);
        break;
    default:
        raw_take(global_triangles(2, NULL), false, g);
    }
}

static void copy_cell(raw *g, int from, int to)
{
    g->lon[to] = g->lon[from];
    g->lat[to] = g->lat[from];
    for (int k = 0; k < g->most && g->x; k++) {
        g->x[g->most * to + k] = g->x[g->most * from + k];
        g->y[g->most * to + k] = g->y[g->most * from + k];
    }
}

static void swap(double *a, double *b)
{
    double keep = *a;
    *a = *b;
    *b = keep;
}

static void swap_cells(raw *g, int a, int b)
{
    swap(&g->lon[a], &g->lon[b]);
    swap(&g->lat[a], &g->lat[b]);
    for (int k = 0; k < g->most && g->x && chance() < 0.9; k++) {
        swap(&g->x[g->most * a + k], &g->x[g->most * b + k]);
        swap(&g->y[g->most * a + k], &g->y[g->most * b + k]);
    }
}

static void shift_cell(raw *g, int i, double by)
{
    g->lon[i] += by;
    g->lat[i] += chance() < 0.5 ? by : 0.0;
    for (int k = 0; k < g->most && g->x; k++)
        g->x[g->most * i + k] += by;
}

static void scale_cell(raw *g, int i, double factor)
{
    for (int k = 0; k < g->most && g->x; k++) {
        double *x = &g->x[g->most * i + k], *y = &g->y[g->most * i + k];
        *x = g->lon[i] + factor * remainder(*x - g->lon[i], 2 * PI);
        *y = g->lat[i] + factor * (*y - g->lat[i]);
    }
}

static void reverse_cell(raw *g, int i)
{
    for (int a = 0, b = g->most - 1; a < b && g->x; a++, b--) {
        swap(&g->x[g->most * i + a], &g->x[g->most * i + b]);
        swap(&g->y[g->most * i + a], &g->y[g->most * i + b]);
    }
}

/* A number that is none, or no angle. */
static void spoil_number(raw *g, int i)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, 2.0, -1e-300, 7.0};
    double *of[] = {g->lon + i, g->lat + i, g->x ? g->x + g->most * i + pick(g->most) : g->lon + i,
                    g->y ? g->y + g->most * i + pick(g->most) : g->lat + i};
    *of[pick(4)] = bad[pick(7)];
}

/* Of boxes all cells of a column or row at once. */
static void spoil_bounds(raw *g)
{
    bool column = chance() < 0.5;
    double *b = column ? g->column : g->row, *centre = column ? g->lon : g->lat;
    int n = column ? g->nx : g->ny, to = pick(n), from = pick(n), way = pick(4);
    double shift = pow(10, -12 + 11 * chance());
    for (int k = 0; k < 2; k++)
        b[2 * to + k] = way == 0   ? b[2 * from + k]
                        : way == 1 ? b[2 * to + k] + shift
                        : way == 2 ? b[2 * to]
                                   : b[2 * to + k];
    for (int i = 0; i < g->n; i++) {
        int at = column ? i % g->nx : i / g->nx, other = column ? i - to + from : i + (from - to) * g->nx;
        if (at == to && way < 2)
            centre[i] = way == 0 ? centre[other] : centre[i] + shift;
    }
    if (way == 3)
        swap(&b[2 * to], &b[2 * from + 1]);
}

static void mutate(raw *g)
{
    static const double factor[] = {0.0, 1e-9, 1e-3, 0.5, 1.001, 2.0, -1.0, 20.0};
    int i = pick(g->n), k = chance() < 0.5 ? (i + 1) % g->n : pick(g->n), many = chance() < 0.3 ? g->n / 7 : 1;
    int what = g->column && chance() < 0.6 ? 7 : pick(7);
    double shift = chance() < 0.4 ? 1e-9 : pow(10, -13 + 12 * chance());
    for (int j = 0; j < many; j++, i = (i + 1) % g->n, k = (k + 1) % g->n)
        switch (what) {
        case 0:
            copy_cell(g, i, k);
            break;
        case 1: /* nearly the same */
            copy_cell(g, i, k);
            shift_cell(g, k, shift);
            break;
        case 2:
            swap_cells(g, i, k);
            break;
        case 3:
            shift_cell(g, i, shift);
            break;
        case 4:
            scale_cell(g, i, factor[pick(8)]);
            break;
        case 5:
            reverse_cell(g, i);
            break;
        case 6:
            if (j == 0)
                spoil_number(g, i);
            break;
        default:
            spoil_bounds(g);
        }
}

static int build(const raw *g, h3ou__cells **out)
{
    int err = h3ou__cells_create("mutant", g->n, g->lon, g->lat, g->mask, out);
    if (!err && g->column)
        return h3ou__cells_set_boxes(*out, g->nx, g->ny, g->column, g->row, g->edges);
    if (!err && g->x)
        err = h3ou__cells_set_corners(*out, g->most, g->x, g->y, NULL, g->edges);
    if (!err && g->nx) {
        (*out)->rank = 2;
        (*out)->dims[0] = g->nx;
        (*out)->dims[1] = g->ny;
        (*out)->cyclic = g->cyclic;
        (*out)->fold = g->fold;
        find_fold(*out);
    }
    return err;
}

/* What is wrong with weights, or NULL. */
static const char *find_fault(const h3ou__weights *w, char text[], size_t size)
{
    for (int64_t i = 0; i < w->ntarget; i++) {
        double sum = 0.0, awaited = w->norm == H3OU__DESTAREA ? w->frac[i] : 1.0;
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++) {
            sum += w->coef[k];
            snprintf(text, size, "cell %" PRId64 " from %d: weight %g", i + 1, w->src[k] + 1, w->coef[k]);
            if (!(fabs(w->coef[k]) <= 10.0))
                return text;
        }
        snprintf(text, size, "cell %" PRId64 ": share %g, sum %.12g", i + 1, w->frac[i], sum);
        bool whole = w->norm == H3OU__FRACAREA || sum <= awaited; /* cells that overlap give more than is covered */
        if (!(w->frac[i] >= 0.0 && w->frac[i] <= 1.0) ||
            (w->start[i + 1] > w->start[i] && !(whole ? fabs(sum - awaited) < 1e-6 : isfinite(sum))))
            return text;
    }
    return NULL;
}

typedef struct tally {
    int made, refused, weights, errors;
} tally;

static int try_methods(h3ou__cells *s, h3ou__cells *t, tally *count)
{
    static const char *const stack[] = {"conservative",
                                        "conservative2",
                                        "bilinear",
                                        "barycentric",
                                        "bicubic",
                                        "nearest",
                                        "distance",
                                        "average(n=6),nearest",
                                        "gauss",
                                        "radial",
                                        "radial(n=30,width=3),nearest",
                                        "laf",
                                        "conservative2,creep"};
    for (size_t m = 0; m < sizeof stack / sizeof *stack; m++) {
        h3ou__weights_options o = {
            .norm = chance() < 0.5 ? H3OU__FRACAREA : H3OU__DESTAREA, .threads = 1, .limit = chance() < 0.1};
        h3ou__weights *w = NULL;
        h3ou__stack parsed;
        char text[128];
        assert_int_equal(h3ou__stack_parse(stack[m], &parsed), 0);
        if (h3ou__weights_make(&parsed, s, t, &o, &w)) {
            count->errors++;
            if (strlen(h3ou__fail_text()) < 20)
                return printf("%s: no sentence\n", stack[m]);
            continue;
        }
        count->weights++;
        const char *fault = find_fault(w, text, sizeof text);
        h3ou__weights_free(w);
        if (fault)
            return printf("%s, norm %d: %s\n", stack[m], o.norm, fault);
    }
    return 0;
}

static int try_one(tally *count)
{
    raw g[2];
    h3ou__cells *c[2] = {NULL, NULL};
    int err = 0, fault = 0, which = pick(3); /* of the grids is mutated: 0, 1 or both */
    for (int k = 0; k < 2; k++) {
        make_base(pick(7), &g[k]);
        for (int times = which == k || which == 2 ? 1 + pick(3) : 0; times > 0; times--)
            mutate(&g[k]);
    }
    for (int k = 0; k < 2 && !err; k++)
        err = build(&g[k], &c[k]);
    if (err) {
        count->refused++;
        fault = strlen(h3ou__fail_text()) < 20;
    } else {
        count->made++;
        fault = try_methods(c[0], c[1], count);
    }
    for (int k = 0; k < 2; k++) {
        if (!err || c[k])
            h3ou__cells_free(c[k]);
        raw_free(&g[k]);
    }
    return fault;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 300;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    tally all = {0};
    for (int i = 0; i < count; i++) {
        chance_state = seed + (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15);
        chance();
        chance();
        if (try_one(&all)) {
            printf("grids: mutation %d of seed %" PRIu64 "\n", i, seed);
            return 1;
        }
    }
    printf("grids: %d mutations, %d grids refused, %d weights made, %d refused\n", count, all.refused, all.weights,
           all.errors);
    return all.weights == 0 || all.refused == 0;
}
