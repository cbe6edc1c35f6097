/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares that stay leave twice, and then no more; the receiver has those of each message all the same. */
#include "coupler/exchange/sent_shares.h"

#include <stdlib.h>
#include <string.h>

#include "coupler/exchange/got_shares.h"
#include "coupler/message/message_form.h"
#include "units.h"

enum { CELLS = 5, PARTNERS = 2 }; /* the second partner gets the last two cells only */

static const int64_t start[] = {0, CELLS, CELLS + 2}, slot[] = {0, 1, 2, 3, 4, 3, 4};
static h3ou__config_var var = {.layer = 1, .type = H3OU__REAL8};
static h3ou__picked cells[PARTNERS];
static double message[PARTNERS][H3OU__HEAD + 2 * CELLS];
static const double *arrived[PARTNERS];

static h3ou__plan plan = {.npartner = PARTNERS, .start = (int64_t *)start, .slot = (int64_t *)slot};
static h3ou__outgoing out;
static h3ou__incoming in;

static int begin(void **state)
{
    (void)state;
    out = (h3ou__outgoing){.var = &var, .plan = &plan, .n = CELLS, .layer = 1, .slices = 1, .cells = cells};
    in = (h3ou__incoming){.var = &var, .plan = &plan, .layer = 1, .arrived = arrived};
    for (int k = 0; k < PARTNERS; k++)
        cells[k] = h3ou__picked_of(slot + start[k], start[k + 1] - start[k]);
    return h3ou__sent_shares_create(&out);
}

static int end(void **state)
{
    (void)state;
    h3ou__sent_shares_free(&out);
    h3ou__got_shares_free(in.got_shares);
    return 0;
}

/* Sends an exchange as outgoing.c does, and lets the receiver take it; checks that it has the shares. Returns how many partners got no
 * shares. */
static int exchange(const double *share, int64_t number, double mark)
{
    h3ou__sample s = {.share = share, .share_number = number, .share_scale = 1.0};
    int without = 0;
    h3ou__sent_shares_choose(&out, &s, mark < 0.0);
    for (int k = 0; k < PARTNERS; k++) {
        memset(message[k], 0, sizeof message[k]);
        message[k][H3OU__HEAD_MARK] = mark;
        message[k][H3OU__HEAD_STATE] = share ? H3OU__SHARED : H3OU__VALUE;
        for (int64_t i = 0; i < cells[k].count && share && !out.shares[k].is_same; i++)
            message[k][H3OU__HEAD + cells[k].count + i] = share[cells[k].at[i]];
        h3ou__sent_shares_mark(&out, k, message[k]);
        arrived[k] = message[k];
        without += message[k][H3OU__HEAD_STATE] == H3OU__SAME_SHARES;
    }
    assert_int_equal(h3ou__got_shares_keep(&in), 0);
    for (int k = 0; k < PARTNERS; k++) {
        const double *got = h3ou__got_shares_of(&in, k);
        assert_int_equal(got != NULL, share != NULL);
        for (int64_t i = 0; i < cells[k].count && share; i++)
            assert_true(got[i] == share[cells[k].at[i]]);
    }
    return without;
}

static const double land[CELLS] = {0.0, 0.0, 0.5, 1.0, 0.0}, ice[CELLS] = {0.25, 1.0, 1.0, 0.125, 0.75};

static void shares_that_stay_are_sent_twice(void **state)
{
    (void)state;
    assert_int_equal(exchange(land, 7, 0.0), 0);
    assert_false(h3ou__got_shares_has(&in, 0));
    assert_int_equal(exchange(land, 7, 60.0), 0);
    assert_true(h3ou__got_shares_are_all(&in) && h3ou__got_shares_has(&in, 0) && h3ou__got_shares_has(&in, 1));
    for (int i = 2; i < 5; i++) {
        assert_int_equal(exchange(land, 7, 60.0 * i), PARTNERS);
        assert_true(h3ou__got_shares_are_all(&in));
    }
}

static void others_are_sent_again(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        exchange(land, 7, 0.0);
    int64_t number = in.got_shares->number;
    assert_int_equal(exchange(ice, 8, 0.0), 0);
    assert_false(h3ou__got_shares_are_all(&in));
    assert_int_equal(exchange(land, 7, 0.0), PARTNERS); /* those that are kept still */
    assert_int_equal(in.got_shares->number, number);
    assert_int_equal(exchange(ice, 8, 0.0), 0);
    assert_int_equal(exchange(ice, 8, 0.0), 0);
    assert_true(in.got_shares->number > number);
    assert_int_equal(exchange(ice, 8, 0.0), PARTNERS);
    assert_int_equal(exchange(land, 7, 0.0), 0);
}

/* A message without shares, and one that is sent at once, change nothing of what is kept. */
static void other_messages_lie_between(void **state)
{
    (void)state;
    exchange(land, 7, 0.0);
    assert_int_equal(exchange(NULL, 0, 60.0), 0);
    assert_int_equal(exchange(land, 7, -1.0), 0);
    assert_null(in.got_shares);
    assert_int_equal(exchange(land, 7, 120.0), 0);
    assert_int_equal(exchange(land, 7, -2.0), 0);
    assert_int_equal(exchange(NULL, 0, 180.0), 0);
    assert_int_equal(exchange(land, 7, 240.0), PARTNERS);
}

static void shares_that_nobody_knows_are_sent_each_time(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(exchange(land, 0, 60.0 * i), 0);
    out.is_direct = true; /* members of a group, whose messages are put together, send all */
    for (int i = 0; i < 5; i++)
        assert_int_equal(exchange(land, 7, 60.0 * i), 0);
    assert_null(in.got_shares);
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
                h3ou__sample s = {.share = share, .share_number = numbers[i], .share_scale = 1.0};
                var.type = type ? H3OU__REAL4 : H3OU__REAL8;
                out.layer = layers;
                for (int k = 0; k < CELLS * layers; k++)
                    if (type)
                        ((float *)(void *)(values + H3OU__HEAD))[k] = (float)k + 1.0F;
                    else
                        values[H3OU__HEAD + k] = k + 1.0;
                h3ou__sent_shares_choose(&out, &s, false);
                double *of_share = values + h3ou__message_length(type, CELLS, layers);
                if (!out.shares[0].is_same)
                    memcpy(of_share, share, sizeof land);
                h3ou__sent_shares_clear(&out, &s, 0, values);
                values[H3OU__HEAD_STATE] = H3OU__SHARED;
                h3ou__sent_shares_mark(&out, 0, values);
                for (int cell = 0; cell < CELLS; cell++)
                    for (int layer = 0; layer < layers; layer++) {
                        int at = h3ou__message_is_turned(&plan, layers) ? cell * layers + layer : layer * CELLS + cell;
                        double got = type ? (double)h3ou__message_singles(values)[at] : values[H3OU__HEAD + at];
                        assert_true(got == (share[cell] > 0.0 ? at + 1.0 : 0.0));
                    }
            }
    var.type = H3OU__REAL8;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shares_that_stay_are_sent_twice, begin, end),
        cmocka_unit_test_setup_teardown(others_are_sent_again, begin, end),
        cmocka_unit_test_setup_teardown(other_messages_lie_between, begin, end),
        cmocka_unit_test_setup_teardown(shares_that_nobody_knows_are_sent_each_time, begin, end),
        cmocka_unit_test_setup_teardown(cells_without_share_are_cleared, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
