/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/name_index.h"

#include <stdio.h>

#include "units.h"

enum { MANY = 1000 };

static void names_keep_their_numbers(void **state)
{
    (void)state;
    static char name[MANY][16];
    h3ou__names names;
    assert_int_equal(h3ou__names_create(MANY, &names), H3OU__OK);
    for (int i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof name[i], "field_%d", i * i);
        assert_int_equal(h3ou__names_find(&names, name[i]), -1);
        assert_int_equal(h3ou__names_add(&names, name[i]), i);
    }
    for (int i = 0; i < MANY; i++) {
        char other[16];
        snprintf(other, sizeof other, "field_%d", i * i);
        assert_int_equal(h3ou__names_find(&names, other), i);
        assert_int_equal(h3ou__names_add(&names, other), i);
    }
    assert_int_equal(names.n, MANY);
    assert_int_equal(h3ou__names_find(&names, "field_"), -1);
    assert_int_equal(h3ou__names_find(&names, ""), -1);
    h3ou__names_free(&names);
    assert_int_equal(h3ou__names_find(&names, "field_0"), -1);
    for (int i = 0; i < MANY; i++) { /* a set that grows name by name */
        assert_int_equal(h3ou__names_find(&names, name[i]), -1);
        assert_int_equal(h3ou__names_reserve(&names, i + 1), H3OU__OK);
        assert_int_equal(h3ou__names_add(&names, name[i]), i);
        assert_int_equal(h3ou__names_find(&names, name[i / 2]), i / 2);
    }
    h3ou__names_free(&names);
}

static void an_index_of_no_names_finds_none(void **state)
{
    (void)state;
    h3ou__names names;
    assert_int_equal(h3ou__names_create(0, &names), H3OU__OK);
    assert_int_equal(h3ou__names_find(&names, "a"), -1);
    h3ou__names_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_keep_their_numbers),
        cmocka_unit_test(an_index_of_no_names_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
