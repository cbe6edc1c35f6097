/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the members of a simulated call do: stages, one after the other, each a schedule of src/c/coll among some of the
 * members or a schedule that a pattern builds. A member has the steps of a few rounds at a time; when they are done, its
 * schedule is built again, and the next ones are kept.
 */
#ifndef H3OU_TOOL_SIMULATE_STAGE_H
#define H3OU_TOOL_SIMULATE_STAGE_H

#include "coll/schedule/algorithm.h"
#include "tools/simulate/model/modelled_machine.h"

/* Of blocks of consecutive members, whose first ones are their Kings. */
enum stage_members { ALL_MEMBERS, EACH_BLOCK, FIRST_BLOCK, OTHER_BLOCKS, KINGS };

typedef struct stage {
    const h3ou__algorithm *algorithm; /* NULL: a pattern */
    int (*pattern)(const void *user, int member, h3ou__schedule *out);
    const void *user; /* of pattern */
    enum transport by;
    enum stage_members members;
    int block;      /* members of a block */
    h3ou__call call; /* size and me are set for each member */
} stage;

typedef struct stage_step {
    int64_t bytes;
    int peer;
    bool is_send, is_last, is_met;
} stage_step;

/* A part of a member's schedule. */
typedef struct stage_part {
    stage_step *step; /* [n]; NULL: none */
    int n;
    bool is_end;             /* the schedule ends with it */
    int64_t schedule_bytes;  /* that the whole schedule takes in a member's memory, with its scratch buffer */
} stage_part;

/* Sets *out to the messages of a member from round `first` on, of as many rounds as have at most `most` steps, but at
 * least of one that has messages. *first: the round after them. */
int stage_take(const stage *s, int members, int member, int most, int64_t *first, stage_part *out);

#endif
