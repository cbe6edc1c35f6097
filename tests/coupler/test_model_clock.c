/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/clock/model_clock.h"

#include <math.h>

#include "units.h"

const char *h3ou__world_component_name(const h3ou__world *w, int id)
{
    (void)w;
    return id == 3 ? "ocean" : "?";
}

int h3ou__world_me(const h3ou__world *w)
{
    (void)w;
    return 3;
}

h3ou__comm *h3ou__world_local(h3ou__world *w)
{
    (void)w;
    return NULL;
}

int h3ou__comm_rank(const h3ou__comm *c)
{
    (void)c;
    return 5;
}

/* A clock that starts on 28 February 2000, with steps of an hour. */
static h3ou__clock begin_clock(const h3ou__config *config)
{
    h3ou__clock k = {.is_set = true, .date = {2000, 2, 28, 23, 0, 0}};
    k.start = h3ou__date_seconds(config->calendar, k.date);
    return k;
}

static void time_is_the_sum_of_the_steps(void **state)
{
    const h3ou__config config = {.calendar = H3OU__GREGORIAN};
    h3ou__clock k = begin_clock(&config);
    char text[H3OU__DATE_TEXT];
    (void)state;
    assert_true(h3ou__clock_next(&k).num == 0);
    h3ou__clock_advance(&k, h3ou__whole(3600));
    assert_true(k.now.num == 0 && h3ou__clock_next(&k).num == 3600);
    h3ou__clock_advance(&k, (h3ou__rational){1, 3}); /* steps may change */
    assert_true(k.now.num == 3600 && h3ou__clock_next(&k).num == 10801 && h3ou__clock_next(&k).den == 3);
    assert_non_null(strstr(h3ou__clock_text(&k, &config, h3ou__whole(3600), text), "2000-02-29"));
    assert_string_equal(h3ou__clock_text(&k, &config, h3ou__clock_next(&k), text), "2000-02-29 00:00:00 and 1/3 s");
    const h3ou__config noleap = {.calendar = H3OU__NOLEAP};
    assert_non_null(strstr(h3ou__clock_text(&k, &noleap, h3ou__whole(3600), text), "2000-03-01"));
}

static void the_models_date_is_compared(void **state)
{
    const h3ou__config config = {.calendar = H3OU__GREGORIAN, .strict = true}, any = {.strict = true};
    const int right[6] = {2000, 2, 29, 0, 0, 0}, late[6] = {2000, 2, 29, 1, 0, 0}, no_day[6] = {2000, 2, 30, 0, 0, 0};
    h3ou__clock k = begin_clock(&config);
    (void)state;
    h3ou__clock_advance(&k, h3ou__whole(3600));
    assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", right), H3OU__OK);
    assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", late), H3OU__ETIME);
    says("h3ou_time_set: the time array of component ocean rank 5 says 2000-02-29 01:00:00");
    says("the sum of the steps, 3600 s, is 2000-02-29 00:00:00");
    assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", no_day), H3OU__ETIME);
    says("h3ou_time_set: ");
    assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set_months", late), H3OU__ETIME);
    says("h3ou_time_set_months: the time array");
    assert_int_equal(h3ou__clock_check(&k, &any, NULL, "h3ou_time_set", late), H3OU__OK); /* without a calendar nothing is compared */
}

/* The clock keeps the day of a right date: what is wrong on the same day, or on the next, is told as before. */
static void dates_of_one_day_are_compared(void **state)
{
    const h3ou__config config = {.calendar = H3OU__GREGORIAN, .strict = true};
    int date[6] = {2000, 2, 28, 23, 0, 0}, wrong[6];
    h3ou__clock k = begin_clock(&config);
    (void)state;
    for (int hour = 0; hour < 60; hour++) {
        assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", date), H3OU__OK);
        assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", date), H3OU__OK);
        for (int i = 0; i < 6; i++)
            for (int by = -60; by <= 60; by += 15) {
                memcpy(wrong, date, sizeof wrong);
                wrong[i] += by;
                assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", wrong), by ? H3OU__ETIME : H3OU__OK);
            }
        wrong[3] = date[3] - 1; /* the same time, but no date */
        wrong[4] = 60;
        assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", wrong), H3OU__ETIME);
        h3ou__clock_advance(&k, h3ou__whole(3600));
        h3ou__date_add(config.calendar, date, 3600);
    }
    const int half[6] = {date[0], date[1], date[2], date[3], date[4], date[5]};
    h3ou__clock_advance(&k, (h3ou__rational){1, 2}); /* half a second later a date cannot say the fraction */
    k.now = h3ou__rational_add(k.now, (h3ou__rational){1, 2});
    assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", half), H3OU__ETIME);
}

