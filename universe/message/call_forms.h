/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms of the calls that receive, and of those that send and receive at once. `function` takes the calls over several jobs; result: Status for those
 * that block, or Request. */
#ifndef H3OU_UNIVERSE_MESSAGE_CALL_FORMS_H
#define H3OU_UNIVERSE_MESSAGE_CALL_FORMS_H

#include "universe/message/job_calls.h"

#define UNIVERSE_BLOCKS_Status  (universe.open > 0) /* for a call on a communicator of the job */
#define UNIVERSE_BLOCKS_Request false
#define RECEIVE(name, from, buffer, n, type, t) &(const universe_call){"MPI_" #name, UNIVERSE_RECEIVE, buffer, n, type, from, t, buffer}
#define RECEIVES(name, number, result, function)                                                                                               \
    int universe_##name(void *buf, number count, abi_Datatype datatype, int source, int tag, abi_Comm comm, abi_##result *given)               \
    {                                                                                                                                          \
        universe_comm *c = universe_comm_of(comm);                                                                                             \
        const universe_call *receive = RECEIVE(name, source, buf, count, datatype, tag);                                                       \
        if (!c && UNIVERSE_BLOCKS_##result)                                                                                                    \
            return universe_job_receive(comm, receive, (void *)given);                                                                         \
        return c ? function(c, receive, given) : universe.mpi->name(buf, count, datatype, source, tag, comm, given);                           \
    }
#define SENDRECVS(name, number, result, function)                                                                                              \
    int universe_##name(const void *sendbuf, number sendcount, abi_Datatype sendtype, int dest, int sendtag, void *recvbuf,                    \
                        number recvcount, abi_Datatype recvtype, int source, int recvtag, abi_Comm comm, abi_##result *given)                  \
    {                                                                                                                                          \
        universe_comm *c = universe_comm_of(comm);                                                                                             \
        universe_call send = {"MPI_" #name, UNIVERSE_STANDARD, sendbuf, sendcount, sendtype, dest, sendtag, NULL};                             \
        const universe_call *receive = RECEIVE(name, source, recvbuf, recvcount, recvtype, recvtag);                                           \
        if (!c && UNIVERSE_BLOCKS_##result)                                                                                                    \
            return universe_job_sendrecv(comm, &send, receive, (void *)given);                                                                 \
        return c ? function(c, &send, receive, given)                                                                                          \
                 : universe.mpi->name(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, given);\
    }
#define REPLACES(name, number, result, function)                                                                                               \
    int universe_##name(void *buf, number count, abi_Datatype datatype, int dest, int sendtag, int source, int recvtag, abi_Comm comm,         \
                        abi_##result *given)                                                                                                   \
    {                                                                                                                                          \
        universe_comm *c = universe_comm_of(comm);                                                                                             \
        universe_call send = {"MPI_" #name, UNIVERSE_STANDARD, buf, count, datatype, dest, sendtag, NULL};                                     \
        const universe_call *receive = RECEIVE(name, source, buf, count, datatype, recvtag);                                                   \
        if (!c && UNIVERSE_BLOCKS_##result)                                                                                                    \
            return universe_job_replace(comm, &send, receive, (void *)given);                                                                  \
        return c ? function(c, &send, receive, given)                                                                                          \
                 : universe.mpi->name(buf, count, datatype, dest, sendtag, source, recvtag, comm, given);                                      \
    }

#endif
