/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_COMM_PART_HOST_AGREEMENT_H
#define H3OU_COMM_PART_HOST_AGREEMENT_H

#include "comm/comm.h"

/* To be called by all members of a block at the beginning of each collective call. At the first one they find out who is on which host,
 * and make the memory of each host with several of them, which says from now on how many calls each of these has begun. what: as for
 * h3ou__isend. */
int h3ou__host_begin(h3ou__comm *c, const char *what);

#endif
