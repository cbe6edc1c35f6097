/* SPDX-License-Identifier: BSD-3-Clause */
/* What all functions share that make a communicator from one over several jobs. */
#ifndef H3OU_UNIVERSE_COMMUNICATOR_MAKING_H
#define H3OU_UNIVERSE_COMMUNICATOR_MAKING_H

#include "universe/world/spanning.h"

#pragma GCC visibility push(hidden)
/* Sets *made to a communicator of `size` processes of the world with the error handler of `parent`. Takes `local`, the members in this job; when they
 * are all, it is the result. Collective over the members of this job. Returns a code of the hub, after the error handler. */
int universe_comm_make(universe_comm *parent, int size, const int world_rank[], abi_Comm local, int32_t context, const char *function, abi_Comm *made);
/* MPI_Comm_split after the checks of its arguments. */
int universe_comm_split(universe_comm *c, int color, int key, const char *function, abi_Comm *newcomm);
/* Functions of the job's MPI with a group that is ours. */
int universe_comm_create_inner(abi_Comm comm, abi_Group group, abi_Comm *newcomm);
int universe_comm_create_group_inner(abi_Comm comm, abi_Group group, int tag, abi_Comm *newcomm);
/* Deletes the attributes and gives up the handle. Returns a code of the hub, after the error handler. */
int universe_comm_discard(universe_comm *c, const char *function);
#pragma GCC visibility pop

#endif
