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

/* Makes this end of the ring to or from each partner. */
static int open_rings(h3ou__mail *m)
{
    const h3ou__bridge *b = m->bridge;
    int err = H3OU__OK;
    for (int k = 0; k < b->npartner && !err; k++)
        err = h3ou__ring_open(b->model, b->partner[k], m->tag, H3OU__MAIL_HEAD + cells_of(m, k) * m->most,
                              H3OU__MAIL_HEAD_RING, m->what, &m->ring[k]);
    return err;
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
    m->ring = calloc((size_t)bridge->npartner + 1, sizeof *m->ring);
    m->arrived = calloc((size_t)bridge->npartner + 1, sizeof *m->arrived);
    int err = m->req && m->cells && m->ring && m->arrived ? open_rings(m) : h3ou__no_memory("%s", what);
    if (err) {
        h3ou__mail_free(m);
        return err;
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
    for (int k = 0; m->ring && k < m->bridge->npartner; k++)
        h3ou__ring_free(m->ring[k]);
    free(m->ring);
    free(m->arrived);
    free(m->req);
    free(m->cells);
    free(m->data);
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

/* Returns where the next message to partner k is written. First waits for the send before, if that may use the memory. */
static int find_room(h3ou__mail *m, int k, double **message)
{
    *message = h3ou__ring_place(m->ring[k]);
    if (*message)
        return H3OU__OK;
    int err = k == 0 ? h3ou__mail_drain(m) : H3OU__OK;
    err = err ? err : allocate_data(m);
    *message = err ? NULL : message_of(m, k);
    return err;
}

int h3ou__mail_begin(h3ou__mail *m, double **rows)
{
    int err = find_room(m, 0, &m->begun);
    if (!err)
        *rows = m->begun + H3OU__MAIL_HEAD;
    return err;
}

int h3ou__mail_send(h3ou__mail *m, const h3ou__mail_head *head, const double value[], int64_t n, int rows)
{
    const h3ou__bridge *b = m->bridge;
    int err = h3ou__mail_drain(m);
    for (int k = 0; k < b->npartner && !err; k++) {
        double *message = m->begun;
        if (!message || value != message + H3OU__MAIL_HEAD)
            err = find_room(m, k, &message);
        if (err)
            return err;
        memcpy(message, head, sizeof *head);
        if (value != message + H3OU__MAIL_HEAD)
            h3ou__pack_rows(&m->cells[k], value, n, rows, message + H3OU__MAIL_HEAD);
        err = h3ou__ring_send(m->ring[k], message, H3OU__MAIL_HEAD + cells_of(m, k) * rows, &m->req[k]);
    }
    m->begun = NULL;
    m->is_leaving = !err;
    return err;
}

int h3ou__mail_forward(h3ou__mail *m, const double *message, int rows)
{
    int64_t numbers = H3OU__MAIL_HEAD + m->cells->count * rows;
    double *to = (double *)(uintptr_t)message;
    int err = h3ou__mail_drain(m);
    if (!err && !h3ou__ring_is_off(m->ring[0]) && (err = find_room(m, 0, &to)) == H3OU__OK)
        memcpy(to, message, sizeof *to * (size_t)numbers);
    if (!err)
        err = h3ou__ring_send(m->ring[0], to, numbers, &m->req[0]);
    m->is_leaving = !err;
    return err;
}

int h3ou__mail_post(h3ou__mail *m)
{
    int err = H3OU__OK;
    for (int k = 0; k < m->bridge->npartner && !err && !m->is_posted; k++) {
        if (!m->is_taken)
            h3ou__ring_release(m->ring[k]);
        err = h3ou__ring_receive(m->ring[k], &m->req[k]);
    }
    m->is_posted = !err;
    m->is_taken = false;
    return err;
}

static h3ou__mail_head head_of(const h3ou__mail *m, int k)
{
    h3ou__mail_head head;
    memcpy(&head, m->arrived[k], sizeof head);
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
    for (int k = 0; k < b->npartner; k++)
        m->arrived[k] = h3ou__ring_arrived(m->ring[k]);
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
    m->is_taken = true;
    return m->arrived[0];
}

const double *h3ou__mail_part(const h3ou__mail *m, int k, const int32_t **cell, int64_t *count)
{
    *cell = m->bridge->cell + m->bridge->start[k];
    *count = cells_of(m, k);
    return m->arrived[k] + H3OU__MAIL_HEAD;
}
