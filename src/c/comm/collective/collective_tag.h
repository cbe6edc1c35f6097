/* SPDX-License-Identifier: BSD-3-Clause */
/* The tags of the messages of collective calls, and what these calls check. */
#ifndef H3OU_COMM_COLLECTIVE_TAG_H
#define H3OU_COMM_COLLECTIVE_TAG_H

#include "comm/collective/staged_call.h"

enum h3ou__collective_tag {
    H3OU__TAG_FORWARD = H3OU__TAG_COLLECTIVE,
    H3OU__TAG_ASK,
    H3OU__TAG_HERE,
    H3OU__TAG_SEGMENT, /* and H3OU__STAGED_SEGMENTS - 1 more */
    H3OU__TAG_SCHEDULE = H3OU__TAG_SEGMENT + H3OU__STAGED_SEGMENTS, /* and H3OU__AMONG - 1 more */
};

/* Fails when root is no rank of c (collective.c). */
int h3ou__check_root(const h3ou__comm *c, const char *call, int root);

#endif
