/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/clock/stop_leads.h"
#include "coupler/common/index_set.h"
#include "coupler/common/message_tags.h"
#include "coupler/config/leniency.h"
#include "coupler/plan/listed_rows.h"
#include "coupler/time/calendar.h"
#include "coupler/weights/made_rows.h"
#include "coupler/weights/pair_tables.h"

enum { PAIR_TEXT = 4 * H3OU__NAME + 64 };

/* The leaders exchange what their components gave, and broadcast it to all processes of both components. */
enum { GIVEN, SPREAD, ROTATED, PLAIN, MADE, START, FORMAT, FLAT, NFACT };
enum { MESSAGES = 5 }; /* version of the messages of an exchange: to be raised when they change */

static int my_facts(const h3ou__plan_task *task, int64_t fact[NFACT])
{
    bool given = task->table && task->table->given;
    bool turns = given && task->table->rotated;
    int64_t mine[START] = {given, given && task->table->spread, turns, given && !turns && task->table->n > 0,
                           given && task->table->made};
    fact[START] = task->clock->start + task->clock->begin;
    fact[FORMAT] = MESSAGES;
    fact[FLAT] = task->is_flat;
    return h3ou__allreduce(task->local, mine, fact, START, H3OU__INT64, H3OU__MAX);
}

static int swap_facts(const h3ou__plan_task *task, const int64_t mine[NFACT], int64_t theirs[NFACT])
{
    int err = H3OU__OK;
    if (h3ou__comm_rank(task->local) == 0) {
        h3ou__req req[2];
        int peer = task->sender ? task->nsend : 0;
        if ((err = h3ou__irecv(task->model, peer, H3OU__TAG_MEET, theirs, NFACT, H3OU__INT64,
                               "the plan of a pair of grids", &req[0])) == H3OU__OK &&
            (err = h3ou__isend(task->model, peer, H3OU__TAG_MEET, mine, NFACT, H3OU__INT64,
                               "the plan of a pair of grids", &req[1])) == H3OU__OK)
            err = h3ou__waitall(task->world, 2, req);
    }
    if (!err)
        err = h3ou__bcast(task->local, theirs, NFACT, H3OU__INT64, 0);
    return err;
}

/* Returns whether the starts differ as those of a run that goes on from an early stop do. */
static bool are_apart_by_lead(const h3ou__plan_task *task, int64_t theirs)
{
    h3ou__world *w = task->world;
    int other = h3ou__world_find(w, task->sender ? task->name.recv_comp : task->name.send_comp);
    h3ou__stop_leads leads = {0};
    bool are = false;
    if (other >= 0 && !h3ou__stop_leads_find(task->config, &leads)) {
        h3ou__rational mine = h3ou__stop_leads_of(&leads, h3ou__world_component_base(w, h3ou__world_me(w)));
        h3ou__rational its = h3ou__stop_leads_of(&leads, h3ou__world_component_base(w, other));
        are = h3ou__rational_compare(h3ou__rational_subtract(its, mine), h3ou__whole(theirs - task->clock->start)) == 0;
    }
    h3ou__stop_leads_free(&leads);
    return are;
}

/* Compares the start dates of both components, which may differ: with the key `start` a component may begin later than
 * the run, without it each counts from its own start (leniency.h). */
static int check_start(const h3ou__plan_task *task, int64_t theirs)
{
    int calendar = task->config->calendar, date[6];
    char a[H3OU__DATE_TEXT], b[H3OU__DATE_TEXT];
    if (theirs == task->clock->start || calendar == H3OU__NO_CALENDAR || task->config->has_start || are_apart_by_lead(task, theirs))
        return H3OU__OK;
    h3ou__date_from_seconds(calendar, theirs, date);
    return h3ou__lenient(task->config, &task->clock->start_told, H3OU__ETIME,
                         "components start at different times: %s here, %s in %s (h3ou_init_time), and each counts from its own start; "
                         "the key start of the namelist says when the run starts",
                         h3ou__date_text(task->clock->date, a), h3ou__date_text(date, b),
                         task->sender ? task->name.recv_comp : task->name.send_comp);
}

/* giver: the facts of the component that gave the table. */
static void take_facts(h3ou__plan_task *task, const int64_t giver[NFACT])
{
    task->spread = giver[SPREAD];
    task->rotated = giver[ROTATED];
    task->is_made = giver[MADE];
}

