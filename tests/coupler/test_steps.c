/* SPDX-License-Identifier: BSD-3-Clause */
/* What a get returns at which step, for lags, means, shares and an early end: two processes put, three get. */
#include <math.h>
#include <stdio.h>

#include "coupler/config/interval_flag.h"
#include "coupler/exchange/incoming.h"
#include "coupler/exchange/outgoing.h"
#include "coupler/time/calendar.h"
#include "thread_world.h"
#include "units.h"

enum { NA = 2, NB = 3, CELLS = 12, LAYERS = 5, STEP = 600, STEPS = 10, EVERY = 3, UNTOUCHED = -999 };

typedef struct run {
    h3ou__config_var var;
    bool has_share; /* cell 1 counts half, cell 2 not at all */
    bool has_nan;   /* cell 3 has no value */
    int steps_a;    /* of component a */
    int senders;    /* processes of component a */
    bool ok[NB][STEPS];
    double got[NB][STEPS][LAYERS * CELLS]; /* by target cell */
    h3ou__config_pair pair;
} run;

/* A target cell t is the sum of the sources t and t + 1, halved; the factor doubles it. */
static int second_source(int t)
{
    return t % CELLS + 1;
}

static int64_t own_cells(int rank, int size, int index[])
{
    int64_t n = 0;
    for (int i = CELLS; i > 0; i--)
        if (i % size == rank)
            index[n++] = i;
    return n;
}

static int make_table(bool gives, const h3ou__pair_name *name, h3ou__table **out)
{
    int send[2 * CELLS], recv[2 * CELLS];
    double coef[2 * CELLS];
    for (int k = 0; k < 2 * CELLS; k++) {
        recv[k] = k / 2 + 1;
        send[k] = k % 2 ? second_source(recv[k]) : recv[k];
        coef[k] = 0.5;
    }
    return h3ou__table_create(name, gives ? send : NULL, gives ? recv : NULL, gives ? coef : NULL,
                              gives ? 2 * CELLS : 0, false, out);
}

/* The value that is put in step n (-1: before the first) for a cell of a layer. */
static double put_value(int n, int layer, int cell)
{
    return 100.0 * n + 1000.0 * layer + cell;
}

static int put_all(const run *r, h3ou__outgoing *o, const h3ou__clock *clock, const h3ou__grid *g, int n)
{
    double data[LAYERS * CELLS], share[CELLS];
    for (int64_t i = 0; i < g->n; i++) {
        for (int layer = 0; layer < r->var.layer; layer++)
            data[layer * g->n + i] = r->has_nan && g->index[i] == 3 ? NAN : put_value(n, layer, (int)g->index[i]);
        share[i] = g->index[i] == 1 ? 0.5 : g->index[i] == 2 ? 0.0 : 1.0;
    }
    h3ou__arrays given = {.rank = 2,
                          .extent = {g->n, r->var.layer},
                          .count = 1,
                          .component = {data},
                          .share = r->has_share ? share : NULL,
                          .nshare = r->has_share ? g->n : 0};
    int err = h3ou__outgoing_put(o, clock, &given);
    bool busy;
    return err ? err : h3ou__outgoing_progress(o, &busy);
}

static int run_sender(run *r, thread_process *me, const h3ou__config *config, const h3ou__plan *plan,
                      const h3ou__grid *g, h3ou__clock *clock)
{
    h3ou__outgoing *o = NULL;
    const h3ou__schedule times =
        h3ou__schedule_make(&r->var, config->calendar, clock->date, h3ou__whole(0), h3ou__whole(0));
    int err = h3ou__outgoing_create(config, 0, me->world, g, &o);
    if (!err)
        err = h3ou__outgoing_plan(o, plan, &times, clock, NULL);
    if (!err && r->var.lag != 0)
        err = put_all(r, o, clock, g, -1);
    for (int n = 0; n < r->steps_a && !err; n++) {
        err = h3ou__outgoing_advance(o, clock, h3ou__whole(n * STEP));
        h3ou__clock_advance(clock, h3ou__whole(STEP));
        if (!err)
            err = put_all(r, o, clock, g, n);
    }
    if (!err)
        err = h3ou__outgoing_advance(o, clock, h3ou__whole(r->steps_a * STEP));
    if (!err)
        err = h3ou__outgoing_end(o, h3ou__whole(r->steps_a * STEP));
    if (!err)
        err = h3ou__outgoing_drain(o);
    h3ou__outgoing_free(o);
    return err;
}

