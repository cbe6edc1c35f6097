/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/field_index.h"

#include "units.h"

/* a puts sst to b and c, and ice to b; b puts sst to a. */
static h3ou__config_pair pair[3] = {
    {.comp_put = "a", .comp_get = "b"}, {.comp_put = "a", .comp_get = "c"}, {.comp_put = "b", .comp_get = "a"}};
static h3ou__config_var var[4] = {{.pair = 2, .put = "sst", .get = "sst_of_b"},
                                  {.pair = 0, .put = "sst", .get = "sst"},
                                  {.pair = 0, .put = "ice", .get = "ice"},
                                  {.pair = 1, .put = "sst", .get = "sst"}};
static const h3ou__config config = {.npair = 3, .nvar = 4, .pair = pair, .var = var};

static void a_name_stands_once_with_its_first_variable(void **state)
{
    h3ou__fields f;
    (void)state;
    assert_int_equal(h3ou__fields_create(&config, "a", true, &f), H3OU__OK);
    assert_int_equal(f.names.n, 2);
    assert_true(f.var[h3ou__names_find(&f.names, "sst")] == 1 && f.var[h3ou__names_find(&f.names, "ice")] == 2);
    h3ou__fields_free(&f);
    assert_int_equal(h3ou__fields_create(&config, "a", false, &f), H3OU__OK);
    assert_int_equal(f.names.n, 1);
    assert_int_equal(f.var[h3ou__names_find(&f.names, "sst_of_b")], 0);
    assert_int_equal(h3ou__fields_first(&f, "sst_of_b"), -1);
    assert_int_equal(h3ou__fields_first(&f, "sst"), -1);
    h3ou__fields_free(&f);
    assert_null(f.var);
}

static void exchanges_of_a_name_follow_each_other(void **state)
{
    h3ou__fields f;
    (void)state;
    assert_int_equal(h3ou__fields_create(&config, "a", true, &f), H3OU__OK);
    h3ou__fields_attach(&f, "sst", 0);
    h3ou__fields_attach(&f, "ice", 1);
    h3ou__fields_attach(&f, "sst", 2);
    h3ou__fields_attach(&f, "snow", 3);
    int first = h3ou__fields_first(&f, "sst");
    assert_true(first == 0 && f.next[first] == 2 && f.next[2] == -1);
    first = h3ou__fields_first(&f, "ice");
    assert_true(first == 1 && f.next[first] == -1);
    assert_int_equal(h3ou__fields_first(&f, "snow"), -1);
    h3ou__fields_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_stands_once_with_its_first_variable),
        cmocka_unit_test(exchanges_of_a_name_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
