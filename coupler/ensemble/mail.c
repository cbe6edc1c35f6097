/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/mail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_state.h"

static int64_t cells_of(const h3ou__mail *m, int k)
{
    return m->bridge->start[k + 1] - m->bridge->start[k];
}

/* Returns where the message of partner k begins in m->data. */
static double *message_of(const h3ou__mail *m, int k)
{
    return m->data + (int64_t)k * H3OU__MAIL_HEAD + m->bridge->start[k] * m->most;
}

/* Returns the length of all messages. */
static int64_t numbers_of(const h3ou__mail *m)
{
    return (int64_t)m->bridge->npartner * H3OU__MAIL_HEAD + m->bridge->start[m->bridge->npartner] * m->most;
}

static int allocate_data(h3ou__mail *m)
{
    if (!m->data)
        m->data = malloc(sizeof *m->data * (size_t)(numbers_of(m) + 1));
    return m->data ? H3OU__OK : h3ou__no_memory("%s", m->what);
}

int h3ou__mail_create(h3ou__world *world, const h3ou__bridge *bridge, int64_t n, int tag, int most_rows, const char *what,
                      h3ou__mail **out)
{
    h3ou__mail *m = calloc(1, sizeof *m);
    if (!m)
        return h3ou__no_memory("%s", what);
    *m = (h3ou__mail){.world = world, .bridge = bridge, .what = what, .tag = tag, .most = most_rows};
    m->req = calloc((size_t)bridge->npartner + 1, sizeof *m->req);
    m->cells = malloc(sizeof *m->cells * (size_t)(bridge->npartner + 1));
    if (!m->req || !m->cells) {
        h3ou__mail_free(m);
        return h3ou__no_memory("%s", what);
    }
    for (int k = 0; k < bridge->npartner; k++)
        m->cells[k] = h3ou__picked_of(bridge->cell + bridge->start[k], cells_of(m, k));
    m->is_whole = bridge->npartner == 1 && n > 0 && m->cells->count == n && m->cells->is_run && m->cells->at[0] == 0;
    *out = m;
    return H3OU__OK;
}

void h3ou__mail_free(h3ou__mail *m)
{
    if (!m)
        return;
    free(m->req);
    free(m->cells);
    free(m->data);
    free(m->arrived);
    free(m);
}

int h3ou__mails_create(h3ou__world *world, const h3ou__family *family, int tag, int most_rows, bool is_each,
                       const char *what, h3ou__mails *out)
{
    int mine = is_each ? h3ou__family_below(family->place, family->size) : 1, err = H3OU__OK;
    if (family->parent)
        err = h3ou__mail_create(world, family->parent, family->grid->n, tag, most_rows * mine, what, &out->parent);
    for (; out->nchild < family->nchild && !err; out->nchild += !err) {
        int theirs = is_each ? h3ou__family_below(family->place + (1 << out->nchild), family->size) : 1;
        err = h3ou__mail_create(world, family->child[out->nchild], family->grid->n, tag, most_rows * theirs, what,
                                &out->child[out->nchild]);
    }
    return err;
}

void h3ou__mails_free(h3ou__mails *m)
{
    h3ou__mail_free(m->parent);
    for (int i = 0; i < m->nchild; i++)
        h3ou__mail_free(m->child[i]);
}

int h3ou__mail_drain(h3ou__mail *m)
{
    if (!m->is_leaving)
        return H3OU__OK;
    m->is_leaving = false;
    return h3ou__waitall(m->world, m->bridge->npartner, m->req);
}

int h3ou__mail_begin(h3ou__mail *m, double **rows)
{
    int err = h3ou__mail_drain(m);
    if (!err && (err = allocate_data(m)) == H3OU__OK)
        *rows = m->data + H3OU__MAIL_HEAD;
    return err;
}

int h3ou__mail_send(h3ou__mail *m, const h3ou__mail_head *head, const double value[], int64_t n, int rows)
{
    const h3ou__bridge *b = m->bridge;
    int err = h3ou__mail_drain(m);
    if (!err)
        err = allocate_data(m);
    for (int k = 0; k < b->npartner && !err; k++) {
        double *message = message_of(m, k);
        memcpy(message, head, sizeof *head);
        if (value != message + H3OU__MAIL_HEAD)
            h3ou__pack_rows(&m->cells[k], value, n, rows, message + H3OU__MAIL_HEAD);
        err = h3ou__isend(b->model, b->partner[k], m->tag, message, H3OU__MAIL_HEAD + cells_of(m, k) * rows,
                          H3OU__DOUBLE, m->what, &m->req[k]);
    }
    m->is_leaving = !err;
    return err;
}

