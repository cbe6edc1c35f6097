/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a pair of grids, for several numbers of processes and ways to give the table: what is received by a plan,
 * and the rows that it has, must be the table. */
#include <stdio.h>

#include "coupler/plan/plan.h"
#include "coupler/time/calendar.h"
#include "coupler/weights/made_rows.h"
#include "thread_world.h"
#include "units.h"

enum { SOURCES = 23, TARGETS = 17, LINKS = 3 * TARGETS, CHUNK = 4 };
enum given { BY_SENDER, BY_RECEIVER, SPREAD, MADE, BY_BOTH, BY_NOBODY };

typedef struct run {
    enum given given;
    int na, nb;
    int64_t late_start; /* of component b */
    bool is_strict, may_wait;
    bool is_flat[2]; /* as the components have it */
    int waits; /* processes that are told to wait for a table */
    bool is_own; /* a has both grids: its processes have the plans, and the cells, of both sides */
    h3ou__plan *plan[THREADS_MOST];
    int64_t cell[THREADS_MOST][SOURCES + TARGETS]; /* the cells of each process, in its order */
} run;

/* The table: target t has three links, in this order; the middle one of target 4 goes twice to one source. */
static int source_of(int t, int k)
{
    return (7 * t + (k && t != 4 ? 5 * k : k / 2)) % SOURCES + 1;
}

static double coef_of(int t, int k)
{
    return t + 0.25 * k + 0.125;
}

static int process_of(int cell, int size, bool is_source)
{
    return (is_source ? cell * 5 : cell * 3 + 1) % size;
}

/* The cells of a process: every one whose turn it is, the highest first. */
static int64_t own_cells(int rank, int size, bool is_source, int index[])
{
    int64_t n = 0;
    for (int i = is_source ? SOURCES : TARGETS; i > 0; i--)
        if (process_of(i, size, is_source) == rank)
            index[n++] = i;
    return n;
}

/* Writes the entries that a process gives: all, or of a spread table the k-th link of each target, k modulo the size.
 */
static int64_t own_links(int rank, int size, int send[], int recv[], double coef[])
{
    int64_t n = 0;
    for (int t = 0; t < TARGETS; t++)
        for (int k = 0; k < 3; k++) {
            if (k % size != rank)
                continue;
            send[n] = source_of(t, k);
            recv[n] = t + 1;
            coef[n++] = coef_of(t, k);
        }
    return n;
}

static int make_rows(const run *r, const h3ou__grid *g, h3ou__table *table)
{
    int64_t id[SOURCES], owner[SOURCES];
    h3ou__made_rows *rows;
    for (int i = 0; i < SOURCES; i++) {
        id[i] = i;
        owner[i] = process_of(i + 1, r->na, true);
    }
    int err = h3ou__made_rows_create(SOURCES, id, owner, &rows);
    if (!err)
        err = h3ou__made_rows_reserve(rows, 3 * g->n);
    for (int64_t i = 0; i < g->n && !err; i++)
        for (int k = 0; k < 3; k++)
            h3ou__made_rows_append(rows, i, source_of((int)g->index[i] - 1, k) - 1, coef_of((int)g->index[i] - 1, k));
    if (!err)
        h3ou__table_adopt(table, rows);
    return err;
}

static int make_table(const run *r, const thread_process *me, const h3ou__grid *g, const h3ou__pair_name *name,
                      h3ou__table **out)
{
    int send[LINKS], recv[LINKS], size = me->component ? r->nb : r->na;
    double coef[LINKS];
    bool is_spread = r->given == SPREAD;
    bool gives = r->given == BY_BOTH || (r->given == BY_SENDER && !me->component) ||
                 ((r->given == BY_RECEIVER || is_spread) && me->component);
    int64_t n = own_links(is_spread ? me->rank : 0, is_spread ? size : 1, send, recv, coef);
    int err = h3ou__table_create(name, gives ? send : NULL, gives ? recv : NULL, gives ? coef : NULL, gives ? n : 0,
                                 is_spread, out);
    return !err && r->given == MADE && me->component ? make_rows(r, g, *out) : err;
}

/* Rows that were made are planned by the numbers of the cells that the search worked with. */
static int give_centres(h3ou__grid *g)
{
    double lon[SOURCES + TARGETS], lat[SOURCES + TARGETS];
    for (int64_t i = 0; i < g->n; i++) {
        lon[i] = (double)g->index[i];
        lat[i] = 0.5 * (double)g->index[i];
    }
    return h3ou__geometry_centres(&g->geometry, g->name, g->n, g->index, lon, lat, "degrees");
}

