/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An exchange goes up a binomial tree inside the job to the member with local rank 0, from there to those of the other jobs, and down the tree again. It
 * uses messages and not the collective calls of the job's MPI, so that it may wait for other jobs in the middle without blocking.
 */
#include "universe/world/member_exchange.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "universe/world/waiting.h"

/* Parts of a communicator have tags of their own, above those of calls on all of it. */
enum { TREE = 32, TAG_MASK = 0x7fff, TAG_OF_PART = 0x8000, TAG_SHIFT = 8 };
static const int64_t BEYOND_OF_PART = (int64_t)1 << 60;
enum stage { UP, ACROSS, DOWN, ENDED };

struct universe_exchange_run {
    universe_comm *c; /* held */
    int size;
    int *rank;            /* [size] in c */
    int *local;           /* [nlocal] in `inside` */
    int nlocal, my_local; /* of those that take part */
    int64_t bytes;
    enum stage stage;
    int tag;            /* inside the job */
    waitio_tag_t beyond; /* between jobs */
    char *sorted;       /* [size * bytes] by job, in each by local rank: what comes down */
    char *all;          /* [size * bytes] what goes up, in the same order; in the end by rank */
    int *start;         /* [njob + 1] of each job in `sorted` */
    int *king;          /* [njob] the first that takes part */
    int ninner, nouter;
    abi_Request inner[TREE + 1];
    waitio_req_t *outer; /* [2 * njob] */
};

static int inner_message(universe_exchange_run *x, bool is_send, bool is_up, int to, int first, int count)
{
    char *at = (is_up ? x->all : x->sorted) + first * x->bytes;
    abi_Request *request = &x->inner[x->ninner++];
    abi_Datatype byte = (abi_Datatype)ABI_BYTE;
    int code, bytes = (int)(count * x->bytes);
    if (is_send)
        code = universe.mpi->Isend(at, bytes, byte, x->local[to], x->tag, x->c->inside, request);
    else
        code = universe.mpi->Irecv(at, bytes, byte, x->local[to], x->tag, x->c->inside, request);
    return code ? h3ou__fail(H3OU__EMPI, "a message inside the job cannot be started") : H3OU__OK;
}

