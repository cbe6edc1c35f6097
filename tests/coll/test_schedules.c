/* SPDX-License-Identifier: BSD-3-Clause */
/* All algorithms of the table, their members played in one process: every result is the obvious one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "coll/algorithm_table.h"
#include "coll/schedule/check.h"
#include "coll/schedule/play.h"
#include "coll/select.h"
#include "players.h"
#include "tests/lib/stride.h"

enum { MOST = 70, FEW = 6 };

static char *find(const players *p, int rank, int buffer, int64_t at)
{
    char *base = buffer == H3OU__INPUT ? p->input[rank] : buffer == H3OU__OUTPUT ? p->output[rank] : p->scratch[rank];
    return base + at;
}

static void perform_local(void *user, int rank, const h3ou__step *step)
{
    const players *p = user;
    char *to = find(p, rank, step->buffer, step->at), *from = find(p, rank, step->from_buffer, step->from);
    if (step->kind == H3OU__STEP_COPY)
        memcpy(to, from, (size_t)step->bytes);
    else
        players_combine(p->algorithm->order, (int64_t *)(void *)to, (int64_t *)(void *)from,
                        step->bytes / p->call.element, step->kind == H3OU__STEP_COMBINE_LEFT);
}

static void move_message(void *user, int from, const h3ou__step *send, int to, const h3ou__step *recv)
{
    const players *p = user;
    memcpy(find(p, to, recv->buffer, recv->at), find(p, from, send->buffer, send->at), (size_t)send->bytes);
}

static const h3ou__play_ops moves = {.local = perform_local, .message = move_message};

static void expect_ok(const players *p, int err)
{
    if (err)
        fail_msg("%s %s: %d members, root %d, count %lld, segment %lld: %s", h3ou__operation_name[p->call.operation],
                 p->algorithm->name, p->call.size, p->call.root, (long long)p->call.count, (long long)p->call.segment,
                 h3ou__fail_text());
}

/* Checks the schedules first, then plays them with data. */
static void run(const h3ou__algorithm *a, int size, int root, int64_t count, int64_t segment, bool is_vector)
{
    players p;
    players_open(&p, a, size, root, count, segment, is_vector);
    for (int me = 0; me < size; me++)
        expect_ok(&p, h3ou__schedule_check(&p.s[me], p.bytes[me]));
    expect_ok(&p, h3ou__schedule_play(p.s, size, &moves, &p));
    for (int me = 0; me < size; me++) {
        char text[256];
        if (!players_compare(&p, me, text, sizeof text))
            fail_msg("%s", text);
    }
    players_close(&p);
}

static bool has_root(const h3ou__algorithm *a)
{
    return a->operation == H3OU__COLL_BCAST || a->operation == H3OU__COLL_REDUCE || a->operation == H3OU__COLL_GATHER ||
           a->operation == H3OU__COLL_SCATTER;
}

static bool has_parts(const h3ou__algorithm *a)
{
    return a->operation == H3OU__COLL_REDUCE_SCATTER || a->operation == H3OU__COLL_GATHER ||
           a->operation == H3OU__COLL_SCATTER || a->operation == H3OU__COLL_ALLGATHER ||
           a->operation == H3OU__COLL_ALLTOALL;
}

/* Few members: every root with every count and segment. More: every root, with one count and segment each in turn. */
static void all_sizes_and_roots(const h3ou__algorithm *a)
{
    static const int64_t counts[] = {0, 1, 3, 17, 61}, segments[] = {0, 8, 40};
    enum { NCOUNT = sizeof counts / sizeof *counts, NSEGMENT = sizeof segments / sizeof *segments };
    int turn = 0, few = test_stride() > 1 ? 3 : FEW, each = (NCOUNT * NSEGMENT * 2 + 1) * test_stride();
    for (int size = 1; size <= MOST; size++)
        for (int root = 0; root < (has_root(a) ? size : 1); root++)
            for (int i = 0; i < NCOUNT * NSEGMENT * 2; i++) {
                bool is_vector = i >= NCOUNT * NSEGMENT;
                int64_t segment = segments[i % NSEGMENT], count = counts[i / NSEGMENT % NCOUNT];
                if ((segment && !a->has_segments) || (is_vector && (!has_parts(a) || a->are_parts_equal)))
                    continue;
                if (size <= few || turn++ % each == 0)
                    run(a, size, root, count, segment, is_vector);
            }
}