static int make_plan(thread_process *me)
{
    run *r = me->user;
    int index[SOURCES + TARGETS], at = me->component ? r->na + me->rank : me->rank;
    bool sends = me->component == 0;
    int64_t n = own_cells(me->rank, sends ? r->na : r->nb, sends, index);
    const h3ou__pair_name name = {"a", "ag", "b", "bg", 1};
    h3ou__config config = {.calendar = H3OU__GREGORIAN, .strict = r->is_strict};
    h3ou__clock clock = {.is_set = true, .date = {2000, 1, 1, 0, 0, 0}, .start = sends ? 0 : r->late_start};
    h3ou__grid *g = NULL;
    h3ou__table *table = NULL;
    int err = h3ou__grid_create(sends ? "ag" : "bg", index, n, 1, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    if (!err)
        err = give_centres(g);
    if (!err)
        err = h3ou__grid_cells(g, me->local);
    if (!err)
        err = make_table(r, me, g, &name, &table);
    h3ou__plan_task task = {.world = me->world,
                            .name = name,
                            .sender = sends,
                            .grid = g,
                            .table = table,
                            .config = &config,
                            .clock = &clock,
                            .is_flat = r->is_flat[me->component],
                            .may_wait = r->may_wait};
    if (!err)
        err = h3ou__plan_make(&task, &r->plan[at]);
    for (int64_t i = 0; i < n; i++)
        r->cell[at][i] = index[i];
    if (!err && task.waits && !r->plan[at])
        __atomic_fetch_add(&r->waits, 1, __ATOMIC_SEQ_CST);
    h3ou__table_free(table);
    h3ou__grid_free(g);
    return err;
}

static int open_grid(const thread_process *me, const char *name, const int index[], int64_t n, h3ou__grid **out)
{
    int err = h3ou__grid_create(name, index, n, 1, out);
    if (!err)
        err = h3ou__grid_register(*out, me->local);
    if (!err)
        err = give_centres(*out);
    return err ? err : h3ou__grid_cells(*out, me->local);
}

/* The same inside component a. */
static int make_own_plan(thread_process *me)
{
    run *r = me->user;
    int from[SOURCES], to[TARGETS], send[LINKS], recv[LINKS];
    double coef[LINKS];
    int64_t nfrom = own_cells(me->rank, r->na, true, from), nto = own_cells(me->rank, r->na, false, to);
    int64_t n = own_links(r->given == SPREAD ? me->rank : 0, r->given == SPREAD ? r->na : 1, send, recv, coef);
    const h3ou__pair_name name = {"a", "ag", "a", "bg", 1};
    h3ou__config config = {.calendar = H3OU__GREGORIAN};
    h3ou__clock clock = {.is_set = true, .date = {2000, 1, 1, 0, 0, 0}};
    h3ou__grid *source = NULL, *target = NULL;
    h3ou__table *table = NULL;
    h3ou__plan **plan = &r->plan[r->na + me->rank];
    int err = open_grid(me, "ag", from, nfrom, &source);
    if (!err)
        err = open_grid(me, "bg", to, nto, &target);
    bool gives = r->given != MADE && r->given != BY_NOBODY;
    if (!err)
        err = h3ou__table_create(&name, gives ? send : NULL, gives ? recv : NULL, gives ? coef : NULL, gives ? n : 0,
                                 r->given == SPREAD, &table);
    if (!err && r->given == MADE)
        err = make_rows(r, target, table);
    h3ou__plan_task task = {.world = me->world, .name = name, .grid = target, .source = source, .table = table,
                            .config = &config, .clock = &clock};
    if (!err && (err = h3ou__plan_make(&task, plan)) == H3OU__OK)
        err = h3ou__plan_make_own_sender(&task, *plan, &r->plan[me->rank]);
    for (int64_t i = 0; i < nfrom; i++)
        r->cell[me->rank][i] = from[i];
    for (int64_t i = 0; i < nto; i++)
        r->cell[r->na + me->rank][i] = to[i];
    h3ou__table_free(table);
    h3ou__grid_free(source);
    h3ou__grid_free(target);
    return err;
}

/* Finds the partner of a plan that is this rank of Model; -1: none. */
static int find_partner(const h3ou__plan *p, int rank)
{
    for (int i = 0; i < p->npartner; i++)
        if (p->partner[i] == rank)
            return i;
    return -1;
}

/* What the senders send is what the receiver's slots are numbered for. */
static void check_slots(const run *r, int receiver)
{
    const h3ou__plan *mine = r->plan[r->na + receiver];
    assert_int_equal(mine->from_itself, r->is_own && find_partner(mine, receiver) >= 0);
    for (int a = 0; a < r->na; a++) {
        const h3ou__plan *theirs = r->plan[a];
        int here = find_partner(mine, a), there = find_partner(theirs, r->is_own ? receiver : r->na + receiver);
        assert_int_equal(here < 0, there < 0);
        if (here < 0)
            continue;
        int64_t n = mine->start[here + 1] - mine->start[here], from = theirs->start[there];
        assert_int_equal(theirs->start[there + 1] - from, n);
        for (int64_t i = 0; i < n; i++) {
            int64_t cell = r->cell[a][theirs->slot[from + i]];
            assert_int_equal(mine->source[mine->start[here] + i], cell);
        }
    }
}

static void check_rows(const run *r, int receiver)
{
    const h3ou__plan *p = r->plan[r->na + receiver];
    for (int64_t i = 0; i < p->rows.nrow; i++) {
        int t = (int)r->cell[r->na + receiver][p->rows.row[i]] - 1;
        int64_t at = p->rows.start[i];
        assert_int_equal(p->rows.start[i + 1] - at, 3);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(p->source[p->rows.col[at + k]], source_of(t, k));
            assert_true(p->rows.coef[at + k] == coef_of(t, k));
        }
    }
}

