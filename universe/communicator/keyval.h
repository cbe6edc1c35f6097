/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of attributes of communicators: the number is that of the job's MPI, which has the functions too, for its own communicators. */
#ifndef H3OU_UNIVERSE_COMMUNICATOR_KEYVAL_H
#define H3OU_UNIVERSE_COMMUNICATOR_KEYVAL_H

#include "universe/world/spanning.h"

typedef struct universe_keyval {
    int number;
    abi_Comm_copy_attr_function *copy;     /* NULL: it is not copied */
    abi_Comm_delete_attr_function *delete; /* NULL: nothing is done */
    void *state;
    int refs; /* the program's, until MPI_Comm_free_keyval, and each attribute */
    struct universe_keyval *next;
} universe_keyval;

#pragma GCC visibility push(hidden)
universe_keyval *universe_keyval_find(int number); /* NULL: there is none */
void universe_keyval_hold(universe_keyval *key);
void universe_keyval_drop(universe_keyval *key);
/* Whether the value itself is copied (MPI_COMM_DUP_FN). */
bool universe_keyval_is_dup(const universe_keyval *key);
#pragma GCC visibility pop

#endif