static void results_are_the_obvious_ones(void **state)
{
    (void)state;
    for (int i = 0; h3ou__algorithm_table[i]; i++)
        all_sizes_and_roots(h3ou__algorithm_table[i]);
}

/* A message that is not a whole number of segments, elements that do not fill one, and meshes that are given. */
static void meshes_may_be_given(void **state)
{
    static const int shape[][3] = {{24, 1, 1}, {1, 6, 4}, {6, 1, 4}, {2, 3, 4}, {4, 3, 2}, {1, 1, 24}, {2, 12, 1}};
    (void)state;
    for (int i = 0; h3ou__algorithm_table[i]; i++)
        for (size_t k = 0; k < sizeof shape / sizeof *shape && h3ou__algorithm_table[i]->operation == H3OU__COLL_BCAST;
             k++)
            for (int root = 0; root < 24; root += 5) {
                h3ou__schedule s[24] = {{0}};
                h3ou__call call = {
                    .operation = H3OU__COLL_BCAST, .size = 24, .root = root, .element = 12, .count = 31, .segment = 50};
                memcpy(call.shape, shape[k], sizeof call.shape);
                for (call.me = 0; call.me < 24; call.me++)
                    assert_int_equal(h3ou__algorithm_table[i]->build(&call, &s[call.me]), 0);
                if (h3ou__schedule_play(s, 24, NULL, NULL))
                    fail_msg("%s: %s", h3ou__algorithm_table[i]->name, h3ou__fail_text());
                for (int me = 0; me < 24; me++) {
                    assert_int_equal(h3ou__schedule_check(&s[me], (int64_t[]){0, 31 * 12}), 0);
                    h3ou__schedule_free(&s[me]);
                }
            }
}

/* Returns the bytes that the busiest link carries: a message goes over one link of the mesh, from a node to its
 * neighbour. */
static int64_t load_of_links(const h3ou__algorithm *a, const int shape[3], int64_t count, int *rounds)
{
    int size = shape[0] * shape[1] * shape[2];
    int64_t *load = calloc((size_t)size * (size_t)size, sizeof *load), most = 0;
    assert_non_null(load);
    *rounds = 0;
    for (int me = 0; me < size; me++) {
        h3ou__schedule s = {0};
        h3ou__call call = {
            .operation = H3OU__COLL_BCAST, .size = size, .me = me, .root = 5, .element = 1, .count = count};
        memcpy(call.shape, shape, sizeof call.shape);
        assert_int_equal(a->build(&call, &s), 0);
        for (int64_t i = 0; i < s.n; i++)
            if (s.step[i].kind == H3OU__STEP_SEND) {
                int64_t *link = &load[(int64_t)me * size + s.step[i].peer];
                *link += s.step[i].bytes;
                most = *link > most ? *link : most;
            }
        h3ou__schedule_free(&s);
    }
    free(load);
    return most;
}

static const h3ou__algorithm *find_algorithm(int operation, const char *name)
{
    for (int i = 0; h3ou__algorithm_table[i]; i++)
        if (h3ou__algorithm_table[i]->operation == operation && strcmp(h3ou__algorithm_table[i]->name, name) == 0)
            return h3ou__algorithm_table[i];
    fail_msg("there is no %s", name);
    return NULL;
}

