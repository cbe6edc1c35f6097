/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for a part of a collective call, with the patience of the run: an error names the call, the communicator and who has not
 * come. Members that ask who waits are answered. */
#ifndef H3OU_COMM_PART_AWAITED_CALL_H
#define H3OU_COMM_PART_AWAITED_CALL_H

#include "coll/execute.h"
#include "comm/world.h"

/* Waits for a schedule, and ends it, also after an error. */
int h3ou__await_schedule(const h3ou__comm *c, const char *what, h3ou__coll_run *run);
/* Waits for a call of the MPI inside my block. */
int h3ou__await_inside(const h3ou__comm *c, const char *what, h3ou__mpi_req *req);
/* Sends a message to peer, or receives one: the hop between the King of a block and a root that is another member of it. */
int h3ou__await_hop(h3ou__comm *c, const char *what, bool is_send, int peer, void *buf, int64_t count, int type);

#endif
