/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A communicator whose members are in several jobs. Its handle in the hub is the address of a universe_comm plus 1: no handle of a back is
 * positive and odd, except for predefined ones, which are below HUB_PREDEFINED. A communicator within one job is that of the job's MPI.
 */
#ifndef H3OU_UNIVERSE_WORLD_SPANNING_H
#define H3OU_UNIVERSE_WORLD_SPANNING_H

#include <stdint.h>

#include "universe/world/jobs.h"
#include "waitio.h"

struct universe_comm {
    struct inside_comm passing; /* what a front knows of it (mpi_adaptor/hub/inside.h), by the handle: the first member */
    int size, rank;        /* rank: mine */
    int *world_rank;       /* [size] */
    int *local_rank;       /* [size] in `local`; -1: in another job */
    int *rank_of_local;    /* [nlocal] rank here of each process of `local` */
    int *peer;             /* [size] rank in the groups of WaitIO */
    int *rank_of_peer;     /* [size] the reverse */
    int nlocal, my_local;  /* my_local: my rank in `local` */
    bool is_plain;         /* the ranks in `local` are those here */
    abi_Comm local;        /* of the job's MPI: the members in this job, for messages, name, info; its errors are returned */
    abi_Comm inside;       /* a duplicate, for the library's own messages */
    waitio_group_t group;  /* for messages of the program */
    waitio_group_t beyond; /* for the library's own messages */
    int32_t context;       /* the same at all members; no two communicators with a common member have the same */
    int64_t ncollective;   /* collective calls so far */
    abi_Errhandler errhandler; /* held */
    struct universe_attribute *attributes; /* of the program, the newest first */
    struct universe_topology *topology; /* held; NULL: none */
    struct universe_request *requests; /* that hold it, the newest first */
    struct universe_order *order; /* message/arrival_order.h; NULL: none */
    struct universe_parted_count *parted; /* message/parted_request.h */
    struct universe_division *division; /* of the collective calls, in one piece of memory; NULL: not made yet */
    struct h3ou__host_block *memory; /* member/job_memory.h; NULL: none */
    bool is_settled; /* whether there is memory */
    int refs; /* the handle, and requests that are not complete; the last one frees it */
};

/* Whether a handle is one of ours: a communicator, a group or a request. */
static inline bool universe_is_own(const void *handle)
{
    return (intptr_t)handle >= HUB_PREDEFINED && ((intptr_t)handle & 1);
}

/* Returns the communicator over several jobs that a handle stands for, or NULL: then it is one of the job's MPI. */
static inline universe_comm *universe_comm_of(abi_Comm handle)
{
    if ((intptr_t)handle == ABI_COMM_WORLD)
        return universe.comm;
    return universe_is_own(handle) ? (universe_comm *)((intptr_t)handle - 1) : NULL;
}

static inline abi_Comm universe_comm_handle(universe_comm *c)
{
    return c == universe.comm ? (abi_Comm)ABI_COMM_WORLD : (abi_Comm)((intptr_t)c + 1);
}

#pragma GCC visibility push(hidden)
/* Makes a communicator of processes of the world, of several jobs. Takes `local`, whose ranks are in the order in which the members of
 * this job stand in world_rank[]; world_rank: [size], copied. Collective over the members of this job, because `local` is duplicated. NULL: no
 * memory, or an error of the job's MPI. */
universe_comm *universe_comm_new(int size, const int world_rank[], abi_Comm local, int32_t context);
/* The same in two steps, for who waits for local and inside (a duplicate of local without its errors' handler) in between: _allocate copies world_rank,
 * _complete takes the communicators of the job's MPI and returns an error of WaitIO. What was allocated only is freed by _drop. */
universe_comm *universe_comm_allocate(int size, const int world_rank[]);
int universe_comm_complete(universe_comm *c, abi_Comm local, abi_Comm inside, int32_t context);
void universe_comm_hold(universe_comm *c);
void universe_comm_drop(universe_comm *c);
/* Called when the last reference goes (message/arrival_order.c). */
void universe_order_free(universe_comm *c);
void universe_parted_free(universe_comm *c); /* message/parted_request.c */
#pragma GCC visibility pop

#endif
