/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread_world.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/types.h"
#include "comm/collective/collective.h"
#include "comm/message_ring.h"

enum { PATIENCE = 500, STACK = 2 << 20 };

/* What the members of a communicator show each other while they are in one collective call. */
typedef struct meeting {
    pthread_barrier_t barrier;
    int size;
    const void **shown;     /* [size] */
    const int64_t **counts; /* [size] */
} meeting;

struct h3ou__comm {
    meeting *at;
    h3ou__world *world;
    int rank, group; /* group: number of the communicator, for its messages */
    int first;       /* the thread that is its rank 0 */
};

typedef struct message {
    struct message *next;
    int group, from, tag;
    int64_t bytes;
    char data[];
} message;

typedef struct inbox { /* of one thread */
    pthread_mutex_t lock;
    pthread_cond_t came;
    message *first, **end;
} inbox;

typedef struct run {
    meeting local[2], model;
    int size[2];
    inbox *inbox; /* [size[0] + size[1]] */
} run;

struct h3ou__world {
    run *all;
    int component;
    h3ou__comm local, model;
    thread_traffic traffic;
};

typedef struct request {
    bool is_receive;
    int group, from, thread, tag;
    int64_t room, bytes;
    void *buf;
} request;

static run *now;

bool h3ou__world_is_shared(const h3ou__world *w)
{
    (void)w;
    return false;
}

int h3ou__world_find(const h3ou__world *w, const char *name)
{
    (void)w;
    return strcmp(name, "a") == 0 ? 0 : strcmp(name, "b") == 0 ? 1 : -1;
}

h3ou__timeline *h3ou__world_timeline(const h3ou__world *w)
{
    (void)w;
    return NULL;
}

int h3ou__world_me(const h3ou__world *w)
{
    return w->component;
}

const char *h3ou__world_component_name(const h3ou__world *w, int id)
{
    (void)w;
    return id ? "b" : "a";
}

const char *h3ou__world_component_base(const h3ou__world *w, int id)
{
    return h3ou__world_component_name(w, id);
}

int h3ou__world_component_member(const h3ou__world *w, int id)
{
    (void)w;
    (void)id;
    return 0;
}

int h3ou__world_members(const h3ou__world *w, const char *base)
{
    (void)w;
    (void)base;
    return 1;
}

int h3ou__world_component_size(const h3ou__world *w, int id)
{
    return w->all->size[id];
}

h3ou__comm *h3ou__world_local(h3ou__world *w)
{
    return &w->local;
}

int h3ou__world_model(h3ou__world *w, int a, int b, h3ou__comm **out)
{
    if (a != 0 || b != 1)
        return h3ou__fail(H3OU__EARG, "only Model(a, b) is here");
    *out = &w->model;
    return H3OU__OK;
}

double h3ou__world_worked(const h3ou__world *w)
{
    (void)w;
    return 0.0;
}

/* The reader of src/fortran, which config.c calls: no test here reads a namelist. */
int h3ou__namelist_read(const char *text, int64_t length, void *config);
int h3ou__namelist_read(const char *text, int64_t length, void *config)
{
    (void)text;
    (void)length;
    (void)config;
    return h3ou__fail(H3OU__ECONFIG, "no namelist here");
}

int h3ou__comm_rank(const h3ou__comm *c)
{
    return c->rank;
}

int h3ou__comm_size(const h3ou__comm *c)
{
    return c->at->size;
}

h3ou__world *h3ou__comm_world(const h3ou__comm *c)
{
    return c->world;
}

static void meet(h3ou__comm *c, const void *shown, const int64_t counts[])
{
    c->at->shown[c->rank] = shown;
    c->at->counts[c->rank] = counts;
    c->world->traffic.collectives++;
    pthread_barrier_wait(&c->at->barrier);
}

static void part(h3ou__comm *c)
{
    pthread_barrier_wait(&c->at->barrier);
}

int h3ou__bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root)
{
    meet(c, buf, NULL);
    if (c->rank != root && count > 0)
        memcpy(buf, c->at->shown[root], (size_t)(count * h3ou__type_size(type)));
    part(c);
    return H3OU__OK;
}

