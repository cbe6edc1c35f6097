/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a communicator as a transport of schedules, between the Kings of its blocks, or between members: by the
 * job's MPI inside a job, by WaitIO between jobs. */
#ifndef H3OU_COMM_PART_BLOCK_LINK_H
#define H3OU_COMM_PART_BLOCK_LINK_H

#include "coll/execute.h"
#include "comm/comm.h"

enum h3ou__among {
    H3OU__AMONG_KINGS,   /* numbered as the blocks */
    H3OU__AMONG_BLOCK,   /* the members of my block, from its King on */
    H3OU__AMONG_MEMBERS, /* all members, by rank */
    H3OU__AMONG_HOSTS,   /* one process of each host of my block, numbered as the hosts */
    H3OU__AMONG
};

typedef struct h3ou__block_link {
    h3ou__comm *comm;
    int type;         /* of the elements, of which all messages are made */
    const char *what; /* for errors */
    int among;
    int share, nshare; /* among Kings: which of so many Kings of each block, spread over its members; 0, 0: the first */
    int root, root_host; /* among hosts: the member of the block that takes part for this host; for others the first there */
} h3ou__block_link;

/* Returns the rank inside a block of one of its Kings, of which each passes a share of a long message. */
int h3ou__block_king_of_share(const h3ou__comm *c, int block, int share, int nshare);
/* The link of a run is an h3ou__block_link. */
extern const h3ou__link_ops h3ou__block_link_ops;

#endif
