/* SPDX-License-Identifier: BSD-3-Clause */
/* The executor over threads of one process, which hand their messages to each other. No send is complete before its
 * message is received. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "coll/algorithm_table.h"
#include "coll/execute.h"
#include "players.h"

enum { MEMBERS = 7, AT_ONCE = 3, MOST_MESSAGES = 4096 };

typedef struct request {
    bool is_send, is_posted, is_complete;
    int from, to;
    int64_t tag, bytes;
    void *buf;
} request;

/* All requests that are not complete, in the order in which they were started. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int n;
    request *posted[MOST_MESSAGES];
} office = {.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

static void take_out(int i)
{
    office.posted[i]->is_complete = true;
    memmove(&office.posted[i], &office.posted[i + 1], (size_t)(--office.n - i) * sizeof *office.posted);
}

/* Posts a request, which may complete an earlier one. Returns an error when the lengths differ. */
static int post(request *r)
{
    int err = H3OU__OK;
    pthread_mutex_lock(&office.lock);
    for (int i = 0; i < office.n && !r->is_complete; i++) {
        request *o = office.posted[i];
        if (o->is_send == r->is_send || o->from != r->from || o->to != r->to || o->tag != r->tag)
            continue;
        err = o->bytes == r->bytes ? H3OU__OK : H3OU__ETRUNC;
        if (r->bytes && !err)
            memcpy(r->is_send ? o->buf : r->buf, r->is_send ? r->buf : o->buf, (size_t)r->bytes);
        r->is_complete = true;
        take_out(i);
        pthread_cond_broadcast(&office.moved);
    }
    if (!r->is_complete && office.n == MOST_MESSAGES)
        err = H3OU__ENOMEM;
    else if (!r->is_complete)
        office.posted[office.n++] = r;
    pthread_mutex_unlock(&office.lock);
    return err;
}

static int thread_isend(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req)
{
    request *r = req;
    *r = (request){
        .is_send = true, .from = *(int *)link, .to = peer, .tag = tag, .bytes = bytes, .buf = (void *)(uintptr_t)buf};
    return post(r);
}

static int thread_irecv(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    request *r = req;
    *r = (request){.from = peer, .to = *(int *)link, .tag = tag, .bytes = bytes, .buf = buf};
    return post(r);
}

static bool are_complete(int n, const request r[])
{
    for (int i = 0; i < n; i++)
        if (!r[i].is_complete)
            return false;
    return true;
}

static int thread_test(void *link, int n, void *req, bool *done)
{
    (void)link;
    pthread_mutex_lock(&office.lock);
    *done = are_complete(n, req);
    pthread_mutex_unlock(&office.lock);
    return H3OU__OK;
}

static int thread_wait(void *link, int n, void *req)
{
    (void)link;
    pthread_mutex_lock(&office.lock);
    while (!are_complete(n, req))
        pthread_cond_wait(&office.moved, &office.lock);
    pthread_mutex_unlock(&office.lock);
    return H3OU__OK;
}

static const h3ou__link_ops threads = {.request_size = sizeof(request),
                                       .isend = thread_isend,
                                       .irecv = thread_irecv,
                                       .test = thread_test,
                                       .wait = thread_wait};

static void combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left)
{
    players_combine(data->op, to, from, n, is_left);
}

typedef struct seat {
    int me, err;
    players *p; /* [AT_ONCE] */
} seat;

/* One member: several runs are under way at the same time, and tested in turn; the last one is waited for. */
static void *play_member(void *argument)
{
    seat *s = argument;
    h3ou__coll_run *run[AT_ONCE] = {NULL};
    bool is_over[AT_ONCE] = {false};
    int left = AT_ONCE;
    for (int i = 0; i < AT_ONCE && !s->err; i++) {
        players *p = &s->p[i];
        h3ou__coll_data data = {.input = p->input[s->me],
                                .output = p->output[s->me],
                                .element = 8,
                                .combine = combine,
                                .op = p->algorithm->order};
        s->err = h3ou__coll_start(&p->s[s->me], &data, &threads, &s->me, i, &run[i]);
    }
    while (left > 1 && !s->err)
        for (int i = 0; i < AT_ONCE && !s->err; i++)
            if (!is_over[i]) {
                s->err = h3ou__coll_test(run[i], &is_over[i]);
                left -= is_over[i];
                sched_yield();
            }
    for (int i = 0; i < AT_ONCE; i++) {
        if (!s->err)
            s->err = h3ou__coll_wait(run[i]);
        h3ou__coll_end(run[i]);
    }
    return NULL;
}