static int get_step(run *r, const thread_process *me, h3ou__incoming *in, const h3ou__clock *clock, const h3ou__grid *g,
                    int n)
{
    double data[LAYERS * CELLS];
    for (int64_t i = 0; i < LAYERS * g->n; i++)
        data[i] = UNTOUCHED;
    const h3ou__arrays to = {.rank = 2, .extent = {g->n, r->var.layer}, .count = 1, .component = {data}};
    int err = h3ou__incoming_get(in, clock, &to, &r->ok[me->rank][n]);
    for (int64_t i = 0; i < g->n && !err; i++)
        for (int layer = 0; layer < r->var.layer; layer++)
            r->got[me->rank][n][layer * CELLS + g->index[i] - 1] = data[layer * g->n + i];
    return err;
}

static int run_receiver(run *r, thread_process *me, const h3ou__config *config, const h3ou__plan *plan,
                        const h3ou__grid *g, h3ou__clock *clock)
{
    h3ou__incoming *in = NULL;
    const h3ou__schedule times =
        h3ou__schedule_make(&r->var, config->calendar, clock->date, h3ou__whole(0), h3ou__whole(0));
    int err = h3ou__incoming_create(config, 0, plan, &times, me->world, g, NULL, NULL, &in);
    for (int n = 0; n < STEPS && !err; n++) {
        err = h3ou__incoming_advance(in, h3ou__whole(n * STEP));
        h3ou__clock_advance(clock, h3ou__whole(STEP));
        if (!err)
            err = get_step(r, me, in, clock, g, n);
    }
    int end = err;
    while (!end && h3ou__incoming_awaits_end(in))
        end = h3ou__incoming_drop(in);
    end = err ? H3OU__OK : end;
    h3ou__incoming_free(in);
    return err ? err : end;
}