static void free_plans(run *r)
{
    for (int i = 0; i < r->na + r->nb; i++)
        h3ou__plan_free(r->plan[i]);
}

/* Checks and frees all plans of a run. */
static void check_plans(run *r)
{
    int64_t rows = 0;
    for (int b = 0; b < r->nb; b++) {
        check_slots(r, b);
        check_rows(r, b);
        rows += r->plan[r->na + b]->rows.nrow;
    }
    assert_int_equal(rows, TARGETS);
    free_plans(r);
}

static void the_plan_is_the_table(void **state)
{
    static const int size[][2] = {{1, 1}, {3, 1}, {1, 3}, {3, 4}};
    static const enum given given[] = {BY_SENDER, BY_RECEIVER, SPREAD, MADE};
    (void)state;
    for (size_t i = 0; i < 16 * sizeof size / sizeof *size; i++) {
        run r = {
            .given = given[i % 4], .na = size[i / 16][0], .nb = size[i / 16][1], .is_flat = {i / 4 % 2, i / 8 % 2}};
        thread_process p[THREADS_MOST];
        run_threads(r.na, r.nb, make_plan, &r, p);
        for (int k = 0; k < r.na + r.nb; k++)
            if (p[k].err)
                fail_msg("%d to %d processes: %s", r.na, r.nb, p[k].said);
        check_plans(&r);
    }
}

static void inside_one_component_too(void **state)
{
    static const int size[] = {1, 3, 4};
    static const enum given given[] = {BY_SENDER, SPREAD, MADE};
    thread_process p[THREADS_MOST];
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        run r = {.given = given[i % 3], .na = size[i / 3], .is_own = true};
        run_threads(r.na, 0, make_own_plan, &r, p);
        for (int k = 0; k < r.na; k++)
            if (p[k].err)
                fail_msg("%d processes: %s", r.na, p[k].said);
        r.nb = r.na;
        check_plans(&r);
    }
    run r = {.given = BY_NOBODY, .na = 2, .is_own = true};
    run_threads(r.na, 0, make_own_plan, &r, p);
    assert_int_equal(p[1].err, H3OU__ESTATE);
    assert_non_null(strstr(p[1].said, "no interpolation table: a passed no send_index"));
}

/* All processes fail alike, with that sentence. */
static void expect_failure(run r, int code, const char *said)
{
    thread_process p[THREADS_MOST];
    r.na = 2;
    r.nb = 3;
    run_threads(r.na, r.nb, make_plan, &r, p);
    for (int i = 0; i < r.na + r.nb; i++) {
        assert_int_equal(p[i].err, code);
        assert_non_null(strstr(p[i].said, said));
        assert_null(r.plan[i]);
    }
}

static void both_sides_agree_on_what_is_wrong(void **state)
{
    (void)state;
    expect_failure((run){.given = BY_BOTH}, H3OU__ESTATE, "both components gave an interpolation table");
    expect_failure((run){.given = BY_NOBODY}, H3OU__ESTATE, "no interpolation table: neither a nor b passed");
    expect_failure((run){.given = BY_SENDER, .late_start = 3600, .is_strict = true}, H3OU__ETIME,
                   "components start at different times");
}

static void a_table_may_still_come(void **state)
{
    run r = {.given = BY_NOBODY, .na = 2, .nb = 2, .may_wait = true};
    thread_process p[THREADS_MOST];
    (void)state;
    run_threads(r.na, r.nb, make_plan, &r, p);
    for (int i = 0; i < 4; i++)
        assert_int_equal(p[i].err, H3OU__OK);
    assert_int_equal(r.waits, 4);
}

static int use_small_rounds(void **state)
{
    char text[16];
    (void)state;
    snprintf(text, sizeof text, "%d", CHUNK);
    return setenv("H3OU_PLAN_CHUNK", text, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_plan_is_the_table, use_small_rounds),
        cmocka_unit_test_setup(inside_one_component_too, use_small_rounds),
        cmocka_unit_test(both_sides_agree_on_what_is_wrong),
        cmocka_unit_test(a_table_may_still_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