static int compare_facts(h3ou__plan_task *task)
{
    int64_t mine[NFACT], theirs[NFACT] = {0};
    int err = my_facts(task, mine);
    if (!err && !task->source)
        err = swap_facts(task, mine, theirs);
    for (int k = START; k < NFACT && task->source; k++)
        theirs[k] = mine[k]; /* what does not say who gave a table */
    if (err)
        return err;
    if (theirs[FORMAT] != MESSAGES)
        return h3ou__fail(H3OU__EPROTO, "%s sends its fields in another format: all components must run the same version of h3ou",
                          task->sender ? task->name.recv_comp : task->name.send_comp);
    if ((err = check_start(task, theirs[START])) != H3OU__OK)
        return err;
    task->start_of_other = theirs[START];
    if (mine[GIVEN] && theirs[GIVEN])
        return h3ou__pair_tables_both();
    task->waits = task->may_wait && !mine[GIVEN] && !theirs[GIVEN];
    if (task->waits)
        return H3OU__OK;
    if (!mine[GIVEN] && task->source)
        return h3ou__pair_tables_none(task->name.send_comp, task->name.send_comp);
    if (!mine[GIVEN] && !theirs[GIVEN])
        return h3ou__pair_tables_none(task->name.send_comp, task->name.recv_comp);
    const int64_t *giver = mine[GIVEN] ? mine : theirs;
    if (giver[ROTATED] && giver[PLAIN])
        return h3ou__fail(H3OU__EARG, "an interpolation table has coef_cos and coef_sin on some processes only: every "
                                      "process that gives entries must give them");
    task->given_here = mine[GIVEN];
    take_facts(task, giver);
    task->is_flat = mine[FLAT] && theirs[FLAT];
    return H3OU__OK;
}

/* Appends the owners of cells to the partners of a receiver's plan, by rank, and the numbers of their cells to its starts. */
static int list_owners(const h3ou__index_set *owners, h3ou__plan *p)
{
    int64_t *rank = malloc(sizeof *rank * (size_t)(owners->n + 1));
    p->partner = malloc(sizeof *p->partner * (size_t)(owners->n + 1));
    p->start = calloc((size_t)owners->n + 1, sizeof *p->start);
    bool has = rank && p->partner && p->start;
    if (has) {
        h3ou__index_set_list(owners, rank);
        for (; p->npartner < owners->n; p->npartner++)
            p->partner[p->npartner] = (int)rank[p->npartner];
    }
    free(rank);
    return has ? H3OU__OK : h3ou__no_memory("the plan of an exchange");
}

/* Numbers the slots in which needed cells arrive: senders by rank, the cells of one by ascending index, as it sends
 * them. owner: the ranks of the senders, then the slots. */
static int number_slots(const int64_t need[], int64_t nneed, int64_t owner[], h3ou__plan *p)
{
    h3ou__index_set owners = {0};
    int err = H3OU__OK;
    bool is_new;
    for (int64_t i = 0; i < nneed && !err; i++)
        err = h3ou__index_set_add(&owners, owner[i], &is_new);
    h3ou__index_set_count(&owners);
    if (!err)
        err = list_owners(&owners, p);
    int64_t *next = calloc((size_t)owners.n + 1, sizeof *next);
    p->source = malloc(sizeof *p->source * (size_t)(nneed + 1));
    if (!err && (!next || !p->source))
        err = h3ou__no_memory("the plan of an exchange");
    for (int64_t i = 0; i < nneed && !err; i++) {
        owner[i] = h3ou__index_set_place(&owners, owner[i]);
        p->start[owner[i] + 1]++;
    }
    for (int k = 0; k < p->npartner && !err; k++) {
        next[k] = p->start[k];
        p->start[k + 1] += p->start[k];
    }
    for (int64_t i = 0; i < nneed && !err; i++) {
        owner[i] = next[owner[i]]++;
        p->source[owner[i]] = need[i];
    }
    free(next);
    h3ou__index_set_free(&owners);
    return err;
}

/* Gives the sorted entries to the plan, with slots in the place of source cells. */
static void move_entries(h3ou__entry_list *list, const h3ou__index_set *sources, const int64_t slot[], h3ou__plan *p)
{
    for (int64_t i = 0; i < list->n; i++)
        list->send[i] = (int32_t)slot[h3ou__index_set_place(sources, list->send[i])];
    p->rows.col = list->send;
    p->rows.coef = list->coef;
    p->turn = list->turn;
    list->send = NULL;
    list->coef = list->turn = NULL;
}