/* No link carries more than one part of the message: the trees have no link in common. */
static void trinary_trees_share_no_link(void **state)
{
    static const int shape[][3] = {{3, 3, 3}, {5, 4, 3}, {3, 4, 7}, {7, 5, 1}, {1, 3, 4}, {11, 1, 1}};
    (void)state;
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        int naxis = (shape[k][0] > 1) + (shape[k][1] > 1) + (shape[k][2] > 1), rounds;
        const h3ou__algorithm *x3 = find_algorithm(H3OU__COLL_BCAST, "trinary_x3"),
                              *x6 = find_algorithm(H3OU__COLL_BCAST, "trinary_x6");
        assert_int_equal(load_of_links(x3, shape[k], 600, &rounds), 600 / naxis);
        assert_int_equal(load_of_links(x6, shape[k], 600, &rounds), 600 / naxis / 2);
    }
}

/* A step for each segment and child, at most: nothing that grows with the number of members. */
static void trees_of_a_million_are_small(void **state)
{
    static const char *const name[] = {"binomial", "pipeline", "binary", "split_binary", "trinary_x6", "bintree_6d"};
    (void)state;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        for (int me = 0; me < 1 << 20; me += 104729) {
            h3ou__schedule s = {0};
            h3ou__call call = {.size = 1 << 20,
                               .me = me,
                               .root = 77,
                               .element = 8,
                               .count = 6000,
                               .segment = 8000,
                               .shape = {128, 128, 64}};
            assert_int_equal(find_algorithm(H3OU__COLL_BCAST, name[i])->build(&call, &s), 0);
            assert_in_range(s.n, 1, 6 * 8 + 20);
            h3ou__schedule_free(&s);
        }
}

static h3ou__schedule *make(int n)
{
    h3ou__schedule *s = calloc((size_t)n, sizeof *s);
    assert_non_null(s);
    return s;
}

static void unmake(h3ou__schedule *s, int n)
{
    for (int i = 0; i < n; i++)
        h3ou__schedule_free(&s[i]);
    free(s);
}

static void expect_refused(h3ou__schedule *s, int n, const char *sentence)
{
    assert_int_equal(h3ou__schedule_play(s, n, NULL, NULL), H3OU__EARG);
    if (!strstr(h3ou__fail_text(), sentence))
        fail_msg("\"%s\" does not say \"%s\"", h3ou__fail_text(), sentence);
    unmake(s, n);
}

static void schedules_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    h3ou__schedule *s = make(2);
    h3ou__schedule_recv(&s[1], 0, h3ou__output(0), 8);
    expect_refused(s, 2, "step 0 of member 1 receives 8 bytes from member 0, which does not send them");
    s = make(2);
    h3ou__schedule_send(&s[1], 0, h3ou__output(0), 8);
    expect_refused(s, 2, "step 0 of member 1 sends 8 bytes to member 0, which does not receive them");
    s = make(2);
    h3ou__schedule_send(&s[0], 1, h3ou__output(0), 8);
    h3ou__schedule_recv(&s[1], 0, h3ou__output(0), 16);
    expect_refused(s, 2, "member 0 sends 8 bytes to member 1, which receives 16");
    s = make(2);
    h3ou__schedule_send(&s[0], 2, h3ou__output(0), 8);
    expect_refused(s, 2, "member 0 sends a message whose peer is 2, of 2 members");
    s = make(2); /* each sends first, and receives in a later round */
    for (int me = 0; me < 2; me++) {
        h3ou__schedule_send(&s[me], 1 - me, h3ou__output(0), 8);
        h3ou__schedule_end_round(&s[me]);
        h3ou__schedule_recv(&s[me], 1 - me, h3ou__output(8), 8);
    }
    expect_refused(s, 2, "which waits itself");
}

static void expect_unsafe(h3ou__schedule *s, const char *sentence)
{
    assert_int_equal(h3ou__schedule_check(s, (int64_t[]){16, 16}), H3OU__EARG);
    if (!strstr(h3ou__fail_text(), sentence))
        fail_msg("\"%s\" does not say \"%s\"", h3ou__fail_text(), sentence);
    h3ou__schedule_free(s);
}