static double combine(double x, double y, int op)
{
    return op == H3OU__SUM ? x + y : op == H3OU__MIN ? (y < x ? y : x) : y > x ? y : x;
}

/* INT64 and DOUBLE; numbers up to 2^53. */
int h3ou__allreduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op)
{
    double *sum = malloc(sizeof *sum * (size_t)(count + 1));
    if (!sum || (type != H3OU__INT64 && type != H3OU__DOUBLE))
        abort();
    meet(c, send, NULL);
    for (int r = 0; r < c->at->size; r++)
        for (int64_t i = 0; i < count; i++) {
            const void *from = c->at->shown[r];
            double x = type == H3OU__INT64 ? (double)((const int64_t *)from)[i] : ((const double *)from)[i];
            sum[i] = r ? combine(sum[i], x, op) : x;
        }
    part(c);
    for (int64_t i = 0; i < count; i++)
        if (type == H3OU__INT64)
            ((int64_t *)recv)[i] = (int64_t)sum[i];
        else
            ((double *)recv)[i] = sum[i];
    free(sum);
    return H3OU__OK;
}

int h3ou__reduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op, int root)
{
    char *all = malloc((size_t)(count * h3ou__type_size(type) + 1));
    if (!all)
        abort();
    int err = h3ou__allreduce(c, send, all, count, type, op);
    if (c->rank == root)
        memcpy(recv, all, (size_t)(count * h3ou__type_size(type)));
    free(all);
    return err;
}

int h3ou__alltoallv(h3ou__comm *c, const void *send, const int64_t sent[], int type, void **recv, int64_t got[])
{
    int64_t size = h3ou__type_size(type), total = 0;
    c->world->traffic.alltoalls++;
    meet(c, send, sent);
    for (int r = 0; r < c->at->size; r++)
        total += got[r] = c->at->counts[r][c->rank];
    char *to = *recv = malloc((size_t)(total * size + 1));
    if (!to)
        abort();
    for (int r = 0; r < c->at->size; r++) {
        int64_t before = 0;
        for (int k = 0; k < c->rank; k++)
            before += c->at->counts[r][k];
        if (got[r])
            memcpy(to, (const char *)c->at->shown[r] + before * size, (size_t)(got[r] * size));
        to += got[r] * size;
    }
    part(c);
    return H3OU__OK;
}

int h3ou__gatherv(h3ou__comm *c, const void *send, int64_t count, void *recv, const int64_t counts[],
                  const int64_t displs[], int type, int root)
{
    size_t size = (size_t)h3ou__type_size(type);
    (void)count;
    meet(c, send, NULL);
    for (int r = 0; r < c->at->size && c->rank == root; r++)
        if (counts[r] > 0)
            memcpy((char *)recv + (size_t)displs[r] * size, c->at->shown[r], (size_t)counts[r] * size);
    part(c);
    return H3OU__OK;
}

int h3ou__gather(h3ou__comm *c, const void *send, int64_t count, void *recv, int type, int root)
{
    int size = c->at->size;
    int64_t *counts = malloc(2 * sizeof *counts * (size_t)size), *displs = counts + size;
    if (!counts)
        abort();
    for (int r = 0; r < size; r++) {
        counts[r] = count;
        displs[r] = r * count;
    }
    int err = h3ou__gatherv(c, send, count, recv, counts, displs, type, root);
    free(counts);
    return err;
}

int h3ou__isend(h3ou__comm *c, int dst, int tag, const void *buf, int64_t count, int type, const char *what,
                h3ou__req *req)
{
    int64_t bytes = count * h3ou__type_size(type);
    message *m = malloc(sizeof *m + (size_t)bytes);
    (void)what;
    if (!m)
        abort();
    *m = (message){.group = c->group, .from = c->rank, .tag = tag, .bytes = bytes};
    if (bytes)
        memcpy(m->data, buf, (size_t)bytes);
    inbox *to = &now->inbox[c->first + dst];
    pthread_mutex_lock(&to->lock);
    *to->end = m;
    to->end = &m->next;
    pthread_cond_signal(&to->came);
    pthread_mutex_unlock(&to->lock);
    c->world->traffic.messages++;
    c->world->traffic.bytes += bytes;
    memset(req, 0, sizeof *req);
    return H3OU__OK;
}

