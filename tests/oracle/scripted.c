/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component that does what a script says, call by call, over as many runs as the script has, one after the other in
 * one process. What get answers is written down and judged by oracle.py.
 *
 *   scripted COMPONENT SCRIPT OUTPUT      OUTPUT.RANK is written
 *
 * One call in a line; a DATE is six numbers:
 *
 *   open CONFIG
 *   grid NAME LAYERS N STRIDE INDEX...     those whose place * STRIDE % size is the rank are its cells
 *   grids                                  all are defined
 *   table FROM GRID TO GRID TAG MODE N SEND... RECV... M COEF...   MODE: none, leader, spread; M: N, or 0 for no coef
 *   turns FROM GRID TO GRID TAG N SEND... RECV... COEF... COS... SIN...    a table that turns vectors, given by rank 0; N 0: by the other
 *   init DATE
 *   set DATE STEP
 *   seconds SECONDS STEP                   as set, by h3ou_time_set_seconds
 *   months DATE MONTHS                     as set, by h3ou_time_set_months
 *   add DATE SECONDS                       writes: RUN LINE 1 DATE
 *   addmonths DATE MONTHS                  writes: RUN LINE 1 DATE, by h3ou_time_add_months
 *   put FIELD GRID LAYERS BASE             the value of a cell is BASE + index / 8 + 1000 * layer
 *   putshare, puthole FIELD GRID LAYERS BASE PHASE    as put, with shares of cells that change with PHASE; with NaN in some cells
 *   putvector FIELD GRID LAYERS BASE COMPONENTS PHASE    2 or 3 components, BASE apart by 100; with a PHASE above 0 as puthole
 *   getvector FIELD GRID LAYERS COMPONENTS    writes as get, component after component
 *   get FIELD GRID LAYERS                  writes: RUN LINE ok VALUE..., cells fastest; -999 where none was set
 *   close FINALIZE
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { WORD = 80, MOST_GRIDS = 4 };

typedef struct grid {
    char name[WORD];
    int n, *index;
} grid;

static FILE *script, *output;
static h3ou_ctx *ctx;
static int line, runs, rank, size, ngrid;
static grid grids[MOST_GRIDS];

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void broken(const char *what)
{
    fprintf(stderr, "line %d of the script: %s\n", line, what);
    abort();
}

static const char *word(char text[WORD])
{
    if (fscanf(script, "%79s", text) != 1)
        broken("a word is missing");
    return text;
}

static int whole(void)
{
    int n;
    if (fscanf(script, "%d", &n) != 1)
        broken("an integer is missing");
    return n;
}

static double real(void)
{
    double x;
    if (fscanf(script, "%lf", &x) != 1)
        broken("a number is missing");
    return x;
}

static int *integers(int n)
{
    int *all = malloc(sizeof *all * (size_t)(n + 1));
    for (int i = 0; i < n; i++)
        all[i] = whole();
    return all;
}

static void read_date(int date[6])
{
    for (int i = 0; i < 6; i++)
        date[i] = whole();
}

static const grid *find_grid(void)
{
    char name[WORD];
    word(name);
    for (int i = 0; i < ngrid; i++)
        if (!strcmp(grids[i].name, name))
            return &grids[i];
    broken("an unknown grid");
    return NULL;
}

static void begin(const char *component)
{
    char config[512];
    int comm, group;
    if (fscanf(script, "%511s", config) != 1)
        broken("a file is missing");
    check(h3ou_open(component, config, 1, &ctx));
    check(h3ou_local(ctx, &comm, &group, &size, &rank));
}

static void define_grid(const char *component)
{
    grid *g = &grids[ngrid++];
    word(g->name);
    int layers = whole(), n = whole(), stride = whole();
    g->index = integers(n);
    g->n = 0;
    for (int i = 0; i < n; i++)
        if (i * stride % size == rank)
            g->index[g->n++] = g->index[i];
    check(h3ou_grid_define(ctx, component, g->name, g->index, g->n, layers));
}

