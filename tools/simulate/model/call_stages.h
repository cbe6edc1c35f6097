/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call as stages: by one algorithm, or by one of the two ways that are made of several. */
#ifndef H3OU_TOOL_SIMULATE_CALL_STAGES_H
#define H3OU_TOOL_SIMULATE_CALL_STAGES_H

#include "tools/simulate/model/stage.h"

enum { CALL_STAGES = 6 };

/* The call and how it is to be done. */
typedef struct call_way {
    h3ou__call call;   /* operation, element, count, segment, shape */
    enum transport by; /* of an algorithm by itself */
    int job, group;    /* members of a job, for "hybrid"; of a group, for "2l" */
} call_way;

/* Sets the stages of a way: the name of an algorithm; "hybrid": MPI inside the jobs, WaitIO from King to King, as
 * src/c/comm/collective/collective.c; "2l": one after the other to the first members of groups, and from these to the others, all
 * by WaitIO. H3OU__EARG when there is no such way. */
int call_stages(const call_way *how, const char *way, stage stages[CALL_STAGES], int *n);
/* Returns the algorithm that a way is, or NULL; of way NULL the first one of the call. */
const h3ou__algorithm *call_algorithm(int operation, const char *way);

#endif
