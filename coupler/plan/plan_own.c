/* SPDX-License-Identifier: BSD-3-Clause */
/* Planning of a pair of grids inside one component: each process receives, sends, or does both. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "coupler/common/redistribute.h"
#include "coupler/grid/send_to_owners.h"
#include "coupler/plan/plan.h"

static int fail_no_source(const h3ou__grid *g, const int64_t item[])
{
    return h3ou__fail(H3OU__EINDEX, "the table's send_index %" PRId64 " is not a cell of grid %s%s", item[0], g->name,
                      h3ou__grid_keeper(g, item[0]) < 0 ? "" : ": no process defined it");
}

/* Called as keeper: replies with the owners' ranks. */
static int reply_owners(const h3ou__plan_task *task, const h3ou__redistribution *asked, int64_t **answer)
{
    int64_t *reply = malloc(sizeof *reply * (size_t)(asked->ngot + 1));
    int err = reply ? H3OU__OK : h3ou__no_memory("the plan of an exchange");
    for (int64_t i = 0; i < asked->ngot && !err; i++) {
        int rank = -1;
        int64_t place;
        err = h3ou__grid_owner(task->source, asked->item[i], &rank, &place) ? H3OU__OK
                                                                            : fail_no_source(task->source, &asked->item[i]);
        reply[i] = rank;
    }
    if (!err)
        err = h3ou__redistribute_back(task->local, asked, reply, answer);
    free(reply);
    return err;
}

int h3ou__plan_find_own_owners(const h3ou__plan_task *task, const int64_t need[], int64_t n, int64_t owner[])
{
    h3ou__redistribution asked = {0};
    int64_t *answer = NULL;
    int *to = malloc(sizeof *to * (size_t)(n + 1));
    int err = to ? H3OU__OK : h3ou__no_memory("the plan of an exchange");
    for (int64_t i = 0; i < n && !err; i++)
        if ((to[i] = h3ou__grid_keeper(task->source, need[i])) < 0)
            err = fail_no_source(task->source, &need[i]);
    if (!err)
        err = h3ou__redistribute(task->local, n, to, 1, need, &asked);
    if (!err)
        err = reply_owners(task, &asked, &answer);
    if (!err && n > 0)
        memcpy(owner, answer, sizeof *owner * (size_t)n);
    free(answer);
    free(to);
    h3ou__redistribution_free(&asked);
    return err;
}

/* Sends to the owners of the cells that I need {index, my rank}, which arrive as {place, receiver}, those of a receiver by
 * ascending index. */
static int order_cells(const h3ou__plan_task *task, const h3ou__plan *receiver, h3ou__redistribution *owned)
{
    int64_t n = receiver->start[receiver->npartner], *item = malloc(2 * sizeof *item * (size_t)(n + 1));
    if (!item)
        return h3ou__no_memory("the plan of an exchange");
    for (int64_t i = 0; i < n; i++) {
        item[2 * i] = receiver->source[i];
        item[2 * i + 1] = h3ou__comm_rank(task->local);
    }
    int err = h3ou__send_to_owners(task->source, task->local, n, 2, item, fail_no_source, owned);
    free(item);
    return err;
}

int h3ou__plan_make_own_sender(const h3ou__plan_task *task, const h3ou__plan *receiver, h3ou__plan **out)
{
    h3ou__redistribution owned = {0};
    h3ou__plan *p = calloc(1, sizeof *p);
    int err = p ? order_cells(task, receiver, &owned) : h3ou__no_memory("the plan of an exchange");
    if (!err)
        err = h3ou__plan_fill_sender(owned.item, owned.ngot, p);
    h3ou__redistribution_free(&owned);
    if (err) {
        h3ou__plan_free(p);
        return err;
    }
    p->model = receiver->model;
    p->sender = true;
    p->start_of_other = receiver->start_of_other;
    p->rotated = receiver->rotated;
    char pair[4 * H3OU__NAME + 64];
    h3ou__log(H3OU__LOG_LOUD, "plan", "pair=\"%s\" role=send partners=%d cells=%" PRId64 " rows=0 table=own",
              h3ou__pair_text(&task->name, pair, sizeof pair), p->npartner, p->start[p->npartner]);
    *out = p;
    return H3OU__OK;
}
