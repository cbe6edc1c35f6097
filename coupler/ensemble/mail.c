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

int h3ou__mail_create(h3ou__world *world, const h3ou__bridge *bridge, int tag, int most_rows, const char *what,
                      h3ou__mail **out)
{
    h3ou__mail *m = calloc(1, sizeof *m);
    if (!m)
        return h3ou__no_memory("%s", what);
    *m = (h3ou__mail){.world = world, .bridge = bridge, .what = what, .tag = tag, .most = most_rows};
    int64_t numbers = bridge->npartner * H3OU__MAIL_HEAD + bridge->start[bridge->npartner] * most_rows;
    m->req = calloc((size_t)bridge->npartner + 1, sizeof *m->req);
    m->data = malloc(sizeof *m->data * (size_t)(numbers + 1));
    if (!m->req || !m->data) {
        h3ou__mail_free(m);
        return h3ou__no_memory("%s", what);
    }
    *out = m;
    return H3OU__OK;
}

void h3ou__mail_free(h3ou__mail *m)
{
    if (!m)
        return;
    free(m->req);
    free(m->data);
    free(m);
}

int h3ou__mails_create(h3ou__world *world, const h3ou__family *family, int tag, int most_rows, bool is_each,
                       const char *what, h3ou__mails *out)
{
    int mine = is_each ? h3ou__family_below(family->place, family->size) : 1, err = H3OU__OK;
    if (family->parent)
        err = h3ou__mail_create(world, family->parent, tag, most_rows * mine, what, &out->parent);
    for (; out->nchild < family->nchild && !err; out->nchild += !err) {
        int theirs = is_each ? h3ou__family_below(family->place + (1 << out->nchild), family->size) : 1;
        err = h3ou__mail_create(world, family->child[out->nchild], tag, most_rows * theirs, what, &out->child[out->nchild]);
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

static void pack_rows(const int64_t cell[], int64_t count, const double value[], int64_t n, int rows, double *to)
{
    for (int row = 0; row < rows; row++, value += n)
        for (int64_t i = 0; i < count; i++)
            *to++ = value[cell[i]];
}

int h3ou__mail_send(h3ou__mail *m, const h3ou__mail_head *head, const double value[], int64_t n, int rows)
{
    const h3ou__bridge *b = m->bridge;
    int err = h3ou__mail_drain(m);
    for (int k = 0; k < b->npartner && !err; k++) {
        double *message = message_of(m, k);
        memcpy(message, head, sizeof *head);
        pack_rows(b->cell + b->start[k], cells_of(m, k), value, n, rows, message + H3OU__MAIL_HEAD);
        err = h3ou__isend(b->model, b->partner[k], m->tag, message, H3OU__MAIL_HEAD + cells_of(m, k) * rows,
                          H3OU__DOUBLE, m->what, &m->req[k]);
    }
    m->is_leaving = !err;
    return err;
}

int h3ou__mail_post(h3ou__mail *m)
{
    const h3ou__bridge *b = m->bridge;
    int err = H3OU__OK;
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

double *h3ou__mail_part(const h3ou__mail *m, int k, const int64_t **cell, int64_t *count)
{
    *cell = m->bridge->cell + m->bridge->start[k];
    *count = cells_of(m, k);
    return message_of(m, k) + H3OU__MAIL_HEAD;
}
