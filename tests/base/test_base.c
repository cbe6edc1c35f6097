/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"
#include "base/kept_memory.h"
#include "base/log.h"
#include "base/nearest_name.h"

static void fail_keeps_the_sentence_and_answers_the_code(void **state)
{
    (void)state;
    assert_int_equal(h3ou__fail(H3OU__EARG, "n=%d", 7), H3OU__EARG);
    assert_string_equal(h3ou__fail_text(), "n=7");
    assert_int_equal(h3ou__fail_in(H3OU__EARG, "grid %s", "g1"), H3OU__EARG);
    assert_string_equal(h3ou__fail_text(), "grid g1: n=7");
    assert_int_equal(h3ou__fail(H3OU__EOS, "again %s", h3ou__fail_text()), H3OU__EOS);
    assert_string_equal(h3ou__fail_text(), "again grid g1: n=7");
}

static void the_sentence_of_another_process_stays(void **state)
{
    (void)state;
    assert_int_equal(h3ou__fail(H3OU__EABORT, "component a rank 0: c.conf:2: wrong"), H3OU__EABORT);
    assert_int_equal(h3ou__fail_in(H3OU__EABORT, "c.conf:2"), H3OU__EABORT);
    assert_string_equal(h3ou__fail_text(), "component a rank 0: c.conf:2: wrong");
}

static void every_error_has_its_own_text(void **state)
{
    (void)state;
    assert_string_equal(h3ou__strerror(H3OU__OK), "success");
    assert_string_equal(h3ou__strerror(H3OU__ETRUNC), "message longer than its buffer");
    assert_string_equal(h3ou__strerror(-999), "unknown error");
}

static void environment_numbers_are_checked(void **state)
{
    (void)state;
    int64_t n;
    unsetenv("H3OU_TEST_N");
    assert_int_equal(h3ou__env_int("H3OU_TEST_N", 0, 10, 3, &n), 0);
    assert_int_equal(n, 3);
    setenv("H3OU_TEST_N", "10", 1);
    assert_int_equal(h3ou__env_int("H3OU_TEST_N", 0, 10, 3, &n), 0);
    assert_int_equal(n, 10);
    static const char *const bad[] = {"11", "-1", "2x", "99999999999999999999", "x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("H3OU_TEST_N", bad[i], 1);
        assert_int_equal(h3ou__env_int("H3OU_TEST_N", 0, 10, 3, &n), H3OU__EENV);
        assert_non_null(strstr(h3ou__fail_text(), "H3OU_TEST_N"));
        assert_non_null(strstr(h3ou__fail_text(), bad[i]));
    }
}