static int run_component(thread_process *me)
{
    run *r = me->user;
    int index[CELLS];
    bool sends = me->component == 0;
    int64_t n = own_cells(me->rank, sends ? r->senders : NB, index);
    const h3ou__pair_name name = {"a", "ag", "b", "bg", 1};
    h3ou__config config = {.file = "test.conf",
                           .calendar = H3OU__GREGORIAN,
                           .npair = 1,
                           .nvar = 1,
                           .pair = &r->pair,
                           .var = &r->var,
                           .longest_lag = r->var.lag > 0 ? r->var.lag * EVERY * STEP : 0};
    h3ou__clock clock = {.is_set = true, .date = {2000, 1, 1, 0, 0, 0}, .now = {0, 1}};
    h3ou__grid *g = NULL;
    h3ou__table *table = NULL;
    h3ou__plan *plan = NULL;
    int err = h3ou__grid_create(sends ? "ag" : "bg", index, n, r->var.layer, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    if (!err)
        err = make_table(!sends, &name, &table);
    h3ou__plan_task task = {.world = me->world,
                            .name = name,
                            .sender = sends,
                            .grid = g,
                            .table = table,
                            .config = &config,
                            .clock = &clock};
    if (!err)
        err = h3ou__plan_make(&task, &plan);
    if (!err)
        err = (sends ? run_sender : run_receiver)(r, me, &config, plan, g, &clock);
    h3ou__plan_free(plan);
    h3ou__table_free(table);
    h3ou__grid_free(g);
    return err;
}

static run r;

static void run_case(const run *how, int layers, int lag, int flag, thread_process p[NA + NB])
{
    memset(&r, 0, sizeof r);
    r = *how;
    r.var = (h3ou__config_var){.line = 7,
                               .put = "sst",
                               .get = "sst",
                               .intvl = {0, EVERY * STEP, 1},
                               .lag = lag,
                               .flag = flag,
                               .layer = layers,
                               .factor = 2.0,
                               .remap = {.has_missing = how->has_nan, .missing = -1.0}};
    r.pair = (h3ou__config_pair){.line = 3, .comp_put = "a", .comp_get = "b", .grid_put = "ag", .grid_get = "bg"};
    run_threads(r.senders, NB, run_component, &r, p);
}

static void run_both(int lag, int flag, bool has_share, int steps_a, thread_process p[NA + NB])
{
    const run how = {.has_share = has_share, .steps_a = steps_a, .senders = NA};
    run_case(&how, 2, lag, flag, p);
}

/* The value of a target cell when the model's time was that of step n (a mean: between two steps). */
static double expected(double n, int layer, int target)
{
    double first = put_value(0, layer, target), second = put_value(0, layer, second_source(target));
    return 2.0 * (100.0 * n + 0.5 * first + 0.5 * second);
}

/* A step without an exchange leaves the arrays alone; one with the exchange has the value of step `from`. */
static void check_step(int n, bool is_due, double from)
{
    for (int b = 0; b < NB; b++) {
        assert_int_equal(r.ok[b][n], is_due);
        for (int t = 1; t <= CELLS; t++)
            for (int layer = 0; layer < r.var.layer && t % NB == b; layer++) {
                double got = r.got[b][n][layer * CELLS + t - 1];
                double right = is_due ? expected(from, layer, t) : UNTOUCHED;
                if (fabs(got - right) > 1e-9)
                    fail_msg("step %d, cell %d: %g, not %g", n, t, got, right);
            }
    }
}

static void expect_no_error(const thread_process p[])
{
    for (int i = 0; i < r.senders + NB; i++)
        if (p[i].err)
            fail_msg("process %d: %s", i, p[i].said);
}

static void a_get_takes_what_was_put_before(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(-1, H3OU__FLAG_SNP, false, STEPS, p);
    expect_no_error(p);
    for (int n = 0; n < STEPS; n++)
        check_step(n, n % EVERY == 0, n - 1);
}

/* With many layers a message has those of a cell together, and the message of an only sender is read where it stands. Cells
 * that count in part and values that are missing come along. */
static void messages_may_have_any_layout(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    for (int senders = 1; senders <= NA; senders++)
        for (int layers = 1; layers <= LAYERS; layers += 2)
            for (int lag = -3; lag <= 1; lag += 2) {
                const run plain = {.steps_a = STEPS + 2 * EVERY, .senders = senders};
                run_case(&plain, layers, lag, H3OU__FLAG_SNP, p);
                expect_no_error(p);
                for (int n = 0; n < STEPS; n++)
                    check_step(n, n % EVERY == 0, lag == 1 ? n + EVERY - 1 : lag == -1 ? n - 1 : n < 3 * EVERY ? -1 : n - 2 * EVERY - 1);
            }
}

static void a_missing_value_does_not_count(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    for (int senders = 1; senders <= NA; senders++)
        for (int layers = 1; layers <= LAYERS; layers += 2)
            for (int shared = 0; shared < 2; shared++) {
                const run how = {.has_nan = true, .has_share = shared, .steps_a = STEPS, .senders = senders};
                run_case(&how, layers, -1, H3OU__FLAG_SNP, p);
                expect_no_error(p);
                for (int layer = 0; layer < layers; layer++) {
                    double of_2 = put_value(2, layer, 2), of_4 = put_value(2, layer, 4);
                    /* Of cells 2 and 3 only 2 has a value, and with shares it does not count either; of 3 and 4 4 has one. */
                    assert_true(fabs(r.got[2 % NB][3][layer * CELLS + 1] - (shared ? -1.0 : 2.0 * of_2)) < 1e-9);
                    assert_true(fabs(r.got[3 % NB][3][layer * CELLS + 2] - 2.0 * of_4) < 1e-9);
                    assert_true(fabs(r.got[7 % NB][3][layer * CELLS + 6] - expected(2, layer, 7)) < 1e-9);
                }
            }
}

static void a_mean_is_that_of_its_interval(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(-1, H3OU__FLAG_AVR, false, STEPS, p);
    expect_no_error(p);
    for (int n = 0; n < STEPS; n++)
        check_step(n, n % EVERY == 0, n ? n - 2 : -1);
}

/* With lag -3 values arrive two intervals later; before there are any, the initial one. */
static void a_get_may_take_older_intervals(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(-3, H3OU__FLAG_SNP, false, STEPS, p);
    expect_no_error(p);
    for (int n = 0; n < STEPS; n++)
        check_step(n, n % EVERY == 0, n < 3 * EVERY ? -1 : n - 2 * EVERY - 1);
}

static void a_get_may_wait_for_two_intervals(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(2, H3OU__FLAG_AVR, false, STEPS + 2 * EVERY, p);
    expect_no_error(p);
    for (int n = 0; n < STEPS; n++)
        check_step(n, n % EVERY == 0, n + EVERY + 1);
}

/* With lag 1 a receiver waits at a step for what the sender puts until the next exchange. */
static void a_get_may_wait_for_the_interval_ahead(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(1, H3OU__FLAG_SNP, false, STEPS + EVERY, p);
    expect_no_error(p);
    for (int n = 0; n < STEPS; n++)
        check_step(n, n % EVERY == 0, n + EVERY - 1);
}

static void without_lag_each_put_is_taken(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(0, H3OU__FLAG_SNP, false, STEPS, p);
    expect_no_error(p);
    for (int n = 0; n < STEPS; n++)
        check_step(n, true, n);
}

static void shares_weight_the_sources(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(-1, H3OU__FLAG_SNP, true, STEPS, p);
    expect_no_error(p);
    double of_1 = put_value(2, 0, 1), of_3 = put_value(2, 0, 3), of_12 = put_value(2, 0, 12);
    assert_true(fabs(r.got[1 % NB][3][0] - 2.0 * of_1) < 1e-9); /* of cells 1 and 2 only 1 counts */
    assert_true(fabs(r.got[2 % NB][3][1] - 2.0 * of_3) < 1e-9); /* of cells 2 and 3 only 3 */
    assert_true(fabs(r.got[12 % NB][3][11] - 2.0 * (of_12 + 0.5 * of_1) / 1.5) < 1e-9);
    assert_true(fabs(r.got[5 % NB][3][4] - expected(2, 0, 5)) < 1e-9);
}

/* The least and the largest value of an interval, and the sum of value times step, of the cells and puts that count. */
static void shares_weight_other_statistics(void **state)
{
    static const struct {
        int flag;
        double first, of_1, of_12; /* in the interval of steps 0 to 2: part of put 0, of the value's rise by 100 a step */
    } cases[] = {{H3OU__FLAG_MIN, 1.0, 0.0, 0.0},
                 {H3OU__FLAG_MAX, 1.0, 200.0, 200.0},
                 {H3OU__FLAG_ACC, 3.0 * STEP, 300.0 * STEP, 300.0 * STEP}};
    thread_process p[NA + NB];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run_both(-1, cases[k].flag, true, STEPS, p);
        expect_no_error(p);
        double of_1 = cases[k].first * put_value(0, 0, 1) + cases[k].of_1;
        double of_12 = cases[k].first * put_value(0, 0, 12) + cases[k].of_12;
        assert_true(fabs(r.got[1 % NB][3][0] - 2.0 * of_1) < 1e-9 * of_1); /* of cells 1 and 2 only 1 counts */
        assert_true(fabs(r.got[12 % NB][3][11] - 2.0 * (of_12 + 0.5 * of_1) / 1.5) < 1e-9 * of_12);
    }
}

