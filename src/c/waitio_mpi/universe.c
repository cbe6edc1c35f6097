/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of waitio_mpi.h: groups with numbers that programs do not take for theirs. */
#include <stdlib.h>

#include "base/error.h"
#include "waitio/message/instance.h"
#include "waitio_mpi.h"

enum { UNIVERSE = -1001, HEADS = -1002, FIRST_PB = -2000 };

static int is_any(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

static int is_head(int pbid, int rank)
{
    (void)pbid;
    return rank == 0;
}

/* pbid: the only PB with members; negative: all have. */
static int make(int gid, waitio_filter_func_t member, int pbid, WAITIO_MPI_Comm *comm)
{
    int npb, code = waitio_pb_size(&npb);
    *comm = NULL;
    if (code)
        return code;
    if (pbid >= npb)
        return h3ou__fail(H3OU__EARG, "waitio_create_pbgroup: PB %d of %d", pbid, npb);
    waitio_filter_func_t *members = malloc((size_t)npb * sizeof *members);
    int *order = malloc((size_t)npb * sizeof *order);
    for (int pb = 0; members && order && pb < npb; pb++) {
        members[pb] = pbid < 0 || pb == pbid ? member : NULL;
        order[pb] = pb;
    }
    if (members && order) {
        *comm = waitio_create_group_func(gid, members, order);
        code = *comm ? H3OU__OK : H3OU__ENOMEM; /* with the sentence of who made no group */
    } else {
        code = h3ou__fail(H3OU__ENOMEM, "no memory for a communicator over %d jobs", npb);
    }
    free(members);
    free(order);
    return code;
}

static int join_once(void)
{
    return waitio__instance_current() ? H3OU__OK : waitio_init(0);
}

int waitio_create_universe(WAITIO_MPI_Comm *comm)
{
    int code = join_once();
    return code ? code : make(UNIVERSE, is_any, -1, comm);
}

int waitio_create_universe_pbhead(WAITIO_MPI_Comm *comm)
{
    int code = join_once();
    return code ? code : make(HEADS, is_head, -1, comm);
}

int waitio_create_pbgroup(WAITIO_MPI_Comm *comm, int pbid)
{
    if (pbid < 0)
        return h3ou__fail(H3OU__EARG, "waitio_create_pbgroup: PB %d", pbid);
    return make(FIRST_PB - pbid, is_any, pbid, comm);
}

int waitio_mpi_comm_rank(WAITIO_MPI_Comm comm, int *rank)
{
    return waitio_group_rank(comm, rank);
}

int waitio_mpi_comm_size(WAITIO_MPI_Comm comm, int *size)
{
    return waitio_group_size(comm, size);
}
