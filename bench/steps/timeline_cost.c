/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What recording the time line costs.
 *
 *   timeline_cost A|B CONFIG CELLS FIELDS WORK STEPS ROUNDS
 *
 * A and B have a process each, which exchanges FIELDS fields of CELLS cells both ways in every step, and computes WORK thousand dependent
 * multiplications. ROUNDS times, STEPS steps with recording and STEPS without take turns, and which comes first, too: each
 * process pauses its own time line by the number in the file's head that is there for it. A prints a line for each round: the
 * microseconds of a step with recording, and without.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "h3ou.h"
#include "bench/spread.h"

enum { STEP = 60, HEAD = 512, AT_PAUSED = 72, MOST_FIELDS = 100 };

typedef struct model {
    h3ou_ctx *ctx;
    char me[2], other[2];
    int cells, fields, work, time[6], put[MOST_FIELDS], get[MOST_FIELDS];
    double *value;
    unsigned char *head;
} model;

static volatile double sink = 1.0;
static h3ou_ctx *open_ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(open_ctx, err);
}

/* Maps the head of this process's own time line. */
static void find_head(model *m)
{
    char file[4096];
    const char *folder = getenv("H3OU_RUN_DIRECTORY");
    snprintf(file, sizeof file, "%s/timeline/%s.0", folder ? folder : ".", m->me);
    int fd = open(file, O_RDWR);
    void *at = fd < 0 ? MAP_FAILED : mmap(NULL, HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        h3ou_abort_text(m->ctx, "timeline_cost: H3OU_RUN_DIRECTORY has no time line of this process");
    m->head = at;
}

static void set_up(model *m, const char *config)
{
    int *index = malloc(sizeof(int) * (size_t)m->cells);
    double *coef = malloc(sizeof(double) * (size_t)m->cells);
    char name[16], mine[3] = {*m->me, 'g'}, theirs[3] = {*m->other, 'g'};
    check_call(h3ou_open(m->me, config, 1, &open_ctx));
    m->ctx = open_ctx;
    for (int i = 0; i < m->cells; i++) {
        index[i] = i + 1;
        coef[i] = 1.0;
    }
    check_call(h3ou_grid_define(m->ctx, m->me, mine, index, m->cells, 1));
    check_call(h3ou_grid_end(m->ctx));
    for (int from_a = 0; from_a < 2; from_a++) {
        int i_get = (*m->me == 'A') != from_a;
        check_call(h3ou_table_set(m->ctx, m->me, i_get ? m->other : m->me, i_get ? theirs : mine, i_get ? m->me : m->other,
                                  i_get ? mine : theirs, 1, i_get ? index : NULL, i_get ? index : NULL, i_get ? coef : NULL,
                                  i_get ? m->cells : 0, H3OU_TABLE_SPREAD));
    }
    check_call(h3ou_time_init(m->ctx, m->time));
    for (int k = 0; k < m->fields; k++) {
        snprintf(name, sizeof name, "%s_v%d", m->me, k);
        check_call(h3ou_field(m->ctx, name, &m->put[k]));
        snprintf(name, sizeof name, "%s_v%d", m->other, k);
        check_call(h3ou_field(m->ctx, name, &m->get[k]));
        check_call(h3ou_field_put(m->ctx, m->put[k], m->value, m->cells, 1));
    }
    free(index);
    free(coef);
}

static void make_step(model *m)
{
    int ok;
    check_call(h3ou_time_set(m->ctx, m->me, m->time, STEP));
    for (int k = 0; k < m->fields; k++)
        check_call(h3ou_field_get(m->ctx, m->get[k], m->value, m->cells, 1, &ok));
    double x = sink;
    for (int64_t i = 0; i < m->work * INT64_C(1000); i++)
        x = x * 0.999999 + 1e-6;
    sink = x;
    for (int k = 0; k < m->fields; k++)
        check_call(h3ou_field_put(m->ctx, m->put[k], m->value, m->cells, 1));
    check_call(h3ou_time_inc(m->time, STEP));
}

/* Returns the seconds of a step. */
static double run_round(model *m, int is_recorded, int steps)
{
    m->head[AT_PAUSED] = !is_recorded;
    make_step(m);
    double begin = seconds_now();
    for (int i = 0; i < steps; i++)
        make_step(m);
    return (seconds_now() - begin) / steps;
}

static void run_rounds(model *m, int steps, int rounds)
{
    double *took = calloc(2 * (size_t)rounds + 1, sizeof *took); /* [rounds][without, with] */
    for (int i = 0; i < 20; i++) /* opens connections, and memory that both share */
        make_step(m);
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < 2; k++) {
            int is_recorded = i % 2 == k;
            took[2 * i + is_recorded] = run_round(m, is_recorded, steps);
        }
    }
    for (int i = 0; i < rounds && *m->me == 'A'; i++)
        printf("%.6g %.6g\n", 1e6 * took[2 * i + 1], 1e6 * took[2 * i]);
    free(took);
}

int main(int argc, char **argv)
{
    if (argc != 8)
        return 2;
    char me = argv[1][0], other = me == 'A' ? 'B' : 'A';
    static model m = {.time = {2000, 1, 1, 0, 0, 0}};
    m.me[0] = me;
    m.other[0] = other;
    m.cells = atoi(argv[3]);
    m.fields = atoi(argv[4]);
    m.work = atoi(argv[5]);
    if (m.cells < 1 || m.fields < 1 || m.fields > MOST_FIELDS)
        return 2;
    m.value = calloc((size_t)m.cells, sizeof *m.value);
    set_up(&m, argv[2]);
    find_head(&m);
    run_rounds(&m, atoi(argv[6]), atoi(argv[7]));
    check_call(h3ou_close(m.ctx, NULL, 1));
    free(m.value);
    return 0;
}
