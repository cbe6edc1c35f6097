/* SPDX-License-Identifier: BSD-3-Clause */
/* Which fields travel together, and that each gets its messages, in order and unchanged, whatever order they are put and taken in. */
#include "coupler/exchange/pack_message.h"
#include "coupler/message/bundles.h"
#include "thread_world.h"
#include "units.h"

enum { FIELDS = 5, EXCHANGES = 40, MOST = 40, TURNS = 20, MOST_VARS = 12 };

/* One case: what both processes do follows from the seed. */
typedef struct talk {
    unsigned seed;
    bool closes; /* the sender sends parts of a bundle at times */
    bool in_turn; /* each exchange of all fields comes before the next one */
    int64_t wrong;
} talk;

static unsigned draw(unsigned *seed, unsigned most)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % most;
}

static int64_t length_of(int field, int exchange)
{
    return H3OU__HEAD + (field * 7 + exchange * 3) % (MOST - H3OU__HEAD + 1);
}

static double number_at(int field, int exchange, int64_t i)
{
    return 1e6 * field + 1e3 * exchange + (double)i;
}

/* Draws the field whose next exchange is handled; next: of each field. Returns -1 when all are done. */
static int draw_field(unsigned *seed, const int next[FIELDS], bool in_turn)
{
    int least = EXCHANGES, left = 0;
    for (int f = 0; f < FIELDS; f++) {
        least = next[f] < least ? next[f] : least;
        left += next[f] < EXCHANGES;
    }
    for (int f = (int)draw(seed, FIELDS); left > 0; f = (f + 1) % FIELDS)
        if (in_turn ? next[f] == least : next[f] < EXCHANGES)
            return f;
    return -1;
}

static void fill(double *message, int field, int exchange)
{
    for (int64_t i = 0; i < length_of(field, exchange); i++)
        message[i] = number_at(field, exchange, i);
    message[H3OU__HEAD_MARK] = exchange;
    message[H3OU__HEAD_STATE] = exchange == EXCHANGES - 1 ? H3OU__END : H3OU__VALUE;
}

static int send_all(talk *t, thread_process *me, const h3ou__config *config, const h3ou__bundle_plan *plan)
{
    h3ou__bundle_sent *b = NULL;
    unsigned seed = t->seed;
    int next[FIELDS] = {0}, err = h3ou__bundle_sent_create(me->world, config, plan, 1000, &b);
    for (int f; !err && (f = draw_field(&seed, next, t->in_turn)) >= 0;) {
        double *room;
        if ((err = h3ou__bundle_sent_room(b, f, &room)) != H3OU__OK)
            break;
        fill(room, f, next[f]);
        err = h3ou__bundle_sent_add(b, f, room, length_of(f, next[f]));
        next[f]++;
        if (!err && t->closes && draw(&seed, 3) == 0)
            err = h3ou__bundle_sent_close(b);
    }
    if (!err)
        err = h3ou__bundle_sent_drain(b);
    h3ou__bundle_sent_free(b);
    return err;
}

/* Compares a message with what was sent; its head aside. */
static bool is_right(const double *message, int64_t numbers, int field, int exchange)
{
    bool right = numbers == length_of(field, exchange) && message[H3OU__HEAD_MARK] == exchange;
    for (int64_t i = H3OU__HEAD; i < numbers && right; i++)
        right = message[i] == number_at(field, exchange, i);
    return right;
}

static int get_all(talk *t, thread_process *me, const h3ou__config *config, const h3ou__bundle_plan *plan)
{
    h3ou__bundle_got *b = NULL;
    unsigned seed = t->seed + 77;
    int next[FIELDS] = {0}, err = h3ou__bundle_got_create(config, plan, &b);
    if (!err)
        err = h3ou__bundle_got_post(b);
    for (int f; !err && (f = draw_field(&seed, next, t->in_turn)) >= 0;) {
        h3ou__req req;
        int64_t numbers = 0;
        while (!err && !h3ou__bundle_got_has(b, f))
            if ((err = h3ou__bundle_got_expect(b, &req)) == H3OU__OK && (err = h3ou__waitall(me->world, 1, &req)) == H3OU__OK)
                err = h3ou__bundle_got_arrive(b, &req);
        const double *message = err ? NULL : h3ou__bundle_got_take(b, f, &numbers);
        t->wrong += !message || !is_right(message, numbers, f, next[f]);
        if (draw(&seed, 2))
            h3ou__bundle_got_release(b, f);
        next[f]++;
    }
    h3ou__bundle_got_free(b);
    return err;
}

static int run_talk(thread_process *me)
{
    talk *t = me->user;
    h3ou__config_pair pair = {.comp_put = "a", .comp_get = "b"};
    h3ou__config_var var[FIELDS] = {{.put = "x", .get = "y"}};
    h3ou__config config = {.npair = 1, .nvar = FIELDS, .pair = &pair, .var = var};
    h3ou__bundled part[FIELDS];
    h3ou__bundle_plan plan = {.n = FIELDS, .part = part, .partner = 1 - me->component};
    for (int f = 0; f < FIELDS; f++)
        part[f] = (h3ou__bundled){f, 0, MOST};
    int err = h3ou__world_model(me->world, 0, 1, &plan.model);
    return err ? err : (me->component == 0 ? send_all : get_all)(t, me, &config, &plan);
}

