/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_state.h"
#include "coupler/statistic/unset_value.h"

/* Returns the rows of the part of the tree below a place. */
static int rows_below(const h3ou__relay *s, int place)
{
    return s->is_own ? s->rows * h3ou__family_below(place, s->family->size) : s->rows;
}

static bool is_forwarding(const h3ou__relay *s)
{
    bool is = !s->is_own && s->n > 0 && (!s->mail.parent || s->mail.parent->is_whole);
    for (int i = 0; i < s->mail.nchild; i++)
        is = is && s->mail.child[i]->is_whole;
    return is;
}

/* Allocates the memory of the values. A member that forwards the messages that come has none of its own. */
static int allocate_values(h3ou__relay *s, const char *what)
{
    int64_t values = rows_below(s, s->family->place) * s->n;
    bool is_complete = (s->set = malloc(sizeof *s->set * (size_t)(s->n + 1))) != NULL;
    s->is_forwarded = is_forwarding(s);
    for (int i = 0; i < 2 && is_complete && s->is_forwarded && !s->mail.parent; i++) {
        is_complete = (s->own[i] = malloc(sizeof *s->own[i] * (size_t)(H3OU__MAIL_HEAD + values))) != NULL;
        if (is_complete)
            h3ou__unset(s->own[i] + H3OU__MAIL_HEAD, values);
    }
    if (is_complete && !s->is_forwarded) {
        is_complete = (s->room = malloc(sizeof *s->room * (size_t)(values + 1))) != NULL;
        if (is_complete)
            h3ou__unset(s->room, values);
    }
    s->value = s->room;
    return is_complete ? H3OU__OK : h3ou__no_memory("%s", what);
}

int h3ou__relay_create(h3ou__world *world, const h3ou__family *family, int rows, bool is_own, int tag, const char *what,
                       h3ou__relay **out)
{
    h3ou__relay *s = calloc(1, sizeof *s);
    if (!s)
        return h3ou__no_memory("%s", what);
    *s = (h3ou__relay){.n = family->grid->n, .family = family, .rows = rows, .is_own = is_own};
    *out = s;
    int err = h3ou__mails_create(world, family, tag, rows, is_own, what, &s->mail);
    if (!err)
        err = allocate_values(s, what);
    return err || !s->mail.parent ? err : h3ou__mail_post(s->mail.parent);
}

void h3ou__relay_free(h3ou__relay *s)
{
    if (!s)
        return;
    h3ou__mails_free(&s->mail);
    free(s->room);
    free(s->own[0]);
    free(s->own[1]);
    free(s->set);
    free(s);
}

double *h3ou__relay_begin(h3ou__relay *s)
{
    double *next = s->message == s->own[0] ? s->own[1] : s->own[0];
    s->message = next;
    return next ? next + H3OU__MAIL_HEAD : NULL;
}

/* Sends the message with the values, whose head is written, to all children. */
static int forward(h3ou__relay *s)
{
    int err = H3OU__OK;
    for (int i = s->mail.nchild - 1; i >= 0 && !err; i--)
        err = h3ou__mail_forward(s->mail.child[i], s->message, s->rows);
    return err;
}

/* Sends to the children in the order of the largest part of the tree first. */
int h3ou__relay_send(h3ou__relay *s, const h3ou__mail_head *head, const double value[])
{
    int err = H3OU__OK;
    if (value && s->message && value == s->message + H3OU__MAIL_HEAD) {
        if (h3ou__relay_leads(s))
            memcpy(s->message == s->own[0] ? s->own[0] : s->own[1], head, sizeof *head);
        return forward(s);
    }
    for (int i = s->mail.nchild - 1; i >= 0 && !err; i--) {
        int64_t first = value && s->is_own ? (int64_t)s->rows * (1 << i) * s->n : 0; /* the child stands 2^i places after me */
        int rows = value ? rows_below(s, s->family->place + (1 << i)) : 0;
        err = h3ou__mail_send(s->mail.child[i], head, value ? value + first : NULL, s->n, rows);
    }
    return err;
}

static void collect_values(h3ou__relay *s, int rows)
{
    for (int k = 0; k < s->mail.parent->bridge->npartner; k++) {
        const int32_t *cell;
        int64_t count;
        const double *from = h3ou__mail_part(s->mail.parent, k, &cell, &count);
        for (int row = 0; row < rows; row++, from += count)
            for (int64_t i = 0; i < count; i++)
                s->room[row * s->n + cell[i]] = from[i];
    }
}

void h3ou__relay_find_set(h3ou__relay *s, const double value[])
{
    for (int64_t i = 0; i < s->n && !s->has_set; i++)
        if (!h3ou__is_unset(value[i]))
            s->set[s->nset++] = i;
    s->has_set = true;
}

static void take_values(h3ou__relay *s, int rows)
{
    if (s->is_forwarded)
        s->message = h3ou__mail_take(s->mail.parent);
    else
        collect_values(s, rows);
    s->value = s->is_forwarded ? s->message + H3OU__MAIL_HEAD : s->room;
    h3ou__relay_find_set(s, s->value);
}

int h3ou__relay_receive(h3ou__relay *s, h3ou__mail_head *head)
{
    /* The message before may still leave from where the parent writes one of the next. */
    int rows, err = s->is_forwarded ? h3ou__relay_drain(s) : H3OU__OK;
    if (!err)
        err = h3ou__mail_receive(s->mail.parent, head, &rows);
    if (err || s->mail.parent->bridge->npartner == 0)
        return err;
    bool has_values = head->state == H3OU__VALUE;
    int awaited = rows_below(s, s->family->place);
    if (has_values && rows != awaited)
        return h3ou__fail(H3OU__EPROTO, "%s: %s sent %d rows of values, %d are awaited", s->mail.parent->what,
                          s->mail.parent->bridge->name, rows, awaited);
    if (has_values)
        take_values(s, rows);
    err = h3ou__relay_send(s, head, has_values ? s->value : NULL);
    return err || head->state == H3OU__END ? err : h3ou__mail_post(s->mail.parent);
}

int h3ou__relay_drain(h3ou__relay *s)
{
    int err = H3OU__OK;
    for (int i = 0; i < s->mail.nchild && !err; i++)
        err = h3ou__mail_drain(s->mail.child[i]);
    return err;
}