int h3ou__irecv(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what, h3ou__req *req)
{
    request r = {true, c->group, src, c->first + c->rank, tag, count * h3ou__type_size(type), 0, buf};
    (void)what;
    memset(req, 0, sizeof *req);
    memcpy(req, &r, sizeof r);
    return H3OU__OK;
}

/* Takes the first message that a request waits for out of the list, whose lock is held. */
static message *take_message(inbox *in, const request *r)
{
    for (message **at = &in->first; *at; at = &(*at)->next) {
        message *m = *at;
        if (m->group != r->group || m->from != r->from || m->tag != r->tag)
            continue;
        *at = m->next;
        if (in->end == &m->next)
            in->end = at;
        return m;
    }
    return NULL;
}

static int complete_receive(request *r)
{
    message *m;
    inbox *in = &now->inbox[r->thread];
    pthread_mutex_lock(&in->lock);
    while (!(m = take_message(in, r)))
        pthread_cond_wait(&in->came, &in->lock);
    pthread_mutex_unlock(&in->lock);
    r->bytes = m->bytes;
    int err = m->bytes > r->room ? h3ou__fail(H3OU__ETRUNC, "a message of %lld bytes", (long long)m->bytes) : H3OU__OK;
    if (!err && m->bytes)
        memcpy(r->buf, m->data, (size_t)m->bytes);
    free(m);
    return err;
}

int h3ou__waitall(h3ou__world *w, int n, h3ou__req req[])
{
    int err = H3OU__OK;
    (void)w;
    for (int i = 0; i < n; i++) {
        request r;
        memcpy(&r, &req[i], sizeof r);
        int code = r.is_receive ? complete_receive(&r) : H3OU__OK;
        err = err ? err : code;
        r.is_receive = false;
        memcpy(&req[i], &r, sizeof r);
    }
    return err;
}

int h3ou__test(h3ou__world *w, h3ou__req *req, bool *done)
{
    (void)w;
    (void)req;
    *done = true; /* only sends are tested, and these are complete when they begin */
    return H3OU__OK;
}

int64_t h3ou__req_count(const h3ou__req *req, int type)
{
    request r;
    memcpy(&r, req, sizeof r);
    return r.bytes / h3ou__type_size(type);
}

bool h3ou__req_is_lost(const h3ou__req *req)
{
    (void)req; /* no thread is lost */
    return false;
}

typedef struct start {
    int (*be)(thread_process *me);
    thread_process *process;
} start;

static void *run_thread(void *given)
{
    const start *s = given;
    s->process->err = s->be(s->process);
    if (s->process->err)
        snprintf(s->process->said, sizeof s->process->said, "%s", h3ou__fail_text());
    return NULL;
}

static void meeting_open(meeting *m, int size)
{
    int room = size > 0 ? size : 1;
    *m = (meeting){.size = size, .shown = calloc((size_t)room, sizeof *m->shown), .counts = calloc((size_t)room, sizeof *m->counts)};
    if (!m->shown || !m->counts)
        abort();
    pthread_barrier_init(&m->barrier, NULL, (unsigned)room);
}

static void meeting_close(meeting *m)
{
    pthread_barrier_destroy(&m->barrier);
    free(m->shown);
    free(m->counts);
}

static void begin_run(run *all, int na, int nb)
{
    *all = (run){.size = {na, nb}, .inbox = calloc((size_t)(na + nb), sizeof *all->inbox)};
    if (!all->inbox)
        abort();
    for (int i = 0; i < na + nb; i++) {
        inbox *in = &all->inbox[i];
        pthread_mutex_init(&in->lock, NULL);
        pthread_cond_init(&in->came, NULL);
        in->end = &in->first;
    }
    meeting_open(&all->local[0], na);
    meeting_open(&all->local[1], nb);
    meeting_open(&all->model, na + nb);
    now = all;
    alarm(PATIENCE);
}

