/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of the program as the operation of a schedule. */
#ifndef H3OU_COMM_COLLECTIVE_FUNCTION_REDUCTION_H
#define H3OU_COMM_COLLECTIVE_FUNCTION_REDUCTION_H

#include "coll/execute.h"
#include "comm/collective/collective.h"

typedef struct h3ou__function_fold {
    const h3ou__reduction *by;
    void *second; /* memory for an operand of a function that does not commute, freed by the caller */
} h3ou__function_fold;

/* by is borrowed; it has a function. count: the most elements that are combined at a time. */
int h3ou__function_fold_open(const h3ou__reduction *by, int64_t count, int type, h3ou__function_fold *out);
/* f is borrowed. */
h3ou__coll_data h3ou__function_fold_data(h3ou__function_fold *f, const void *input, void *output, int type);

#endif
