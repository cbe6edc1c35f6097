/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of one field from one process to another, in order. Where both are on one host they travel through
 * memory that both share: the sender writes each message where the receiver reads it, and nobody copies it. Else, and
 * while no place is free, they are sent as h3ou__isend does. A message is an array of numbers; one of its first
 * numbers, whose place is given to h3ou__ring_open, belongs to the ring: by it the sender offers the memory to the
 * receiver.
 *
 * "As h3ou__isend does" is by the job's MPI inside a job, but by WaitIO where that is the job's route (h3ou__job_route_choose) when the
 * ring is opened.
 *
 * H3OU_SHARED_MEMORY=0 sends all messages as h3ou__isend does; so do, between jobs, WAITIO_COMM_TYPE, and WAITIO_ROUTES
 * without shm.
 */
#ifndef H3OU_COMM_MESSAGE_RING_H
#define H3OU_COMM_MESSAGE_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"

typedef struct h3ou__ring h3ou__ring;

/* Makes one end of a ring: the sender's or the receiver's, for all messages between the two with that tag. most:
 * numbers of the longest one, alike at both ends. offer_at: which number of a message belongs to the ring. what: as for
 * h3ou__isend, borrowed. Sends nothing. */
int h3ou__ring_open(h3ou__comm *c, int peer, int tag, int64_t most, int offer_at, const char *what,
                    h3ou__ring **out);
/* Has both ends give the memory room for a third long message: for a sender that sends one when the receiver has taken the one before
 * it, and not yet released that before. To be called before the first message. */
void h3ou__ring_send_early(h3ou__ring *r);
/* Allowed when no request is under way, or after the world was closed. NULL allowed. */
void h3ou__ring_free(h3ou__ring *r);

/* Returns where the next message may be written, on a cache line: the same place until h3ou__ring_send. It may be
 * written again and again meanwhile. NULL: no place is free; write it elsewhere. */
double *h3ou__ring_place(h3ou__ring *r);
/* Sends the next message, from that place, or from anywhere else: this is then borrowed until req is complete. */
int h3ou__ring_send(h3ou__ring *r, double *message, int64_t numbers, h3ou__req *req);

/* Returns whether no message will go through memory, so that h3ou__ring_send writes nothing into a message. */
bool h3ou__ring_is_off(const h3ou__ring *r);

/* By which ways messages go. */
enum h3ou__way { H3OU__WAY_MEMORY, H3OU__WAY_COPY, H3OU__WAY_MPI, H3OU__WAY_WAITIO, H3OU__WAYS };
/* Returns the way of the messages from now on, as far as it is known: memory that both share; a copy, between components of one process;
 * the job's MPI; WaitIO. */
enum h3ou__way h3ou__ring_way(const h3ou__ring *r);

/* Returns the route of WaitIO to the other end: "tcp", "shm", ...; "": it is not known, or is none. */
const char *h3ou__ring_route(const h3ou__ring *r);

/* Starts to receive the next message. Before it is complete the message before may still be read. */
int h3ou__ring_receive(h3ou__ring *r, h3ou__req *req);
/* Returns the message of the receive that completed last, on a cache line: where the sender wrote it, or in memory of the
 * ring. It stays until the next receive completes, or h3ou__ring_release. To be called once for each receive. */
const double *h3ou__ring_arrived(h3ou__ring *r);
/* Says that the last message is not read any more: its memory may have any values then, or be given back. Leaves alone
 * what a receive that was started brings. */
void h3ou__ring_release(h3ou__ring *r);

#endif