static void set_table(const char *component)
{
    char from[WORD], from_grid[WORD], to[WORD], to_grid[WORD], mode[WORD];
    word(from), word(from_grid), word(to), word(to_grid);
    int tag = whole(), first = 0;
    word(mode);
    int n = whole(), *send = integers(n), *recv = integers(n), spread = !strcmp(mode, "spread");
    int ncoef = whole();
    double *coef = malloc(sizeof *coef * (size_t)(ncoef + 1));
    for (int i = 0; i < ncoef; i++)
        coef[i] = real();
    int given = !strcmp(mode, "none") || (!spread && rank > 0) ? 0 : n;
    if (spread) {
        first = n * rank / size;
        given = n * (rank + 1) / size - first;
    }
    int gives = spread || given > 0;
    check(h3ou_table_set(ctx, component, from, from_grid, to, to_grid, tag, gives ? send + first : NULL,
                         gives ? recv + first : NULL, gives && ncoef > 0 ? coef + first : NULL, given,
                         spread ? H3OU_TABLE_SPREAD : H3OU_TABLE_LEADER));
    free(send);
    free(recv);
    free(coef);
}

static void add_time(int add(h3ou_ctx *, int[6], int))
{
    int date[6];
    read_date(date);
    check(add(ctx, date, whole()));
    fprintf(output, "%d %d 1", runs, line);
    for (int i = 0; i < 6; i++)
        fprintf(output, " %d", date[i]);
    fputc('\n', output);
}

static void set_turns(const char *component)
{
    char from[WORD], from_grid[WORD], to[WORD], to_grid[WORD];
    word(from), word(from_grid), word(to), word(to_grid);
    int tag = whole(), n = whole(), *send = integers(n), *recv = integers(n);
    double *numbers = malloc(3 * sizeof *numbers * (size_t)(n + 1));
    for (int i = 0; i < 3 * n; i++)
        numbers[i] = real();
    if (n > 0 && rank == 0)
        check(h3ou_table_set_rotated(ctx, component, from, from_grid, to, to_grid, tag, send, recv, numbers, numbers + n,
                                     numbers + 2 * n, n, H3OU_TABLE_LEADER));
    else
        check(h3ou_table_set(ctx, component, from, from_grid, to, to_grid, tag, NULL, NULL, NULL, 0, H3OU_TABLE_LEADER));
    free(send);
    free(recv);
    free(numbers);
}

static double *make_values(const grid *g, int layers, double base)
{
    double *data = malloc(sizeof *data * (size_t)(g->n * layers + 1));
    for (int i = 0; i < g->n * layers; i++)
        data[i] = base + g->index[i % g->n] / 8.0 + 1000.0 * (i / g->n);
    return data;
}

static void make_holes(const grid *g, int layers, int phase, double *data)
{
    for (int i = 0; i < g->n * layers; i++)
        if ((g->index[i % g->n] + phase) % 3 == 0)
            data[i] = NAN;
}

/* with: "", "share" or "hole". */
static void put_field(const char *with)
{
    char field[WORD];
    word(field);
    const grid *g = find_grid();
    int layers = whole();
    double *data = make_values(g, layers, real()), *share = malloc(sizeof *share * (size_t)(g->n + 1));
    int phase = *with ? whole() : 0;
    for (int i = 0; i < g->n; i++)
        share[i] = (g->index[i] * 3 + phase) % 4 / 4.0;
    if (!strcmp(with, "hole"))
        make_holes(g, layers, phase, data);
    if (!strcmp(with, "share"))
        check(h3ou_put_share(ctx, field, data, share, g->n, layers));
    else
        check(h3ou_put(ctx, field, data, g->n, layers));
    free(data);
    free(share);
}

