/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of waitio_mpi.h: groups with negative ids, which programs do not use for their own groups. */
#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "join_mpi/job_mpi.h"
#include "os/os_clock.h"
#include "waitio/message/instance.h"
#include "waitio_mpi.h"

enum { UNIVERSE = -1001, HEADS = -1002, WORLD = -1003, FIRST_PB = -2000 };

/* The communicator WAITIO_MPI_COMM_WORLD of the instance that asked for it last. */
static struct {
    pthread_mutex_t lock;
    uint64_t instance;
    WAITIO_MPI_Comm comm;
} world = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int accept_all(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

static int accept_head(int pbid, int rank)
{
    (void)pbid;
    return rank == 0;
}

/* Creates the group of the processes that `member` accepts, of PB pbid only, or, if pbid is negative, of all PBs. */
static int create_comm(int gid, waitio_filter_func_t member, int pbid, WAITIO_MPI_Comm *comm)
{
    int npb, code = waitio_pb_size(&npb);
    *comm = NULL;
    if (code)
        return code;
    if (pbid >= npb)
        return h3ou__fail(H3OU__EARG, "waitio_create_pbgroup: there is no PB %d, the last one is %d", pbid, npb - 1);
    waitio_filter_func_t *members = malloc((size_t)npb * sizeof *members);
    int *order = malloc((size_t)npb * sizeof *order);
    for (int pb = 0; members && order && pb < npb; pb++) {
        members[pb] = pbid < 0 || pb == pbid ? member : NULL;
        order[pb] = pb;
    }
    if (members && order) {
        *comm = waitio_create_group_func(gid, members, order);
        code = *comm ? H3OU__OK : H3OU__ENOMEM; /* the sentence was recorded by the call that made no group */
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
    return code ? code : create_comm(UNIVERSE, accept_all, -1, comm);
}

WAITIO_MPI_Comm waitio_mpi_comm_world(void)
{
    WAITIO_MPI_Comm comm = WAITIO_MPI_COMM_NULL;
    if (join_once())
        return comm;
    const waitio__instance *in = waitio__instance_current();
    pthread_mutex_lock(&world.lock);
    if (world.comm && world.instance == in->id) {
        comm = world.comm;
    } else if (!create_comm(WORLD, accept_all, -1, &comm)) {
        world.comm = comm;
        world.instance = in->id;
    }
    pthread_mutex_unlock(&world.lock);
    return comm;
}

int waitio_mpi_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    int code = waitio__instance_current() ? H3OU__OK : h3ou__job_mpi_start();
    return code ? code : join_once();
}

int waitio_mpi_finalize(void)
{
    int code = waitio_finalize(), ended = h3ou__job_mpi_end();
    return code ? code : ended;
}

double waitio_mpi_wtime(void)
{
    return h3ou__now();
}

int waitio_create_universe_pbhead(WAITIO_MPI_Comm *comm)
{
    int code = join_once();
    return code ? code : create_comm(HEADS, accept_head, -1, comm);
}

int waitio_create_pbgroup(WAITIO_MPI_Comm *comm, int pbid)
{
    if (pbid < 0)
        return h3ou__fail(H3OU__EARG, "waitio_create_pbgroup: there is no PB %d, they count from 0", pbid);
    return create_comm(FIRST_PB - pbid, accept_all, pbid, comm);
}

int waitio_mpi_comm_rank(WAITIO_MPI_Comm comm, int *rank)
{
    return waitio_group_rank(comm, rank);
}

int waitio_mpi_comm_size(WAITIO_MPI_Comm comm, int *size)
{
    return waitio_group_size(comm, size);
}
