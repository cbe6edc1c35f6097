/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sender's end of a bundle: messages of several fields to one process, which go as one. It leaves when it has the next message
 * of each of its fields, when one of them comes again, and before this process waits for anything else (h3ou__bundle_sent_close), so
 * that a process that waits for a part waits only while the sender goes on. A message of a bundle has a head as that of a field
 * (message_form.h): the mark of its first part, the state H3OU__BUNDLED, the number of its parts, and the ring's number; then for
 * each part three numbers: which field of the bundle, where it begins, and how many numbers it has. The parts, messages of fields
 * with heads of their own, begin on cache lines.
 */
#ifndef H3OU_COUPLER_MESSAGE_BUNDLE_SENT_H
#define H3OU_COUPLER_MESSAGE_BUNDLE_SENT_H

#include "comm/message_ring.h"
#include "coupler/message/bundle_plan.h"
#include "coupler/message/parcel.h"

typedef struct h3ou__bundle_sent {
    h3ou__ring *ring;
    int n;        /* fields */
    int64_t *at;  /* [n + 1] where the parts begin in memory that the receiver reads; the last: the length */
    bool *has;    /* [n] of the open message */
    int nhas;     /* parts of the open message */
    int window;   /* when so many messages are on their way, the sender waits for the oldest */
    bool is_split; /* a message left with some of its parts, so that an exchange may take n of them */
    double *open; /* the message that is put together; NULL: none is */
    h3ou__parcel *parcel; /* memory of `open`; NULL: it is where its receiver reads it */
    int64_t end;  /* with a parcel: where the next part begins */
    h3ou__parcels parcels;
    char what[3 * H3OU__NAME];
} h3ou__bundle_sent;

/* Makes the end, for a plan that is borrowed until the call returns. window: of each of its fields. */
int h3ou__bundle_sent_create(h3ou__world *world, const h3ou__config *config, const h3ou__bundle_plan *plan, int window,
                             h3ou__bundle_sent **out);
/* Allowed when no request is under way, or after the world was closed. NULL allowed. */
void h3ou__bundle_sent_free(h3ou__bundle_sent *b);

/* Returns where the next message of a field may be written, so that its receiver reads it there: the same place until that message was
 * added. NULL: nowhere now. */
double *h3ou__bundle_sent_place(h3ou__bundle_sent *b, int field);
/* Sets *room to where the next message of a field, of at most the longest length, is to be written. */
int h3ou__bundle_sent_room(h3ou__bundle_sent *b, int field, double **room);
/* Adds the message of a field, which stands in that place or room, and sends the bundle if it is the last one. */
int h3ou__bundle_sent_add(h3ou__bundle_sent *b, int field, const double *message, int64_t numbers);
/* Sends the parts that are there. */
int h3ou__bundle_sent_close(h3ou__bundle_sent *b);
bool h3ou__bundle_sent_is_full(const h3ou__bundle_sent *b); /* the window is */
int h3ou__bundle_sent_await(h3ou__bundle_sent *b);          /* while it is */
int h3ou__bundle_sent_drain(h3ou__bundle_sent *b);

#endif
