/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/weight_table.h"

#include <math.h>

#include "units.h"

static const h3ou__pair_name name = {"A", "ga", "B", "gb", 3};

static int try_entry(int send, int recv, double coef)
{
    h3ou__table *t = NULL;
    int err = h3ou__table_create(&name, (const int[]){1, send}, (const int[]){1, recv}, (const double[]){1, coef}, 2,
                                 false, &t);
    assert_true((t != NULL) == (err == H3OU__OK));
    h3ou__table_free(t);
    return err;
}

static void entries_are_checked_when_given(void **state)
{
    (void)state;
    assert_int_equal(try_entry(2, 3, 0.5), H3OU__OK);
    assert_int_equal(try_entry(0, 3, 0.5), H3OU__EINDEX);
    says("table A/ga -> B/gb (mapping_tag 3): entry 2: send_index 0");
    assert_int_equal(try_entry(2, -7, 0.5), H3OU__EINDEX);
    says("recv_index -7");
    assert_int_equal(try_entry(2, 3, NAN), H3OU__EARG);
    assert_int_equal(try_entry(2, 3, INFINITY), H3OU__EARG);
}

static void arrays_are_copied_and_coefficients_default_to_one(void **state)
{
    (void)state;
    int send[2] = {4, 5}, recv[2] = {6, 7};
    h3ou__table *t;
    assert_int_equal(h3ou__table_create(&name, send, recv, NULL, 2, true, &t), H3OU__OK);
    send[0] = recv[1] = 99;
    assert_true(t->given && t->spread && t->n == 2);
    assert_true(t->send[0] == 4 && t->send[1] == 5 && t->recv[0] == 6 && t->recv[1] == 7);
    assert_true(t->coef[0] == 1.0 && t->coef[1] == 1.0);
    h3ou__table_free(t);
    assert_int_equal(h3ou__table_create(&name, NULL, NULL, NULL, 2, true, &t), H3OU__OK);
    assert_true(!t->given && t->n == 0);
    assert_int_equal(h3ou__table_rotate(t, NULL, NULL, false), H3OU__OK);
    h3ou__table_free(t);
}

static void a_table_has_the_names_of_its_pair(void **state)
{
    (void)state;
    h3ou__table *t;
    assert_int_equal(h3ou__table_create(&name, NULL, NULL, NULL, 0, false, &t), H3OU__OK);
    assert_true(h3ou__table_is(t, &name));
    assert_false(h3ou__table_is(t, &(h3ou__pair_name){"A", "ga", "B", "gb", 4}));
    assert_false(h3ou__table_is(t, &(h3ou__pair_name){"B", "gb", "A", "ga", 3}));
    h3ou__table_free(t);
}

static int rotate(double cosine, double sine, bool is_weighted)
{
    h3ou__table *t;
    assert_int_equal(h3ou__table_create(&name, (const int[]){1}, (const int[]){1}, NULL, 1, false, &t), H3OU__OK);
    int err = h3ou__table_rotate(t, &cosine, &sine, is_weighted);
    assert_true(err || (t->turn[0] == cosine && t->turn[1] == sine));
    h3ou__table_free(t);
    return err;
}

static void rotations_are_angles(void **state)
{
    (void)state;
    assert_int_equal(rotate(0.6, -0.8, false), H3OU__OK);
    assert_int_equal(rotate((double)0.6f, (double)0.8f, false), H3OU__OK);
    assert_int_equal(rotate(0.6, 0.6, false), H3OU__EARG);
    says("coef_cos=0.6 and coef_sin=0.6 are not the cosine and sine of an angle");
    assert_int_equal(rotate(0.3, 0.4, true), H3OU__OK);
    assert_int_equal(rotate(NAN, 0.4, true), H3OU__EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_checked_when_given),
        cmocka_unit_test(arrays_are_copied_and_coefficients_default_to_one),
        cmocka_unit_test(a_table_has_the_names_of_its_pair),
        cmocka_unit_test(rotations_are_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
