/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_COMM_COLLECTIVE_HOST_AGREEMENT_H
#define H3OU_COMM_COLLECTIVE_HOST_AGREEMENT_H

#include "comm/comm.h"

/* Finds out, at the first call of a block, whether its members share the memory of a host. All of them call it. what: as for
 * h3ou__isend. */
int h3ou__host_agree(h3ou__comm *c, const char *what);

#endif
