/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread frees a group while others complete requests of it or probe in it: for the thread and address sanitizers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "alone.h"
#include "os/os_clock.h"
#include "waitio/message/call_lock.h"
#include "waitio/message/group.h"
#include "waitio/progress/progress_thread.h"

enum { ROUNDS = 400, REQUESTS = 8, PROBES = 5 };

typedef struct shared {
    pthread_barrier_t together;
    waitio_group_t group;
    waitio_req_t req[2 * REQUESTS];
    int wrong;
} shared;

static int everyone(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

static waitio_group_t group_of_one(int id)
{
    waitio_filter_func_t all[] = {everyone};
    waitio_group_t g = waitio_create_group(id, all, (int[]){0});
    assert_non_null(g);
    return g;
}

static waitio__instance *begin(void)
{
    waitio__instance *in = alone_begin(1);
    waitio__instance_set_current(in); /* also of the threads that the test makes */
    assert_int_equal(waitio__progress_thread_start(in), 0);
    alarm(100);
    return in;
}

static void end(waitio__instance *in)
{
    waitio__progress_thread_stop(in);
    waitio__instance_free(in);
    alarm(0);
}

static void *complete(void *arg)
{
    shared *s = arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&s->together);
        s->wrong += waitio_waitall(2 * REQUESTS, s->req, NULL) != 0;
        pthread_barrier_wait(&s->together);
    }
    return NULL;
}

static void test_freed_while_requests_complete(void **state)
{
    (void)state;
    char in[REQUESTS][64], out[64] = "as it was";
    shared s = {0};
    pthread_t id;
    waitio__instance *instance = begin();
    pthread_barrier_init(&s.together, NULL, 2);
    assert_int_equal(pthread_create(&id, NULL, complete, &s), 0);
    for (int i = 0; i < ROUNDS; i++) {
        s.group = group_of_one(i);
        for (int k = 0; k < REQUESTS; k++) {
            memset(in[k], 0, sizeof in[k]);
            assert_int_equal(waitio_irecv(s.group, 0, in[k], sizeof in[k], k, &s.req[2 * k]), 0);
            assert_int_equal(waitio_isend(s.group, 0, out, sizeof out, k, &s.req[2 * k + 1]), 0);
        }
        pthread_barrier_wait(&s.together);
        waitio_group_free(s.group);
        pthread_barrier_wait(&s.together);
        for (int k = 0; k < REQUESTS; k++)
            assert_memory_equal(in[k], out, sizeof out);
    }
    pthread_join(id, NULL);
    assert_int_equal(s.wrong, 0);
    pthread_barrier_destroy(&s.together);
    end(instance);
}

static void *probe(void *arg)
{
    shared *s = arg;
    pthread_barrier_wait(&s->together);
    for (int i = 0; i < PROBES; i++) {
        pthread_barrier_wait(&s->together);
        s->wrong += waitio_probe(s->group, 0, 5, 60, NULL) != 0;
        pthread_barrier_wait(&s->together);
    }
    return NULL;
}

static bool is_held(waitio__instance *in, waitio_group_t g)
{
    waitio__call_lock_take(in);
    int refs = g->refs;
    waitio__call_lock_give(in);
    return refs > 1;
}

/* The probe has begun when it holds the group; it goes on after the program has freed it. */
static void test_freed_while_probed(void **state)
{
    (void)state;
    shared s = {0};
    pthread_t id;
    waitio__instance *instance = begin();
    pthread_barrier_init(&s.together, NULL, 2);
    assert_int_equal(pthread_create(&id, NULL, probe, &s), 0);
    pthread_barrier_wait(&s.together);
    for (int i = 0; i < PROBES; i++) {
        waitio_req_t req[2];
        char byte = 0;
        waitio_group_t same = group_of_one(i);
        s.group = group_of_one(i);
        pthread_barrier_wait(&s.together);
        while (!is_held(instance, s.group))
            h3ou__sleep(0.001);
        waitio_group_free(s.group);
        assert_int_equal(waitio_isend(same, 0, &byte, 1, 5, &req[0]), 0);
        pthread_barrier_wait(&s.together);
        assert_int_equal(waitio_irecv(same, 0, &byte, 1, 5, &req[1]), 0);
        assert_int_equal(waitio_waitall(2, req, NULL), 0);
        waitio_group_free(same);
    }
    pthread_join(id, NULL);
    assert_int_equal(s.wrong, 0);
    pthread_barrier_destroy(&s.together);
    end(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_freed_while_requests_complete),
        cmocka_unit_test(test_freed_while_probed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
