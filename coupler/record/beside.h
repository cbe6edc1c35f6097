/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls beside the exchange bring a process: kept in the record, and brought by it in a replay, in the order of the calls. */
#ifndef H3OU_COUPLER_RECORD_BESIDE_H
#define H3OU_COUPLER_RECORD_BESIDE_H

#include "comm/comm.h"
#include "coupler/record/recorder.h"
#include "coupler/record/recording.h"

/* Where a call puts what it brings: n elements of `width` bytes at `to`; or parts, of counts[i] elements at displs[i] each. */
typedef struct h3ou__brought {
    void *to;
    int64_t n, width;
    const int64_t *counts, *displs; /* NULL: one part; displs NULL: the parts stand one after the other */
    int parts;
} h3ou__brought;

/* Records what a call brought. */
void h3ou__beside_keep(h3ou__recorder *r, const char *call, const h3ou__brought *b);
/* Brings what the call brought in the recorded run, where *next calls were made before it; n and parts are those of the record. most: n may
 * not be more; -1: it may. Replayed with another number of processes a call must have brought the same to all: else
 * H3OU__EUNSUPPORTED. */
int h3ou__beside_take(const h3ou__recording *r, h3ou__comm *local, int64_t *next, const char *call, int64_t most, const h3ou__brought *b);

#endif
