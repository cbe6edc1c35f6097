/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/execute.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/kept_memory.h"
#include "coll/combine.h"

struct h3ou__coll_run {
    h3ou__schedule s;
    h3ou__coll_data data;
    const h3ou__link_ops *ops;
    void *link;
    int64_t tag;
    int64_t next; /* step of the next round */
    int nreq;     /* requests of the round under way */
    char *req;
    char *scratch;
    int error;
    h3ou__coll_run *kept; /* the next one of those that are kept */
};

/* Runs that failed while the transport had messages of them. */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static h3ou__coll_run *kept;

static char *find_bytes(const h3ou__coll_run *run, int buffer, int64_t at)
{
    char *base = buffer == H3OU__SCRATCH  ? run->scratch
                 : buffer == H3OU__OUTPUT ? run->data.output
                                          : (char *)(uintptr_t)run->data.input;
    return base ? base + at : NULL;
}

static void perform_local(const h3ou__coll_run *run, const h3ou__step *step)
{
    char *to = find_bytes(run, step->buffer, step->at), *from = find_bytes(run, step->from_buffer, step->from);
    if (step->kind == H3OU__STEP_COPY)
        memmove(to, from, (size_t)step->bytes);
    else
        run->data.combine(&run->data, to, from, step->bytes / run->data.element, step->kind == H3OU__STEP_COMBINE_LEFT);
}

static int start_message(h3ou__coll_run *run, const h3ou__step *step)
{
    char *buf = find_bytes(run, step->buffer, step->at);
    void *req = run->req + (size_t)run->nreq * (size_t)run->ops->request_size;
    int err = step->kind == H3OU__STEP_SEND ? run->ops->isend(run->link, step->peer, run->tag, buf, step->bytes, req)
                                            : run->ops->irecv(run->link, step->peer, run->tag, buf, step->bytes, req);
    run->nreq += !err;
    return err;
}

/* Begins rounds until one has messages, or none is left. */
static int begin_round(h3ou__coll_run *run)
{
    int err = H3OU__OK;
    run->nreq = 0;
    while (run->next < run->s.n && !run->nreq && !err)
        for (int64_t end = h3ou__schedule_round_end(&run->s, run->next); run->next < end && !err; run->next++) {
            const h3ou__step *step = &run->s.step[run->next];
            if (h3ou__step_is_message(step))
                err = start_message(run, step);
            else
                perform_local(run, step);
        }
    return run->error = err;
}

/* Allocates the requests of the largest round, and the scratch buffer. */
static int allocate_run(h3ou__coll_run *run)
{
    int64_t most = 0;
    for (int64_t first = 0, end; first < run->s.n; first = end) {
        end = h3ou__schedule_round_end(&run->s, first);
        most = end - first > most ? end - first : most;
    }
    run->req = calloc((size_t)most + 1, (size_t)run->ops->request_size);
    run->scratch = run->s.scratch ? h3ou__kept_memory_take((size_t)run->s.scratch) : NULL;
    return run->req && (run->scratch || !run->s.scratch) ? H3OU__OK : h3ou__no_memory("a collective");
}

int h3ou__coll_start(h3ou__schedule *s, const h3ou__coll_data *data, const h3ou__link_ops *ops, void *link, int64_t tag,
                     h3ou__coll_run **out)
{
    h3ou__coll_run *run = malloc(sizeof *run);
    *out = NULL;
    if (!run) {
        h3ou__schedule_free(s);
        return h3ou__no_memory("a collective");
    }
    *run = (h3ou__coll_run){.s = *s, .data = *data, .ops = ops, .link = link, .tag = tag};
    *s = (h3ou__schedule){0};
    int err = allocate_run(run);
    if (!err)
        err = begin_round(run);
    if (err)
        h3ou__coll_end(run);
    else
        *out = run;
    return err;
}

int h3ou__coll_test(h3ou__coll_run *run, bool *done)
{
    bool is_over = true;
    *done = false;
    while (!run->error && run->nreq) {
        run->error = run->ops->test(run->link, run->nreq, run->req, &is_over);
        if (run->error || !is_over)
            return run->error;
        begin_round(run);
    }
    *done = !run->error;
    return run->error;
}

int h3ou__coll_wait(h3ou__coll_run *run)
{
    while (!run->error && run->nreq) {
        run->error = run->ops->wait(run->link, run->nreq, run->req);
        if (!run->error)
            begin_round(run);
    }
    return run->error;
}

int h3ou__coll_awaited(h3ou__coll_run *run, int rank[], int most)
{
    int n = 0;
    /* The messages of the round are the last steps before the next round's. */
    for (int i = 0; i < run->nreq && n < most; i++) {
        const h3ou__step *step = &run->s.step[run->next - run->nreq + i];
        bool done = false;
        char *req = run->req + (size_t)i * (size_t)run->ops->request_size;
        if (step->kind == H3OU__STEP_RECV && (run->ops->test(run->link, 1, req, &done) != H3OU__OK || !done))
            rank[n++] = run->ops->rank ? run->ops->rank(run->link, step->peer) : step->peer;
    }
    return n;
}

void h3ou__coll_end(h3ou__coll_run *run)
{
    if (!run)
        return;
    if (run->nreq) {
        pthread_mutex_lock(&kept_lock);
        run->kept = kept;
        kept = run;
        pthread_mutex_unlock(&kept_lock);
        return;
    }
    h3ou__schedule_free(&run->s);
    free(run->req);
    h3ou__kept_memory_give(run->scratch);
    free(run);
}

int h3ou__coll_execute(h3ou__schedule *s, const h3ou__coll_data *data, const h3ou__link_ops *ops, void *link,
                       int64_t tag)
{
    h3ou__coll_run *run;
    int err = h3ou__coll_start(s, data, ops, link, tag, &run);
    if (!err)
        err = h3ou__coll_wait(run);
    h3ou__coll_end(run);
    return err;
}

void h3ou__coll_combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left)
{
    (void)is_left; /* these operations are commutative */
    h3ou__combine(to, from, n, data->type, data->op);
}
