/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a ring has a head, which the sender makes and offers with its first messages, and places for messages,
 * which it makes when the receiver has accepted. Message k stands in place k % nplace. A message that was sent
 * otherwise is counted in `sent_otherwise`, so that the receiver knows by which way the next one comes.
 */
#include "comm/message_ring.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/env.h"
#include "base/error.h"
#include "base/heap.h"
#include "comm/ring_request.h"
#include "comm/world.h"
#include "os/bell.h"
#include "os/share.h"

enum { PLACES = 4, FEW_PLACES = 2, EARLY_PLACES = 3, LONG = 1 << 18, LINE = 64, NAME = 64 };
enum { OFFERS = 16, GIVEN_BACK = 8 }; /* how often memory is offered, and that of a message given back */
enum { OFFERED, ACCEPTED, HAS_PLACES, READY, OFF }; /* states of the memory; OFF: the sender has given up */

typedef struct place {
    _Alignas(LINE) _Atomic uint64_t filled; /* number of the message in it, plus 1 */
    int64_t numbers;
} place;

typedef struct head {
    _Atomic uint32_t state;
    int64_t most;
    _Alignas(LINE) _Atomic uint64_t sent_otherwise; /* number of the last message that was, plus 1 */
    h3ou__bell sent;
    _Alignas(LINE) _Atomic uint64_t released; /* messages with a smaller number are not read any more */
    place of[PLACES];
} head;

struct h3ou__ring {
    h3ou__comm *comm;
    int peer, tag, offer_at;
    bool is_off, by_waitio;
    const char *what;
    int64_t most; /* numbers of a message */
    int nplace;
    size_t stride; /* bytes from one place to the next */
    uint64_t next; /* number of the message that is sent or awaited next */
    double offer;  /* names the memory; 0: there is none */
    int offers;
    head *head; /* NULL: none, or not yet */
    int head_fd;
    unsigned char *places;
    int places_fd;  /* sender: until the receiver has them, too */
    double *own[2]; /* receiver: where messages that are sent otherwise go, in turns, so that the one before stays */
    bool is_coming; /* a receive into own was started, and its message is not taken yet */
    int given_back; /* how often the memory of a message in own was */
    const double *arrived;
};

/* Names the memory; `part` tells its head from its places. A network name space is taken for a host, as by all routes.
 */
static void name_memory(const h3ou__ring *r, const char *part, char name[NAME])
{
    struct stat space = {0};
    if (stat("/proc/self/ns/net", &space))
        space.st_ino = 0;
    snprintf(name, NAME, "/h3ou-ring-%llx-%013llx%s", (unsigned long long)space.st_ino, (unsigned long long)r->offer,
             part);
}

static size_t places_size(const h3ou__ring *r)
{
    return (size_t)r->nplace * r->stride;
}

/* Sets *is_off to whether the settings keep messages to or from this process out of memory. */
static int read_settings(const h3ou__comm *c, int peer, bool *is_off)
{
    int job, job_rank;
    const h3ou__world *w = c->world;
    const char *routes = getenv("WAITIO_ROUTES"), *type = getenv("WAITIO_COMM_TYPE");
    int64_t memory = 1;
    int err = h3ou__env_int("H3OU_SHARED_MEMORY", 0, 1, 1, &memory);
    bool has_routes = routes && *routes;
    h3ou__comm_place(c, peer, &job, &job_rank);
    *is_off = !memory || c->may_lose ||
              (job == w->job ? job_rank == w->job_rank
               : has_routes  ? !strstr(routes, "shm")
                             : type && *type);
    return err;
}

int h3ou__ring_open(h3ou__comm *c, int peer, int tag, int64_t most, int offer_at, const char *what, h3ou__ring **out)
{
    h3ou__ring *r = calloc(1, sizeof *r);
    *out = r;
    if (!r)
        return h3ou__fail(H3OU__ENOMEM, "%s: out of memory for messages", what);
    size_t bytes = sizeof(double) * (size_t)most;
    *r = (h3ou__ring){.comm = c,
                      .peer = peer,
                      .tag = tag,
                      .offer_at = offer_at,
                      .what = what,
                      .most = most,
                      .nplace = bytes > LONG ? FEW_PLACES : PLACES,
                      .head_fd = -1,
                      .places_fd = -1};
    r->stride = (bytes + LINE - 1) / LINE * LINE;
    r->by_waitio = !c->may_lose && h3ou__job_route_is_waitio();
    return read_settings(c, peer, &r->is_off);
}

void h3ou__ring_send_early(h3ou__ring *r)
{
    r->nplace = r->nplace > EARLY_PLACES ? r->nplace : EARLY_PLACES;
}

static void hide(const h3ou__ring *r, const char *part, int *fd)
{
    char name[NAME];
    if (*fd < 0)
        return;
    name_memory(r, part, name);
    h3ou__share_hide(name, *fd);
    *fd = -1;
}