static void end_run(run *all)
{
    alarm(0);
    for (int i = 0; i < all->size[0] + all->size[1]; i++) {
        inbox *in = &all->inbox[i];
        while (in->first) {
            message *m = in->first;
            in->first = m->next;
            free(m);
        }
        pthread_cond_destroy(&in->came);
        pthread_mutex_destroy(&in->lock);
    }
    meeting_close(&all->local[0]);
    meeting_close(&all->local[1]);
    meeting_close(&all->model);
    free(all->inbox);
}

/* Starts a thread with little memory for its stack, since there may be a thousand. */
static void start_thread(pthread_t *thread, start *with)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    if (pthread_create(thread, &attr, run_thread, with))
        abort();
    pthread_attr_destroy(&attr);
}

void run_threads(int na, int nb, int (*be)(thread_process *me), void *user, thread_process out[])
{
    run all;
    size_t n = (size_t)(na + nb);
    h3ou__world *world = calloc(n, sizeof *world);
    pthread_t *thread = calloc(n, sizeof *thread);
    start *with = calloc(n, sizeof *with);
    if (na < 1 || nb < 0 || !world || !thread || !with)
        abort();
    begin_run(&all, na, nb);
    for (int i = 0; i < na + nb; i++) {
        int component = i >= na, rank = component ? i - na : i;
        world[i] = (h3ou__world){&all, component, {&all.local[component], &world[i], rank, component, component ? na : 0},
                                 {&all.model, &world[i], i, 2, 0}, {0}};
        out[i] = (thread_process){&world[i], &world[i].local, component, rank, user, H3OU__OK, "", {0}};
        with[i] = (start){be, &out[i]};
        start_thread(&thread[i], &with[i]);
    }
    for (int i = 0; i < na + nb; i++) {
        pthread_join(thread[i], NULL);
        out[i].traffic = world[i].traffic;
    }
    end_run(&all);
    free(world);
    free(thread);
    free(with);
}

/* Rings whose messages all are sent as h3ou__isend does. */
struct h3ou__ring {
    h3ou__comm *comm;
    int peer, tag;
    int64_t most;
    uint64_t next;
    double *own[2];
    bool is_coming; /* the message of a receive that was started is not taken yet */
};

int h3ou__ring_open(h3ou__comm *c, int peer, int tag, int64_t most, int offer_at, const char *what,
                    h3ou__ring **out)
{
    (void)offer_at;
    (void)what;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return H3OU__ENOMEM;
    **out = (h3ou__ring){.comm = c, .peer = peer, .tag = tag, .most = most};
    return H3OU__OK;
}

void h3ou__ring_send_early(h3ou__ring *r)
{
    (void)r;
}

void h3ou__ring_free(h3ou__ring *r)
{
    if (!r)
        return;
    free(r->own[0]);
    free(r->own[1]);
    free(r);
}

double *h3ou__ring_place(h3ou__ring *r)
{
    (void)r;
    return NULL;
}

int h3ou__ring_send(h3ou__ring *r, double *data, int64_t numbers, h3ou__req *req)
{
    return h3ou__isend(r->comm, r->peer, r->tag, data, numbers, H3OU__DOUBLE, "message", req);
}

enum h3ou__way h3ou__ring_way(const h3ou__ring *r)
{
    (void)r;
    return H3OU__WAY_COPY;
}

const char *h3ou__ring_route(const h3ou__ring *r)
{
    (void)r;
    return "inproc";
}

bool h3ou__ring_is_off(const h3ou__ring *r)
{
    (void)r;
    return true;
}

int h3ou__ring_receive(h3ou__ring *r, h3ou__req *req)
{
    double **to = &r->own[r->next++ % 2];
    if (!*to && !(*to = malloc(sizeof **to * (size_t)r->most)))
        return H3OU__ENOMEM;
    r->is_coming = true;
    return h3ou__irecv(r->comm, r->peer, r->tag, *to, r->most, H3OU__DOUBLE, "message", req);
}

const double *h3ou__ring_arrived(h3ou__ring *r)
{
    r->is_coming = false;
    return r->own[(r->next - 1) % 2];
}

/* What is released has other values at once. */
void h3ou__ring_release(h3ou__ring *r)
{
    double *last = r->own[(r->next + 1) % 2];
    for (int64_t i = 0; last && !r->is_coming && i < r->most; i++)
        last[i] = NAN;
}
