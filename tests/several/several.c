/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Components that open themselves in one process or in several, step in turn, and print the bits of their values at the
 * end.
 *
 *   several MEMBERS CONFIG PAIRS [ORDER]
 *     MEMBERS: on which ranks of the job each component is, as A:0-3,B:0-1; they step in this order
 *     PAIRS: pairs of components between which the namelist has fields, as AB,BA
 *     ORDER: turns (the default): a component does its whole step, then the next; together: all get, then all put;
 * quiet: as turns, but without h3ou_send. The others fail. late: the last component puts after the first one's get,
 * too; years: a component does all its steps, then the next; silent: no initial values; alone: no h3ou_announce; early:
 * steps before the other component's h3ou_time_init; missing: opens the first alone; ensemble: has two members;
 *       exit: closes the first alone
 *
 * Component A has 60 cells, B 61 and so on; its state takes half of itself and the fields that it gets.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { MOST = 4, CELLS = 80, STEPS = 7, STEP = 600 };

typedef struct model {
    h3ou_ctx *ctx;
    char name[2], grid[4];
    int size, rank, ncell, n, step;
    int cell[CELLS];
    double state[CELLS];
    int time[6];
} model;

static h3ou_ctx *last;
static int nensemble = 1, with_method;

static void check(int err)
{
    if (err)
        h3ou_abort(last, err);
}

static int job_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK"};
    for (int i = 0; i < 2; i++)
        if (getenv(names[i]))
            return atoi(getenv(names[i]));
    return 0;
}

/* Lists the components that this process opens. */
static int list_mine(const char *members, char name[MOST][2])
{
    int n = 0, rank = job_rank();
    for (const char *at = members; at && n < MOST; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *end;
        long first = strtol(at + 2, &end, 10), to = *end == '-' ? strtol(end + 1, NULL, 10) : first;
        if (rank >= first && rank <= to) {
            name[n][0] = at[0];
            name[n++][1] = 0;
        }
    }
    return n;
}

static void open_model(model *m, const char *name, const char *config)
{
    int comm, group;
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", name);
    snprintf(m->grid, sizeof m->grid, "%s_g", name);
    m->ncell = 60 + name[0] - 'A';
    const int start[6] = {2000, 1, 1, 0, 0, 0};
    memcpy(m->time, start, sizeof start);
    h3ou_ctx *ctx = last;
    int err = h3ou_open(name, config, nensemble, &ctx);
    last = m->ctx = ctx;
    check(err);
    check(h3ou_local(m->ctx, &comm, &group, &m->size, &m->rank));
}

static void define_grid(model *m)
{
    last = m->ctx;
    for (int i = 1; i <= m->ncell; i++)
        if (i % m->size == m->rank)
            m->cell[m->n++] = i;
    for (int i = 0; i < m->n; i++)
        m->state[i] = m->cell[i] + 0.125 * m->name[0];
    double lon[CELLS], lat[CELLS];
    for (int i = 0; i < m->n; i++) {
        lon[i] = (37 * m->cell[i]) % 360;
        lat[i] = 120.0 * m->cell[i] / m->ncell - 60.0;
    }
    check(h3ou_grid_define(m->ctx, m->name, m->grid, m->cell, m->n, 1));
    check(h3ou_grid_centres(m->ctx, m->grid, lon, lat, "degrees"));
    check(h3ou_grid_end(m->ctx));
}

/* The sender gives the table: three sources for each target cell. */
static void give_tables(model *m, const char *pairs)
{
    int send[3 * CELLS], recv[3 * CELLS];
    double coef[3 * CELLS];
    for (const char *at = pairs; *at; at += at[2] ? 3 : 2) {
        char from[2] = {at[0]}, to[2] = {at[1]}, from_grid[4], to_grid[4];
        if ((m->name[0] != from[0] && m->name[0] != to[0]) || with_method)
            continue;
        snprintf(from_grid, sizeof from_grid, "%s_g", from);
        snprintf(to_grid, sizeof to_grid, "%s_g", to);
        int nfrom = 60 + from[0] - 'A', nto = 60 + to[0] - 'A', n = 0;
        for (int i = 0; i < 3 * nto; i++, n++) {
            send[n] = (7 * i + 3) % nfrom + 1;
            recv[n] = i / 3 + 1;
            coef[n] = 1.0 / (3 + i % 5);
        }
        int gives = m->name[0] == from[0];
        check(h3ou_table_set(m->ctx, m->name, from, from_grid, to, to_grid, 1, gives ? send : NULL, gives ? recv : NULL,
                             gives ? coef : NULL, gives ? n : 0, 0));
    }
}

static int handle_of(model *m, const char *field)
{
    int handle;
    check(h3ou_field(m->ctx, field, &handle));
    return handle;
}

/* No component takes another one's handles. */
static void check_handles(model *m, int n)
{
    char field[65], name[65];
    for (int c = 0; c < n; c++)
        for (int other = 0; other < n; other++) {
            int puts = h3ou_put_count(m[c].ctx) > 0;
            check(puts ? h3ou_put_name(m[c].ctx, 1, field) : h3ou_get_name(m[c].ctx, 1, field));
            int err = h3ou_field_name(m[other].ctx, handle_of(&m[c], field), name);
            if (other == c ? err || strcmp(name, field) != 0 : err != H3OU_EARG)
                h3ou_abort_text(m[c].ctx, "a handle of one component is taken by another");
        }
}

