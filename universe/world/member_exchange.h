/* SPDX-License-Identifier: BSD-3-Clause */
/* What the members of a communicator over several jobs tell each other when they make another one. Collective: all members call it in the same
 * order among the library's own collective calls. Errors are WaitIO's, with their sentence. */
#ifndef H3OU_UNIVERSE_WORLD_MEMBER_EXCHANGE_H
#define H3OU_UNIVERSE_WORLD_MEMBER_EXCHANGE_H

#include "universe/world/spanning.h"

typedef struct universe_exchange_run universe_exchange_run;

#pragma GCC visibility push(hidden)
/* Gives each member what all have: `all` has room for c->size * bytes, in the order of the ranks. Blocks, with progress of both the job's MPI and
 * WaitIO; the lock is taken. */
int universe_exchange(universe_comm *c, const void *mine, int64_t bytes, void *all);

/* The same among some members: rank[] are theirs in c, in an order of their own, in which `all` is. tag: tells apart what is under way at the same time. */
int universe_exchange_part(universe_comm *c, int size, const int rank[], int tag, const void *mine, int64_t bytes, void *all);

/* The first without waiting: _begin copies `mine` and holds c, _test makes progress, _all is what has come ([c->size * bytes], borrowed) after *done. */
int universe_exchange_begin(universe_comm *c, const void *mine, int64_t bytes, universe_exchange_run **run);
int universe_exchange_test(universe_exchange_run *run, bool *done);
const void *universe_exchange_all(const universe_exchange_run *run);
void universe_exchange_end(universe_exchange_run *run); /* after an error, messages may still be under way: then its memory is kept */

/* A number for a new communicator, that no other process gives: rank 0's counts, the others' is not used. Negative: there are none left. */
int32_t universe_context_new(void);
/* Sets *context to a number for a new communicator of members of c, the same at all of them. Blocks as universe_exchange. */
int universe_agree_context(universe_comm *c, int32_t *context);
#pragma GCC visibility pop

#endif
