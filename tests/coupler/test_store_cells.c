/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that is written some values at a time has them all, whichever way they go and wherever they begin. */
#include "coupler/cells/store_cells.h"

#include "units.h"

enum { MEASURED = 1 << 18, SHORT = 1 << 10, VERY_LONG = 1 << 23 };

/* Writes parts of a message that begins at `begin` of a line, and checks it and what stands around it. */
static void write_parts(h3ou__store_way *way, int64_t bytes, size_t part, size_t begin)
{
    enum { AROUND = 64 };
    size_t size = (size_t)bytes, all = (size / AROUND + 3) * AROUND; /* a multiple of the alignment */
    unsigned char *room = aligned_alloc(AROUND, all), *from = malloc(part), *to = room + begin;
    h3ou__cell_store s;
    memset(room, 0xee, all);
    h3ou__cell_store_begin(&s, way, bytes);
    for (size_t at = 0, some; at < size; at += some) {
        some = size - at < part ? size - at : part;
        for (size_t i = 0; i < some; i++)
            from[i] = (unsigned char)((at + i) * 7 % 251);
        h3ou__cell_store_copy(&s, some, from, to + at);
    }
    h3ou__cell_store_end(&s);
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++)
        wrong += to[i] != i * 7 % 251;
    for (size_t i = 0; i < begin; i++)
        wrong += room[i] != 0xee;
    for (size_t i = 0; i < AROUND; i++)
        wrong += to[size + i] != 0xee;
    assert_int_equal(wrong, 0);
    free(room);
    free(from);
}

static void each_way_writes_all(void **state)
{
    static const size_t PART[] = {4096, 4, 72, 1000}, BEGIN[] = {0, 8, 60};
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            h3ou__store_way through = {0}, past = {.left = 5};
            write_parts(&through, SHORT, PART[i], BEGIN[k]);
            write_parts(&through, MEASURED, PART[i], BEGIN[k]);
            write_parts(&past, MEASURED, PART[i], BEGIN[k]);
            assert_int_equal(past.left, 4); /* the way was asked, and told */
        }
}

/* A long message goes past the caches, and a short one through them: neither says anything of the way. */
static void only_some_are_measured(void **state)
{
    h3ou__store_way way = {0};
    h3ou__cell_store s;
    (void)state;
    h3ou__cell_store_begin(&s, &way, VERY_LONG);
    assert_true(s.is_past);
    h3ou__cell_store_end(&s);
    h3ou__cell_store_begin(&s, &way, SHORT);
    assert_false(s.is_past);
    h3ou__cell_store_end(&s);
    assert_memory_equal(&way, &(h3ou__store_way){0}, sizeof way);
    h3ou__cell_store_begin(&s, &way, MEASURED);
    h3ou__cell_store_end(&s);
    assert_true(way.plain > 0.0);
    write_parts(&way, VERY_LONG + 4, 4096, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_way_writes_all), cmocka_unit_test(only_some_are_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