static void seconds_may_have_rounding_errors(void **state)
{
    const h3ou__config strict = {.strict = true}, lenient = {.strict = false};
    h3ou__clock k = begin_clock(&strict);
    (void)state;
    h3ou__clock_advance(&k, h3ou__whole(3600));
    assert_int_equal(h3ou__clock_check_seconds(&k, &strict, NULL, 3600.4, h3ou__whole(3600)), H3OU__OK);
    assert_int_equal(h3ou__clock_check_seconds(&k, &strict, NULL, 3601.0, h3ou__whole(3600)), H3OU__ETIME);
    says("says 3601 s after the start, but the sum of the steps is 3600 s");
    assert_int_equal(h3ou__clock_check_seconds(&k, &strict, NULL, NAN, h3ou__whole(3600)), H3OU__ETIME);
    assert_int_equal(h3ou__clock_check_seconds(&k, &strict, NULL, 3600.1, (h3ou__rational){1, 5}), H3OU__ETIME);
    assert_false(k.time_told);
    assert_int_equal(h3ou__clock_check_seconds(&k, &lenient, NULL, 0.0, h3ou__whole(3600)), H3OU__OK);
    assert_true(k.time_told);
}

static void a_component_may_begin_later_than_the_run(void **state)
{
    const h3ou__config config = {
        .calendar = H3OU__GREGORIAN, .strict = true, .has_start = true, .start = {2000, 2, 28, 0, 0, 0}, .file = "c.conf"};
    const int mine[6] = {2000, 2, 29, 0, 0, 0}, early[6] = {2000, 2, 27, 0, 0, 0};
    h3ou__clock k = {0};
    (void)state;
    assert_int_equal(h3ou__clock_begin(&k, &config, mine), H3OU__OK);
    assert_true(h3ou__clock_next(&k).num == 86400);
    assert_int_equal(h3ou__clock_check(&k, &config, NULL, "h3ou_time_set", mine), H3OU__OK);
    assert_int_equal(h3ou__clock_check_seconds(&k, &config, NULL, 0.0, h3ou__whole(60)), H3OU__OK);
    h3ou__clock_advance(&k, h3ou__whole(60));
    assert_true(k.now.num == 86400);
    assert_int_equal(h3ou__clock_begin(&k, &config, early), H3OU__ETIME);
    says("2000-02-27 00:00:00 is before the start of the run, 2000-02-28 00:00:00 (key start of c.conf)");
}

static void months_begin_on_a_day_that_all_have(void **state)
{
    h3ou__config_var v = {.intvl = {1, 0, 1}, .line = 4};
    h3ou__config config = {.calendar = H3OU__GREGORIAN, .nvar = 1, .var = &v, .file = "c.conf"};
    const int last[6] = {2000, 1, 29, 0, 0, 0}, fine[6] = {2000, 1, 28, 0, 0, 0};
    h3ou__clock k = {0};
    (void)state;
    assert_int_equal(h3ou__clock_begin(&k, &config, fine), H3OU__OK);
    assert_int_equal(h3ou__clock_begin(&k, &config, last), H3OU__ETIME);
    says("c.conf:4: intvl in months: the run starts at 2000-01-29 00:00:00; let it start on one of the days 1 to 28");
    h3ou__rational step;
    assert_int_equal(h3ou__clock_begin(&k, &config, fine), H3OU__OK);
    assert_int_equal(h3ou__clock_months(&k, &config, 2, &step), H3OU__OK);
    assert_true(step.num == 60 * 86400 && step.den == 1); /* to 28 March 2000 */
    h3ou__clock_advance(&k, h3ou__whole(86400));
    assert_int_equal(h3ou__clock_months(&k, &config, 1, &step), H3OU__ETIME);
    says("h3ou_set_time_months: the step begins at 2000-01-29 00:00:00: steps in months begin on one of the days 1 to 28");
    k.is_running = false;
    config.calendar = H3OU__360_DAY;
    assert_int_equal(h3ou__clock_begin(&k, &config, last), H3OU__OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_the_sum_of_the_steps),
        cmocka_unit_test(the_models_date_is_compared),
        cmocka_unit_test(dates_of_one_day_are_compared),
        cmocka_unit_test(a_component_may_begin_later_than_the_run),
        cmocka_unit_test(months_begin_on_a_day_that_all_have),
        cmocka_unit_test(seconds_may_have_rounding_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
