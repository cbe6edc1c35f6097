/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares that stay leave twice, and then no more; the receiver has those of each message all the same. */
#include "coupler/message/sent_shares.h"

#include <string.h>

#include "coupler/message/got_shares.h"
#include "coupler/message/message_form.h"
#include "units.h"

enum { CELLS = 5, PARTNERS = 2 }; /* the second partner gets the last two cells only */

static const int64_t start[] = {0, CELLS, CELLS + 2};
static const int32_t slot[] = {0, 1, 2, 3, 4, 3, 4};
static const h3ou__plan plan = {.npartner = PARTNERS, .start = (int64_t *)start, .slot = (int32_t *)slot};
static h3ou__picked cells[PARTNERS];
static double message[PARTNERS][H3OU__HEAD + 2 * CELLS];
static const double *arrived[PARTNERS];
static h3ou__sent_shares sent[PARTNERS];
static h3ou__got_shares got;
static bool can_pair, has_nan; /* of the messages that are sent next */

static int begin(void **state)
{
    (void)state;
    can_pair = has_nan = false;
    for (int k = 0; k < PARTNERS; k++) {
        cells[k] = h3ou__picked_of(slot + start[k], start[k + 1] - start[k]);
        sent[k] = (h3ou__sent_shares){0};
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int k = 0; k < PARTNERS; k++)
        h3ou__sent_shares_free(&sent[k]);
    h3ou__got_shares_free(&got);
    return 0;
}

/* Packs the message of partner k with these shares, or none, as outgoing.c does; is_now: it is sent at once. */
static void send(int k, const double *share, int64_t number, bool is_now)
{
    memset(message[k], 0, sizeof message[k]);
    message[k][H3OU__HEAD_STATE] = share ? H3OU__SHARED : H3OU__VALUE;
    h3ou__sent_shares_begin(&sent[k], share && !is_now ? number : 0, can_pair);
    message[k][H3OU__HEAD_MORE] = has_nan;
    for (int64_t i = 0; i < cells[k].count && share && !sent[k].are_kept; i++)
        message[k][H3OU__HEAD + (sent[k].are_paired ? 2 * i : cells[k].count + i)] = share[cells[k].at[i]];
    if (!is_now)
        h3ou__sent_shares_mark(&sent[k], message[k]);
    arrived[k] = message[k];
}

/* Takes the message of partner k as incoming.c does, and checks that it has the shares. */
static void receive(int k, const double *share)
{
    const double *inside = message[k] + H3OU__HEAD + cells[k].count;
    if (message[k][H3OU__HEAD_STATE] == H3OU__SAME_SHARES)
        assert_true(h3ou__got_shares_has(&got, k));
    if (h3ou__got_shares_are_new(message[k]))
        assert_int_equal(h3ou__got_shares_keep(&got, &plan, k, inside), 0);
    const double *of = h3ou__got_shares_of(&got, &plan, k, message[k], inside);
    bool is_paired = h3ou__message_is_paired(message[k]);
    assert_int_equal(of != NULL, share != NULL && !is_paired);
    for (int64_t i = 0; i < cells[k].count && share; i++)
        assert_true((is_paired ? message[k][H3OU__HEAD + 2 * i] : of[i]) == share[cells[k].at[i]]);
}

/* Sends an exchange. Returns how many partners got no shares. */
static int exchange(const double *share, int64_t number, bool is_now)
{
    int without = 0;
    for (int k = 0; k < PARTNERS; k++) {
        send(k, share, number, is_now);
        without += message[k][H3OU__HEAD_STATE] == H3OU__SAME_SHARES;
        receive(k, share);
    }
    return without;
}

static bool are_all_kept(void)
{
    return h3ou__got_shares_are_all(&got, PARTNERS, arrived);
}

static const double land[CELLS] = {0.0, 0.0, 0.5, 1.0, 0.0}, ice[CELLS] = {0.25, 1.0, 1.0, 0.125, 0.75};

static void shares_that_stay_are_sent_twice(void **state)
{
    (void)state;
    assert_int_equal(exchange(land, 7, false), 0);
    assert_false(h3ou__got_shares_has(&got, 0) || are_all_kept());
    assert_int_equal(exchange(land, 7, false), 0);
    assert_true(are_all_kept() && h3ou__got_shares_has(&got, 0) && h3ou__got_shares_has(&got, 1));
    for (int i = 2; i < 5; i++) {
        assert_int_equal(exchange(land, 7, false), PARTNERS);
        assert_true(are_all_kept());
    }
}

static void others_are_sent_again(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        exchange(land, 7, false);
    int64_t number = got.number;
    assert_int_equal(exchange(ice, 8, false), 0);
    assert_false(are_all_kept());
    assert_int_equal(exchange(land, 7, false), PARTNERS); /* those that are kept still */
    assert_int_equal(got.number, number);
    assert_int_equal(exchange(ice, 8, false), 0);
    assert_int_equal(exchange(ice, 8, false), 0);
    assert_true(got.number > number);
    assert_int_equal(exchange(ice, 8, false), PARTNERS);
    assert_int_equal(exchange(land, 7, false), 0);
}

/* A message without shares, and one that is sent at once, change nothing of what is kept. */
static void other_messages_lie_between(void **state)
{
    (void)state;
    exchange(land, 7, false);
    assert_int_equal(exchange(NULL, 0, false), 0);
    assert_int_equal(exchange(land, 7, true), 0);
    assert_null(got.share);
    assert_int_equal(exchange(land, 7, false), 0);
    assert_int_equal(exchange(land, 7, true), 0);
    assert_int_equal(exchange(NULL, 0, false), 0);
    assert_int_equal(exchange(land, 7, false), PARTNERS);
}

