/* SPDX-License-Identifier: BSD-3-Clause */
/* All tags of the messages that the coupler itself sends, in one list: two kinds of messages that may be under way at
 * one time between the same two processes have different tags. */
#ifndef H3OU_COUPLER_COMMON_MESSAGE_TAGS_H
#define H3OU_COUPLER_COMMON_MESSAGE_TAGS_H

enum {
    H3OU__TAG_MEET = 1,  /* what the two components of a pair must agree on */
    H3OU__TAG_ENTRIES,   /* entries of a weight table, and rows on their way to the cache's file */
    H3OU__TAG_NEEDS,     /* source cells that a receiver needs */
    H3OU__TAG_OWNERS,    /* the ranks that own these cells */
    H3OU__TAG_GRID,      /* what receivers must know of the sending grid */
    H3OU__TAG_BINS,      /* bins of the sphere that a receiver asks for */
    H3OU__TAG_SENDERS,   /* the ranks that have cells in these bins */
    H3OU__TAG_CELLS,     /* the cells in these bins */
    H3OU__TAG_MORE,      /* whether a search goes on */
    H3OU__TAG_PARTS,     /* parts that processes of a component send each other (rank_parts.h) */
    H3OU__TAG_RESTART,   /* how many exchanges of a field with lag=0 were sent when a restart is written */
    H3OU__TAG_AREAS,     /* the areas of the source cells of a field */
    H3OU__TAG_STOP,      /* the agreement on an early stop */
    H3OU__TAG_FIELD = 16 /* plus a variable's number in the namelist: the values of that variable, between components and
                          * between the members of one; what is sent at once (h3ou_send_now) has a tag above all of these */
};

#endif
