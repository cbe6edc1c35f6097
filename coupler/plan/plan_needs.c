/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Planning, second half: finding the owners of the source cells that a receiver needs. Receiver j asks its home among
 * the senders, rank j mod nsend; homes ask the keepers of the sending grid's directory; keepers answer, and tell the
 * owners.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/common/index_set.h"
#include "coupler/common/message_tags.h"
#include "coupler/common/redistribute.h"
#include "coupler/plan/plan.h"

static const char what_needs[] = "source cells needed by a receiver";
static const char what_owners[] = "owners of source cells";

/* Agrees on the number of rounds over both components: that of the receiver which needs most cells. */
static int agree_rounds(const h3ou__plan_task *task, int64_t need, int64_t *rounds)
{
    int err = H3OU__OK;
    h3ou__req req;
    bool leader = h3ou__comm_rank(task->local) == 0;
    int64_t mine = (need + task->chunk - 1) / task->chunk;
    if (!task->sender) {
        err = h3ou__allreduce(task->local, &mine, rounds, 1, H3OU__INT64, H3OU__MAX);
        if (!err && leader &&
            (err = h3ou__isend(task->model, 0, H3OU__TAG_NEEDS, rounds, 1, H3OU__INT64, what_needs, &req)) == H3OU__OK)
            err = h3ou__waitall(task->world, 1, &req);
        return err;
    }
    if (leader && (err = h3ou__irecv(task->model, task->nsend, H3OU__TAG_NEEDS, rounds, 1, H3OU__INT64, what_needs,
                                     &req)) == H3OU__OK)
        err = h3ou__waitall(task->world, 1, &req);
    return err ? err : h3ou__bcast(task->local, rounds, 1, H3OU__INT64, 0);
}

int h3ou__plan_ask_owners(const h3ou__plan_task *task, const int64_t need[], int64_t n, int64_t owner[])
{
    int64_t rounds, at = 0;
    int home = h3ou__comm_rank(task->local) % task->nsend;
    int err = agree_rounds(task, n, &rounds);
    for (int64_t r = 0; r < rounds && !err; r++) {
        h3ou__req req[3];
        int64_t count = n - at < task->chunk ? n - at : task->chunk;
        if ((err = h3ou__isend(task->model, home, H3OU__TAG_NEEDS, &count, 1, H3OU__INT64, what_needs, &req[0])) !=
                H3OU__OK ||
            (err = h3ou__isend(task->model, home, H3OU__TAG_NEEDS, need + at, count, H3OU__INT64, what_needs,
                               &req[1])) != H3OU__OK ||
            (err = h3ou__irecv(task->model, home, H3OU__TAG_OWNERS, owner + at, count, H3OU__INT64, what_owners,
                               &req[2])) != H3OU__OK)
            break;
        err = h3ou__waitall(task->world, 3, req);
        at += count;
    }
    return err;
}

/* The questions of a round that this process got as the home of receivers. */
typedef struct questions {
    int npeer;      /* receivers whose home I am */
    int first;      /* the first of them; the others follow in steps of nsend */
    int64_t *count; /* [npeer] */
    int64_t n;
    int64_t *id;    /* [n] */
    h3ou__req *req; /* [npeer] */
} questions;

static int peer_rank(const h3ou__plan_task *task, const questions *q, int k)
{
    return task->nsend + q->first + k * task->nsend;
}

static int receive_questions(const h3ou__plan_task *task, questions *q)
{
    int err = H3OU__OK;
    for (int k = 0; k < q->npeer && !err; k++)
        err = h3ou__irecv(task->model, peer_rank(task, q, k), H3OU__TAG_NEEDS, &q->count[k], 1, H3OU__INT64, what_needs,
                          &q->req[k]);
    if (err || (err = h3ou__waitall(task->world, q->npeer, q->req)) != H3OU__OK)
        return err;
    q->n = 0;
    for (int k = 0; k < q->npeer; k++)
        q->n += q->count[k];
    if (!h3ou__resize(&q->id, sizeof *q->id, q->n))
        return h3ou__no_memory("the plan of an exchange");
    int64_t at = 0;
    for (int k = 0; k < q->npeer && !err; k++) {
        err = h3ou__irecv(task->model, peer_rank(task, q, k), H3OU__TAG_NEEDS, q->id + at, q->count[k], H3OU__INT64,
                          what_needs, &q->req[k]);
        at += q->count[k];
    }
    return err ? err : h3ou__waitall(task->world, q->npeer, q->req);
}

