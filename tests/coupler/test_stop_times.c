/* SPDX-License-Identifier: BSD-3-Clause */
/* Model times that components have in common, at which a run can stop early; and by how much a lag above 1 takes them apart. */
#include "coupler/stop/stop_times.h"

#include <stdio.h>
#include <string.h>

#include "coupler/clock/stop_leads.h"
#include "units.h"

static const h3ou__stop_times third = {{1, 3}, {1, 3}, 0, {0}}, step_600 = {{600, 1}, {600, 1}, 0, {0}}, step_900 = {{900, 1}, {900, 1}, 0, {0}},
                              uneven = {{1800, 1}, {1, 0}, 4, {1800, 3600, 7200, 9000}};

static bool is_multiple(void *user, int64_t time)
{
    const int *every = user;
    return time % *every == 0;
}

static int64_t common(h3ou__stop_times a, h3ou__stop_times b, int every)
{
    const h3ou__stop_times both[2] = {a, b}, turned[2] = {b, a};
    int64_t time = h3ou__stop_times_common(2, both, is_multiple, &every);
    assert_int_equal(time, h3ou__stop_times_common(2, turned, is_multiple, &every));
    return time;
}

static void steps_meet_at_common_multiples(void **state)
{
    (void)state;
    h3ou__stop_times late = step_900, apart = step_600;
    assert_int_equal(common(step_600, step_900, 1), 1800);
    assert_int_equal(common(step_600, step_900, 3600), 3600);
    late.from = h3ou__whole(2000);
    assert_int_equal(common(step_600, late, 1), -1);
    late.from = h3ou__whole(2100);
    assert_int_equal(common(step_600, late, 1), 3000);
    apart.from = h3ou__whole(6000000000600);
    assert_int_equal(common(apart, step_900, 1), 6000000001200);
}

static void only_whole_seconds_count(void **state)
{
    (void)state;
    h3ou__stop_times half = {{1, 2}, {1, 1}, 0, {0}};
    assert_int_equal(common(third, third, 1), 1);
    assert_int_equal(common(third, step_900, 1), 900);
    assert_int_equal(common(half, half, 1), -1);
}

static void uneven_steps_have_the_times_of_their_list(void **state)
{
    (void)state;
    h3ou__stop_times none = {{0, 1}, {1, 0}, 0, {0}}, other = {{3600, 1}, {1, 0}, 3, {3600, 5400, 9000}};
    assert_int_equal(common(uneven, step_600, 1), 1800);
    assert_int_equal(common(uneven, step_600, 7200), 7200);
    assert_int_equal(common(uneven, other, 1), 3600);
    assert_int_equal(common(uneven, other, 9000), 9000);
    assert_int_equal(common(uneven, none, 1), -1);
    assert_int_equal(h3ou__stop_times_common(0, NULL, is_multiple, NULL), -1);
}

static void times_are_put_off(void **state)
{
    (void)state;
    h3ou__stop_times a = step_600, b = uneven;
    h3ou__stop_times_put_off(&a, 4);
    h3ou__stop_times_put_off(&b, 1);
    assert_int_equal(a.from.num, 3000);
    assert_int_equal(b.n, 3);
    assert_int_equal(common(a, b, 1), 3600);
    h3ou__stop_times_put_off(&b, 3); /* it has no more */
    assert_int_equal(common(a, b, 1), 3600);
    h3ou__stop_times_put_off(&b, 2);
    assert_int_equal(common(a, b, 1), 9000);
}

static void a_lead_moves_times(void **state)
{
    (void)state;
    h3ou__stop_times a = step_600, b = uneven;
    h3ou__stop_times_lead(&a, h3ou__whole(300));
    assert_int_equal(common(a, step_900, 1), 900);
    h3ou__stop_times_lead(&b, h3ou__whole(1500));
    assert_int_equal(common(b, step_600, 1), -1);
    assert_int_equal(common(b, a, 1), 300);
    assert_int_equal(common(b, a, 7), 2100);
    h3ou__stop_times_lead(&b, h3ou__rational_make(1, 2));
    assert_int_equal(b.n, 0);
}

/* A configuration of components a, b, c; each field from one to another. */
static h3ou__config_pair pairs[4];
static h3ou__config_var vars[4];

static void add(h3ou__config *config, const char *from, const char *to, int lag, h3ou__interval every)
{
    h3ou__config_pair *p = &pairs[config->npair];
    snprintf(p->comp_put, sizeof p->comp_put, "%s", from);
    snprintf(p->comp_get, sizeof p->comp_get, "%s", to);
    vars[config->nvar++] = (h3ou__config_var){.pair = config->npair++, .lag = lag, .intvl = every};
    config->pair = pairs;
    config->var = vars;
}

static const h3ou__interval hour = {0, 3600, 1}, day = {0, 86400, 1}, month = {1, 0, 1}, none = {0, 0, 1};

static int64_t lead(const h3ou__config *config, const char *component)
{
    h3ou__stop_leads leads;
    assert_int_equal(h3ou__stop_leads_find(config, &leads), 0);
    h3ou__rational of = h3ou__stop_leads_of(&leads, component);
    bool has_none = leads.late != NULL;
    h3ou__stop_leads_free(&leads);
    assert_int_equal(of.den, 1);
    return has_none ? -1 : of.num;
}

static void a_lag_above_1_takes_components_apart(void **state)
{
    (void)state;
    h3ou__config config = {0};
    add(&config, "a", "b", 3, hour);
    assert_int_equal(lead(&config, "a"), 7200);
    assert_int_equal(lead(&config, "b"), 0);
    assert_int_equal(lead(&config, "other"), 0);
    add(&config, "b", "c", 2, day);
    assert_int_equal(lead(&config, "a"), 86400 + 7200);
    assert_int_equal(lead(&config, "b"), 86400);
    add(&config, "c", "a", -3, day);
    assert_int_equal(lead(&config, "c"), 0);
    add(&config, "a", "a", 2, hour);
    assert_int_equal(lead(&config, "a"), 86400 + 7200);
}

static void small_lags_leave_them_together(void **state)
{
    (void)state;
    h3ou__config config = {0};
    add(&config, "a", "b", 1, month);
    add(&config, "b", "a", -1, hour);
    add(&config, "a", "c", 0, hour);
    add(&config, "b", "c", -9, hour);
    assert_int_equal(lead(&config, "a"), 0);
    assert_int_equal(lead(&config, "b"), 0);
    assert_int_equal(lead(&config, "c"), 0);
}

static void circles_and_months_have_no_leads(void **state)
{
    (void)state;
    h3ou__config circle = {0}, months = {0}, once = {0};
    add(&circle, "a", "b", 2, hour);
    add(&circle, "b", "a", -1, hour);
    assert_int_equal(lead(&circle, "a"), -1);
    add(&months, "a", "b", 2, month);
    assert_int_equal(lead(&months, "a"), -1);
    add(&once, "a", "b", 2, hour);
    add(&once, "b", "a", -1, none);
    assert_int_equal(lead(&once, "a"), 3600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_meet_at_common_multiples),
        cmocka_unit_test(only_whole_seconds_count),
        cmocka_unit_test(uneven_steps_have_the_times_of_their_list),
        cmocka_unit_test(times_are_put_off),
        cmocka_unit_test(a_lead_moves_times),
        cmocka_unit_test(a_lag_above_1_takes_components_apart),
        cmocka_unit_test(small_lags_leave_them_together),
        cmocka_unit_test(circles_and_months_have_no_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