static void put_vector(void)
{
    char field[WORD];
    word(field);
    const grid *g = find_grid();
    int layers = whole();
    double base = real(), *data[3];
    int count = whole(), phase = whole();
    for (int k = 0; k < 3; k++)
        data[k] = make_values(g, layers, base + 100.0 * k);
    if (phase > 0)
        make_holes(g, layers, phase, data[1]);
    if (count == 3)
        check(h3ou_put_xyz(ctx, field, data[0], data[1], data[2], g->n, layers));
    else
        check(h3ou_put_vector(ctx, field, data[0], data[1], g->n, layers));
    for (int k = 0; k < 3; k++)
        free(data[k]);
}

static void get_field(int is_vector)
{
    char field[WORD];
    int ok;
    word(field);
    const grid *g = find_grid();
    int layers = whole(), count = is_vector ? whole() : 1, n = g->n * layers;
    double *data = malloc(sizeof *data * (size_t)(count * n + 1));
    for (int i = 0; i < count * n; i++)
        data[i] = -999.0;
    check(count == 1   ? h3ou_get(ctx, field, data, g->n, layers, &ok)
          : count == 2 ? h3ou_get_vector(ctx, field, data, data + n, g->n, layers, &ok)
                       : h3ou_get_xyz(ctx, field, data, data + n, data + 2 * n, g->n, layers, &ok));
    fprintf(output, "%d %d %d", runs, line, ok);
    for (int i = 0; i < count * n; i++)
        fprintf(output, " %.17g", data[i]);
    fputc('\n', output);
    free(data);
}

static void end(void)
{
    int finalize = whole();
    check(h3ou_close(ctx, NULL, finalize));
    while (ngrid > 0)
        free(grids[--ngrid].index);
    runs++;
}

static void follow(const char *component, const char *call)
{
    int date[6];
    if (!strcmp(call, "open")) {
        begin(component);
    } else if (!strcmp(call, "grid")) {
        define_grid(component);
    } else if (!strcmp(call, "grids")) {
        check(h3ou_grid_end(ctx));
    } else if (!strcmp(call, "table")) {
        set_table(component);
    } else if (!strcmp(call, "init")) {
        read_date(date);
        check(h3ou_time_init(ctx, date));
    } else if (!strcmp(call, "set")) {
        read_date(date);
        check(h3ou_time_set(ctx, component, date, whole()));
    } else if (!strcmp(call, "seconds")) {
        double seconds = real();
        check(h3ou_time_set_seconds(ctx, component, seconds, real()));
    } else if (!strcmp(call, "months")) {
        read_date(date);
        check(h3ou_time_set_months(ctx, component, date, whole()));
    } else if (!strcmp(call, "add")) {
        add_time(h3ou_time_add);
    } else if (!strcmp(call, "addmonths")) {
        add_time(h3ou_time_add_months);
    } else if (!strcmp(call, "put")) {
        put_field("");
    } else if (!strcmp(call, "putshare") || !strcmp(call, "puthole")) {
        put_field(call + 3);
    } else if (!strcmp(call, "putvector")) {
        put_vector();
    } else if (!strcmp(call, "getvector")) {
        get_field(1);
    } else if (!strcmp(call, "turns")) {
        set_turns(component);
    } else if (!strcmp(call, "get")) {
        get_field(0);
    } else if (!strcmp(call, "close")) {
        end();
    } else {
        broken("an unknown call");
    }
}

int main(int argc, char **argv)
{
    char call[WORD], name[512];
    if (argc != 4 || !(script = fopen(argv[2], "r")))
        return 2;
    for (line = 1; fscanf(script, "%79s", call) == 1; line++) {
        follow(argv[1], call);
        if (!output) {
            snprintf(name, sizeof name, "%s.%d", argv[3], rank);
            output = fopen(name, "w");
        }
        if (!output)
            broken("the output cannot be written");
    }
    return output && !fclose(output) && !fclose(script) ? 0 : 1;
}