static int send_owners(const h3ou__plan_task *task, questions *q, int64_t *owner)
{
    int err = H3OU__OK;
    int64_t at = 0;
    for (int k = 0; k < q->npeer && !err; k++) {
        err = h3ou__isend(task->model, peer_rank(task, q, k), H3OU__TAG_OWNERS, owner + at, q->count[k], H3OU__INT64,
                          what_owners, &q->req[k]);
        at += q->count[k];
    }
    return err ? err : h3ou__waitall(task->world, q->npeer, q->req);
}

/* Sends the questions to the keepers of the directory, as items {index, receiver}. */
static int ask_keepers(const h3ou__plan_task *task, const questions *q, h3ou__redistribution *asked)
{
    int err = H3OU__OK;
    int *to = malloc(sizeof *to * (size_t)(q->n + 1));
    int64_t *item = malloc(sizeof *item * (size_t)(2 * q->n + 1));
    if (!to || !item)
        err = h3ou__no_memory("the plan of an exchange");
    int64_t i = 0;
    for (int k = 0; k < q->npeer && !err; k++)
        for (int64_t c = 0; c < q->count[k] && !err; c++, i++) {
            to[i] = h3ou__grid_keeper(task->grid, q->id[i]);
            item[2 * i] = q->id[i];
            item[2 * i + 1] = peer_rank(task, q, k);
            if (to[i] < 0)
                err = h3ou__fail(H3OU__EINDEX, "the table's send_index %" PRId64 " is not a cell of grid %s", q->id[i],
                                 task->grid->name);
        }
    if (!err)
        err = h3ou__redistribute(task->local, q->n, to, 2, item, asked);
    free(to);
    free(item);
    return err;
}

/* Called as keeper: returns the owners' ranks to the homes, and sends {place, receiver} to each owner: the cells
 * of a receiver by ascending index, as it asks for them and as keepers have blocks of indices. */
static int answer_and_tell_owners(const h3ou__plan_task *task, const h3ou__redistribution *asked, int64_t **answer,
                                  h3ou__redistribution *forwarded)
{
    int err = H3OU__OK;
    int *to = malloc(sizeof *to * (size_t)(asked->ngot + 1));
    int64_t *reply = malloc(sizeof *reply * (size_t)(asked->ngot + 1));
    int64_t *item = malloc(sizeof *item * (size_t)(2 * asked->ngot + 1));
    if (!to || !reply || !item)
        err = h3ou__no_memory("the plan of an exchange");
    for (int64_t i = 0; i < asked->ngot && !err; i++) {
        if (!h3ou__grid_owner(task->grid, asked->item[2 * i], &to[i], &item[2 * i])) {
            err = h3ou__fail(H3OU__EINDEX,
                             "the table's send_index %" PRId64 " is not a cell of grid %s: no process defined it",
                             asked->item[2 * i], task->grid->name);
            break;
        }
        reply[i] = to[i];
        item[2 * i + 1] = asked->item[2 * i + 1];
    }
    if (!err && (err = h3ou__redistribute_back(task->local, asked, reply, answer)) == H3OU__OK)
        err = h3ou__redistribute(task->local, asked->ngot, to, 2, item, forwarded);
    free(to);
    free(reply);
    free(item);
    return err;
}

typedef struct orders { /* {place, receiver} of every cell that I am to send */
    int64_t n, room;
    int64_t *item;
} orders;