static void unsafe_schedules_are_refused(void **state)
{
    h3ou__schedule s = {0};
    (void)state;
    h3ou__schedule_send(&s, 1, h3ou__output(8), 8);
    h3ou__schedule_recv(&s, 1, h3ou__output(0), 9);
    expect_unsafe(&s, "step 0 uses bytes that another message of its round changes");
    h3ou__schedule_recv(&s, 1, h3ou__output(0), 9);
    h3ou__schedule_recv(&s, 2, h3ou__output(8), 8);
    expect_unsafe(&s, "step 1 uses bytes that another message of its round uses");
    h3ou__schedule_send(&s, 1, h3ou__output(9), 8);
    expect_unsafe(&s, "step 0 uses 8 bytes from 9 on of its output of 16");
    h3ou__schedule_recv(&s, 1, h3ou__span_after(h3ou__schedule_scratch(&s, 8), 60), 8);
    expect_unsafe(&s, "of its scratch buffer of 64");
    h3ou__schedule_recv(&s, 1, h3ou__input(0), 8);
    expect_unsafe(&s, "step 0 changes the input");
    h3ou__schedule_send(&s, 1, h3ou__output(0), 9); /* two sends of the same bytes are safe, as are later rounds */
    h3ou__schedule_send(&s, 2, h3ou__output(8), 8);
    h3ou__schedule_end_round(&s);
    h3ou__schedule_recv(&s, 2, h3ou__output(8), 8);
    assert_int_equal(h3ou__schedule_check(&s, (int64_t[]){16, 16}), H3OU__OK);
    h3ou__schedule_free(&s);
}

static const char *chosen(h3ou__call call, int order)
{
    const h3ou__algorithm *a;
    call.order = order;
    assert_int_equal(h3ou__coll_select(&call, &a), H3OU__OK);
    return a->name;
}

