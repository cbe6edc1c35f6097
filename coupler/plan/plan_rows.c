/* SPDX-License-Identifier: BSD-3-Clause */
/* Planning, first half: sending the entries of a table to the owners of their target cells. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "coupler/grid/deal_to_owners.h"
#include "coupler/grid/send_to_owners.h"
#include "coupler/plan/plan.h"

/* A giver's rank and the position in its arrays make one number, so that sorting restores the order given. */
enum { GIVER_SHIFT = 40 };

typedef struct entries { /* of one round, as they travel between components */
    int64_t n;
    int *send, *recv;
    double *coef;
    double *turn; /* [2 * n], rotated tables only */
} entries;

/* Returns the number of my own entries that count: on processes whose arrays are ignored 0. */
static int64_t own_entries(const h3ou__plan_task *task)
{
    bool counts = task->given_here && task->table && (task->spread || h3ou__comm_rank(task->local) == 0);
    return counts ? task->table->n : 0;
}

/* Sends or receives the arrays of a round, to or from a rank of the other component. */
static int move_entries(const h3ou__plan_task *task, bool out, int peer, const entries *e)
{
    static const char what[] = "entries of an interpolation table";
    h3ou__req req[4];
    struct {
        void *data;
        int64_t n;
        int type;
    } part[4] = {{e->send, e->n, H3OU__INT32},
                 {e->recv, e->n, H3OU__INT32},
                 {e->coef, e->n, H3OU__DOUBLE},
                 {e->turn, 2 * e->n, H3OU__DOUBLE}};
    int parts = task->rotated ? 4 : 3;
    for (int i = 0; i < parts; i++) {
        int err = out ? h3ou__isend(task->model, peer, H3OU__TAG_ENTRIES, part[i].data, part[i].n, part[i].type, what,
                                    &req[i])
                      : h3ou__irecv(task->model, peer, H3OU__TAG_ENTRIES, part[i].data, part[i].n, part[i].type, what,
                                    &req[i]);
        if (err)
            return err;
    }
    return h3ou__waitall(task->world, parts, req);
}

static int move_count(const h3ou__plan_task *task, bool out, int peer, int64_t *n)
{
    h3ou__req req;
    int err = out ? h3ou__isend(task->model, peer, H3OU__TAG_ENTRIES, n, 1, H3OU__INT64,
                                "size of an interpolation table", &req)
                  : h3ou__irecv(task->model, peer, H3OU__TAG_ENTRIES, n, 1, H3OU__INT64,
                                "size of an interpolation table", &req);
    return err ? err : h3ou__waitall(task->world, 1, &req);
}

static entries part_of(const h3ou__table *t, int64_t at, int64_t n)
{
    return (entries){n, t->send + at, t->recv + at, t->coef + at, t->turn ? t->turn + 2 * at : NULL};
}

int h3ou__plan_pass_entries(const h3ou__plan_task *task)
{
    int rank = h3ou__comm_rank(task->local);
    if (!task->spread && rank != 0)
        return H3OU__OK;
    int peer = task->nsend + rank % task->nrecv;
    int64_t n = own_entries(task);
    int err = move_count(task, true, peer, &n);
    for (int64_t at = 0; at < n && !err; at += task->chunk) {
        const h3ou__table *t = task->table;
        entries e = part_of(t, at, n - at < task->chunk ? n - at : task->chunk);
        err = move_entries(task, true, peer, &e);
    }
    return err;
}

/* The source of a receiving process's entries: its own table, or its partners among the senders, one after the other.
 */
typedef struct feed {
    const h3ou__plan_task *task;
    bool own;
    int64_t chunk; /* entries of a round */
    int giver;     /* rank in the giving component that is being read */
    int64_t at, n; /* read so far, and in all, of that giver */
    entries buffer;
} feed;

