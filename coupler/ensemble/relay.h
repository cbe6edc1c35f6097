/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a field's leader received and interpolated goes to all members of its group, from parent to children: the same to
 * all, or the slices of all members, of which each part of the tree gets its own. Cells that
 * the leader did not set are unset in these arrays (unset_value.h): each member keeps there what its model's array
 * has.
 */
#ifndef H3OU_COUPLER_ENSEMBLE_RELAY_H
#define H3OU_COUPLER_ENSEMBLE_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/ensemble/family.h"
#include "coupler/ensemble/mail.h"

typedef struct h3ou__relay {
    int64_t n;     /* my cells */
    const h3ou__family *family; /* borrowed */
    int rows;      /* layers times components of the field: what a member gets */
    bool is_own;   /* each member gets its own */
    bool is_forwarded; /* all of the tree's messages at this process are whole and alike (mail.h): one is sent as it is */
    const double *value; /* [rows][n] of the exchange that came last, with is_own for each member below, mine the first */
    double *room;        /* for value, where it is put together; else NULL */
    const double *message; /* is_forwarded: the message that has value, or NULL */
    double *own[2];        /* is_forwarded, of the leader: its messages, which take turns */
    int64_t *set;  /* [nset] cells that the leader sets, once has_set */
    int64_t nset;
    bool has_set;
    h3ou__mails mail;
} h3ou__relay;

/* rows: layers times components. tag, what: of its messages; what is borrowed. */
int h3ou__relay_create(h3ou__world *world, const h3ou__family *family, int rows, bool is_own, int tag, const char *what,
                       h3ou__relay **out);
/* Allowed when no message is under way, or after the world was closed. NULL allowed. */
void h3ou__relay_free(h3ou__relay *s);
static inline bool h3ou__relay_leads(const h3ou__relay *s)
{
    return !s->mail.parent;
}
/* Returns where the leader may write the values of the next exchange, so that h3ou__relay_send does not copy them; cells are
 * unset there that it never set. NULL: nowhere. */
double *h3ou__relay_begin(h3ou__relay *s);
/* Sends an exchange to my children, head and value, [rows][n], with is_own for each member of my part of the tree; NULL: the
 * head alone. */
int h3ou__relay_send(h3ou__relay *s, const h3ou__mail_head *head, const double value[]);
/* Waits for the next exchange from my parent, and sends it on to my children. With values these are in s->value, and
 * s->set lists the cells that have one. A process without cells gets H3OU__VALUE. */
int h3ou__relay_receive(h3ou__relay *s, h3ou__mail_head *head);
/* Lists in s->set, unless that was done, the cells that have a value in those of an exchange, [rows][n]. */
void h3ou__relay_find_set(h3ou__relay *s, const double value[]);
int h3ou__relay_drain(h3ou__relay *s); /* waits until my messages have left */

#endif
