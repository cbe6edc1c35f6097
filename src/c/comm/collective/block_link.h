/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a communicator as a transport of schedules, between the Kings of its blocks: by the job's MPI inside
 * a job, by WaitIO between jobs. */
#ifndef H3OU_COMM_BLOCK_LINK_H
#define H3OU_COMM_BLOCK_LINK_H

#include "coll/execute.h"
#include "comm/comm.h"

typedef struct h3ou__block_link {
    h3ou__comm *comm;
    int type;         /* of the elements, of which all messages are made */
    const char *what; /* for errors */
} h3ou__block_link;

/* Members are numbered as the blocks; the link of a run is an h3ou__block_link. */
extern const h3ou__link_ops h3ou__block_link_ops;

#endif
