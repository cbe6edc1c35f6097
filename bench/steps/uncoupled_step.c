/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a step costs in which nothing is exchanged: a set_time, and for each field a get that is not due and a put.
 *
 *   uncoupled_step A|B CONFIG CELLS FIELDS STEPS [names]
 *
 * A makes STEPS steps of a second, B one of as many; their fields A_v0, A_v1, ... and B_v0, B_v1, ... are exchanged at the start and the
 * end alone. A's steps go in rounds of a few hundred: of the model's own calendar (h3ou_time_inc) alone, with h3ou_time_set, with gets
 * by name, by handle, with puts by name, by handle, and of copies of the same bytes. The clock is read twice a round. A prints the
 * median nanoseconds of a call of each kind, less what the rounds without it took, and of a whole step by handle.
 * names: without handles, for a library that has none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"
#include "bench/spread.h"

enum { MOST_FIELDS = 1000 };
enum kind { DATE, SET, GET, GET_BY_HANDLE, PUT, PUT_BY_HANDLE, STEP, COPY, KINDS };

typedef struct model {
    h3ou_ctx *ctx;
    int n, fields, time[6], by_name;
    char put[MOST_FIELDS][16], got[MOST_FIELDS][16];
    int put_field[MOST_FIELDS], got_field[MOST_FIELDS];
    double *value, *copy;
} model;

static h3ou_ctx *open_ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(open_ctx, err);
}

static void set_up(const char *me, int n, int time[6])
{
    h3ou_ctx *ctx = open_ctx;
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

static void name_fields(model *m, int is_a)
{
    for (int k = 0; k < m->fields; k++) {
        snprintf(m->put[k], sizeof m->put[k], "%s_v%d", is_a ? "A" : "B", k);
        snprintf(m->got[k], sizeof m->got[k], "%s_v%d", is_a ? "B" : "A", k);
        if (!m->by_name) {
            check_call(h3ou_field(m->ctx, m->put[k], &m->put_field[k]));
            check_call(h3ou_field(m->ctx, m->got[k], &m->got_field[k]));
        }
    }
}

static void copy_all(model *m)
{
    for (int k = 0; k < m->fields; k++) {
        memcpy(m->copy, m->value, sizeof *m->copy * (size_t)m->n);
        m->value[k % m->n] = m->copy[(k + 1) % m->n] + 1.0;
    }
}

static void get_all(model *m, int by_handle)
{
    int ok;
    for (int k = 0; k < m->fields; k++)
        check_call(by_handle ? h3ou_field_get(m->ctx, m->got_field[k], m->value, m->n, 1, &ok)
                             : h3ou_get(m->ctx, m->got[k], m->value, m->n, 1, &ok));
}

static void put_all(model *m, int by_handle)
{
    for (int k = 0; k < m->fields; k++)
        check_call(by_handle ? h3ou_field_put(m->ctx, m->put_field[k], m->value, m->n, 1)
                             : h3ou_put(m->ctx, m->put[k], m->value, m->n, 1));
}

/* Makes `steps` steps, or as many passes of what is no step. Returns the nanoseconds of each. */
static double run_round(model *m, int kind, int steps)
{
    int date[6];
    memcpy(date, m->time, sizeof date);
    double begin = seconds_now();
    for (int i = 0; i < steps; i++) {
        if (kind == COPY) {
            copy_all(m);
            continue;
        }
        if (kind != DATE)
            check_call(h3ou_time_set(m->ctx, "A", m->time, 1));
        if (kind == GET || kind == GET_BY_HANDLE || kind == STEP)
            get_all(m, kind != GET);
        if (kind == PUT || kind == PUT_BY_HANDLE || kind == STEP)
            put_all(m, kind != PUT);
        check_call(h3ou_time_inc(kind == DATE ? date : m->time, 1));
    }
    return 1e9 * (seconds_now() - begin) / steps;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, compare);
    return value[n / 2];
}

static void run_steps(model *m, int steps)
{
    int each = steps / 6 / 200 > 0 ? steps / 6 / 200 : 1, rounds = 0;
    int kinds_of_steps = m->by_name ? 3 : 6; /* that take steps of the run */
    double *spent[KINDS], median[KINDS] = {0};
    for (int kind = 0; kind < KINDS; kind++)
        spent[kind] = malloc(sizeof **spent * (size_t)(steps / each + 1));
    for (; steps >= kinds_of_steps * each; rounds++)
        for (int kind = 0; kind < KINDS; kind++) {
            int needs_handle = kind == GET_BY_HANDLE || kind == PUT_BY_HANDLE || kind == STEP;
            if (m->by_name && needs_handle)
                continue;
            spent[kind][rounds] = run_round(m, kind, each);
            steps -= kind != DATE && kind != COPY ? each : 0;
        }
    for (int i = 0; i < steps; i++) { /* the rest, so that the run ends when B's does */
        check_call(h3ou_time_set(m->ctx, "A", m->time, 1));
        check_call(h3ou_time_inc(m->time, 1));
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (rounds > 0 && !(m->by_name && (kind == GET_BY_HANDLE || kind == PUT_BY_HANDLE || kind == STEP)))
            median[kind] = median_of(spent[kind], rounds);
    printf(" %.1f %.1f", median[DATE], median[SET] - median[DATE]);
    for (int kind = GET; kind <= PUT_BY_HANDLE; kind++)
        printf(" %.1f", median[kind] > 0.0 ? (median[kind] - median[SET]) / m->fields : 0.0);
    printf(" %.1f %.1f\n", median[STEP] > 0.0 ? median[STEP] - median[DATE] : median[GET] + median[PUT] - median[SET] - median[DATE],
           median[COPY]);
    for (int kind = 0; kind < KINDS; kind++)
        free(spent[kind]);
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    static model m = {.time = {2000, 1, 1, 0, 0, 0}};
    int is_a = argv[1][0] == 'A', steps = atoi(argv[5]), ok;
    m.n = atoi(argv[3]);
    m.fields = atoi(argv[4]);
    m.by_name = argc > 6;
    if (m.fields < 1 || m.fields > MOST_FIELDS || m.n < 1 || steps < 2)
        return 2;
    m.value = calloc((size_t)m.n, sizeof *m.value);
    m.copy = calloc((size_t)m.n, sizeof *m.copy);
    check_call(h3ou_open(argv[1], argv[2], 1, &open_ctx));
    m.ctx = open_ctx;
    name_fields(&m, is_a);
    set_up(argv[1], m.n, m.time);
    put_all(&m, 0);
    check_call(h3ou_time_set(m.ctx, argv[1], m.time, is_a ? 1 : steps));
    for (int k = 0; k < m.fields; k++)
        check_call(h3ou_get(m.ctx, m.got[k], m.value, m.n, 1, &ok));
    put_all(&m, 0);
    check_call(h3ou_time_inc(m.time, is_a ? 1 : steps));
    if (is_a)
        run_steps(&m, steps - 2);
    free(m.value);
    free(m.copy);
    check_call(h3ou_close(m.ctx, m.time, 1));
    return 0;
}