static int round_of_questions(const h3ou__plan_task *task, questions *q, orders *all)
{
    h3ou__redistribution asked = {0}, forwarded = {0};
    int64_t *answer = NULL;
    int err = receive_questions(task, q);
    if (!err)
        err = ask_keepers(task, q, &asked);
    if (!err)
        err = answer_and_tell_owners(task, &asked, &answer, &forwarded);
    if (!err)
        err = send_owners(task, q, answer);
    if (!err && !h3ou__grow(&all->item, 2 * sizeof *all->item, &all->room, all->n + forwarded.ngot))
        err = h3ou__no_memory("the plan of an exchange");
    if (!err) {
        if (forwarded.ngot)
            memcpy(all->item + 2 * all->n, forwarded.item, sizeof *all->item * (size_t)(2 * forwarded.ngot));
        all->n += forwarded.ngot;
    }
    free(answer);
    h3ou__redistribution_free(&asked);
    h3ou__redistribution_free(&forwarded);
    return err;
}

static int list_receivers(const int64_t item[], int64_t n, h3ou__index_set *receivers, h3ou__plan *p)
{
    int err = H3OU__OK;
    bool is_new;
    for (int64_t i = 0; i < n && !err; i++)
        err = h3ou__index_set_add(receivers, item[2 * i + 1], &is_new);
    h3ou__index_set_count(receivers);
    if (err)
        return err;
    int64_t *rank = malloc(sizeof *rank * (size_t)(receivers->n + 1));
    p->partner = malloc(sizeof *p->partner * (size_t)(receivers->n + 1));
    if (rank && p->partner) {
        h3ou__index_set_list(receivers, rank);
        for (; p->npartner < receivers->n; p->npartner++)
            p->partner[p->npartner] = (int)rank[p->npartner];
    }
    free(rank);
    return rank && p->partner ? H3OU__OK : h3ou__no_memory("the plan of an exchange");
}

int h3ou__plan_fill_sender(const int64_t item[], int64_t n, h3ou__plan *p)
{
    h3ou__index_set receivers = {0};
    int err = list_receivers(item, n, &receivers, p);
    p->start = calloc((size_t)receivers.n + 2, sizeof *p->start);
    p->slot = malloc(sizeof *p->slot * (size_t)(n + 1));
    if (!err && (!p->start || !p->slot))
        err = h3ou__no_memory("the plan of an exchange");
    /* start[k + 1] is where the next cell of receiver k goes, and at last where those of the next begin. */
    for (int64_t i = 0; i < n && !err; i++)
        p->start[h3ou__index_set_place(&receivers, item[2 * i + 1]) + 2]++;
    for (int k = 0; k < p->npartner && !err; k++)
        p->start[k + 2] += p->start[k + 1];
    for (int64_t i = 0; i < n && !err; i++)
        p->slot[p->start[h3ou__index_set_place(&receivers, item[2 * i + 1]) + 1]++] = (int32_t)item[2 * i];
    h3ou__index_set_free(&receivers);
    return err;
}

int h3ou__plan_answer_owners(const h3ou__plan_task *task, h3ou__plan *plan)
{
    int64_t rounds = 0;
    orders all = {0};
    questions q = {.first = h3ou__comm_rank(task->local)};
    q.npeer = q.first < task->nrecv ? (task->nrecv - q.first + task->nsend - 1) / task->nsend : 0;
    q.count = calloc((size_t)q.npeer + 1, sizeof *q.count);
    q.req = calloc((size_t)q.npeer + 1, sizeof *q.req);
    int err = q.count && q.req ? agree_rounds(task, 0, &rounds) : h3ou__no_memory("the plan of an exchange");
    for (int64_t r = 0; r < rounds && !err; r++)
        err = round_of_questions(task, &q, &all);
    if (!err)
        err = h3ou__plan_fill_sender(all.item, all.n, plan);
    free(q.count);
    free(q.req);
    free(q.id);
    free(all.item);
    return err;
}