/* The smallest bit of a local rank: its parent lacks it, its children add a smaller one. Rank 0 is the root. */
static int low_bit(const universe_exchange_run *x)
{
    int bit = 1;
    while (x->my_local ? !(x->my_local & bit) : bit < x->nlocal)
        bit *= 2;
    return bit;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Receives what each child has of its part of the tree, or sends all to each child. */
static int message_children(universe_exchange_run *x, bool is_send)
{
    int err = H3OU__OK, mine = x->start[universe.job];
    for (int bit = low_bit(x) / 2; bit > 0 && !err; bit /= 2) {
        int child = x->my_local + bit;
        if (child >= x->nlocal)
            continue;
        if (is_send)
            err = inner_message(x, true, false, child, 0, x->size);
        else
            err = inner_message(x, false, true, child, mine + child, smaller(x->nlocal - child, bit));
    }
    return err;
}

static int message_parent(universe_exchange_run *x)
{
    int bit = low_bit(x), parent = x->my_local - bit;
    int err = inner_message(x, true, true, parent, x->start[universe.job] + x->my_local, smaller(x->nlocal - x->my_local, bit));
    return err ? err : inner_message(x, false, false, parent, 0, x->size);
}

static int message_kings(universe_exchange_run *x)
{
    const universe_comm *c = x->c;
    int64_t own = x->start[universe.job] * x->bytes, bytes = x->nlocal * x->bytes;
    memcpy(x->sorted + own, x->all + own, (size_t)bytes);
    for (int job = 0; job < universe.njob; job++) {
        int count = x->start[job + 1] - x->start[job], err;
        if (job == universe.job || count == 0)
            continue;
        int peer = c->peer[x->rank[x->king[job]]];
        err = waitio_irecv(c->beyond, peer, x->sorted + x->start[job] * x->bytes, (size_t)(count * x->bytes), x->beyond, &x->outer[x->nouter++]);
        if (!err)
            err = waitio_isend(c->beyond, peer, x->all + own, (size_t)bytes, x->beyond, &x->outer[x->nouter++]);
        if (err)
            return err;
    }
    return H3OU__OK;
}

static int job_of(const universe_exchange_run *x, int i)
{
    return universe_job_of(x->c->world_rank[x->rank[i]]);
}

/* Puts what stands by job and local rank in the order of the ranks. */
static void order_by_rank(universe_exchange_run *x)
{
    int *at = x->king; /* not needed any more */
    for (int job = 0; job < universe.njob; job++)
        at[job] = x->start[job];
    for (int i = 0; i < x->size; i++)
        memcpy(x->all + i * x->bytes, x->sorted + at[job_of(x, i)]++ * x->bytes, (size_t)x->bytes);
}

/* Finds who is where; rank NULL: all members. */
static void find_places(universe_exchange_run *x, const int rank[])
{
    const universe_comm *c = x->c;
    for (int i = 0; i < x->size; i++) {
        x->rank[i] = rank ? rank[i] : i;
        int job = job_of(x, i), local = c->local_rank[x->rank[i]];
        if (x->start[job + 1]++ == 0)
            x->king[job] = i;
        if (local < 0)
            continue;
        if (local == c->my_local)
            x->my_local = x->nlocal;
        x->local[x->nlocal++] = local;
    }
    for (int job = 0; job < universe.njob; job++)
        x->start[job + 1] += x->start[job];
}

static void run_free(universe_exchange_run *x)
{
    free(x->sorted);
    free(x->all);
    free(x->start);
    free(x->outer);
    universe_comm_drop(x->c);
    free(x);
}

static universe_exchange_run *run_new(universe_comm *c, int size, int64_t bytes)
{
    universe_exchange_run *x = calloc(1, sizeof *x);
    size_t jobs = (size_t)universe.njob, n = (size_t)size, all = n * (size_t)bytes;
    if (x && all <= INT_MAX) {
        *x = (universe_exchange_run){.c = c, .size = size, .bytes = bytes, .sorted = malloc(all + 1), .all = malloc(all + 1),
                                     .start = calloc(2 * jobs + 1 + 2 * n, sizeof(int)), .outer = malloc(2 * jobs * sizeof(waitio_req_t))};
        universe_comm_hold(c);
        if (x->sorted && x->all && x->start && x->outer) {
            x->king = x->start + jobs + 1;
            x->rank = x->king + jobs;
            x->local = x->rank + n;
            return x;
        }
        run_free(x);
        x = NULL;
    }
    free(x);
    h3ou__fail(H3OU__ENOMEM, "no memory for %lld bytes of each of %d processes", (long long)bytes, size);
    return NULL;
}

static int run_begin(universe_exchange_run *x, const int rank[], const void *mine)
{
    find_places(x, rank);
    memcpy(x->all + (x->start[universe.job] + x->my_local) * x->bytes, mine, (size_t)x->bytes);
    return message_children(x, false);
}

int universe_exchange_begin(universe_comm *c, const void *mine, int64_t bytes, universe_exchange_run **run)
{
    universe_exchange_run *x = *run = run_new(c, c->size, bytes);
    if (!x)
        return H3OU__ENOMEM;
    int64_t number = c->ncollective++;
    x->tag = (int)(number & TAG_MASK);
    x->beyond = number << TAG_SHIFT;
    return run_begin(x, NULL, mine);
}

/* Sets *done when no message of the stage is under way. */
static int messages_test(universe_exchange_run *x, bool *done)
{
    int all = 1;
    if (x->ninner && universe.mpi->Testall(x->ninner, x->inner, &all, NULL))
        return h3ou__fail(H3OU__EMPI, "a message inside the job failed");
    for (; all && x->nouter; x->nouter--) {
        int err = waitio_test(&x->outer[x->nouter - 1], &all);
        if (err)
            return err;
        if (!all)
            break;
    }
    *done = all;
    if (all)
        x->ninner = 0;
    return H3OU__OK;
}

int universe_exchange_test(universe_exchange_run *x, bool *done)
{
    for (;;) {
        int err = messages_test(x, done);
        if (err || !*done || x->stage == ENDED)
            return err;
        if (x->stage == UP)
            err = x->my_local ? message_parent(x) : message_kings(x);
        else if (x->stage == ACROSS)
            err = message_children(x, true);
        else
            order_by_rank(x);
        if (err)
            return err;
        x->stage++;
    }
}

const void *universe_exchange_all(const universe_exchange_run *x)
{
    return x->all;
}

void universe_exchange_end(universe_exchange_run *x)
{
    if (x && (x->stage == ENDED || (!x->ninner && !x->nouter)))
        run_free(x);
}

/* Waits for a run, whose beginning returned `err`; the lock is taken. */
static int run_wait(universe_exchange_run *x, int err, void *all)
{
    h3ou__pause pause;
    bool done = false;
    h3ou__pause_begin(&pause);
    while (!err) {
        err = universe_exchange_test(x, &done);
        if (err || done)
            break;
        err = universe_turn(&pause);
    }
    if (!err)
        memcpy(all, x->all, (size_t)(x->size * x->bytes));
    universe_exchange_end(x);
    return err;
}

int universe_exchange(universe_comm *c, const void *mine, int64_t bytes, void *all)
{
    universe_exchange_run *x;
    universe_enter();
    int err = universe_exchange_begin(c, mine, bytes, &x);
    err = run_wait(x, err, all);
    universe_exit();
    return err;
}

int universe_exchange_part(universe_comm *c, int size, const int rank[], int tag, const void *mine, int64_t bytes, void *all)
{
    universe_enter();
    universe_exchange_run *x = run_new(c, size, bytes);
    int err = H3OU__ENOMEM;
    if (x) {
        x->tag = TAG_OF_PART | (tag & TAG_MASK);
        x->beyond = BEYOND_OF_PART | tag;
        err = run_begin(x, rank, mine);
    }
    err = run_wait(x, err, all);
    universe_exit();
    return err;
}

/* Rank 0 of the world makes most communicators: it has half of the numbers, the others share the rest. */
int32_t universe_context_new(void)
{
    enum { HALF = 1 << 29 };
    static int32_t made;
    int32_t share = universe.rank ? HALF / (universe.size - 1) : HALF - 1;
    if (made >= share)
        return -1;
    made++;
    return universe.rank ? HALF + (universe.rank - 1) * share + made - 1 : made;
}

int universe_agree_context(universe_comm *c, int32_t *context)
{
    int32_t mine = c->rank == 0 ? universe_context_new() : 0, *all = malloc((size_t)c->size * sizeof *all);
    int err = all ? universe_exchange(c, &mine, sizeof mine, all) : h3ou__fail(H3OU__ENOMEM, "no memory for %d numbers", c->size);
    if (!err) {
        *context = all[0];
        if (*context < 0)
            err = h3ou__fail(H3OU__ENOMEM, "there is no number left for another communicator");
    }
    free(all);
    return err;
}
