/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One field's messages over a bridge, in one direction. A message is a head of eight numbers (exchange time in seconds
 * since the start, exchange_times.h; state; the number of members that it stands for; with H3OU__END the time at which
 * the component ended; one for the ring by which the messages go, message_ring.h; three that are 0), then, row after row,
 * the values of the cells that two processes share. A row has a value for each cell of the grid: a layer of a component.
 */
#ifndef H3OU_COUPLER_ENSEMBLE_MAIL_H
#define H3OU_COUPLER_ENSEMBLE_MAIL_H

#include <stdint.h>

#include "comm/message_ring.h"
#include "coupler/cells/pack_cells.h"
#include "coupler/ensemble/family.h"

typedef struct h3ou__mail_head {
    double time, state, members, ended, ring, rest[3];
} h3ou__mail_head;
enum { H3OU__MAIL_HEAD = 8, H3OU__MAIL_HEAD_RING = 4 };
_Static_assert(sizeof(h3ou__mail_head) == H3OU__MAIL_HEAD * sizeof(double), "a head is so many numbers of its message");

typedef struct h3ou__mail {
    h3ou__world *world;
    const h3ou__bridge *bridge; /* borrowed */
    const char *what;           /* for errors; borrowed */
    int tag;
    int most; /* rows at most */
    h3ou__picked *cells; /* [npartner] those of each message */
    bool is_whole;       /* one message has all cells in their order, so its rows stand as those of an array [rows][n] */
    h3ou__req *req;
    h3ou__ring **ring;
    double *data;           /* sender: all messages, one after the other, each with room for `most` rows; made when first needed */
    double *begun;          /* sender: the message that h3ou__mail_begin returned; else NULL */
    const double **arrived; /* receiver: the messages that came last */
    bool is_posted;         /* a receive waits */
    bool is_taken;          /* the message that came last is still needed */
    bool is_leaving;        /* a send is under way */
} h3ou__mail;

/* n: cells of my grid on this process. */
int h3ou__mail_create(h3ou__world *world, const h3ou__bridge *bridge, int64_t n, int tag, int most_rows, const char *what,
                      h3ou__mail **out);
/* Allowed when no message is under way, or after the world was closed. NULL allowed. */
void h3ou__mail_free(h3ou__mail *m);
/* One field's messages with the members above and below mine in a tree. */
typedef struct h3ou__mails {
    h3ou__mail *parent; /* NULL for the leader */
    int nchild;
    h3ou__mail *child[H3OU__MOST_CHILDREN];
} h3ou__mails;

/* is_each: a message has so many rows for each member of the part of the tree below its edge. After an error, too, the
 * mails are freed by h3ou__mails_free. */
int h3ou__mails_create(h3ou__world *world, const h3ou__family *family, int tag, int most_rows, bool is_each,
                       const char *what, h3ou__mails *out);
void h3ou__mails_free(h3ou__mails *m);
/* Sets *rows to where the rows of the next message may be written, when m->is_whole: h3ou__mail_send does not copy them from
 * there. First waits for the send before. */
int h3ou__mail_begin(h3ou__mail *m, double **rows);
/* Sends a head and `rows` rows of the grid's n values each (0: the head alone). First waits for the send before. */
int h3ou__mail_send(h3ou__mail *m, const h3ou__mail_head *head, const double value[], int64_t n, int rows);
/* Sends a message as it is, when m->is_whole, and borrows it until the next send or h3ou__mail_drain. First waits for the send
 * before. */
int h3ou__mail_forward(h3ou__mail *m, const double *message, int rows);
int h3ou__mail_drain(h3ou__mail *m); /* waits until the last send is complete */
int h3ou__mail_post(h3ou__mail *m);  /* posts the receives of the next exchange, unless they are posted */
/* Waits for an exchange, whose values stay in m until the next h3ou__mail_post. H3OU__EPROTO when the heads of the
 * partners differ, a head is none, or a message has another length than its rows. */
int h3ou__mail_receive(h3ou__mail *m, h3ou__mail_head *head, int *rows);
/* Returns the values of partner k of the exchange that was received, [rows][*count], and the cells that they are for.
 */
const double *h3ou__mail_part(const h3ou__mail *m, int k, const int32_t **cell, int64_t *count);
/* Returns the message that was received, when m->is_whole: it stays until the next one has come. */
const double *h3ou__mail_take(h3ou__mail *m);

#endif
