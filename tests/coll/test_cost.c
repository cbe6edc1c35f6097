/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted times: against the paper's formulas, and against a machine that is simulated message by message. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coll/algorithm_table.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/play.h"
#include "players.h"

/* A member whose messages of a round leave one after the other, and come so too. */
typedef struct clock {
    int64_t first, end; /* steps of its round */
    double start, finish;
} clock;

typedef struct simulation {
    const players *p;
    const h3ou__machine *machine;
    clock *clock;
} simulation;

static double length(const simulation *s, const h3ou__step *step)
{
    return s->machine->latency + (double)step->bytes / s->machine->bandwidth;
}

/* When a member can begin with a step: after those of its kind that come before it in the round. */
static double begin(simulation *s, int rank, const h3ou__step *step)
{
    const h3ou__schedule *schedule = &s->p->s[rank];
    clock *c = &s->clock[rank];
    for (; step - schedule->step >= c->end; c->start = c->finish) {
        c->first = c->end;
        c->end = h3ou__schedule_round_end(schedule, c->first);
    }
    double when = c->start;
    for (int64_t i = c->first; schedule->step + i < step; i++)
        if (schedule->step[i].kind == step->kind)
            when += length(s, &schedule->step[i]);
    return when;
}

static void ignore_local(void *user, int rank, const h3ou__step *step)
{
    (void)user;
    (void)rank;
    (void)step;
}

static void move_message(void *user, int from, const h3ou__step *send, int to, const h3ou__step *recv)
{
    simulation *s = user;
    double one = begin(s, from, send), other = begin(s, to, recv);
    double end = (one > other ? one : other) + length(s, send);
    s->clock[from].finish = fmax(s->clock[from].finish, end);
    s->clock[to].finish = fmax(s->clock[to].finish, end);
}

static double simulate(const players *p, const h3ou__machine *machine)
{
    static const h3ou__play_ops ops = {.local = ignore_local, .message = move_message};
    simulation s = {.p = p, .machine = machine, .clock = calloc((size_t)p->call.size, sizeof *s.clock)};
    double last = 0;
    assert_non_null(s.clock);
    assert_int_equal(h3ou__schedule_play(p->s, p->call.size, &ops, &s), 0);
    for (int i = 0; i < p->call.size; i++)
        last = fmax(last, s.clock[i].finish);
    free(s.clock);
    return last;
}

/* Whose members do not all do the same in the same round: the formulas give more than it takes, but for the folded
 * ones. */
static bool is_estimate(const char *name, int operation)
{
    static const char *const names[] = {"binary", "trinary", "bintree", "halving"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(name, names[i]))
            return true;
    return operation == H3OU__COLL_ALLGATHER && strcmp(name, "recursive_doubling") == 0;
}

static void compare(const h3ou__algorithm *a, int size, int64_t count, int64_t segment)
{
    static const h3ou__machine machine = {.latency = 20e-6, .bandwidth = 1e9, .ports = 1};
    players p;
    players_open(&p, a, size, 0, count, a->has_segments ? segment : 0, false);
    double predicted = h3ou__cost_predict(a, &p.call, &machine), ratio = predicted / simulate(&p, &machine);
    bool is_right = is_estimate(a->name, a->operation) ? ratio > 0.85 && ratio < 2.2 : fabs(ratio - 1) < 0.01;
    if (!is_right)
        fail_msg("%s %s, %d members, %lld elements: %g of the time is predicted", h3ou__operation_name[a->operation],
                 a->name, size, (long long)count, ratio);
    players_close(&p);
}

static void predictions_are_what_a_simulation_takes(void **state)
{
    static const struct {
        int size;
        int64_t count, segment;
    } cases[] = {{2, 1000, 0},      {5, 10000, 0}, {8, 7, 0},        {16, 4096, 0},
                 {16, 16384, 8192}, {31, 100, 0},  {24, 10000, 5000}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int i = 0; h3ou__algorithm_table[i]; i++)
            compare(h3ou__algorithm_table[i], cases[k].size, cases[k].count, cases[k].segment);
}

