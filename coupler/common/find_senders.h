/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out who will send something to a process, when each process knows only to whom it will send. */
#ifndef H3OU_COUPLER_COMMON_FIND_SENDERS_H
#define H3OU_COUPLER_COMMON_FIND_SENDERS_H

#include "coupler/common/rank_parts.h"

/* Fills `in`, which is empty, with the senders and their counts. Collective over the component. A process sends and gets two
 * messages at most in each of log2(size) rounds: in round k what has still to go 2^k ranks or an odd multiple of it goes on by
 * 2^k ranks. Work and memory grow with the numbers of senders and receivers that processes have, and that logarithm. */
int h3ou__find_senders(h3ou__comm *local, const h3ou__parts *out, h3ou__parts *in);

#endif
