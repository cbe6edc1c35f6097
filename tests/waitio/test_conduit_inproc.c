/* SPDX-License-Identifier: BSD-3-Clause */
/* Each fault of inproc.h does what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "conduit_kit.h"
#include "waitio/conduit/conduit_inproc.h"

static const variety inproc = {.name = "inproc", .conduit = &waitio__inproc};

static bench b;
static waitio__link end[2];

static int set_up(void **state)
{
    (void)state;
    waitio__inproc_set_faults(NULL);
    bench_open(&b, &inproc);
    bench_connect(&b, &end[0], &end[1]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    waitio__inproc_set_faults(NULL);
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
    return 0;
}

static void test_cut(void **state)
{
    (void)state;
    stream in = {0}, out = {0};
    assert_true(stream_write_all(&out, &end[0], 1000));
    waitio__inproc_set_faults(&(waitio__inproc_faults){.seed = 1, .cut = 1});
    assert_int_equal(stream_write(&out, &end[0], 100), H3OU__EPEER);
    assert_int_equal(stream_write(&out, &end[1], 100), H3OU__EPEER);
    assert_int_equal(stream_write(&out, &end[0], 100), H3OU__EPEER);
    assert_int_equal(stream_read(&in, &end[1], 100), H3OU__EPEER); /* what was on its way is lost */
    assert_int_equal(stream_read(&in, &end[0], 100), H3OU__EPEER);
    assert_int_equal(waitio__inproc_cuts(), 1);
}

static void test_shut(void **state)
{
    (void)state;
    stream in = {0}, out = {0};
    assert_true(stream_write_all(&out, &end[0], 1000));
    waitio__inproc_set_faults(&(waitio__inproc_faults){.seed = 1, .shut = 1});
    assert_int_equal(stream_write(&out, &end[0], 100), H3OU__EPEER);
    assert_int_equal(stream_write(&out, &end[1], 100), H3OU__EPEER);
    assert_int_equal(stream_read_to_end(&in, &end[1]), WAITIO__EOF);
    assert_true(in.at == 1000); /* what was on its way arrives */
    assert_int_equal(waitio__inproc_cuts(), 1);
}

static void test_partial(void **state)
{
    (void)state;
    static unsigned char bytes[10000];
    struct iovec v[2] = {{bytes, 60}, {bytes, 9940}};
    size_t moved;
    waitio__inproc_set_faults(&(waitio__inproc_faults){.seed = 1, .partial = 1});
    bool differs = false;
    for (size_t i = 0, last = 0; i < 100; i++, last = moved) {
        assert_int_equal(end[0].conduit->writev(&end[0], v, 2, &moved), 0);
        assert_in_range(moved, 1, 100);
        differs = differs || (i && moved != last);
    }
    assert_true(differs);
}

static void test_busy(void **state)
{
    (void)state;
    stream out = {0}, in = {0};
    waitio__inproc_set_faults(&(waitio__inproc_faults){.seed = 1, .busy = 1});
    for (int i = 0; i < 10; i++)
        assert_int_equal(stream_write(&out, &end[0], 100), WAITIO__AGAIN);
    waitio__inproc_set_faults(NULL);
    assert_true(stream_write_all(&out, &end[0], 100));
    assert_true(stream_read_all(&in, &end[1], 100));
}

static void test_damage(void **state)
{
    (void)state;
    unsigned char bytes[1000] = {0}, got[1000];
    struct iovec from = {bytes, sizeof bytes}, to = {got, sizeof got};
    size_t moved;
    waitio__inproc_set_faults(&(waitio__inproc_faults){.seed = 1, .damage = 1});
    for (int i = 0; i < 50; i++) {
        int changed = 0;
        assert_int_equal(end[0].conduit->writev(&end[0], &from, 1, &moved), 0);
        assert_int_equal(moved, sizeof bytes);
        assert_int_equal(end[1].conduit->readv(&end[1], &to, 1, &moved), 0);
        assert_int_equal(moved, sizeof got);
        for (size_t k = 0; k < sizeof got; k++)
            changed += got[k] != 0;
        assert_int_equal(changed, 1);
    }
}

static void test_refuse(void **state)
{
    (void)state;
    waitio__link link;
    waitio__inproc_set_faults(&(waitio__inproc_faults){.seed = 1, .refuse = 1});
    assert_int_equal(waitio__inproc.open(&b.set, &b.at, &link), H3OU__EPEER);
    drop(&link);
    assert_int_equal(waitio__inproc.accept(&b.listener, &link), WAITIO__AGAIN);
    waitio__inproc_set_faults(NULL);
    waitio__link other;
    bench_connect(&b, &link, &other);
    drop(&link);
    drop(&other);
}

/* The same seed gives the same faults, and a chance is about as often as it says. */
static void test_seed(void **state)
{
    (void)state;
    enum { TIMES = 400 };
    bool busy[2][TIMES];
    int n = 0;
    for (int run = 0; run < 2; run++) {
        waitio__inproc_set_faults(&(waitio__inproc_faults){.seed = 42, .busy = 0.25});
        for (int i = 0; i < TIMES; i++) {
            struct iovec v = {&(unsigned char){7}, 1};
            size_t moved;
            busy[run][i] = end[0].conduit->writev(&end[0], &v, 1, &moved) == WAITIO__AGAIN;
            n += busy[run][i];
        }
    }
    assert_memory_equal(busy[0], busy[1], sizeof busy[0]);
    assert_in_range(n, 2 * TIMES / 8, 2 * TIMES / 2);
}

/* As if all descriptors but `left` were in use. Returns the lowest free one. */
static int limit_descriptors(int left, struct rlimit *before)
{
    int lowest = dup(STDOUT_FILENO);
    assert_true(lowest >= 0);
    close(lowest);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, before), 0);
    struct rlimit few = {.rlim_cur = (rlim_t)lowest + (rlim_t)left, .rlim_max = before->rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    return lowest;
}

static void test_no_descriptors(void **state)
{
    (void)state;
    for (int left = 0; left < 2; left++) {
        struct rlimit before;
        waitio__link link = {.fd = -1}, other;
        waitio__address at = b.at, bound;
        at.port++;
        int lowest = limit_descriptors(left, &before);
        int opened = waitio__inproc.open(&b.set, &b.at, &link);
        bool is_told = opened && strstr(h3ou__fail_text(), "eventfd");
        int listens = left ? H3OU__EOS : waitio__inproc.listen(&b.set, &at, &other, &bound);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        int lowest_then = dup(STDOUT_FILENO);
        close(lowest_then);
        assert_int_equal(opened, H3OU__EOS);
        assert_true(is_told);
        assert_int_equal(listens, H3OU__EOS);
        assert_int_equal(lowest_then, lowest); /* nothing is left open */
        assert_int_equal(waitio__inproc.accept(&b.listener, &other), WAITIO__AGAIN);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_cut),  TEST(test_shut),          TEST(test_partial),
                                       TEST(test_busy), TEST(test_damage),        TEST(test_refuse),
                                       TEST(test_seed), TEST(test_no_descriptors)};
    return cmocka_run_group_tests_name("conduit_inproc", tests, NULL, NULL);
}