static void turn_off(h3ou__ring *r)
{
    hide(r, "", &r->head_fd);
    hide(r, "-places", &r->places_fd);
    h3ou__share_unmap(r->head, sizeof *r->head);
    h3ou__share_unmap(r->places, places_size(r));
    r->head = NULL;
    r->places = NULL;
    r->is_off = true;
}

void h3ou__ring_free(h3ou__ring *r)
{
    if (!r)
        return;
    turn_off(r);
    free(r->own[0]);
    free(r->own[1]);
    free(r);
}

/* Makes the head of the memory. */
static void make_head(h3ou__ring *r)
{
    static bool is_swept;
    char name[NAME];
    uint64_t random = 0;
    bool made;
    void *base;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        r->is_off = true;
        return;
    }
    if (!is_swept)
        h3ou__share_sweep("h3ou-ring-"); /* what processes that were killed while they made a ring have left */
    is_swept = true;
    r->offer = (double)((random >> 12) | 1);
    name_memory(r, "", name);
    if (h3ou__share_open(name, sizeof(head), &made, &r->head_fd, &base)) {
        r->is_off = true;
        return;
    }
    r->head = base;
    r->head->most = r->most;
}

/* Makes the places, once the receiver has accepted the offer. */
static void make_places(h3ou__ring *r)
{
    char name[NAME];
    bool made;
    void *base;
    hide(r, "", &r->head_fd);
    name_memory(r, "-places", name);
    if (h3ou__share_open(name, places_size(r), &made, &r->places_fd, &base)) {
        atomic_store(&r->head->state, OFF);
        r->is_off = true; /* the head stays: the receiver looks there by which way each message comes */
        return;
    }
    r->places = base;
    atomic_store(&r->head->state, HAS_PLACES);
}

/* Takes back an offer that was made often enough, unless the receiver has just accepted it. */
static void give_up(h3ou__ring *r)
{
    uint32_t offered = OFFERED;
    if (r->offers >= OFFERS && atomic_compare_exchange_strong(&r->head->state, &offered, OFF))
        turn_off(r);
}

double *h3ou__ring_place(h3ou__ring *r)
{
    if (r->is_off || !r->head)
        return NULL;
    uint32_t state = atomic_load_explicit(&r->head->state, memory_order_acquire);
    if (state == ACCEPTED)
        make_places(r);
    if (state != READY)
        return NULL;
    hide(r, "-places", &r->places_fd);
    bool is_free = r->next < atomic_load_explicit(&r->head->released, memory_order_acquire) + (uint64_t)r->nplace;
    return is_free ? (double *)(void *)(r->places + (r->next % (uint64_t)r->nplace) * r->stride) : NULL;
}

bool h3ou__ring_is_off(const h3ou__ring *r)
{
    return r->is_off && !r->head;
}

enum h3ou__way h3ou__ring_way(const h3ou__ring *r)
{
    const h3ou__world *w = r->comm->world;
    int job, rank;
    h3ou__comm_place(r->comm, r->peer, &job, &rank);
    if (r->places)
        return H3OU__WAY_MEMORY;
    if (w->is_shared && job == w->job && rank == w->job_rank)
        return H3OU__WAY_COPY;
    return job != w->job || r->by_waitio ? H3OU__WAY_WAITIO : H3OU__WAY_MPI;
}

const char *h3ou__ring_route(const h3ou__ring *r)
{
    const h3ou__world *w = r->comm->world;
    const char *name = "";
    int job, rank;
    h3ou__comm_place(r->comm, r->peer, &job, &rank);
    return (job != w->job || r->by_waitio) && w->group && !waitio_get_route(w->group, w->first[job] + rank, &name) ? name : "";
}

int h3ou__ring_send(h3ou__ring *r, double *message, int64_t numbers, h3ou__req *req)
{
    uint64_t number = r->next++;
    if (message == (r->places ? (double *)(void *)(r->places + (number % (uint64_t)r->nplace) * r->stride) : NULL)) {
        place *p = &r->head->of[number % (uint64_t)r->nplace];
        message[r->offer_at] = 0.0;
        p->numbers = numbers;
        atomic_store_explicit(&p->filled, number + 1, memory_order_release);
        h3ou__bell_ring(&r->head->sent);
        h3ou__ring_request_done(req);
        return H3OU__OK;
    }
    if (!r->is_off && !r->head)
        make_head(r);
    else if (!r->is_off && r->offers >= OFFERS)
        give_up(r);
    if (r->head) {
        message[r->offer_at] = 0.0;
        if (!r->is_off && r->offers++ < OFFERS)
            message[r->offer_at] = r->offer;
        atomic_store_explicit(&r->head->sent_otherwise, number + 1, memory_order_release);
        h3ou__bell_ring(&r->head->sent);
    }
    return h3ou__isend_by(r->comm, r->by_waitio, r->peer, r->tag, message, numbers, r->what, req);
}

