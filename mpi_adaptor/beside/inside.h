/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that pass the layer, in a front that stands beside the real MPI. Included by front/NAME.h, which has Comm_layer(), the hub's handle of a communicator
 * of the layer or 0, and Request_is_layer(). */
#ifndef H3OU_MPI_ADAPTOR_BESIDE_INSIDE_H
#define H3OU_MPI_ADAPTOR_BESIDE_INSIDE_H

#include "mpi_adaptor/hub/inside.h"

#include "mpi_adaptor/beside/source_rank.h"

/* NULL: one of the real MPI. */
SHORTCUT_INLINE const struct inside_comm *inside_comm_of(MPI_Comm comm)
{
    if (comm == MPI_COMM_WORLD)
        return *shortcut.inside->world;
    intptr_t handle = Comm_layer(comm);
    return __builtin_expect(handle != 0, 0) ? (const struct inside_comm *)(handle - 1) : NULL;
}

/* Whether a send goes to a process of the job, or to nobody, by arguments that need no further look. local: out, the rank there. */
SHORTCUT_INLINE int inside_send_fits(const struct inside_comm *c, int count, MPI_Datatype type, int rank, int tag, int blocks, int *local)
{
    *local = rank;
    if ((count | tag) < 0 || tag > *shortcut.inside->tag_ub || type == MPI_DATATYPE_NULL || (blocks && *shortcut.inside->open > 0))
        return 0;
    if ((unsigned)rank >= (unsigned)c->size)
        return rank == MPI_PROC_NULL;
    *local = c->local_rank[rank];
    return *local >= 0;
}

/* A receive is also ordered among those from any source. Where ranks differ its status is to have `rank`. */
SHORTCUT_INLINE int inside_receive_fits(const struct inside_comm *c, int count, MPI_Datatype type, int rank, int tag, int blocks, int *local)
{
    return c->kept == 0 && !*shortcut.inside->has_threads &&
           inside_send_fits(c, count, type, rank, tag == MPI_ANY_TAG ? 0 : tag, blocks, local);
}

/* Whether requests may be completed in the real MPI. */
SHORTCUT_INLINE int inside_completes(int n, const MPI_Request *requests)
{
    if (*shortcut.inside->open > 0 || shortcut_kept())
        return 0;
    for (int i = 0; i < n; i++)
        if (__builtin_expect(Request_is_layer(requests[i]), 0))
            return 0;
    return 1;
}

/* For an error of a call on a communicator of the layer, and of the completion of requests, whose statuses may have errors. */
int inside_failed(MPI_Comm comm, int result, const char *function) __attribute__((cold));
int inside_completion_failed(int result, MPI_Status *statuses, int n, const char *function) __attribute__((cold));

SHORTCUT_INLINE int inside_told(MPI_Comm comm, int result, const char *function)
{
    return __builtin_expect(result == 0, 1) ? 0 : inside_failed(comm, result, function);
}
#endif
