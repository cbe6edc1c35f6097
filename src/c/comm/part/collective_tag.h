/* SPDX-License-Identifier: BSD-3-Clause */
/* The tags of the messages of collective calls. */
#ifndef H3OU_COMM_PART_COLLECTIVE_TAG_H
#define H3OU_COMM_PART_COLLECTIVE_TAG_H

#include "comm/part/block_link.h"
#include "comm/part/staged_call.h"

/* More than the calls of a block that are under way at a time. */
enum { H3OU__TAGS_OF_HOSTS = 2 * H3OU__STAGED_SEGMENTS };

enum h3ou__collective_tag {
    H3OU__TAG_FORWARD = H3OU__TAG_COLLECTIVE,
    H3OU__TAG_ASK,
    H3OU__TAG_HERE,
    H3OU__TAG_SEGMENT, /* and H3OU__STAGED_SEGMENTS - 1 more */
    H3OU__TAG_SCHEDULE = H3OU__TAG_SEGMENT + H3OU__STAGED_SEGMENTS, /* and H3OU__AMONG - 1 more */
    H3OU__TAG_MEMORY = H3OU__TAG_SCHEDULE + H3OU__AMONG,
    H3OU__TAG_HOSTS, /* and H3OU__TAGS_OF_HOSTS - 1 more */
    H3OU__TAG_PASS = H3OU__TAG_HOSTS + H3OU__TAGS_OF_HOSTS, /* and H3OU__STAGED_SEGMENTS - 1 more */
};

#endif