static void a_get_after_the_end_of_the_sender_says_so(void **state)
{
    thread_process p[NA + NB];
    (void)state;
    run_both(-1, H3OU__FLAG_SNP, false, EVERY + 1, p);
    for (int i = 0; i < NA; i++)
        assert_int_equal(p[i].err, H3OU__OK);
    for (int i = NA; i < NA + NB; i++) {
        assert_int_equal(p[i].err, H3OU__ENOVALUE);
        assert_non_null(strstr(p[i].said, "test.conf:7: component a ended at 2000-01-01 00:40:00"));
    }
    check_step(EVERY, true, EVERY - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_get_takes_what_was_put_before),
        cmocka_unit_test(messages_may_have_any_layout),
        cmocka_unit_test(a_missing_value_does_not_count),
        cmocka_unit_test(a_mean_is_that_of_its_interval),
        cmocka_unit_test(a_get_may_wait_for_the_interval_ahead),
        cmocka_unit_test(a_get_may_take_older_intervals),
        cmocka_unit_test(a_get_may_wait_for_two_intervals),
        cmocka_unit_test(without_lag_each_put_is_taken),
        cmocka_unit_test(shares_weight_the_sources),
        cmocka_unit_test(shares_weight_other_statistics),
        cmocka_unit_test(a_get_after_the_end_of_the_sender_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