static int feed_open(feed *f, const h3ou__plan_task *task)
{
    int rank = h3ou__comm_rank(task->local);
    memset(f, 0, sizeof *f);
    f->task = task;
    f->own = task->given_here;
    f->giver = rank;
    f->chunk = task->chunk;
    if (f->own) {
        f->n = own_entries(task);
        return H3OU__OK;
    }
    size_t chunk = (size_t)task->chunk;
    f->buffer.send = malloc(sizeof(int) * chunk);
    f->buffer.recv = malloc(sizeof(int) * chunk);
    f->buffer.coef = malloc(sizeof(double) * chunk);
    f->buffer.turn = task->rotated ? malloc(2 * sizeof(double) * chunk) : NULL;
    bool has = f->buffer.send && f->buffer.recv && f->buffer.coef && (f->buffer.turn || !task->rotated);
    return has ? H3OU__OK : h3ou__no_memory("the plan of an exchange");
}

static void feed_close(feed *f)
{
    if (!f->own) {
        free(f->buffer.send);
        free(f->buffer.recv);
        free(f->buffer.coef);
        free(f->buffer.turn);
    }
}

/* Moves to the next partner that has entries; *more is false when none is left. */
static int feed_partner(feed *f, bool first, bool *more)
{
    int last = f->task->spread ? f->task->nsend : 1;
    if (!first)
        f->giver += f->task->nrecv;
    for (*more = false; f->giver < last; f->giver += f->task->nrecv) {
        f->at = 0;
        int err = move_count(f->task, false, f->giver, &f->n);
        if (err)
            return err;
        if (f->n) {
            *more = true;
            return H3OU__OK;
        }
    }
    return H3OU__OK;
}

/* Gets the entries of the next round; *from points into the table or to the buffer, and its n is 0 at the end. */
static int feed_next(feed *f, entries *from, int64_t *seq)
{
    const h3ou__table *t = f->task->table;
    int64_t left = f->n - f->at, n = left < f->chunk ? left : f->chunk;
    *seq = ((int64_t)f->giver << GIVER_SHIFT) + f->at;
    if (n && f->own) {
        *from = part_of(t, f->at, n);
    } else {
        *from = f->buffer;
        from->n = n;
        int err = n ? move_entries(f->task, false, f->giver, from) : H3OU__OK;
        if (err)
            return err;
    }
    f->at += n;
    return H3OU__OK;
}