static const h3ou__algorithm *find_bcast(const char *name)
{
    for (int i = 0; h3ou__algorithm_table[i]; i++)
        if (h3ou__algorithm_table[i]->operation == H3OU__COLL_BCAST &&
            strcmp(h3ou__algorithm_table[i]->name, name) == 0)
            return h3ou__algorithm_table[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static h3ou__call make_bcast(const int shape[3], int64_t bytes, int64_t segment)
{
    h3ou__call call = {.operation = H3OU__COLL_BCAST, .element = 1, .count = bytes, .segment = segment};
    memcpy(call.shape, shape, sizeof call.shape);
    call.size = shape[0] * shape[1] * shape[2];
    return call;
}

/* L and B as the paper fitted them for each. */
static const h3ou__machine for_x6 = {.latency = 1.73e-6, .bandwidth = 6.34e9, .ports = 6};
static const h3ou__machine for_3d = {.latency = 4.29e-6, .bandwidth = 6.64e9, .ports = 6};

static void formulas_4_and_6_of_the_paper(void **state)
{
    static const int shape[][3] = {{16, 12, 16}, {8, 6, 8}};
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int64_t m = 1024; m <= 65536; m *= 4) {
            const int *n = shape[i];
            int64_t bytes = 96 * 65536;
            h3ou__call call = make_bcast(n, bytes, m);
            double four = (n[0] + n[1] + n[2] + (double)bytes / (6.0 * (double)m) - 3) * (1.73e-6 + (double)m / 6.34e9);
            double depth = floor(log2(n[0])) + floor(log2(n[1])) + floor(log2(n[2]));
            double six = (depth + (double)bytes / (double)m - 1) * (4.29e-6 + (double)m / 6.64e9);
            assert_true(fabs(h3ou__cost_predict(find_bcast("trinary_x6"), &call, &for_x6) / four - 1) < 1e-9);
            assert_true(fabs(h3ou__cost_predict(find_bcast("bintree_3d"), &call, &for_3d) / six - 1) < 1e-9);
        }
}

/* No other segment is better, but for what rounding to whole segments does; and the best is that of formulas (5) and
 * (7). */
static void best_segments(void **state)
{
    static const char *const name[] = {"trinary_x6", "bintree_3d"};
    const int n[3] = {16, 12, 16};
    (void)state;
    for (int64_t bytes = 1 << 20; bytes <= 1 << 26; bytes *= 8)
        for (int i = 0; i < 2; i++) {
            const h3ou__machine *m = i ? &for_3d : &for_x6;
            h3ou__call call = make_bcast(n, bytes, 0);
            double product = m->latency * m->bandwidth * (double)bytes;
            double paper = i ? sqrt(product / (4 + 3 + 4 - 1)) : sqrt(product / (6 * (16 + 12 + 16 - 2)));
            call.segment = h3ou__cost_best_segment(find_bcast(name[i]), &call, m);
            double best = h3ou__cost_predict(find_bcast(name[i]), &call, m);
            assert_true(fabs((double)call.segment / paper - 1) < 0.02);
            for (double s = 256; s < (double)bytes; s *= 1.2) {
                call.segment = (int64_t)s;
                assert_true(h3ou__cost_predict(find_bcast(name[i]), &call, m) > 0.97 * best);
            }
        }
}

static double predict_best(const char *name, const int shape[3], int64_t bytes)
{
    h3ou__call call = make_bcast(shape, bytes, 0);
    call.segment = h3ou__cost_best_segment(find_bcast(name), &call, &for_x6);
    return h3ou__cost_predict(find_bcast(name), &call, &for_x6);
}

/* On 3072 nodes six edge-disjoint trees fall behind a tree of binary trees in one dimension, and are ahead in two and
 * three. */
static void six_trees_want_dimensions(void **state)
{
    (void)state;
    assert_true(predict_best("trinary_x6", (int[]){3072, 1, 1}, 16 << 20) >
                2 * predict_best("bintree_3d", (int[]){3072, 1, 1}, 16 << 20));
    assert_true(predict_best("trinary_x6", (int[]){48, 64, 1}, 16 << 20) <
                predict_best("bintree_3d", (int[]){48, 64, 1}, 16 << 20));
    assert_true(predict_best("trinary_x6", (int[]){16, 12, 16}, 16 << 20) <
                predict_best("bintree_3d", (int[]){16, 12, 16}, 16 << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_what_a_simulation_takes),
        cmocka_unit_test(formulas_4_and_6_of_the_paper),
        cmocka_unit_test(best_segments),
        cmocka_unit_test(six_trees_want_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