/* Plans with the rows of a table: finds the owners of their sources, and numbers the slots. */
static int plan_listed_rows(h3ou__plan_task *task, h3ou__listed_rows *l, h3ou__plan *p)
{
    int64_t n = l->sources.n, *owner = malloc(sizeof *owner * (size_t)(n + 1));
    int err = owner ? H3OU__OK : h3ou__no_memory("the plan of an exchange");
    if (!err)
        err = task->source ? h3ou__plan_find_own_owners(task, l->need, n, owner)
                           : h3ou__plan_ask_owners(task, l->need, n, owner);
    if (!err)
        err = number_slots(l->need, n, owner, p);
    if (!err)
        move_entries(&l->list, &l->sources, owner, p);
    free(owner);
    return err;
}

static int plan_receiver(h3ou__plan_task *task, h3ou__plan *p)
{
    h3ou__listed_rows now = {0}, *listed = task->listed && task->listed->is_there ? task->listed : &now;
    int err = listed->is_there ? H3OU__OK : h3ou__list_rows(task, listed);
    p->rows = listed->rows;
    listed->rows = (h3ou__sparse){0};
    if (!err)
        err = plan_listed_rows(task, listed, p);
    h3ou__listed_rows_free(listed);
    return err;
}

/* Plans with rows that this process made: numbers the slots, and tells the owners of the cells what to send. */
static int plan_made_receiver(h3ou__plan_task *task, h3ou__plan *p)
{
    h3ou__made_rows *made = task->table->made;
    int err = h3ou__made_rows_compact(made);
    if (!err)
        err = h3ou__made_rows_to_sparse(made, task->grid->n, &p->rows);
    if (!err)
        err = number_slots(made->source, made->nsource, made->owner, p);
    for (int64_t k = 0; k < made->n && !err; k++)
        p->rows.col[k] = (int32_t)made->owner[p->rows.col[k]]; /* their slots */
    return err || task->source ? err : h3ou__plan_tell_owners(task, p);
}

static int plan_sender(h3ou__plan_task *task, h3ou__plan *p)
{
    if (task->is_made)
        return h3ou__plan_hear_receivers(task, p);
    int err = task->given_here ? h3ou__plan_pass_entries(task) : H3OU__OK;
    return err ? err : h3ou__plan_answer_owners(task, p);
}

/* Finds what the steps of a plan need of my component. */
static int begin_task(h3ou__plan_task *task)
{
    task->local = h3ou__world_local(task->world);
    return h3ou__env_int("H3OU_PLAN_CHUNK", 1, 1 << 24, 1 << 14, &task->chunk);
}

int h3ou__plan_list_own_rows(h3ou__plan_task *task, h3ou__listed_rows *listed)
{
    char pair[PAIR_TEXT];
    int64_t mine[NFACT];
    int err = begin_task(task);
    if (!err)
        err = my_facts(task, mine);
    if (!err && mine[GIVEN] && !(mine[ROTATED] && mine[PLAIN])) {
        task->given_here = true;
        take_facts(task, mine);
        err = h3ou__list_rows(task, listed);
    }
    return err ? h3ou__fail_in(err, "%s", h3ou__pair_text(&task->name, pair, sizeof pair)) : H3OU__OK;
}

/* Finds the two components, and begins the plan. */
static int begin_plan(h3ou__plan_task *task, h3ou__plan **out)
{
    int a = h3ou__world_find(task->world, task->name.send_comp),
        b = h3ou__world_find(task->world, task->name.recv_comp);
    task->nsend = h3ou__world_component_size(task->world, a);
    task->nrecv = h3ou__world_component_size(task->world, b);
    int err = begin_task(task);
    *out = calloc(1, sizeof **out);
    if (!*out)
        return h3ou__fail(H3OU__ENOMEM, "out of memory while planning an exchange");
    task->model = task->local;
    if (!err && !task->source)
        err = h3ou__world_model(task->world, a, b, &task->model);
    (*out)->model = task->model;
    (*out)->sender = task->sender;
    return err;
}