/* Of elements of 8 bytes, without a machine and without names. */
static void usual_algorithms_depend_on_members_and_bytes(void **state)
{
    enum { BCAST = H3OU__COLL_BCAST, REDUCE = H3OU__COLL_REDUCE, ALLREDUCE = H3OU__COLL_ALLREDUCE };
    enum { ANY = H3OU__ORDER_ANY, SERIAL = H3OU__ORDER_SERIAL };
    static const struct {
        int operation, size, order;
        int64_t count;
        const char *name;
    } usual[] = {
        {BCAST, 2, ANY, 1, "binomial"},
        {BCAST, 4, ANY, 1, "binary"},
        {BCAST, 4, ANY, 1 << 24, "binary"},
        {BCAST, 5, ANY, 1 << 13, "linear"},
        {BCAST, 8, ANY, (1 << 13) + 1, "binomial"},
        {BCAST, 9, ANY, 1, "binomial"},
        {REDUCE, 2, ANY, 1, "binomial"},
        {REDUCE, 4, ANY, 1 << 11, "linear"},
        {REDUCE, 4, ANY, (1 << 11) + 1, "binary"},
        {REDUCE, 4, SERIAL, (1 << 11) + 1, "linear"},
        {REDUCE, 4, ANY, (1 << 19) + 1, "binomial"},
        {REDUCE, 8, ANY, 1 << 13, "linear"},
        {REDUCE, 8, ANY, (1 << 13) + 1, "binomial"},
        {REDUCE, 9, ANY, 1, "binomial"},
        {ALLREDUCE, 2, ANY, 1 << 13, "recursive_doubling"},
        {ALLREDUCE, 2, SERIAL, 1 << 13, "linear"},
        {ALLREDUCE, 2, ANY, (1 << 13) + 1, "reduce_bcast"},
        {ALLREDUCE, 3, ANY, 1 << 15, "recursive_doubling"},
        {ALLREDUCE, 4, ANY, (1 << 15) + 1, "rabenseifner"},
        {ALLREDUCE, 8, ANY, 1 << 13, "linear"},
        {ALLREDUCE, 8, ANY, (1 << 13) + 1, "rabenseifner"},
        {ALLREDUCE, 8, H3OU__ORDER_RANKS, (1 << 20) + 1, "reduce_bcast"}, /* a ring changes the order */
        {ALLREDUCE, 8, ANY, (1 << 20) + 1, "ring"},
        {ALLREDUCE, 9, ANY, 1, "reduce_bcast"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        h3ou__call call = {
            .operation = usual[i].operation, .size = usual[i].size, .element = 8, .count = usual[i].count};
        assert_string_equal(chosen(call, usual[i].order), usual[i].name);
    }
}

static void the_environment_names_algorithms(void **state)
{
    h3ou__call bcast = {.operation = H3OU__COLL_BCAST, .size = 4, .element = 8};
    const h3ou__algorithm *a;
    (void)state;
    setenv("H3OU_COLL_BCAST", "pipeline:4096", 1);
    assert_int_equal(h3ou__coll_select(&bcast, &a), H3OU__OK);
    assert_string_equal(a->name, "pipeline");
    assert_int_equal(bcast.segment, 4096);
    static const char *const wrong[] = {"pipe", "pipelines", "pipeline:", "pipeline:4k", "pipeline:-1", ":4096"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("H3OU_COLL_BCAST", wrong[i], 1);
        assert_int_equal(h3ou__coll_select(&bcast, &a), H3OU__EENV);
        assert_non_null(strstr(h3ou__fail_text(), "it must be one of binomial, linear, chain, pipeline,"));
    }
    unsetenv("H3OU_COLL_BCAST");
    h3ou__call gather = {.operation = H3OU__COLL_GATHER, .size = 4, .element = 8};
    setenv("H3OU_COLL_GATHER", "binomial", 1);
    assert_string_equal(chosen(gather, H3OU__ORDER_ANY), "binomial");
    gather.is_vector = true; /* which that one cannot do */
    assert_string_equal(chosen(gather, H3OU__ORDER_ANY), "linear");
    unsetenv("H3OU_COLL_GATHER");
}

static void the_environment_describes_a_machine(void **state)
{
    h3ou__call bcast = {.operation = H3OU__COLL_BCAST, .size = 64, .element = 1, .count = 8};
    const h3ou__algorithm *a;
    (void)state;
    setenv("H3OU_COLL_MODEL", "20:1000", 1);
    assert_string_equal(chosen(bcast, H3OU__ORDER_ANY), "binomial");
    bcast.count = 256 << 20;
    assert_int_equal(h3ou__coll_select(&bcast, &a), H3OU__OK);
    assert_string_equal(a->name, "trinary_x3"); /* each sends the message once, as in a pipeline, but on shorter ways */
    assert_in_range(bcast.segment, 1 << 18, 1 << 19);
    bcast.segment = 0;
    setenv("H3OU_COLL_MODEL", "20:1000:6", 1);
    assert_string_equal(chosen(bcast, H3OU__ORDER_ANY), "trinary_x6");
    h3ou__call reduce = {.operation = H3OU__COLL_REDUCE, .size = 64, .element = 1, .count = 8};
    assert_string_equal(chosen(reduce, H3OU__ORDER_SERIAL), "linear"); /* the only one of that order */
    assert_string_not_equal(chosen(reduce, H3OU__ORDER_ANY), "linear");
    static const char *const wrong[] = {"20",        "20:",      "20:x",       "20:0", "-1:5",
                                        "20:1000:0", "20:1000:", "20:1000:6 ", "a"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("H3OU_COLL_MODEL", wrong[i], 1);
        assert_int_equal(h3ou__coll_select(&bcast, &a), H3OU__EENV);
        assert_non_null(strstr(h3ou__fail_text(), "it must be LATENCY:BANDWIDTH"));
    }
    unsetenv("H3OU_COLL_MODEL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_obvious_ones),
        cmocka_unit_test(meshes_may_be_given),
        cmocka_unit_test(trinary_trees_share_no_link),
        cmocka_unit_test(trees_of_a_million_are_small),
        cmocka_unit_test(schedules_that_do_not_fit_are_refused),
        cmocka_unit_test(unsafe_schedules_are_refused),
        cmocka_unit_test(usual_algorithms_depend_on_members_and_bytes),
        cmocka_unit_test(the_environment_names_algorithms),
        cmocka_unit_test(the_environment_describes_a_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
