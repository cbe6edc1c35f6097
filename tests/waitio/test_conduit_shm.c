/* SPDX-License-Identifier: BSD-3-Clause */
/* What the shared memory of a hostile process cannot do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "conduit_kit.h"
#include "os/os_clock.h"
#include "os/share.h"
#include "waitio/conduit/byte_stream.h"

enum { LARGE = 8 << 20, RING_MOST = 4 << 20 };

static const variety shm = {.name = "shm", .conduit = &waitio__shm};

/* A stranger connects and gives that descriptor (-1: none). */
static int meet_stranger(bench *b, int given, waitio__link *accepted)
{
    char name[WAITIO__STREAM_NAME];
    int fd;
    waitio__byte_stream_name("shm", &b->at, name);
    assert_int_equal(h3ou__local_connect(name, &fd), 0);
    if (given >= 0)
        assert_int_equal(h3ou__local_give(fd, given), 0);
    else
        assert_int_equal(write(fd, "x", 1), 1);
    bench_accept(b, accepted);
    return fd;
}

static void refuse_memory(int given)
{
    bench b;
    waitio__link link;
    stream in = {0}, out = {0};
    bench_open(&b, &shm);
    int fd = meet_stranger(&b, given, &link);
    int code = stream_read(&in, &link, 100);
    assert_true(code < 0);
    assert_true(strlen(h3ou__fail_text()) > 0);
    assert_int_not_equal(stream_write(&out, &link, 100), 0);
    drop(&link);
    close(fd);
    if (given >= 0)
        close(given);
    bench_close(&b);
}

static int memory(size_t bytes, int seals)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    if (seals)
        assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static void test_refused(void **state)
{
    (void)state;
    refuse_memory(memory(LARGE, 0));
    refuse_memory(memory(4096, F_SEAL_SHRINK));
    refuse_memory(memory(0, F_SEAL_SHRINK));
    refuse_memory(open("/dev/zero", O_RDWR | O_CLOEXEC));
    refuse_memory(-1);
}

typedef struct stranger {
    bench b;
    waitio__link link; /* of who accepted */
    int fd, memory;
    unsigned char *base;
    _Atomic uint64_t *their_written, *our_read; /* of what the stranger writes; of what it reads */
} stranger;

static void stranger_open(stranger *s)
{
    enum { BYTES_AFTER_WRITTEN = 192, READ_AFTER_WRITTEN = 64 };
    static const unsigned char mark[] = "a mark in the ring";
    struct iovec v = {(void *)(uintptr_t)mark, sizeof mark};
    size_t moved = 0;
    void *base;
    stream in = {0};
    bench_open(&s->b, &shm);
    assert_int_equal(h3ou__share_new(LARGE, &s->memory, &base), 0);
    s->base = base;
    s->fd = meet_stranger(&s->b, s->memory, &s->link);
    assert_int_equal(stream_read(&in, &s->link, 100), WAITIO__AGAIN);
    assert_int_equal(s->link.conduit->writev(&s->link, &v, 1, &moved), 0);
    unsigned char *found = memmem(s->base, LARGE, mark, sizeof mark);
    assert_non_null(found);
    s->their_written = (_Atomic uint64_t *)(void *)s->base;
    s->our_read = (_Atomic uint64_t *)(void *)(found - BYTES_AFTER_WRITTEN + READ_AFTER_WRITTEN);
    assert_int_equal(*(_Atomic uint64_t *)(void *)(found - BYTES_AFTER_WRITTEN), sizeof mark);
}

static void stranger_close(stranger *s)
{
    drop(&s->link);
    close(s->fd);
    close(s->memory);
    h3ou__share_unmap(s->base, LARGE);
    bench_close(&s->b);
}

static const uint64_t hostile[] = {UINT64_MAX, UINT64_MAX - 5, (uint64_t)1 << 63, RING_MOST + 1, (uint64_t)1 << 40};
enum { HOSTILES = sizeof hostile / sizeof hostile[0] };

static void test_written_beyond(void **state)
{
    static unsigned char bytes[RING_MOST];
    (void)state;
    for (int i = 0; i < HOSTILES; i++) {
        stranger s;
        struct iovec v = {bytes, sizeof bytes};
        const unsigned char *place;
        size_t moved = 0, n = 1;
        stranger_open(&s);
        *s.their_written = hostile[i];
        assert_int_equal(s.link.conduit->readv(&s.link, &v, 1, &moved), WAITIO__AGAIN);
        assert_int_equal(moved, 0);
        s.link.conduit->peek(&s.link, &place, &n);
        assert_int_equal(n, 0);
        /* Its end is still seen. */
        close(s.fd);
        s.fd = -1;
        assert_int_equal(s.link.conduit->readv(&s.link, &v, 1, &moved), WAITIO__EOF);
        stranger_close(&s);
    }
}

static void test_read_beyond(void **state)
{
    (void)state;
    for (int i = 0; i < HOSTILES; i++) {
        stranger s;
        stream out = {0};
        stranger_open(&s);
        *s.our_read = hostile[i];
        int code = 0;
        for (int tries = 0; tries < 1000; tries++)
            code = stream_write(&out, &s.link, 200000);
        /* No more than there was room for before, whatever it says that it has read. */
        assert_int_equal(code, WAITIO__AGAIN);
        assert_true(out.at < RING_MOST);
        stranger_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_written_beyond),
                                       cmocka_unit_test(test_read_beyond)};
    return cmocka_run_group_tests_name("conduit_shm", tests, NULL, NULL);
}
