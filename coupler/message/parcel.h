/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a field that are on their way, exchange by exchange: a parcel has those of one exchange. The memory
 * of parcels that have arrived is kept for later ones that need any, so that a step allocates nothing. */
#ifndef H3OU_COUPLER_MESSAGE_PARCEL_H
#define H3OU_COUPLER_MESSAGE_PARCEL_H

#include <stdint.h>

#include "coupler/plan/plan.h"

typedef struct h3ou__parcel {
    struct h3ou__parcel *next;
    int n; /* messages that were sent */
    h3ou__req *req;
    double *data; /* messages, one after the other, on a cache line; NULL: none needs memory */
    int64_t room; /* of data */
} h3ou__parcel;

typedef struct h3ou__parcels {
    h3ou__world *world;
    int npartner;               /* messages of a parcel at most */
    int n;                      /* on their way */
    h3ou__parcel *first, *last; /* on their way, in the order of sending */
    int64_t newest;             /* numbers of the parcel that was taken last */
    int nfree;
    h3ou__parcel *free;
} h3ou__parcels;

/* Returns a parcel with room for so many numbers, which the caller owns until h3ou__parcel_depart; NULL: there is no memory. */
h3ou__parcel *h3ou__parcel_take(h3ou__parcels *all, int64_t numbers);
/* Makes it the last one on its way. */
void h3ou__parcel_depart(h3ou__parcels *all, h3ou__parcel *p);
/* Both. */
h3ou__parcel *h3ou__parcel_begin(h3ou__parcels *all, int64_t numbers);
/* Waits until the first parcel on its way has been sent. After an error it is kept, because its requests may still
 * borrow its memory. */
int h3ou__parcel_await(h3ou__parcels *all);
/* Progresses all that is on its way, without waiting. */
int h3ou__parcel_progress(h3ou__parcels *all);
/* Gives back the memory that is kept for later parcels, now and when those on their way have arrived: no message is
 * expected to need any. */
void h3ou__parcel_give_back(h3ou__parcels *all);
/* Allowed when no request is under way, or after the world was closed. */
void h3ou__parcel_free_all(h3ou__parcels *all);

#endif
