/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending items to the processes of a component, each to the rank that is given for it, and replies back to the
 * senders. */
#ifndef H3OU_COUPLER_COMMON_REDISTRIBUTE_H
#define H3OU_COUPLER_COMMON_REDISTRIBUTE_H

#include <stdint.h>

#include "coupler/common/rank_parts.h"

typedef struct h3ou__redistribution {
    int64_t nsent;  /* my own items */
    int64_t *order; /* [nsent] order[i]: the place of item i in the send buffer; NULL: i */
    h3ou__parts to; /* items to each process */
    int64_t ngot;   /* items that I received, by rank of the sender, then in its order */
    h3ou__parts from;
    int64_t *item; /* [ngot * width] */
} h3ou__redistribution;

/* Sends item i (width numbers) to rank to[i] of local. Collective over the component. Release with
 * h3ou__redistribution_free, also after an error. */
int h3ou__redistribute(h3ou__comm *local, int64_t n, const int to[], int width, const int64_t item[],
                       h3ou__redistribution *d);
/* Sends reply[k] to the sender of the received item k. (*answer)[i] is then the reply to my item i; the caller frees
 * *answer. Collective over the component. */
int h3ou__redistribute_back(h3ou__comm *local, const h3ou__redistribution *d, const int64_t reply[], int64_t **answer);
void h3ou__redistribution_free(h3ou__redistribution *d);

#endif
