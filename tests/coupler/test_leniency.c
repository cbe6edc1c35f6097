/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/leniency.h"

#include "base/log.h"
#include "units.h"

static struct {
    int lines, level;
    char last[400];
} heard;

static void hear(void *user, int level, const char *line)
{
    (void)user;
    heard.lines++;
    heard.level = level;
    strncpy(heard.last, line, sizeof heard.last - 1);
}

static int listen(void **state)
{
    (void)state;
    memset(&heard, 0, sizeof heard);
    h3ou__log_to(H3OU__LOG_LOUD, hear, NULL);
    return 0;
}

static void strict_makes_an_error(void **state)
{
    (void)state;
    h3ou__config config = {.strict = true, .is_leader = true};
    bool told = false;
    assert_int_equal(h3ou__lenient(&config, &told, H3OU__ENAME, "no field %s", "sst"), H3OU__ENAME);
    says("no field sst");
    assert_true(!told && heard.lines == 0);
}

static void else_it_is_told_once(void **state)
{
    (void)state;
    h3ou__config config = {.is_leader = true};
    bool told = false;
    for (int i = 0; i < 3; i++)
        assert_int_equal(h3ou__lenient(&config, &told, H3OU__ENAME, "turn %d", i), H3OU__OK);
    assert_true(told && heard.lines == 1 && heard.level == H3OU__LOG_WARNING);
    assert_non_null(strstr(heard.last, "turn 0"));
    for (int i = 0; i < 2; i++)
        assert_int_equal(h3ou__lenient(&config, NULL, H3OU__ENAME, "each time"), H3OU__OK);
    assert_int_equal(heard.lines, 3);
}

static void others_than_the_leader_are_quiet(void **state)
{
    (void)state;
    h3ou__config config = {.is_leader = false};
    assert_int_equal(h3ou__lenient(&config, NULL, H3OU__ENAME, "quiet"), H3OU__OK);
    assert_true(heard.lines == 1 && heard.level == H3OU__LOG_LOUD);
}

static void a_warning_is_told_once(void **state)
{
    (void)state;
    bool told = false;
    h3ou__warn(&told, "%d of %d", 2, 3);
    h3ou__warn(&told, "%d of %d", 3, 3);
    assert_true(heard.lines == 1 && heard.level == H3OU__LOG_WARNING);
    assert_non_null(strstr(heard.last, "2 of 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(strict_makes_an_error, listen),
        cmocka_unit_test_setup(else_it_is_told_once, listen),
        cmocka_unit_test_setup(others_than_the_leader_are_quiet, listen),
        cmocka_unit_test_setup(a_warning_is_told_once, listen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
