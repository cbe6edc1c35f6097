/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of communicators over several jobs. Those of communicators inside a job are the job's MPI's. */
#ifndef H3OU_UNIVERSE_COMMUNICATOR_COMM_ATTRIBUTE_H
#define H3OU_UNIVERSE_COMMUNICATOR_COMM_ATTRIBUTE_H

#include "universe/world/spanning.h"

#pragma GCC visibility push(hidden)
/* Makes the values of the predefined attributes. Collective over the world. Returns an error of WaitIO. */
int universe_attributes_begin(void);
/* Deletes those of MPI_COMM_SELF, then those of MPI_COMM_WORLD, as MPI_Finalize does first. */
void universe_attributes_end(void);
/* Calls the copy functions for a duplicate, and the delete functions. Return a code of the hub, which such a function gave. */
int universe_attributes_copy(universe_comm *from, universe_comm *to);
int universe_attributes_delete(universe_comm *c);
#pragma GCC visibility pop

#endif
