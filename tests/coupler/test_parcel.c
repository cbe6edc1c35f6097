/* SPDX-License-Identifier: BSD-3-Clause */
/* Which memory parcels keep. The messages are none: `arrived` says whether they have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "coupler/message/parcel.h"

enum { NUMBERS = 1000 };

static bool arrived;

int h3ou__test(h3ou__world *w, h3ou__req *req, bool *done)
{
    (void)w;
    (void)req;
    *done = arrived;
    return H3OU__OK;
}

int h3ou__waitall(h3ou__world *w, int n, h3ou__req req[])
{
    (void)w;
    (void)n;
    (void)req;
    return H3OU__OK;
}

/* Begins a parcel with one message of all numbers. */
static h3ou__parcel *begin(h3ou__parcels *all, int64_t numbers)
{
    h3ou__parcel *p = h3ou__parcel_begin(all, numbers);
    assert_non_null(p);
    p->n = 1;
    for (int64_t i = 0; i < numbers; i++)
        p->data[i] = (double)i;
    return p;
}

static void the_memory_of_what_arrived_serves_the_next_parcel(void **state)
{
    h3ou__parcels all = {.npartner = 1};
    (void)state;
    h3ou__parcel *p = begin(&all, NUMBERS);
    double *data = p->data;
    arrived = true;
    assert_int_equal(h3ou__parcel_progress(&all), H3OU__OK);
    assert_null(all.first);
    p = begin(&all, NUMBERS / 2);
    assert_ptr_equal(p->data, data);
    h3ou__parcel_free_all(&all);
}

static void memory_is_given_back_but_for_what_is_under_way(void **state)
{
    h3ou__parcels all = {.npartner = 1};
    (void)state;
    h3ou__parcel *first = begin(&all, NUMBERS), *second = begin(&all, NUMBERS);
    assert_int_equal(h3ou__parcel_await(&all), H3OU__OK);
    arrived = false;
    assert_int_equal(h3ou__parcel_progress(&all), H3OU__OK);
    assert_ptr_equal(all.first, second);
    assert_ptr_equal(all.free, first);
    assert_non_null(first->data);
    h3ou__parcel_give_back(&all);
    assert_null(first->data);
    assert_int_equal(first->room, 0);
    assert_true(second->data[NUMBERS - 1] == NUMBERS - 1);
    arrived = true;
    assert_int_equal(h3ou__parcel_progress(&all), H3OU__OK);
    assert_ptr_equal(all.free, second);
    assert_null(second->data);
    assert_ptr_equal(begin(&all, NUMBERS), second);
    h3ou__parcel_free_all(&all);
}

static void after_a_parcel_without_memory_that_of_others_is_given_back(void **state)
{
    h3ou__parcels all = {.npartner = 1};
    (void)state;
    h3ou__parcel *first = begin(&all, NUMBERS);
    begin(&all, 0);
    assert_int_equal(h3ou__parcel_await(&all), H3OU__OK);
    assert_ptr_equal(all.free, first);
    assert_null(first->data);
    h3ou__parcel_free_all(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_memory_of_what_arrived_serves_the_next_parcel),
        cmocka_unit_test(memory_is_given_back_but_for_what_is_under_way),
        cmocka_unit_test(after_a_parcel_without_memory_that_of_others_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
