/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/conduit/conduit_inproc.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "waitio/conduit/conduit.h"

enum { QUEUE = 65536 };

typedef struct queue { /* bytes in one direction */
    size_t begin, n;
    bool is_closed, is_cut; /* by its writer: nothing follows; nothing more may be read */
    unsigned char bytes[QUEUE];
} queue;

typedef struct wire { /* shared by both ends */
    queue q[2];       /* bytes written by the end that opened, and by the end that accepted */
    int bell[2];      /* event descriptors of the end that opened, and of the end that accepted */
    int ends;
    struct wire *next; /* in the list of those that wait to be accepted */
} wire;

typedef struct end { /* the state of a link */
    wire *w;
    int side;
} end;

typedef struct listener { /* the state of a listening link */
    waitio__address at;
    wire *waiting;
    int bell;
    struct listener *next;
} listener;

/* One lock for all: this is for tests. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static listener *listeners;
static waitio__inproc_faults faults;
static uint64_t cuts;
static uint16_t next_port = 1;

void waitio__inproc_set_faults(const waitio__inproc_faults *f)
{
    pthread_mutex_lock(&lock);
    faults = f ? *f : (waitio__inproc_faults){0};
    cuts = 0;
    pthread_mutex_unlock(&lock);
}

uint64_t waitio__inproc_cuts(void)
{
    pthread_mutex_lock(&lock);
    uint64_t n = cuts;
    pthread_mutex_unlock(&lock);
    return n;
}

static uint64_t dice_roll(void)
{
    faults.seed += 0x9e3779b97f4a7c15u;
    uint64_t z = faults.seed;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static bool fault_happens(double chance)
{
    return chance > 0 && (double)(dice_roll() >> 11) * 0x1p-53 < chance;
}

/* Returns an event descriptor, or -1 with the error recorded. */
static int bell_create(void)
{
    int bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (bell < 0)
        h3ou__fail(H3OU__EOS, "eventfd: %s", strerror(errno));
    return bell;
}

static void ring_bell(int bell)
{
    uint64_t one = 1;
    if (write(bell, &one, sizeof one) < 0)
        return; /* it is woken already */
}

static void bell_silence(int bell)
{
    uint64_t count;
    if (read(bell, &count, sizeof count) < 0)
        return;
}

static bool is_same_address(const waitio__address *a, const waitio__address *b)
{
    return !memcmp(a->ip, b->ip, sizeof a->ip) && a->port == b->port;
}

static listener *listener_find(const waitio__address *at)
{
    listener *l = listeners;
    while (l && !is_same_address(&l->at, at))
        l = l->next;
    return l;
}

static int inproc_listen(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                         waitio__address *bound)
{
    (void)set;
    *out = (waitio__link){.conduit = &waitio__inproc, .fd = -1};
    listener *l = calloc(1, sizeof *l);
    if (!l)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a listener");
    pthread_mutex_lock(&lock);
    l->at = *at;
    while (!l->at.port || (!at->port && listener_find(&l->at)))
        l->at.port = next_port++;
    bool is_taken = listener_find(&l->at) != NULL;
    l->bell = is_taken ? -1 : bell_create();
    bool listens = l->bell >= 0;
    if (listens) {
        l->next = listeners;
        listeners = l;
    }
    pthread_mutex_unlock(&lock);
    if (!listens) {
        free(l);
        return is_taken ? h3ou__fail(H3OU__EREFUSED, "another rank has this address") : H3OU__EOS;
    }
    out->fd = l->bell;
    out->state = l;
    if (bound)
        *bound = l->at;
    return H3OU__OK;
}

static int make_end(wire *w, int side, waitio__link *out)
{
    end *e = calloc(1, sizeof *e);
    if (!e)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a link");
    *e = (end){w, side};
    *out = (waitio__link){.conduit = &waitio__inproc, .fd = w->bell[side], .state = e};
    return H3OU__OK;
}