static int64_t bits_of(double v)
{
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* The entries of a round as items {recv_index, send_index, coefficient, number, turn}; the caller frees them. */
static int64_t *pack_entries(const h3ou__plan_task *task, const entries *e, int64_t seq)
{
    int width = h3ou__entry_width(task->rotated);
    int64_t *item = malloc(sizeof *item * (size_t)(width * e->n + 1));
    for (int64_t i = 0; i < e->n && item; i++) {
        int64_t *one = item + width * i;
        one[0] = e->recv[i];
        one[1] = e->send[i];
        one[2] = bits_of(e->coef[i]);
        one[3] = seq + i;
        for (int k = 4; k < width; k++)
            one[k] = bits_of(e->turn[2 * i + k - 4]);
    }
    return item;
}

static int fail_no_target(const h3ou__grid *g, const int64_t item[])
{
    return h3ou__fail(H3OU__EINDEX, "entry %" PRId64 " of the table: recv_index %" PRId64 " is not a cell of grid %s%s",
                      (item[3] & ((INT64_C(1) << GIVER_SHIFT) - 1)) + 1, item[0], g->name,
                      h3ou__grid_keeper(g, item[0]) < 0 ? "" : ": no process defined it");
}

/* Sends one round of entries to the owners of their target cells. */
static int round_of_entries(const h3ou__plan_task *task, const entries *e, int64_t seq, h3ou__entry_list *list)
{
    h3ou__redistribution owned = {0};
    int width = h3ou__entry_width(task->rotated);
    int64_t *item = pack_entries(task, e, seq);
    int err = item ? h3ou__send_to_owners(task->grid, task->local, e->n, width, item, fail_no_target, &owned)
                   : h3ou__no_memory("the plan of an exchange");
    free(item);
    if (!err)
        err = h3ou__entry_list_append(list, owned.ngot, owned.item);
    h3ou__redistribution_free(&owned);
    return err;
}

/* Sums up the entries that my component gave. Makes room for what this process gets of them, if all cells have as many:
 * a list that grows is copied, and leaves holes in the memory. */
static int reserve_entries(const h3ou__plan_task *task, h3ou__entry_list *list, int64_t *given)
{
    int64_t mine[2] = {own_entries(task), task->grid->n}, all[2];
    int err = h3ou__allreduce(task->local, mine, all, 2, H3OU__INT64, H3OU__SUM);
    *given = all[0];
    if (err || all[1] == 0)
        return err;
    return h3ou__entry_list_reserve(list, (int64_t)((double)all[0] * (double)mine[1] / (double)all[1]));
}

/* Called by the first process: reads all entries, and sends them to the owners of their target cells. */
static int deal_all(h3ou__dealer *d, feed *f, bool more, h3ou__entry_list *list)
{
    int err = H3OU__OK;
    while (more && f->at < f->n && !err) {
        entries e = {0};
        const int64_t *mine;
        int64_t seq, nmine, *item = NULL;
        err = feed_next(f, &e, &seq);
        if (!err && !(item = pack_entries(f->task, &e, seq)))
            err = h3ou__no_memory("the plan of an exchange");
        if (!err)
            err = h3ou__dealer_pass(d, e.n, item, fail_no_target, &mine, &nmine);
        if (!err)
            err = h3ou__entry_list_append(list, nmine, mine);
        free(item);
    }
    int ended = h3ou__dealer_end(d); /* after an error, too: the others wait */
    return err ? err : ended;
}

/* Called by the others: gets the entries of my cells. */
static int take_all(h3ou__dealer *d, h3ou__entry_list *list)
{
    const int64_t *item = NULL;
    int64_t n = 0;
    int err = h3ou__dealer_take(d, &item, &n);
    while (!err && n > 0) {
        err = h3ou__entry_list_append(list, n, item);
        if (!err)
            err = h3ou__dealer_take(d, &item, &n);
    }
    return err;
}

/* The entries of a table of which one process has them all, or reads them from the one of the other component that has.
 */
static int entries_from_first(const h3ou__plan_task *task, feed *f, bool more, h3ou__entry_list *list)
{
    enum { LONGER = 4 }; /* the others are woken less often */
    h3ou__dealer *d;
    f->chunk *= f->own ? LONGER : 1;
    int err = h3ou__dealer_open(task->grid, task->local, h3ou__entry_width(task->rotated), f->chunk, &d);
    if (!err)
        err = h3ou__comm_rank(task->local) == 0 ? deal_all(d, f, more, list) : take_all(d, list);
    h3ou__dealer_close(d);
    return err;
}

/* The entries of a table of which each process may have some, in rounds. Givers are read one after the other, so the
 * number of rounds is not known before. */
static int spread_entries(const h3ou__plan_task *task, feed *f, bool more, h3ou__entry_list *list)
{
    int64_t seq = 0, left = 1;
    int err = H3OU__OK;
    while (!err) {
        entries e = {0};
        int64_t busy = more && f->at < f->n;
        if ((err = h3ou__allreduce(task->local, &busy, &left, 1, H3OU__INT64, H3OU__MAX)) != H3OU__OK || !left)
            break;
        if (busy)
            err = feed_next(f, &e, &seq);
        if (!err)
            err = round_of_entries(task, &e, seq, list);
        if (!err && !f->own && more && f->at == f->n)
            err = feed_partner(f, false, &more);
    }
    return err;
}

/* Finds out whether the first process sends all entries to their owners. given: those that my component gave. */
static int suits_dealing(const feed *f, bool more, int64_t given, bool *suits)
{
    int64_t all = f->own ? given : more ? f->n : 0;
    int err = f->own ? H3OU__OK : h3ou__bcast(f->task->local, &all, 1, H3OU__INT64, 0);
    return err ? err : h3ou__dealer_suits(f->task->grid, f->task->local, all, suits);
}

int h3ou__plan_redistribute_entries(const h3ou__plan_task *task, h3ou__entry_list *list)
{
    feed f;
    int64_t given = 0;
    bool is_dealt = false;
    *list = (h3ou__entry_list){.numbered = task->spread, .rotated = task->rotated};
    int err = feed_open(&f, task);
    bool more = f.own;
    if (!err)
        err = f.own ? reserve_entries(task, list, &given) : feed_partner(&f, true, &more);
    if (!err && !task->spread)
        err = suits_dealing(&f, more, given, &is_dealt);
    if (!err)
        err = is_dealt ? entries_from_first(task, &f, more, list) : spread_entries(task, &f, more, list);
    feed_close(&f);
    return err;
}