int h3ou__plan_make(h3ou__plan_task *task, h3ou__plan **out)
{
    char pair[PAIR_TEXT];
    h3ou__pair_text(&task->name, pair, sizeof pair);
    h3ou__plan *p;
    int err = begin_plan(task, &p);
    if (err || (err = compare_facts(task)) != H3OU__OK)
        goto fail;
    if (task->waits) {
        h3ou__plan_free(p);
        *out = NULL;
        return H3OU__OK;
    }
    p->start_of_other = task->start_of_other;
    p->rotated = task->rotated;
    if ((err = task->sender    ? plan_sender(task, p)
               : task->is_made ? plan_made_receiver(task, p)
                               : plan_receiver(task, p)) != H3OU__OK ||
        (task->is_flat && (err = h3ou__plan_order(task, p)) != H3OU__OK) ||
        (!task->sender && (err = h3ou__sparse_prepare(&p->rows)) != H3OU__OK))
        goto fail;
    for (int k = 0; k < p->npartner; k++)
        p->from_itself |= task->source && p->partner[k] == h3ou__comm_rank(task->local);
    if (!task->sender)
        h3ou__sparse_place(&p->rows, 0);
    h3ou__log(H3OU__LOG_LOUD, "plan",
              "pair=\"%s\" role=%s partners=%d cells=%" PRId64 " rows=%" PRId64 " order=%s table=%s", pair,
              p->sender ? "send" : "receive", p->npartner, p->start[p->npartner], p->rows.nrow,
              p->in_row_order ? "rows" : "grid",
              task->is_made  ? "made"
              : task->spread ? "spread"
                             : "leader");
    *out = p;
    return H3OU__OK;
fail:
    h3ou__plan_free(p);
    return h3ou__fail_in(err, "%s", pair);
}

/* Compares the starts only: the table was compared with the first member. */
static int compare_starts(h3ou__plan_task *task, int64_t rotated, h3ou__plan *p)
{
    int64_t mine[NFACT] = {[ROTATED] = rotated, [START] = task->clock->start + task->clock->begin}, theirs[NFACT] = {0};
    int err = swap_facts(task, mine, theirs);
    if (!err)
        err = check_start(task, theirs[START]);
    p->start_of_other = theirs[START];
    p->rotated = task->sender ? theirs[ROTATED] : rotated;
    return err;
}

/* Asks another member for the cells of the first one's slots. */
static int share_receiver(const h3ou__plan_task *task, const h3ou__plan *first, h3ou__plan *p, int64_t **slot)
{
    int64_t n = first->start[first->npartner];
    int64_t *order = malloc(2 * sizeof *order * (size_t)(n + 1)), *need = malloc(sizeof *need * (size_t)(n + 1)),
            *owner = malloc(sizeof *owner * (size_t)(n + 1));
    *slot = malloc(sizeof **slot * (size_t)(n + 1));
    int err = order && need && owner && *slot
                  ? H3OU__OK
                  : h3ou__fail(H3OU__ENOMEM, "out of memory while planning an exchange");
    for (int64_t i = 0; i < n && !err; i++) {
        order[2 * i] = first->source[i];
        order[2 * i + 1] = i;
    }
    if (!err && n > 0)
        qsort(order, (size_t)n, 2 * sizeof *order, h3ou__compare_int64);
    for (int64_t i = 0; i < n && !err; i++)
        need[i] = order[2 * i];
    if (!err)
        err = h3ou__plan_ask_owners(task, need, n, owner);
    if (!err)
        err = number_slots(need, n, owner, p);
    for (int64_t i = 0; i < n && !err; i++)
        (*slot)[owner[i]] = order[2 * i + 1];
    free(order);
    free(need);
    free(owner);
    return err;
}

int h3ou__plan_share(h3ou__plan_task *task, const h3ou__plan *first, h3ou__plan **out, int64_t **slot)
{
    char pair[PAIR_TEXT];
    h3ou__plan *p;
    int err = begin_plan(task, &p);
    if (!err)
        err = compare_starts(task, first ? first->rotated : 0, p);
    if (!err)
        err = task->sender ? h3ou__plan_answer_owners(task, p) : share_receiver(task, first, p, slot);
    if (!err) {
        *out = p;
        return H3OU__OK;
    }
    h3ou__plan_free(p);
    return h3ou__fail_in(err, "%s", h3ou__pair_text(&task->name, pair, sizeof pair));
}

static void free_member(h3ou__member_plan *m)
{
    free(m->partner);
    free(m->start);
    free(m->slot);
}

void h3ou__plan_free(h3ou__plan *p)
{
    if (!p)
        return;
    for (int i = 0; p->member && i < p->nmember; i++)
        free_member(&p->member[i]);
    free(p->member);
    free(p->place);
    free(p->partner);
    free(p->start);
    free(p->slot);
    free(p->source);
    free(p->turn);
    h3ou__remainder_free(&p->left);
    h3ou__sparse_free(&p->rows);
    free(p);
}
