/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of several partitions (MPI-4). They travel by WaitIO, inside a job too, as one message that is sent when all partitions are
 * ready. Sends and receives match in the order in which they were made, not started: the number in that order, for each rank and tag, is in the tag.
 */
#ifndef H3OU_UNIVERSE_MESSAGE_PARTED_REQUEST_H
#define H3OU_UNIVERSE_MESSAGE_PARTED_REQUEST_H

#include "universe/message/crossing.h"

/* How many were made of a communicator with a rank and a tag. */
typedef struct universe_parted_count {
    int rank, tag;
    bool is_send;
    int64_t n;
    struct universe_parted_count *next;
} universe_parted_count;

#endif