/* Puts all fields; of the initial values not those of fields with lag 0, of which each put is an exchange. */
static void put_all(model *m, int initial)
{
    char field[65];
    double data[CELLS];
    last = m->ctx;
    for (int k = 1; k <= h3ou_put_count(m->ctx); k++) {
        check(h3ou_put_name(m->ctx, k, field));
        if (initial && !strncmp(field, "now", 3))
            continue;
        for (int i = 0; i < m->n; i++)
            data[i] = m->state[i] * (1.0 + k / 16.0);
        if (k % 2)
            check(h3ou_put(m->ctx, field, data, m->n, 1));
        else
            check(h3ou_field_put(m->ctx, handle_of(m, field), data, m->n, 1));
    }
}

static void begin_step(model *m)
{
    last = m->ctx;
    check(h3ou_time_set(m->ctx, m->name, m->time, STEP));
    check(h3ou_time_inc(m->time, STEP));
    m->step++;
}

static void get_all(model *m)
{
    char field[65];
    double data[CELLS], sum[CELLS] = {0};
    int ok;
    last = m->ctx;
    for (int k = 1; k <= h3ou_get_count(m->ctx); k++) {
        check(h3ou_get_name(m->ctx, k, field));
        check(k % 2 ? h3ou_get(m->ctx, field, data, m->n, 1, &ok)
                    : h3ou_field_get(m->ctx, handle_of(m, field), data, m->n, 1, &ok));
        for (int i = 0; i < m->n && ok; i++)
            sum[i] += data[i] / (k + 1);
    }
    for (int i = 0; i < m->n; i++)
        m->state[i] = 0.5 * m->state[i] + 0.25 * sum[i] + 0.01 * m->cell[i];
}

/* What models tell each other beside the exchange: of the first two components the first one sends. */
static void talk(model *m, const char *pairs)
{
    double said[3] = {m->name[0] == pairs[0] ? 1.5 : 0.0, 2.5, 3.5};
    char other[2] = {m->name[0] == pairs[0] ? pairs[1] : pairs[0]}, first[2] = {pairs[0]}, second[2] = {pairs[1]};
    last = m->ctx;
    if (m->name[0] != first[0] && m->name[0] != second[0])
        return;
    if (m->name[0] == first[0])
        check(h3ou_send(m->ctx, other, said, 3, H3OU_TYPE_DOUBLE));
    else
        check(h3ou_recv(m->ctx, other, said, 3, H3OU_TYPE_DOUBLE));
    if (said[0] != 1.5)
        h3ou_abort_text(m->ctx, "h3ou_recv got something else");
    check(h3ou_bcast_model(m->ctx, first, second, said, 3, H3OU_TYPE_DOUBLE));
    for (int i = 0; i < m->n; i++)
        m->state[i] += said[m->cell[i] % 3];
}

static void run_all(model *m, int n, const char *order)
{
    if (!strcmp(order, "years"))
        for (int c = 0; c < n; c++)
            for (int step = 0; step < STEPS; step++) {
                begin_step(&m[c]);
                get_all(&m[c]);
                put_all(&m[c], 0);
            }
    for (int step = 0; step < STEPS && strcmp(order, "years") != 0; step++) {
        int together = !strcmp(order, "together");
        for (int c = 0; c < n && together; c++)
            begin_step(&m[c]);
        for (int c = 0; c < n; c++) {
            if (!together)
                begin_step(&m[c]);
            get_all(&m[c]);
            if (!strcmp(order, "late") && c == 0)
                put_all(&m[n - 1], 0);
            if (!together)
                put_all(&m[c], 0);
        }
        for (int c = 0; c < n && together; c++)
            put_all(&m[c], 0);
    }
}

static void print_values(const model *m)
{
    for (int i = 0; i < m->n; i++)
        printf("%s %d %a\n", m->name, m->cell[i], m->state[i]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *config = argv[2], *pairs = argv[3], *order = argc > 4 ? argv[4] : "turns";
    const int date[6] = {2000, 1, 1, 0, 0, 0};
    char name[MOST][2];
    const char *names[MOST];
    model m[MOST];
    int n = list_mine(argv[1], name);
    with_method = !strcmp(order, "method");
    nensemble = strcmp(order, "ensemble") ? 1 : 2;
    for (int c = 0; c < n; c++)
        names[c] = name[c];
    if (n > 1 && strcmp(order, "alone") != 0)
        check(h3ou_announce(n, names));
    n = !strcmp(order, "missing") ? 1 : n;
    for (int c = 0; c < n; c++)
        open_model(&m[c], name[c], config);
    check_handles(m, n);
    for (int c = 0; c < n; c++)
        define_grid(&m[c]);
    for (int c = 0; c < n; c++)
        give_tables(&m[c], pairs);
    for (int c = 0; c < n; c++) {
        last = m[c].ctx;
        check(h3ou_time_init(m[c].ctx, date));
        if (strcmp(order, "silent") != 0)
            put_all(&m[c], 1);
        if (!strcmp(order, "early") || !strcmp(order, "missing"))
            begin_step(&m[c]);
    }
    for (int c = 0; c < n; c++)
        if (strcmp(order, "silent") != 0 && strcmp(order, "quiet") != 0)
            talk(&m[c], pairs);
    run_all(m, n, order);
    for (int c = 0; c < n; c++) {
        if (!strcmp(order, "exit") && c > 0)
            return 0;
        print_values(&m[c]);
        last = m[c].ctx;
        check(h3ou_close(m[c].ctx, NULL, -1));
    }
    return 0;
}