static int inproc_accept(waitio__link *link, waitio__link *out)
{
    listener *l = link->state;
    pthread_mutex_lock(&lock);
    wire *w = l->waiting;
    if (w)
        l->waiting = w->next;
    if (!l->waiting)
        bell_silence(l->bell);
    pthread_mutex_unlock(&lock);
    return w ? make_end(w, 1, out) : WAITIO__AGAIN;
}

static void wire_drop(wire *w)
{
    if (--w->ends)
        return;
    close(w->bell[0]);
    close(w->bell[1]);
    free(w);
}

static int wire_create(wire **out)
{
    wire *w = calloc(1, sizeof *w);
    if (!w)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a link");
    w->ends = 2;
    w->bell[0] = bell_create();
    w->bell[1] = w->bell[0] < 0 ? -1 : bell_create();
    *out = w;
    if (w->bell[1] >= 0)
        return H3OU__OK;
    if (w->bell[0] >= 0)
        close(w->bell[0]);
    free(w);
    return H3OU__EOS;
}

/* Hands the wire to the listener at that address. Returns 0, H3OU__EREFUSED or H3OU__EPEER. */
static int queue_at_listener(wire *w, const waitio__address *to)
{
    pthread_mutex_lock(&lock);
    listener *l = listener_find(to);
    int code = !l                             ? h3ou__fail(H3OU__EREFUSED, "no rank has this address")
               : fault_happens(faults.refuse) ? h3ou__fail(H3OU__EPEER, "no way there now (on demand)")
                                              : H3OU__OK;
    if (code) {
        w->ends = 1;
        wire_drop(w);
    } else {
        wire **last = &l->waiting;
        while (*last)
            last = &(*last)->next;
        *last = w;
        ring_bell(l->bell);
        ring_bell(w->bell[0]); /* opened may be called */
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int inproc_open(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    (void)set;
    *out = (waitio__link){.conduit = &waitio__inproc, .fd = -1};
    wire *w = NULL;
    int code = wire_create(&w);
    if (!code)
        code = queue_at_listener(w, to);
    return code ? code : make_end(w, 0, out);
}

static int inproc_opened(waitio__link *link)
{
    end *e = link->state;
    pthread_mutex_lock(&lock);
    const queue *in = &e->w->q[1];
    if (!in->n && !in->is_closed)
        bell_silence(e->w->bell[0]);
    pthread_mutex_unlock(&lock);
    return H3OU__OK;
}

static void break_wire(wire *w, bool at_once)
{
    cuts += !w->q[0].is_closed || !w->q[1].is_closed; /* links that are broken already do not count */
    for (int i = 0; i < 2; i++) {
        w->q[i].is_closed = true;
        w->q[i].is_cut = w->q[i].is_cut || at_once;
        ring_bell(w->bell[i]);
    }
}

static size_t queue_put(queue *q, const unsigned char *from, size_t n)
{
    size_t space = QUEUE - q->n;
    n = n < space ? n : space;
    for (size_t done = 0; done < n;) {
        size_t at = (q->begin + q->n) % QUEUE, part = QUEUE - at;
        part = part < n - done ? part : n - done;
        memcpy(q->bytes + at, from + done, part);
        q->n += part;
        done += part;
    }
    return n;
}

/* Decides by chance which fault a write has. Returns true if nothing is to be moved. */
static bool is_struck(wire *w, size_t *most)
{
    *most = SIZE_MAX;
    if (fault_happens(faults.cut))
        break_wire(w, true);
    else if (fault_happens(faults.shut))
        break_wire(w, false);
    else if (fault_happens(faults.busy))
        return true;
    else if (fault_happens(faults.partial))
        *most = 1 + dice_roll() % 100;
    return false;
}

static int inproc_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    end *e = link->state;
    size_t most;
    *moved = 0;
    pthread_mutex_lock(&lock);
    queue *q = &e->w->q[e->side];
    bool is_busy = is_struck(e->w, &most), is_gone = q->is_closed || e->w->q[!e->side].is_closed;
    for (int i = 0; i < n && !is_busy && !is_gone && *moved < most; i++) {
        size_t want = iov[i].iov_len < most - *moved ? iov[i].iov_len : most - *moved;
        size_t done = queue_put(q, iov[i].iov_base, want);
        *moved += done;
        if (done < iov[i].iov_len)
            break;
    }
    if (*moved && fault_happens(faults.damage))
        q->bytes[(q->begin + q->n - 1 - dice_roll() % *moved) % QUEUE] ^= 0x10;
    if (*moved)
        ring_bell(e->w->bell[!e->side]);
    pthread_mutex_unlock(&lock);
    if (is_gone)
        return h3ou__fail(H3OU__EPEER, "the other end is gone");
    return *moved ? H3OU__OK : WAITIO__AGAIN;
}

static size_t queue_get(queue *q, unsigned char *to, size_t n)
{
    n = n < q->n ? n : q->n;
    for (size_t done = 0; done < n;) {
        size_t part = QUEUE - q->begin;
        part = part < n - done ? part : n - done;
        memcpy(to + done, q->bytes + q->begin, part);
        q->begin = (q->begin + part) % QUEUE;
        q->n -= part;
        done += part;
    }
    return n;
}

static int inproc_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    end *e = link->state;
    *moved = 0;
    pthread_mutex_lock(&lock);
    queue *q = &e->w->q[!e->side];
    bool is_cut = q->is_cut;
    for (int i = 0; i < n && q->n && !is_cut; i++)
        *moved += queue_get(q, iov[i].iov_base, iov[i].iov_len);
    bool is_end = q->is_closed && !q->n;
    if (!q->n && !q->is_closed)
        bell_silence(e->w->bell[e->side]);
    pthread_mutex_unlock(&lock);
    if (is_cut)
        return h3ou__fail(H3OU__EPEER, "the link was cut (on demand)");
    return *moved ? H3OU__OK : is_end ? WAITIO__EOF : WAITIO__AGAIN;
}

