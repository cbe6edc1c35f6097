/* SPDX-License-Identifier: BSD-3-Clause */
/* Combination of values that travel (packed_image.h), by MPI_Reduce_local, but for sums of usual types. */
#ifndef H3OU_UNIVERSE_COLLECTIVE_SPANNING_FOLD_H
#define H3OU_UNIVERSE_COLLECTIVE_SPANNING_FOLD_H

#include "coll/execute.h"
#include "universe/world/spanning.h"

typedef struct universe_fold {
    abi_Datatype type;
    abi_Op op;
    bool is_commutative, is_packed, is_external;
    int summed;       /* of enum h3ou__type, whose sums need no MPI; H3OU__BYTE: none */
    int64_t element;  /* bytes of an element as it travels */
    abi_Aint extent;  /* of a packed type */
    int64_t at_once;  /* elements that `memory` holds */
    char *memory;     /* NULL until it is needed: for elements of the second operand, and of the first if they are packed */
    char *value[2];   /* in memory; where MPI takes them to begin */
    int error;        /* the first one of MPI */
} universe_fold;

#pragma GCC visibility push(hidden)
/* type and op are borrowed until the end. Returns an error of the job's MPI. */
int universe_fold_open(abi_Datatype type, abi_Op op, bool is_external, universe_fold *out);
void universe_fold_close(universe_fold *f);
/* h3ou__coll_data.combine; data->user is the fold. */
void universe_fold_combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left);
#pragma GCC visibility pop

#endif