int h3ou__mail_forward(h3ou__mail *m, const double *message, int rows)
{
    int err = h3ou__mail_drain(m);
    if (!err)
        err = h3ou__isend(m->bridge->model, m->bridge->partner[0], m->tag, message,
                          H3OU__MAIL_HEAD + m->cells->count * rows, H3OU__DOUBLE, m->what, &m->req[0]);
    m->is_leaving = !err;
    return err;
}

int h3ou__mail_post(h3ou__mail *m)
{
    const h3ou__bridge *b = m->bridge;
    int err = m->is_posted ? H3OU__OK : allocate_data(m);
    for (int k = 0; k < b->npartner && !err && !m->is_posted; k++)
        err = h3ou__irecv(b->model, b->partner[k], m->tag, message_of(m, k), H3OU__MAIL_HEAD + cells_of(m, k) * m->most,
                          H3OU__DOUBLE, m->what, &m->req[k]);
    m->is_posted = !err;
    return err;
}

static h3ou__mail_head head_of(const h3ou__mail *m, int k)
{
    h3ou__mail_head head;
    memcpy(&head, message_of(m, k), sizeof head);
    return head;
}

/* Returns whether two messages are of one exchange. Processes of a member that nothing tells when the other component
 * ends tell its end without a time. */
static bool is_same_exchange(const h3ou__mail_head *a, const h3ou__mail_head *b)
{
    return a->state == b->state && (a->state == H3OU__END || (a->time == b->time && a->members == b->members));
}

static bool is_possible(const h3ou__mail_head *h)
{
    return (h->state == H3OU__VALUE || h->state == H3OU__NO_VALUE || h->state == H3OU__END || h->state == H3OU__SKIPPED) && h->members >= 0.0 &&
           h->members <= H3OU__MEMBERS_MOST;
}

/* Sets *rows to those of the message of partner k, and returns whether it is whole and belongs to the first one. */
static bool is_whole(const h3ou__mail *m, int k, int *rows)
{
    int64_t got = h3ou__req_count(&m->req[k], H3OU__DOUBLE) - H3OU__MAIL_HEAD, cells = cells_of(m, k);
    h3ou__mail_head first = head_of(m, 0), mine = head_of(m, k);
    int64_t have = got > 0 && cells > 0 ? got / cells : 0;
    if (k == 0)
        *rows = (int)have;
    return got >= 0 && have == *rows && got == have * cells && is_possible(&mine) && is_same_exchange(&first, &mine);
}

int h3ou__mail_receive(h3ou__mail *m, h3ou__mail_head *head, int *rows)
{
    const h3ou__bridge *b = m->bridge;
    int err = h3ou__mail_post(m);
    *rows = 0;
    *head = (h3ou__mail_head){0};
    if (!err)
        err = h3ou__waitall(m->world, b->npartner, m->req);
    if (err || b->npartner == 0)
        return err;
    m->is_posted = false;
    *head = head_of(m, 0);
    for (int k = 0; k < b->npartner; k++) {
        if (!is_whole(m, k, rows))
            return h3ou__fail(H3OU__EPROTO, "%s: the processes of %s sent parts of unlike exchanges", m->what, b->name);
        head->ended = fmax(head->ended, head_of(m, k).ended);
    }
    return H3OU__OK;
}

const double *h3ou__mail_take(h3ou__mail *m)
{
    double *next = m->arrived ? m->arrived : malloc(sizeof *next * (size_t)(numbers_of(m) + 1));
    if (!next)
        return NULL;
    m->arrived = m->data;
    m->data = next;
    return m->arrived;
}

double *h3ou__mail_part(const h3ou__mail *m, int k, const int64_t **cell, int64_t *count)
{
    *cell = m->bridge->cell + m->bridge->start[k];
    *count = cells_of(m, k);
    return message_of(m, k) + H3OU__MAIL_HEAD;
}
