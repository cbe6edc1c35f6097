/* SPDX-License-Identifier: BSD-3-Clause */
/* Events in the order of their times; those of one time in the order in which they were added. */
#ifndef H3OU_TOOL_SIMULATE_EVENT_QUEUE_H
#define H3OU_TOOL_SIMULATE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct event {
    double time;
    uint64_t number; /* set by the queue */
    uint32_t what;   /* a member or a message */
    uint8_t kind;
} event;

typedef struct event_queue {
    event *heap;
    int64_t n, room, most; /* most: that were there at a time */
    uint64_t added;
} event_queue;

int event_add(event_queue *q, double time, uint8_t kind, uint32_t what);
bool event_take(event_queue *q, event *out); /* false: there is none */

#endif
