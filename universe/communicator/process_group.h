/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups in a world of several jobs: lists of ranks of the world. The handle is the address plus 1. Groups with processes outside of the world, which
 * MPI_Comm_spawn started, stay those of the job's MPI.
 */
#ifndef H3OU_UNIVERSE_COMMUNICATOR_PROCESS_GROUP_H
#define H3OU_UNIVERSE_COMMUNICATOR_PROCESS_GROUP_H

#include "universe/world/spanning.h"

typedef struct universe_group {
    int size;
    int rank;         /* mine; ABI_UNDEFINED: I am no member */
    int *place;       /* [universe.size] of each process in the group, for universe_group_find(); NULL: it was not needed yet */
    int world_rank[]; /* [size] */
} universe_group;

#pragma GCC visibility push(hidden)
/* Returns the group of a handle; NULL: it is not ours. MPI_GROUP_EMPTY is a group without members. */
const universe_group *universe_group_of(abi_Group handle);
abi_Group universe_group_handle(const universe_group *g);
/* Sets *handle to a group of these processes, MPI_GROUP_EMPTY when there are none. Returns a code of the hub, before the error handler. */
int universe_group_make(int size, const int world_rank[], abi_Group *handle);
/* Returns the place of a process in a group, or ABI_UNDEFINED. The first call on a group that is not small makes a table. */
int universe_group_find(const universe_group *g, int world_rank);

/* Makes *group, which the job's MPI returned, one of ours, and frees the other. Returns a code of the hub. */
int universe_group_adopt(abi_Group *group);
/* Makes a group of the job's MPI of those members that are in this job; the caller frees it. Returns a code of the hub. */
int universe_group_inner(const universe_group *g, abi_Group *inner);
/* Whether all members are in this job. */
bool universe_group_is_here(const universe_group *g);
#pragma GCC visibility pop

#endif