static void every_field_gets_its_messages(void **state)
{
    thread_process p[2];
    (void)state;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        talk t = {.seed = turn, .closes = turn % 2, .in_turn = turn / 2 % 2};
        run_threads(1, 1, run_talk, &t, p);
        for (int i = 0; i < 2; i++)
            if (p[i].err)
                fail_msg("turn %u, process %d: %s", turn, i, p[i].said);
        assert_int_equal(t.wrong, 0);
    }
}

/* What a process found. */
typedef struct found {
    int n[2], part[2][MOST_VARS]; /* of each bundle the variables */
    int64_t first_most, bundles;
} found;

/* Variables of which each differs from the first one in what keeps them apart; the plan of all has two partners. */
typedef struct many {
    h3ou__config config;
    h3ou__config_pair pair[2];
    h3ou__config_var var[MOST_VARS];
    found by[2]; /* the process of "a", and of "b" */
} many;

static int make_plans(thread_process *me)
{
    many *m = me->user;
    found *f = &m->by[me->component];
    int partner[2] = {1, 2};
    int64_t start[3] = {0, 10, 30};
    h3ou__plan plan = {.npartner = 2, .partner = partner, .start = start};
    const h3ou__plan *all[MOST_VARS];
    h3ou__bundle_plans plans;
    for (int v = 0; v < MOST_VARS; v++)
        all[v] = v < m->config.nvar ? &plan : NULL;
    int err = h3ou__bundle_plans_make(&m->config, me->world, all, &plans);
    f->bundles = plans.n;
    for (int i = 0; i < plans.n && i < 2; i++) {
        f->n[i] = plans.bundle[i].n;
        for (int k = 0; k < plans.bundle[i].n; k++)
            f->part[i][k] = plans.bundle[i].part[k].var;
    }
    f->first_most = plans.n > 0 ? plans.bundle[0].part[0].most : 0;
    h3ou__bundle_plans_free(&plans);
    return err;
}

static void plan_bundles(many *m)
{
    thread_process p[2];
    m->config.pair = m->pair;
    m->config.var = m->var;
    m->config.npair = 2;
    m->pair[0] = (h3ou__config_pair){.comp_put = "a", .comp_get = "b"};
    m->pair[1] = (h3ou__config_pair){.comp_put = "a", .comp_get = "a"};
    run_threads(1, 1, make_plans, m, p);
    for (int i = 0; i < 2; i++)
        if (p[i].err)
            fail_msg("%s", p[i].said);
    assert_memory_equal(&m->by[0], &m->by[1], sizeof m->by[0]);
}

static const h3ou__config_var PLAIN = {.intvl = {0, 3600, 1}, .lag = -1, .layer = 1, .factor = 1.0};

static void what_is_due_together_travels_together(void **state)
{
    many m = {.config.nvar = 9};
    (void)state;
    for (int v = 0; v < 9; v++)
        m.var[v] = PLAIN;
    m.var[1].intvl.num = 7200;
    m.var[2].lag = -2;
    m.var[3].lag = 0;
    m.var[4].bundle = H3OU__BUNDLE_NEVER;
    m.var[5].second_put = H3OU__SECOND_IS_ERROR;
    m.var[6].pair = 1; /* of a component with itself */
    m.var[7].layer = 60; /* longer than 'auto' bundles to the second partner */
    m.var[8].type = H3OU__REAL4;
    plan_bundles(&m);
    assert_int_equal(m.by[0].bundles, 2);
    assert_int_equal(m.by[0].n[0], 2);
    assert_int_equal(m.by[0].part[0][0], 0);
    assert_int_equal(m.by[0].part[0][1], 8);
    assert_int_equal(m.by[0].n[1], 2);
    assert_int_equal(m.by[0].first_most, H3OU__HEAD + 2 * 10);
}

static void always_takes_what_is_long_or_leaves_in_put(void **state)
{
    many m = {.config.nvar = 4};
    (void)state;
    for (int v = 0; v < 4; v++) {
        m.var[v] = PLAIN;
        m.var[v].bundle = H3OU__BUNDLE_ALWAYS;
        m.var[v].layer = 1 + 1000 * v;
        m.var[v].second_put = H3OU__SECOND_IS_ERROR;
    }
    plan_bundles(&m);
    assert_int_equal(m.by[0].bundles, 2);
    assert_int_equal(m.by[0].n[0], 4);
    m.config.min_members = 1; /* members may be lost */
    plan_bundles(&m);
    assert_int_equal(m.by[0].bundles, 0);
}

/* With 'auto' a bundle is not longer than some tens of kilobytes. */
static void bundles_are_short(void **state)
{
    many m = {.config.nvar = MOST_VARS};
    (void)state;
    for (int v = 0; v < MOST_VARS; v++) {
        m.var[v] = PLAIN;
        m.var[v].layer = 25;
    }
    plan_bundles(&m);
    assert_int_equal(m.by[0].bundles, 2);
    assert_int_equal(m.by[0].n[0], MOST_VARS);
    for (int v = 0; v < MOST_VARS; v++)
        m.var[v].layer = 50; /* 4064 and 8064 bytes without shares: the second partner's are too long */
    plan_bundles(&m);
    assert_int_equal(m.by[0].bundles, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_gets_its_messages),
        cmocka_unit_test(what_is_due_together_travels_together),
        cmocka_unit_test(always_takes_what_is_long_or_leaves_in_put),
        cmocka_unit_test(bundles_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
