/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulation itself: schedules that do not fit, schedules in parts, and ways through the networks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "coll/algorithm_table.h"
#include "tools/simulate/model/call_stages.h"
#include "tools/simulate/model/event_queue.h"
#include "tools/simulate/model/simulation.h"

/* Two nodes of one process: 1 s of latency, 1 byte each second. */
static modelled_machine two_nodes(void)
{
    modelled_machine m = {.jobs = 1,
                          .per_node = 1,
                          .net = {.nodes = 2, .extent = {2, 1, 1}},
                          .ports = {1, 1},
                          .eager = {INT64_MAX, INT64_MAX},
                          .links_between = 1};
    for (int by = 0; by < TRANSPORTS; by++)
        for (int far = 0; far < DISTANCES; far++)
            m.class[by][far] = (link_class){.latency = 1, .bandwidth = 1, .gap = 1};
    return m;
}

static int run_pattern(int (*pattern)(const void *, int, h3ou__schedule *), int64_t eager, simulation_result *out)
{
    modelled_machine m = two_nodes();
    m.eager[BY_MPI] = eager;
    stage only = {.pattern = pattern, .block = 2};
    int code = simulation_run(&m, &(simulation_plan){.stage = &only, .nstage = 1, .calls = 1}, out);
    machine_close(&m);
    return code;
}

static int send_nothing(const void *user, int member, h3ou__schedule *out)
{
    (void)user;
    if (member == 1)
        h3ou__schedule_recv(out, 0, h3ou__output(0), 5);
    h3ou__schedule_end_round(out);
    return out->error;
}

static int send_more(const void *user, int member, h3ou__schedule *out)
{
    (void)user;
    for (int i = 0; i < 2 && member == 0; i++)
        h3ou__schedule_send(out, 1, h3ou__output(0), 5);
    if (member == 1)
        h3ou__schedule_recv(out, 0, h3ou__output(0), 5);
    h3ou__schedule_end_round(out);
    return out->error;
}

static int send_other_length(const void *user, int member, h3ou__schedule *out)
{
    (void)user;
    if (member == 0)
        h3ou__schedule_send(out, 1, h3ou__output(0), 4);
    else
        h3ou__schedule_recv(out, 0, h3ou__output(0), 5);
    h3ou__schedule_end_round(out);
    return out->error;
}

/* The receive is in the second round; the first one is a message the other way. */
static int receive_late(const void *user, int member, h3ou__schedule *out)
{
    (void)user;
    if (member == 0) {
        h3ou__schedule_send(out, 1, h3ou__output(0), 5);
        h3ou__schedule_recv(out, 1, h3ou__output(0), 9);
    } else {
        h3ou__schedule_send(out, 0, h3ou__output(0), 9);
        h3ou__schedule_end_round(out);
        h3ou__schedule_recv(out, 0, h3ou__output(0), 5);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void test_schedules_that_do_not_fit(void **state)
{
    (void)state;
    simulation_result r;
    assert_int_equal(run_pattern(send_nothing, INT64_MAX, &r), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "member 1"));
    assert_int_equal(run_pattern(send_more, INT64_MAX, &r), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "member 1"));
    assert_int_equal(run_pattern(send_more, 0, &r), H3OU__EARG);
    assert_int_equal(run_pattern(send_other_length, INT64_MAX, &r), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "waits for 5 bytes of member 0"));
}

static void test_early_and_asked_messages(void **state)
{
    (void)state;
    simulation_result r;
    /* Both are sent at 0; the longer one is there after 1 + 9 s, when the other one has long been waiting. */
    assert_int_equal(run_pattern(receive_late, INT64_MAX, &r), H3OU__OK);
    assert_true(r.last > 9.999 && r.last < 10.001);
    assert_int_equal(r.sent, 2);
    assert_int_equal(r.received, 2);
    /* Asked: both questions come at 1; 1 allows the 5 bytes only in its second round. Its own 9 bytes are allowed at 2
     * and there at 12, when the answer to the question goes out; that comes at 13, and the data at 19. */
    assert_int_equal(run_pattern(receive_late, 0, &r), H3OU__OK);
    assert_true(r.last > 18.999 && r.last < 19.001);
    assert_int_equal(r.received, 2);
}

/* A schedule in parts of any length is the same schedule. */
static void test_parts(void **state)
{
    (void)state;
    for (int i = 0; h3ou__algorithm_table[i]; i++) {
        stage s = {.algorithm = h3ou__algorithm_table[i], .block = 12, .call = {.element = 1, .count = 100, .segment = 7}};
        s.call.operation = s.algorithm->operation;
        for (int member = 0; member < 12; member++) {
            stage_part whole, part;
            int64_t all = 0, first = 0;
            int seen = 0;
            assert_int_equal(stage_take(&s, 12, member, 1 << 20, &all, &whole), H3OU__OK);
            assert_true(whole.is_end);
            do {
                assert_int_equal(stage_take(&s, 12, member, 3, &first, &part), H3OU__OK);
                assert_true(seen + part.n <= whole.n);
                for (int k = 0; k < part.n; k++, seen++) {
                    assert_int_equal(part.step[k].bytes, whole.step[seen].bytes);
                    assert_int_equal(part.step[k].peer, whole.step[seen].peer);
                    assert_int_equal(part.step[k].is_send, whole.step[seen].is_send);
                    assert_int_equal(part.step[k].is_last, whole.step[seen].is_last);
                }
                free(part.step);
            } while (!part.is_end);
            assert_int_equal(seen, whole.n);
            free(whole.step);
        }
    }
}

static int count_links(const network *n, int from, int to)
{
    path way;
    int count = 0;
    path_begin(&way, n, from, to);
    for (int64_t link; (link = path_next(&way)) >= 0; count++)
        assert_in_range(link, 0, network_links(n) - 1);
    return count;
}

static void test_networks(void **state)
{
    (void)state;
    network torus = {.nodes = 60, .extent = {5, 4, 3}}, snake = torus,
            tree = {.is_tree = true, .nodes = 60, .radix = 8, .uplinks = 2, .extent = {60, 1, 1}};
    snake.is_snake = true;
    for (int from = 0; from < 60; from++)
        for (int to = 0; to < 60; to++) {
            int sum = 0, a[3] = {from % 5, from / 5 % 4, from / 20}, b[3] = {to % 5, to / 5 % 4, to / 20};
            for (int i = 0; i < 3; i++) {
                int d = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i], n = torus.extent[i];
                sum += d < n - d ? d : n - d;
            }
            assert_int_equal(count_links(&torus, from, to), sum);
            assert_int_equal(count_links(&tree, from, to), from == to ? 0 : from / 8 == to / 8 ? 2 : 4);
        }
    for (int node = 0; node + 1 < 60; node++)
        assert_int_equal(count_links(&snake, node, node + 1), 1);
}

static void test_events(void **state)
{
    (void)state;
    event_queue q = {0};
    event e;
    unsigned random = 1;
    for (uint32_t i = 0; i < 1000; i++) {
        random = random * 1103515245u + 12345u;
        assert_int_equal(event_add(&q, (double)(random >> 16 & 63), 0, i), H3OU__OK);
    }
    double before = -1;
    uint32_t last = 0;
    for (int i = 0; i < 1000; i++) {
        assert_true(event_take(&q, &e));
        assert_true(e.time > before || (e.time >= before && e.what > last));
        before = e.time;
        last = e.what;
    }
    assert_false(event_take(&q, &e));
    free(q.heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedules_that_do_not_fit),
        cmocka_unit_test(test_early_and_asked_messages),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_networks),
        cmocka_unit_test(test_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