/* Partners may keep shares at different times. */
static void one_partner_sends_others(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        exchange(land, 7, false);
    send(0, land, 7, false);
    send(1, ice, 8, false);
    receive(0, land);
    receive(1, ice);
    assert_false(are_all_kept());
    send(0, land, 7, false);
    send(1, ice, 8, false);
    receive(0, land);
    receive(1, ice);
    assert_true(are_all_kept());
}

/* Sends `n` exchanges, each with other shares. Returns how many of all messages had them beside the values. */
static int change(int n)
{
    static int64_t number = 100;
    int paired = 0;
    for (int i = 0; i < n; i++) {
        assert_int_equal(exchange(i % 2 ? ice : land, ++number, false), 0);
        for (int k = 0; k < PARTNERS; k++)
            paired += h3ou__message_is_paired(message[k]);
    }
    return paired;
}

/* Until they stay, or a value that counts is NaN. */
static void shares_that_change_come_to_stand_beside_the_values(void **state)
{
    (void)state;
    can_pair = true;
    assert_int_equal(change(3), 0);
    assert_int_equal(change(2), 2 * PARTNERS);
    for (int i = 0; i < 2; i++) { /* these stay */
        assert_int_equal(exchange(ice, 7, false), 0);
        assert_int_equal(h3ou__message_is_paired(message[0]), i == 0);
    }
    assert_true(are_all_kept());
    assert_int_equal(change(3), 0);
    assert_int_equal(change(1), PARTNERS);
    assert_int_equal(exchange(ice, 7, false), PARTNERS); /* they are kept still */
    has_nan = true;
    assert_int_equal(change(1), PARTNERS); /* it is found while the message is made */
    assert_int_equal(change(4), 0);
    has_nan = can_pair = false;
    assert_int_equal(change(5), 0);
    can_pair = true;
    assert_int_equal(change(1), PARTNERS);
}

static void shares_that_nobody_knows_are_sent_each_time(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(exchange(land, 0, false), 0);
    assert_null(got.share);
}

/* Values of cells with share 0 become 0, whether the list of them is made or not. */
static void cells_without_share_are_cleared(void **state)
{
    const int64_t numbers[] = {0, 3, 3, 3, 4, 3, 5, 5, 5};
    (void)state;
    for (int type = 0; type < 2; type++)
        for (int layers = 1; layers <= 5; layers += 2)
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
                double values[H3OU__HEAD + 6 * CELLS] = {0};
                const double *share = numbers[i] == 5 ? ice : land;
                h3ou__value_form form = {type, h3ou__message_is_turned(&plan, layers), layers};
                for (int k = 0; k < CELLS * layers; k++)
                    if (type)
                        ((float *)(void *)(values + H3OU__HEAD))[k] = (float)k + 1.0F;
                    else
                        values[H3OU__HEAD + k] = k + 1.0;
                h3ou__sent_shares_begin(&sent[0], numbers[i], false);
                double *of_share = values + h3ou__message_length(type, CELLS, layers);
                if (!sent[0].are_kept)
                    memcpy(of_share, share, sizeof land);
                h3ou__sent_shares_clear(&sent[0], &cells[0], &form, share, values);
                values[H3OU__HEAD_STATE] = H3OU__SHARED;
                h3ou__sent_shares_mark(&sent[0], values);
                for (int cell = 0; cell < CELLS; cell++)
                    for (int layer = 0; layer < layers; layer++) {
                        int at = form.is_turned ? cell * layers + layer : layer * CELLS + cell;
                        double value = type ? (double)h3ou__message_singles(values)[at] : values[H3OU__HEAD + at];
                        assert_true(value == (share[cell] > 0.0 ? at + 1.0 : 0.0));
                    }
            }
}

/* Only one row of double travels beside its shares. */
static void messages_with_shares_have_their_length(void **state)
{
    (void)state;
    static const struct {
        int state;
        bool has_singles;
        int64_t rows, numbers; /* behind the head */
        bool is_whole;
    } due[] = {{H3OU__VALUE, false, 1, CELLS, true},
               {H3OU__VALUE, false, 1, 2 * CELLS, false},
               {H3OU__SHARED, false, 3, 4 * CELLS, true},
               {H3OU__SHARED, false, 3, 3 * CELLS, false},
               {H3OU__SHARED, true, 2, 2 * CELLS, true},
               {H3OU__SAME_SHARES, false, 3, 3 * CELLS, true},
               {H3OU__SAME_SHARES, false, 3, 4 * CELLS, false},
               {H3OU__PAIRED, false, 1, 2 * CELLS, true},
               {H3OU__PAIRED, false, 1, 2 * CELLS - 1, false},
               {H3OU__PAIRED, false, 3, 4 * CELLS, false},
               {H3OU__PAIRED, true, 1, CELLS + (CELLS + 1) / 2, false}};
    for (size_t k = 0; k < sizeof due / sizeof *due; k++) {
        bool is_whole =
            h3ou__message_is_whole(due[k].has_singles, due[k].state, H3OU__HEAD + due[k].numbers, CELLS, due[k].rows);
        assert_int_equal(is_whole, due[k].is_whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shares_that_stay_are_sent_twice, begin, end),
        cmocka_unit_test_setup_teardown(others_are_sent_again, begin, end),
        cmocka_unit_test_setup_teardown(other_messages_lie_between, begin, end),
        cmocka_unit_test_setup_teardown(one_partner_sends_others, begin, end),
        cmocka_unit_test_setup_teardown(shares_that_change_come_to_stand_beside_the_values, begin, end),
        cmocka_unit_test_setup_teardown(shares_that_nobody_knows_are_sent_each_time, begin, end),
        cmocka_unit_test_setup_teardown(cells_without_share_are_cleared, begin, end),
        cmocka_unit_test(messages_with_shares_have_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