static bool inproc_ready(waitio__link *link, bool write)
{
    bool is = false;
    pthread_mutex_lock(&lock);
    listener *l = listeners;
    while (l && l != link->state)
        l = l->next;
    if (!l) {
        end *e = link->state;
        const queue *in = &e->w->q[!e->side], *out = &e->w->q[e->side];
        is = in->n || in->is_closed || (write && (out->n < QUEUE || out->is_closed));
    }
    pthread_mutex_unlock(&lock);
    return is;
}

static double inproc_sleep_begin(waitio__link *link, bool write)
{
    if (inproc_ready(link, write))
        return 0;
    return write ? 0.001 : INFINITY; /* the descriptor does not report room for writing */
}

static void inproc_sleep_end(waitio__link *link)
{
    (void)link;
}

static bool close_listener(listener *mine)
{
    listener **place = &listeners;
    while (*place && *place != mine)
        place = &(*place)->next;
    if (!*place)
        return false;
    *place = mine->next;
    while (mine->waiting) {
        wire *w = mine->waiting;
        mine->waiting = w->next;
        w->q[1].is_closed = true;
        ring_bell(w->bell[0]);
        wire_drop(w);
    }
    close(mine->bell);
    free(mine);
    return true;
}

static void inproc_close(waitio__link *link)
{
    if (!link->state)
        return;
    pthread_mutex_lock(&lock);
    if (!close_listener(link->state)) {
        end *e = link->state;
        e->w->q[e->side].is_closed = true;
        ring_bell(e->w->bell[!e->side]);
        wire_drop(e->w);
        free(e);
    }
    pthread_mutex_unlock(&lock);
    link->state = NULL;
    link->fd = -1;
}

const waitio__conduit waitio__inproc = {
    .name = "inproc",
    .listen = inproc_listen,
    .accept = inproc_accept,
    .open = inproc_open,
    .opened = inproc_opened,
    .writev = inproc_writev,
    .readv = inproc_readv,
    .ready = inproc_ready,
    .sleep_begin = inproc_sleep_begin,
    .sleep_end = inproc_sleep_end,
    .close = inproc_close,
};
