/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that send, blocking and not, and those that make a persistent send. */
#include "universe/world/layer.h"
#include "universe/message/direct.h"
#include "universe/message/inside.h"
#include "universe/message/job_calls.h"
#include "universe/message/send_buffer.h"
#include "universe/world/waiting.h"

static int send_copy(universe_comm *c, const universe_call *call)
{
    universe_enter();
    int code = universe_buffer_send(c, call->buf, call->count, call->type, call->other, call->tag);
    universe_exit();
    return code == ABI_ERR_BUFFER ? universe_fail(c, code, call->name, "the buffer of MPI_Buffer_attach has no room for the message")
                                  : universe_fail_inner(c, code, call->name);
}

static int send_and_wait(universe_comm *c, const universe_call *call)
{
    universe_message m = {0}, *const one[] = {&m};
    universe_enter();
    universe_message_set(&m, c, call, false);
    universe_message_start(&m);
    int code = universe_messages_wait(one, 1, call->name);
    universe_exit();
    return code;
}

static int send_now(universe_comm *c, const universe_call *call)
{
    int code = universe_call_check(c, call);
    if (code || call->other == ABI_PROC_NULL)
        return code;
    if (call->mode == UNIVERSE_BUFFERED)
        return send_copy(c, call);
    int rank = c->local_rank[call->other];
    int64_t bytes;
    if (rank < 0 && universe_direct_fits(c, call, &bytes))
        return universe_direct_send(c, call, bytes);
    if (rank < 0 || universe.open > 0)
        return send_and_wait(c, call);
    return universe_fail_inner(c, universe_inside_send(call->mode, call->buf, call->count, call->type, rank, call->tag, c->local), call->name);
}

/* A request of the job's MPI that is complete at once. */
static int request_empty(universe_comm *c, abi_Request *request)
{
    return universe.mpi->Isend(NULL, 0, (abi_Datatype)ABI_BYTE, ABI_PROC_NULL, 0, c->local, request);
}

static int send_start(universe_comm *c, const universe_call *call, abi_Request *request)
{
    int code = universe_call_check(c, call);
    if (!code && call->mode == UNIVERSE_BUFFERED && call->other != ABI_PROC_NULL)
        code = send_copy(c, call);
    if (code)
        return code;
    if (call->mode == UNIVERSE_BUFFERED || call->other == ABI_PROC_NULL)
        return request_empty(c, request);
    int rank = c->local_rank[call->other];
    if (rank >= 0)
        return universe_fail_inner(c, universe_inside_isend(call->mode, call->buf, call->count, call->type, rank, call->tag, c->local, request), call->name);
    universe_enter();
    universe_message *m = universe_message_new(c, call, false);
    if (m)
        universe_message_start(m);
    universe_exit();
    if (!m)
        return universe_fail(c, ABI_ERR_NO_MEM, call->name, "no memory for a request");
    *request = universe_request_handle(&m->base);
    return 0;
}

static int init_inside(const universe_comm *c, const universe_call *call, int rank, abi_Request *request)
{
    const struct hub *mpi = universe.mpi;
    bool is_synchronous = call->mode == UNIVERSE_SYNCHRONOUS;
    if (call->count > INT_MAX)
        return is_synchronous ? mpi->Ssend_init_c(call->buf, call->count, call->type, rank, call->tag, c->local, request)
                              : mpi->Send_init_c(call->buf, call->count, call->type, rank, call->tag, c->local, request);
    return is_synchronous ? mpi->Ssend_init(call->buf, (int)call->count, call->type, rank, call->tag, c->local, request)
                          : mpi->Send_init(call->buf, (int)call->count, call->type, rank, call->tag, c->local, request);
}

static int send_init(universe_comm *c, const universe_call *call, abi_Request *request)
{
    int code = universe_call_check(c, call);
    if (code)
        return code;
    int rank = call->other == ABI_PROC_NULL ? ABI_PROC_NULL : c->local_rank[call->other];
    if (call->other == ABI_PROC_NULL || (rank >= 0 && call->mode != UNIVERSE_BUFFERED))
        return universe_fail_inner(c, init_inside(c, call, rank, request), call->name);
    return universe_persistent_new(c, call, request);
}

/* NAME, its large-count form, and the same for the call that does not block and for the persistent one. A ready send is a standard one (inside.h). */
#define CALL(name, how) &(const universe_call){"MPI_" #name, how, buf, count, datatype, dest, tag, NULL}
#define BLOCKING(name, how, number)                                                                                                        \
    int universe_##name(const void *buf, number count, abi_Datatype datatype, int dest, int tag, abi_Comm comm)                            \
    {                                                                                                                                      \
        universe_comm *c = universe_comm_of(comm);                                                                                         \
        if (!c && universe.open > 0 && (how) != UNIVERSE_BUFFERED)                                                                         \
            return universe_job_send(comm, CALL(name, how));                                                                               \
        return c ? send_now(c, CALL(name, how)) : universe.mpi->name(buf, count, datatype, dest, tag, comm);                               \
    }
#define STARTING(name, how, number, function)                                                                                              \
    int universe_##name(const void *buf, number count, abi_Datatype datatype, int dest, int tag, abi_Comm comm, abi_Request *request)      \
    {                                                                                                                                      \
        universe_comm *c = universe_comm_of(comm);                                                                                         \
        return c ? function(c, CALL(name, how), request) : universe.mpi->name(buf, count, datatype, dest, tag, comm, request);             \
    }
#define SENDS(letter, how)                                                                                                                 \
    BLOCKING(letter, how, int)                                                                                                             \
    BLOCKING(letter##_c, how, abi_Count)                                                                                                   \
    STARTING(letter##_init, how, int, send_init)                                                                                           \
    STARTING(letter##_init_c, how, abi_Count, send_init)
#define ISENDS(name, how)                                                                                                                  \
    STARTING(name, how, int, send_start)                                                                                                        \
    STARTING(name##_c, how, abi_Count, send_start)

SENDS(Send, UNIVERSE_STANDARD)
SENDS(Rsend, UNIVERSE_STANDARD)
SENDS(Bsend, UNIVERSE_BUFFERED)
SENDS(Ssend, UNIVERSE_SYNCHRONOUS)
ISENDS(Isend, UNIVERSE_STANDARD)
ISENDS(Irsend, UNIVERSE_STANDARD)
ISENDS(Ibsend, UNIVERSE_BUFFERED)
ISENDS(Issend, UNIVERSE_SYNCHRONOUS)
