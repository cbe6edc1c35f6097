/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Intercomm_create: inside a job it is the job's MPI's, over jobs it is refused. Only the leaders know where the other side is, so they tell each
 * other, over the peer communicator, whether one of them cannot, and then the members of their own group.
 */
#include "universe/world/layer.h"
#include "universe/world/waiting.h"

/* Where a leader finds the other one. */
typedef struct other_side {
    abi_Comm peer; /* of the job's MPI */
    int leader;    /* rank there; negative: in another job */
} other_side;

static other_side find_side(abi_Comm peer_comm, int remote_leader)
{
    const universe_comm *p = universe_comm_of(peer_comm);
    if (!p)
        return (other_side){peer_comm, remote_leader};
    bool is_rank = remote_leader >= 0 && remote_leader < p->size;
    return (other_side){p->local, is_rank ? p->local_rank[remote_leader] : -1};
}

/* Returns a code; adds to *is_refused what the other leader says. */
static int ask_leader(other_side other, int tag, int *is_refused)
{
    int mine = *is_refused, theirs = 0;
    abi_Request requests[2];
    int code = universe.mpi->Irecv(&theirs, 1, (abi_Datatype)ABI_INT, other.leader, tag, other.peer, &requests[0]);
    if (!code)
        code = universe.mpi->Isend(&mine, 1, (abi_Datatype)ABI_INT, other.leader, tag, other.peer, &requests[1]);
    universe_enter();
    for (int i = 0; i < 2 && !code; i++)
        code = universe_wait_inner(&requests[i], NULL);
    universe_exit();
    *is_refused = mine || theirs;
    return code;
}

static int tell_members(abi_Comm local_comm, int leader, int *is_refused)
{
    abi_Request request;
    int code = universe.mpi->Ibcast(is_refused, 1, (abi_Datatype)ABI_INT, leader, local_comm, &request);
    universe_enter();
    if (!code)
        code = universe_wait_inner(&request, NULL);
    universe_exit();
    return code;
}

int universe_Intercomm_create(abi_Comm local_comm, int local_leader, abi_Comm peer_comm, int remote_leader, int tag, abi_Comm *newintercomm)
{
    universe_comm *c = universe_comm_of(local_comm);
    int rank = -1, is_refused = c != NULL, code = 0;
    other_side other = {peer_comm, remote_leader};
    if (!universe.comm)
        return universe.mpi->Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
    if (universe_Comm_rank(local_comm, &rank) == 0 && rank == local_leader) {
        other = find_side(peer_comm, remote_leader);
        if (other.leader < 0)
            is_refused = 1;
        else
            code = ask_leader(other, tag, &is_refused);
    }
    if (!code && !c)
        code = tell_members(local_comm, local_leader, &is_refused);
    if (!code && is_refused)
        return universe_refuse(c, "MPI_Intercomm_create", "an inter-communicator is not possible over several jobs");
    return code ? code : universe.mpi->Intercomm_create(local_comm, local_leader, other.peer, other.leader, tag, newintercomm);
}
