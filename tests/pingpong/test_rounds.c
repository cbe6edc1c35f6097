/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop that h3ou bench pingpong measures by, over wires and pairs that this test invents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "tools/harness/median.h"
#include "tools/harness/rounds.h"

enum { LONGEST = 64, PLAYED_MOST = 16 };

/* A partner whose messages have their number in the first and last eight bytes, as the loop expects. */
typedef struct partner {
    int messages;
    size_t damaged; /* this byte is changed in what it sends, LONGEST: none */
    char buf[LONGEST];
} partner;

static int send_to_partner(wire *w, char *buf, size_t n)
{
    partner *p = w->own;
    memcpy(p->buf, buf, n);
    p->messages++;
    return H3OU__OK;
}

static int receive_from_partner(wire *w, char *buf, size_t n)
{
    partner *p = w->own;
    char number = (char)(p->messages++);
    memcpy(buf, p->buf, n);
    buf[0] = number;
    if (n > 8)
        buf[n - 8] = number;
    if (p->damaged < n)
        buf[p->damaged] ^= 1;
    return H3OU__OK;
}

static int fail_to_send(wire *w, char *buf, size_t n)
{
    (void)w;
    (void)buf;
    return h3ou__fail(H3OU__EPEER, "gone after %zu bytes", n);
}

static int play_with(partner p, size_t size, uint64_t n, int *messages)
{
    static const wire_ops ops = {.send = send_to_partner, .recv = receive_from_partner};
    char buf[LONGEST] = {0};
    double ns = -1;
    wire w = {.ops = &ops, .own = &p};
    int code = play_ping_pongs(&w, 0, buf, size, n, &ns);
    assert_true(code || ns >= 0);
    *messages = p.messages;
    return code;
}

static void every_message_is_checked(void **state)
{
    static const size_t sizes[] = {1, 7, 8, 9, 15, 16, 17, LONGEST};
    int messages;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i];
        assert_int_equal(play_with((partner){.damaged = LONGEST}, size, 20, &messages), H3OU__OK);
        assert_int_equal(messages, 40);
        assert_int_equal(play_with((partner){.damaged = 0}, size, 20, &messages), H3OU__EPROTO);
        assert_int_equal(messages, 2);
        assert_int_equal(play_with((partner){.damaged = size - 1}, size, 20, &messages), H3OU__EPROTO);
    }
}

static void errors_of_the_wire_are_returned(void **state)
{
    static const wire_ops ops = {.send = fail_to_send, .recv = receive_from_partner};
    partner p = {.damaged = LONGEST};
    wire w = {.ops = &ops, .own = &p};
    char buf[LONGEST] = {0};
    double ns;
    (void)state;
    assert_int_equal(play_ping_pongs(&w, 0, buf, 8, 3, &ns), H3OU__EPEER);
    assert_string_equal(h3ou__fail_text(), "gone after 8 bytes");
}

/* Pairs whose ping-pong takes a known time on each link. */
typedef struct pairs {
    double each[2]; /* ns */
    int nplay, nput, fails_at;
    round_result play[PLAYED_MOST], put[PLAYED_MOST];
} pairs;

static int play_round(void *user, round_result *r)
{
    pairs *p = user;
    r->slowest = p->each[r->link] * (double)r->repeats;
    r->mean = r->slowest / 2;
    p->play[p->nplay++] = *r;
    return p->nplay == p->fails_at ? H3OU__EPEER : H3OU__OK;
}

static int put_round(void *user, const round_result *r)
{
    pairs *p = user;
    p->put[p->nput++] = *r;
    return H3OU__OK;
}

static const round_ops pair_ops = {play_round, put_round};

static void links_take_turns_for_the_time_of_a_round(void **state)
{
    const round_plan plan = {.rounds = 2, .seconds = 1e-3};
    pairs p = {.each = {1000, 4000}};
    (void)state;
    assert_int_equal(measure_rounds(&plan, 2, 8, &pair_ops, &p), H3OU__OK);
    assert_int_equal(p.nplay, 8);
    assert_int_equal(p.play[0].repeats, 1);
    assert_int_equal(p.play[1].repeats, 8);
    assert_int_equal(p.nput, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(p.put[i].link, i % 2);
        assert_int_equal(p.put[i].repeats, i % 2 ? 250 : 1000);
        assert_int_equal(p.put[i].bytes, 8);
    }
}

static void a_round_has_at_least_one_ping_pong(void **state)
{
    const round_plan plan = {.rounds = 1, .seconds = 1e-6}, counted = {.rounds = 1, .repeat = 3, .seconds = 1e-6};
    pairs slow = {.each = {1e9}}, same = {.each = {1e9}};
    (void)state;
    assert_int_equal(measure_rounds(&plan, 1, 1 << 20, &pair_ops, &slow), H3OU__OK);
    assert_true(slow.play[1].repeats == 1 && slow.put[0].repeats == 1);
    assert_int_equal(measure_rounds(&counted, 1, 8, &pair_ops, &same), H3OU__OK);
    assert_int_equal(same.put[0].repeats, 3);
}

static void the_first_error_ends_the_rounds(void **state)
{
    const round_plan plan = {.rounds = 5, .repeat = 1};
    (void)state;
    for (int at = 1; at < 7; at++) {
        pairs p = {.each = {10, 10}, .fails_at = at};
        assert_int_equal(measure_rounds(&plan, 2, 8, &pair_ops, &p), H3OU__EPEER);
        assert_true(p.nplay == at && p.nput == (at > 4 ? at - 5 : 0));
    }
}

static void a_line_says_what_was_written(void **state)
{
    const round_result r = {1, 3, true, (int64_t)1 << 30, 12345678901, 5e12, 4e12};
    round_result got;
    char line[ROUND_LINE];
    (void)state;
    round_write_line(&r, line);
    assert_true(round_read_line(line, &got));
    assert_true(got.link == r.link && got.pairs == r.pairs && got.is_pinned && got.bytes == r.bytes &&
                got.repeats == r.repeats && got.slowest == r.slowest && got.mean == r.mean);
    static const char *const others[] = {"",
                                         "rounds",
                                         "round 1 2 0 8 1 5",
                                         "round 2 1 0 8 1 5 5",
                                         "round -1 1 0 8 1 5 5",
                                         "round 0 0 0 8 1 5 5",
                                         "round 0 1 0 0 1 5 5",
                                         "round 0 1 0 8 0 5 5",
                                         "round 0 1 0 8 1 -5 5",
                                         "round 0 1 0 8 1 nan 5"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(round_read_line(others[i], &got));
}

static void medians(void **state)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 10};
    (void)state;
    assert_true(median_of(odd, 3) == 2 && median_of(even, 4) == 3.5 && median_of(even, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_checked),
        cmocka_unit_test(errors_of_the_wire_are_returned),
        cmocka_unit_test(links_take_turns_for_the_time_of_a_round),
        cmocka_unit_test(a_round_has_at_least_one_ping_pong),
        cmocka_unit_test(the_first_error_ends_the_rounds),
        cmocka_unit_test(a_line_says_what_was_written),
        cmocka_unit_test(medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