/* Starts to receive message `number` by the MPI or WaitIO. */
static int receive_otherwise(h3ou__ring *r, uint64_t number, h3ou__req *req)
{
    double **to = &r->own[number % 2];
    if (!*to && !(*to = aligned_alloc(LINE, r->stride)))
        return h3ou__fail(H3OU__ENOMEM, "%s: out of memory for a message", r->what);
    r->arrived = *to;
    r->is_coming = true;
    return h3ou__irecv_by(r->comm, r->by_waitio, r->peer, r->tag, *to, r->most, r->what, req);
}

int h3ou__ring_receive(h3ou__ring *r, h3ou__req *req)
{
    if (r->head)
        return h3ou__ring_request(r->comm, r->peer, r, r->what, req);
    return receive_otherwise(r, r->next++, req);
}

/* Maps the places when the sender has made them. */
static void take_places(h3ou__ring *r)
{
    char name[NAME];
    void *base;
    int fd;
    if (r->places || atomic_load_explicit(&r->head->state, memory_order_acquire) != HAS_PLACES)
        return;
    name_memory(r, "-places", name);
    if (h3ou__share_find(name, places_size(r), &fd, &base)) {
        atomic_store(&r->head->state, OFF);
        return;
    }
    r->places = base;
    h3ou__share_hide(name, fd);
    atomic_store(&r->head->state, READY);
}

/* Frees the memory of messages that were sent otherwise, most often the first ones. */
static void free_own(h3ou__ring *r)
{
    free(r->own[0]);
    free(r->own[1]);
    r->own[0] = r->own[1] = NULL;
}

int h3ou__ring_look(h3ou__ring *r, int64_t *bytes)
{
    take_places(r);
    const place *p = &r->head->of[r->next % (uint64_t)r->nplace];
    /* In this order: a message that was sent otherwise is counted after those before it were written. */
    uint64_t otherwise = atomic_load_explicit(&r->head->sent_otherwise, memory_order_acquire);
    bool is_here = atomic_load_explicit(&p->filled, memory_order_acquire) == r->next + 1;
    if (!is_here && otherwise <= r->next)
        return H3OU__RING_EMPTY;
    atomic_store_explicit(&r->head->released, r->next, memory_order_release);
    r->next++;
    if (!is_here)
        return H3OU__RING_OTHERWISE;
    free_own(r);
    r->arrived = (const double *)(void *)(r->places + ((r->next - 1) % (uint64_t)r->nplace) * r->stride);
    *bytes = p->numbers * (int64_t)sizeof(double);
    return H3OU__RING_HERE;
}

int h3ou__ring_receive_otherwise(h3ou__ring *r, h3ou__req *req)
{
    return receive_otherwise(r, r->next - 1, req);
}

void h3ou__ring_sleep(h3ou__ring *r, double seconds)
{
    uint32_t heard = h3ou__bell_heard(&r->head->sent);
    const place *p = &r->head->of[r->next % (uint64_t)r->nplace];
    if (atomic_load(&r->head->sent_otherwise) <= r->next && atomic_load(&p->filled) != r->next + 1)
        h3ou__bell_wait(&r->head->sent, heard, seconds);
}

/* Opens the memory that a message offers. */
static void accept_offer(h3ou__ring *r, double offer)
{
    char name[NAME];
    void *base;
    int fd;
    uint32_t offered = OFFERED;
    if (r->is_off || r->head || !(offer >= 1.0 && offer < 0x1p53))
        return;
    r->offer = offer;
    name_memory(r, "", name);
    if (h3ou__share_find(name, sizeof(head), &fd, &base)) {
        r->is_off = true;
        return;
    }
    h3ou__share_hide(name, fd);
    r->head = base;
    if (r->head->most == r->most && atomic_compare_exchange_strong(&r->head->state, &offered, ACCEPTED))
        return;
    turn_off(r);
}

const double *h3ou__ring_arrived(h3ou__ring *r)
{
    if (r->is_coming)
        accept_offer(r, r->arrived[r->offer_at]);
    r->is_coming = false;
    return r->arrived;
}

/* Gives back the memory of messages that were sent otherwise. The first ones are, and the following stand in places;
 * where a sender stays so far ahead that no place is free, they come there again and again, so the memory stays. */
static void give_back(h3ou__ring *r)
{
    bool is_own = r->arrived && (r->arrived == r->own[0] || r->arrived == r->own[1]);
    if (!is_own || r->is_coming || r->given_back == GIVEN_BACK ||
        atomic_load_explicit(&r->head->state, memory_order_relaxed) == OFF)
        return;
    for (int i = 0; i < 2; i++)
        if (r->own[i])
            h3ou__heap_forget(r->own[i], r->stride);
    r->arrived = NULL;
    r->given_back++;
}

void h3ou__ring_release(h3ou__ring *r)
{
    if (!r->head)
        return;
    atomic_store_explicit(&r->head->released, r->next, memory_order_release);
    give_back(r);
}