static void bytes_are_little_endian(void **state)
{
    (void)state;
    unsigned char p[8];
    h3ou__put64(p, 0x0102030405060708ULL);
    const unsigned char expected[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    assert_memory_equal(p, expected, 8);
    assert_true(h3ou__get64(p) == 0x0102030405060708ULL);
}

static void nearest_suggests_only_what_is_near(void **state)
{
    (void)state;
    static const char *const keys[] = {"intvl", "lag", "layer", "mapping_tag"};
    static const char *const others[] = {"conserve", "fracarea", "intvl"};
    assert_string_equal(h3ou__nearest("intvel", keys, 4), "intvl");
    assert_string_equal(h3ou__nearest("MAPING_TAG", keys, 4), "mapping_tag");
    assert_string_equal(h3ou__nearest("interval", keys, 4), "intvl");
    assert_string_equal(h3ou__nearest("interv", others, 3), "intvl");
    assert_string_equal(h3ou__nearest("area", others, 3), "fracarea");
    assert_null(h3ou__nearest("levels", keys, 4));
    assert_null(h3ou__nearest("temperature", keys, 4));
}

static char seen[100];
static void keep(void *user, int level, const char *line)
{
    (void)user;
    (void)level;
    strncpy(seen, line, sizeof seen - 1);
}

static void log_obeys_its_level(void **state)
{
    (void)state;
    h3ou__log_to(H3OU__LOG_WHISPER, keep, NULL);
    h3ou__log(H3OU__LOG_WHISPER, "joined", "jobs=%d", 2);
    assert_string_equal(seen, "joined jobs=2");
    h3ou__log(H3OU__LOG_LOUD, "route", "peer=%d", 1);
    assert_string_equal(seen, "joined jobs=2");
    h3ou__log_to(H3OU__LOG_LOUD, NULL, NULL);
    h3ou__log(H3OU__LOG_WHISPER, "gone", "x=%d", 1);
    assert_string_equal(seen, "joined jobs=2");
}

static void an_array_grows_and_keeps_its_values(void **state)
{
    (void)state;
    int32_t *list = NULL;
    int64_t room = 0, reallocations = 0;
    for (int64_t n = 0; n < 1000; n++) {
        int64_t before = room;
        assert_true(h3ou__grow(&list, sizeof *list, &room, n + 1));
        assert_true(room > n);
        reallocations += room != before;
        list[n] = (int32_t)(7 * n);
    }
    for (int32_t n = 0; n < 1000; n++)
        assert_int_equal(list[n], 7 * n);
    assert_true(reallocations <= 6); /* the room doubles */
    assert_true(h3ou__grow(&list, sizeof *list, &room, 100000));
    assert_true(room >= 100000);
    assert_true(h3ou__resize(&list, sizeof *list, 3));
    assert_int_equal(list[2], 14);
    free(list);
}

static void an_array_of_no_elements_is_not_null(void **state)
{
    (void)state;
    double *list = NULL;
    assert_true(h3ou__resize(&list, sizeof *list, 0));
    assert_non_null(list);
    free(list);
}

static void an_array_too_large_to_be_is_refused(void **state)
{
    (void)state;
    double first = 5, *list = &first;
    int64_t room = 1;
    assert_false(h3ou__grow(&list, sizeof *list, &room, INT64_MAX / 4));
    assert_int_equal(room, 1);
    assert_ptr_equal(list, &first);
    assert_false(h3ou__resize(&list, sizeof *list, -1));
    assert_int_equal(h3ou__larger_room(INT64_MAX / 2 + 1, INT64_MAX - 1), INT64_MAX);
    assert_int_equal(h3ou__no_memory("the %d rows of %s", 4, "o1"), H3OU__ENOMEM);
    assert_string_equal(h3ou__fail_text(), "out of memory for the 4 rows of o1");
}

static void memory_that_is_given_back_is_taken_again(void **state)
{
    enum { LONG = 100000 };
    (void)state;
    char *first = h3ou__kept_memory_take(LONG), *second = h3ou__kept_memory_take(LONG);
    assert_non_null(first);
    assert_non_null(second);
    memset(first, 1, LONG);
    memset(second, 2, LONG);
    assert_int_equal(first[LONG - 1], 1);
    h3ou__kept_memory_give(first);
    char *shorter = h3ou__kept_memory_take(LONG - 1000), *longer = h3ou__kept_memory_take(2 * LONG);
    assert_ptr_equal(shorter, first);
    assert_ptr_not_equal(longer, second);
    memset(longer, 3, 2 * LONG);
    assert_int_equal(second[0], 2);
    h3ou__kept_memory_give(shorter);
    h3ou__kept_memory_give(second);
    h3ou__kept_memory_give(longer);
    h3ou__kept_memory_give(NULL);
    char *few = h3ou__kept_memory_take(8);
    assert_true(few != first && few != second && few != longer);
    h3ou__kept_memory_give(few);
    char *again = h3ou__kept_memory_take(LONG); /* the shortest piece that is long enough */
    assert_true(again == first || again == second);
    h3ou__kept_memory_give(again);
}

static void a_forgotten_array_takes_no_memory_and_can_be_written(void **state)
{
    enum { LONG = 1 << 20, BEFORE = 100 };
    char *all = malloc(3 * LONG), *array = all + BEFORE;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char is_there = 2;
    (void)state;
    assert_non_null(all);
    memset(all, 1, 3 * LONG);
    h3ou__heap_forget(array, LONG);
    assert_int_equal(mincore((void *)((uintptr_t)(array + LONG / 2) / page * page), page, &is_there), 0);
    assert_int_equal(is_there & 1, 0);
    for (int64_t i = 0; i < 3 * LONG; i += i == BEFORE - 1 ? LONG + 1 : 1)
        if (all[i] != 1)
            fail_msg("byte %lld beside the array is %d", (long long)i - BEFORE, all[i]);
    memset(array, 2, LONG);
    h3ou__heap_forget(array, 1); /* less than a page: nothing */
    assert_int_equal(array[0], 2);
    assert_int_equal(array[LONG - 1], 2);
    free(all);
}

/* An array's pages are there before it is written, those behind it are not, and its values stay. */
static void an_array_that_is_taken_has_memory_and_keeps_its_values(void **state)
{
    enum { LONG = 4 << 20 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char are_there[2 * LONG / 4096];
    char *all = mmap(NULL, 2 * LONG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_true(all != MAP_FAILED);
#if !defined MADV_POPULATE_WRITE
    skip();
#else
    if (madvise(all, page, MADV_POPULATE_WRITE))
        skip(); /* before Linux 5.14 */
#endif
    assert_int_equal(mincore(all, page, are_there), 0);
    /* Some systems take any advice and do nothing. */
    if (!(are_there[0] & 1))
        skip();
    /* A huge page at the end of the array would bring pages behind it. */
    madvise(all, 2 * LONG, MADV_NOHUGEPAGE);
    memset(all, 3, LONG / 2);
    h3ou__heap_take(NULL, LONG);
    h3ou__heap_take(all, LONG);
    assert_int_equal(mincore(all, 2 * LONG, are_there), 0);
    for (size_t i = 0; i < 2 * LONG / page; i++)
        assert_int_equal(are_there[i] & 1, i < LONG / page);
    for (size_t i = 0; i < LONG; i++)
        if (all[i] != (i < LONG / 2 ? 3 : 0))
            fail_msg("byte %zu is %d", i, all[i]);
    munmap(all, 2 * LONG);
}

static void a_new_array_has_room_for_its_elements(void **state)
{
    enum { LONG = 1 << 20 };
    (void)state;
    double *none = h3ou__heap_array(0, sizeof *none), *some = h3ou__heap_array(LONG, sizeof *some);
    assert_true(none && some);
    for (int i = 0; i < LONG; i++)
        some[i] = i; /* valgrind and the address sanitizer see whether it is long enough */
    free(none);
    free(some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_keeps_the_sentence_and_answers_the_code),
        cmocka_unit_test(the_sentence_of_another_process_stays),
        cmocka_unit_test(every_error_has_its_own_text),
        cmocka_unit_test(environment_numbers_are_checked),
        cmocka_unit_test(bytes_are_little_endian),
        cmocka_unit_test(nearest_suggests_only_what_is_near),
        cmocka_unit_test(log_obeys_its_level),
        cmocka_unit_test(an_array_grows_and_keeps_its_values),
        cmocka_unit_test(an_array_of_no_elements_is_not_null),
        cmocka_unit_test(an_array_too_large_to_be_is_refused),
        cmocka_unit_test(memory_that_is_given_back_is_taken_again),
        cmocka_unit_test(a_forgotten_array_takes_no_memory_and_can_be_written),
        cmocka_unit_test(an_array_that_is_taken_has_memory_and_keeps_its_values),
        cmocka_unit_test(a_new_array_has_room_for_its_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
