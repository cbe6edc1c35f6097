/* SPDX-License-Identifier: BSD-3-Clause */
/* Items dealt to the processes of a component, each item to the one it names, and answers back the same way. */
#ifndef H3OU_COUPLER_COMMON_REDISTRIBUTE_H
#define H3OU_COUPLER_COMMON_REDISTRIBUTE_H

#include <stdint.h>

#include "comm/comm.h"

typedef struct h3ou__redistribution {
    int size;       /* processes */
    int64_t nsent;  /* items that I sent */
    int64_t *order; /* [nsent] order[i]: where item i stands among what I sent */
    int64_t *sent;  /* [size] items to each process */
    int64_t ngot;   /* items that I got, in order of sender, then as sent */
    int64_t *got;   /* [size] items from each process */
    int64_t *item;  /* [ngot * width] */
} h3ou__redistribution;

/* item i (width numbers) goes to Local rank to[i]. Collective over the component. Release with
 * h3ou__redistribution_free, also after an error. */
int h3ou__redistribute(h3ou__comm *local, int64_t n, const int to[], int width, const int64_t item[],
                       h3ou__redistribution *d);
/* One number for every item that I got goes back to its sender: *answer[i] belongs to my item i; the caller frees it.
 */
int h3ou__redistribute_back(h3ou__comm *local, const h3ou__redistribution *d, const int64_t reply[], int64_t **answer);
void h3ou__redistribution_free(h3ou__redistribution *d);

#endif