static void run_together(players p[AT_ONCE])
{
    pthread_t thread[MEMBERS];
    seat s[MEMBERS];
    for (int me = 0; me < MEMBERS; me++) {
        s[me] = (seat){.me = me, .p = p};
        assert_int_equal(pthread_create(&thread[me], NULL, play_member, &s[me]), 0);
    }
    for (int me = 0; me < MEMBERS; me++)
        pthread_join(thread[me], NULL);
    for (int me = 0; me < MEMBERS; me++)
        assert_int_equal(s[me].err, 0);
    assert_int_equal(office.n, 0);
}

/* Each algorithm together with the two that follow it in the table. */
static void several_runs_at_a_time(void **state)
{
    int n = 0;
    (void)state;
    while (h3ou__algorithm_table[n])
        n++;
    for (int i = 0; i < n; i++) {
        players p[AT_ONCE];
        for (int k = 0; k < AT_ONCE; k++)
            players_open(&p[k], h3ou__algorithm_table[(i + k) % n], MEMBERS, (i + k) % MEMBERS, 50, 64, false);
        run_together(p);
        for (int k = 0; k < AT_ONCE; k++) {
            char text[256];
            for (int me = 0; me < MEMBERS; me++)
                if (!players_compare(&p[k], me, text, sizeof text))
                    fail_msg("%s", text);
            players_close(&p[k]);
        }
    }
}

static int refuse_start(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    (void)link;
    (void)peer;
    (void)tag;
    (void)buf;
    (void)bytes;
    (void)req;
    return h3ou__fail(H3OU__EPEER, "nobody is there");
}

static int refuse_test(void *link, int n, void *req, bool *done)
{
    (void)link;
    (void)n;
    (void)req;
    *done = false;
    return h3ou__fail(H3OU__EPEER, "the peer has left");
}

static int refuse_wait(void *link, int n, void *req)
{
    bool done;
    return refuse_test(link, n, req, &done);
}

/* An error of the transport is that of the run, which goes no further. */
static void errors_end_a_run(void **state)
{
    h3ou__link_ops ops = threads;
    h3ou__coll_data data = {.output = (char[64]){0}, .element = 8};
    h3ou__coll_run *run;
    h3ou__schedule s = {0};
    bool done;
    int me = 0;
    (void)state;
    ops.test = refuse_test;
    ops.wait = refuse_wait;
    for (int how = 0; how < 2; how++) {
        h3ou__schedule_send(&s, 1, h3ou__output(0), 8);
        assert_int_equal(h3ou__coll_start(&s, &data, &ops, &me, 1, &run), 0);
        assert_int_equal(how ? h3ou__coll_wait(run) : h3ou__coll_test(run, &done), H3OU__EPEER);
        assert_int_equal(h3ou__coll_wait(run), H3OU__EPEER);
        assert_int_equal(h3ou__coll_test(run, &done), H3OU__EPEER);
        assert_false(done);
        assert_string_equal(h3ou__fail_text(), "the peer has left");
        h3ou__coll_end(run);
    }
    office.n = 0;
    ops.irecv = refuse_start;
    h3ou__schedule_recv(&s, 1, h3ou__output(0), 8);
    assert_int_equal(h3ou__coll_start(&s, &data, &ops, &me, 1, &run), H3OU__EPEER);
    assert_null(run);
    assert_string_equal(h3ou__fail_text(), "nobody is there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_runs_at_a_time),
        cmocka_unit_test(errors_end_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
