/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/relay.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_state.h"
#include "coupler/ensemble/unset_value.h"

/* Returns the rows of the part of the tree below a place. */
static int rows_below(const h3ou__relay *s, int place)
{
    return s->is_own ? s->rows * h3ou__family_below(place, s->family->size) : s->rows;
}

int h3ou__relay_create(h3ou__world *world, const h3ou__family *family, int rows, bool is_own, int tag, const char *what,
                       h3ou__relay **out)
{
    h3ou__relay *s = calloc(1, sizeof *s);
    if (!s)
        return h3ou__no_memory("%s", what);
    *s = (h3ou__relay){.n = family->grid->n, .family = family, .rows = rows, .is_own = is_own};
    *out = s;
    int64_t values = rows_below(s, family->place) * s->n;
    s->value = malloc(sizeof *s->value * (size_t)(values + 1));
    s->set = malloc(sizeof *s->set * (size_t)(s->n + 1));
    if (!s->value || !s->set)
        return h3ou__no_memory("%s", what);
    h3ou__unset(s->value, values);
    int err = h3ou__mails_create(world, family, tag, rows, is_own, what, &s->mail);
    return err || !s->mail.parent ? err : h3ou__mail_post(s->mail.parent);
}

void h3ou__relay_free(h3ou__relay *s)
{
    if (!s)
        return;
    h3ou__mails_free(&s->mail);
    free(s->value);
    free(s->set);
    free(s);
}

/* Sends to the children in the order of the largest part of the tree first. */
int h3ou__relay_send(h3ou__relay *s, const h3ou__mail_head *head, const double value[])
{
    int err = H3OU__OK;
    for (int i = s->mail.nchild - 1; i >= 0 && !err; i--) {
        int64_t first = value && s->is_own ? (int64_t)s->rows * (1 << i) * s->n : 0; /* the child stands 2^i places after me */
        int rows = value ? rows_below(s, s->family->place + (1 << i)) : 0;
        err = h3ou__mail_send(s->mail.child[i], head, value ? value + first : NULL, s->n, rows);
    }
    return err;
}

static void take_values(h3ou__relay *s, int rows)
{
    for (int k = 0; k < s->mail.parent->bridge->npartner; k++) {
        const int64_t *cell;
        int64_t count;
        const double *from = h3ou__mail_part(s->mail.parent, k, &cell, &count);
        for (int row = 0; row < rows; row++, from += count)
            for (int64_t i = 0; i < count; i++)
                s->value[row * s->n + cell[i]] = from[i];
    }
    for (int64_t i = 0; i < s->n && !s->has_set; i++)
        if (!h3ou__is_unset(s->value[i]))
            s->set[s->nset++] = i;
    s->has_set = true;
}

int h3ou__relay_receive(h3ou__relay *s, h3ou__mail_head *head)
{
    int rows, err = h3ou__mail_receive(s->mail.parent, head, &rows);
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
