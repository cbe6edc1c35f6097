/* SPDX-License-Identifier: BSD-3-Clause */
/* A schedule of src/c/coll that all members of a communicator perform, or those of a block, or the Kings. */
#ifndef H3OU_COMM_PART_SCHEDULE_CALL_H
#define H3OU_COMM_PART_SCHEDULE_CALL_H

#include "coll/schedule/algorithm.h"
#include "comm/part/block_link.h"

typedef struct h3ou__schedule_call {
    h3ou__comm *comm;
    const char *what; /* for errors */
    int type, among;
    h3ou__call call;      /* without size, me and element, which are set here */
    h3ou__coll_data data; /* without element */
} h3ou__schedule_call;

/* Performs a call to its end, with the patience of the run. The process is one of those among which it takes place. */
int h3ou__schedule_call_run(h3ou__schedule_call *s);
/* Starts a call. *link, which is set here, is borrowed until the run is ended. tag: what its messages have. */
int h3ou__schedule_call_start(h3ou__schedule_call *s, h3ou__block_link *link, int tag, h3ou__coll_run **run);

#endif
