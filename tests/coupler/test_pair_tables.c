/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/pair_tables.h"

#include "units.h"

enum { PAIRS = 3 };

/* Two pairs of grids with the same names and tags 1 and 7, the second and third from A to B; the first has other grids.
 */
static h3ou__config_pair pair[PAIRS] = {
    {.comp_put = "A", .comp_get = "B", .grid_put = "other", .grid_get = "gb", .mapping_tag = 1, .counted = 1},
    {.comp_put = "A", .comp_get = "B", .grid_put = "ga", .grid_get = "gb", .mapping_tag = 1, .counted = 2},
    {.comp_put = "A", .comp_get = "B", .grid_put = "ga", .grid_get = "gb", .mapping_tag = 7, .counted = 3}};

static h3ou__table *table_of(int tag)
{
    h3ou__table *t;
    assert_int_equal(h3ou__table_create(&(h3ou__pair_name){"A", "ga", "B", "gb", tag}, NULL, NULL, NULL, 0, false, &t),
                     H3OU__OK);
    t->pair = -2;
    return t;
}

/* The pairs that tables with these tags are found to be for. */
static int match(bool strict, int n, const int tag[], int found[])
{
    h3ou__config config = {.npair = PAIRS, .pair = pair, .strict = strict};
    h3ou__table *table[4];
    bool told = false;
    for (int i = 0; i < n; i++)
        table[i] = table_of(tag[i]);
    int err = h3ou__pair_tables_match(&config, &told, table, n);
    for (int i = 0; i < n; i++) {
        found[i] = table[i]->pair;
        h3ou__table_free(table[i]);
    }
    return err;
}

static void tags_of_the_namelist_tell(void **state)
{
    (void)state;
    int found[2];
    assert_int_equal(match(true, 2, (const int[]){7, 1}, found), H3OU__OK);
    assert_true(found[0] == 2 && found[1] == 1);
}

/* As h3-Open-UTIL/MP counts the pairs between two components. */
static void else_the_numbers_of_the_pairs(void **state)
{
    (void)state;
    int found[2];
    assert_int_equal(match(false, 2, (const int[]){3, 2}, found), H3OU__OK);
    assert_true(found[0] == 2 && found[1] == 1);
    assert_int_equal(match(true, 2, (const int[]){3, 2}, found), H3OU__ENAME);
    says("none of the namelist's mapping_tags");
}

static void else_the_order_of_the_calls(void **state)
{
    (void)state;
    int found[3];
    assert_int_equal(match(false, 2, (const int[]){5, 5}, found), H3OU__OK);
    assert_true(found[0] == 1 && found[1] == 2);
    assert_int_equal(match(false, 3, (const int[]){5, 5, 5}, found), H3OU__OK);
    assert_int_equal(found[2], -1);
}

/* A table of another tag comes late: the order of the calls does not take the planned pair from the first one. */
static void a_planned_pair_keeps_its_table(void **state)
{
    h3ou__config config = {.npair = PAIRS, .pair = pair};
    h3ou__table *table[2] = {table_of(7), table_of(5)};
    bool told = false;
    (void)state;
    assert_int_equal(h3ou__pair_tables_match(&config, &told, table, 1), H3OU__OK);
    assert_int_equal(table[0]->pair, 2);
    h3ou__table_free_entries(table[0]);
    assert_int_equal(h3ou__pair_tables_match(&config, &told, table, 2), H3OU__OK);
    assert_int_equal(table[0]->pair, 2);
    assert_int_equal(table[1]->pair, 1);
    h3ou__table_free(table[0]);
    h3ou__table_free(table[1]);
}

/* Hundreds of tables of one pair of names among those of others: by tags, by numbers and by order. */
static void many_tables_find_their_pairs(void **state)
{
    enum { MANY = 300 };
    static h3ou__config_pair pairs[2 * MANY];
    h3ou__table *table[2 * MANY];
    h3ou__config config = {.npair = 2 * MANY, .pair = pairs};
    (void)state;
    for (int way = 0; way < 3; way++) {
        for (int i = 0; i < 2 * MANY; i++) { /* pairs of two grids in turn */
            pairs[i] = (h3ou__config_pair){.comp_put = "A", .comp_get = "B", .grid_put = "ga", .grid_get = "gb"};
            pairs[i].grid_get[1] = i % 2 ? 'b' : 'c';
            pairs[i].counted = i / 2 + 1;
            pairs[i].mapping_tag = way == 0 ? 5000 - i : 7;
        }
        for (int k = 0; k < 2 * MANY; k++) {
            int i = 2 * MANY - 1 - k; /* in the opposite order */
            const h3ou__pair_name name = {"A", "ga", "B", pairs[i].grid_get, way == 0 ? 5000 - i : way == 1 ? i / 2 + 1 : 9};
            assert_int_equal(h3ou__table_create(&name, NULL, NULL, NULL, 0, false, &table[k]), H3OU__OK);
        }
        bool warned = true;
        assert_int_equal(h3ou__pair_tables_match(&config, &warned, table, 2 * MANY), H3OU__OK);
        for (int k = 0; k < 2 * MANY; k++) {
            int of_same_grid = k / 2, i = way < 2 ? 2 * MANY - 1 - k : 2 * of_same_grid + (k % 2 ? 0 : 1);
            assert_int_equal(table[k]->pair, i);
            h3ou__table_free(table[k]);
        }
    }
}

static void a_table_too_many_is_noticed(void **state)
{
    (void)state;
    h3ou__config config = {.npair = PAIRS, .pair = pair};
    const h3ou__pair_name name = {"A", "ga", "B", "gb", 1};
    h3ou__table *table[2] = {table_of(1), table_of(7)};
    assert_false(h3ou__pair_tables_is_repeated(&config, table, 1, &name));
    assert_true(h3ou__pair_tables_is_repeated(&config, table, 2, &name));
    assert_false(h3ou__pair_tables_is_repeated(&config, table, 2, &(h3ou__pair_name){"A", "ga", "B", "gb", 9}));
    config.strict = true;
    assert_true(h3ou__pair_tables_is_repeated(&config, table, 1, &name));
    h3ou__table_free(table[0]);
    h3ou__table_free(table[1]);
}

/* One variable with the old tag of vectors makes turns include coefficients; one with a vector forbids it. */
static void old_vectors_make_turns_weighted(void **state)
{
    (void)state;
    h3ou__config_var var[2] = {{.pair = 1, .grid_intpl_tag = H3OU__VECTOR_TAG}, {.pair = 2, .grid_intpl_tag = 1}};
    h3ou__config config = {.npair = PAIRS, .pair = pair, .nvar = 2, .var = var};
    const h3ou__pair_name name = {"A", "ga", "B", "gb", 1};
    assert_false(h3ou__pair_tables_is_weighted(&config, &name));
    var[0].grid_intpl_tag = H3OU__VECTOR_TAG + 1;
    assert_true(h3ou__pair_tables_is_weighted(&config, &name));
    var[1].is_vector = true;
    assert_false(h3ou__pair_tables_is_weighted(&config, &name));
    var[1].pair = 0;
    assert_true(h3ou__pair_tables_is_weighted(&config, &name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_of_the_namelist_tell),       cmocka_unit_test(else_the_numbers_of_the_pairs),
        cmocka_unit_test(else_the_order_of_the_calls),     cmocka_unit_test(a_table_too_many_is_noticed),
        cmocka_unit_test(old_vectors_make_turns_weighted), cmocka_unit_test(many_tables_find_their_pairs),
        cmocka_unit_test(a_planned_pair_keeps_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
