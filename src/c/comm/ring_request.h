/* SPDX-License-Identifier: BSD-3-Clause */
/* What message.c and message_ring.c need of each other. */
#ifndef H3OU_COMM_RING_REQUEST_H
#define H3OU_COMM_RING_REQUEST_H

#include <stdint.h>

#include "comm/message_ring.h"

enum { H3OU__RING_EMPTY, H3OU__RING_HERE, H3OU__RING_OTHERWISE };

/* Start messages of numbers as h3ou__isend and h3ou__irecv do; by_waitio: inside a job, too, which both ends say alike. */
int h3ou__isend_by(h3ou__comm *c, bool by_waitio, int dst, int tag, const double *buf, int64_t count, const char *what, h3ou__req *req);
int h3ou__irecv_by(h3ou__comm *c, bool by_waitio, int src, int tag, double *buf, int64_t count, const char *what, h3ou__req *req);

/* Fills a request for the next message of a ring, or one that is complete. */
int h3ou__ring_request(h3ou__comm *c, int peer, h3ou__ring *r, const char *what, h3ou__req *req);
void h3ou__ring_request_done(h3ou__req *req);

/* Looks for the message that is awaited: none; one in the ring, of so many bytes; or one that
 * h3ou__ring_receive_otherwise starts to receive. What is not none is to be taken: the next call looks for the message
 * after it. */
int h3ou__ring_look(h3ou__ring *r, int64_t *bytes);
int h3ou__ring_receive_otherwise(h3ou__ring *r, h3ou__req *req);
/* Waits until there may be a message, at most `seconds`. */
void h3ou__ring_sleep(h3ou__ring *r, double seconds);

#endif
