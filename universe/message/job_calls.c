/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/message/job_calls.h"

#include <stdlib.h>

#include "universe/message/inside.h"
#include "universe/packing/packing.h"
#include "universe/world/waiting.h"

int universe_job_send(abi_Comm comm, const universe_call *call)
{
    abi_Request request;
    int code = universe_inside_isend(call->mode, call->buf, call->count, call->type, call->other, call->tag, comm, &request);
    return universe_wait_started(code, &request, NULL);
}

int universe_job_receive(abi_Comm comm, const universe_call *call, abi_Status *status)
{
    abi_Request request;
    int code = universe_inside_irecv(call->to, call->count, call->type, call->other, call->tag, comm, &request);
    return universe_wait_started(code, &request, status);
}

int universe_job_sendrecv(abi_Comm comm, const universe_call *send, const universe_call *receive, abi_Status *status)
{
    abi_Request in, out;
    int code = universe_inside_irecv(receive->to, receive->count, receive->type, receive->other, receive->tag, comm, &in);
    if (code)
        return code;
    code = universe_inside_isend(send->mode, send->buf, send->count, send->type, send->other, send->tag, comm, &out);
    if (code) {
        universe.mpi->Cancel(&in);
        universe.mpi->Wait(&in, NULL);
        return code;
    }
    int received = universe_wait_started(0, &in, status), sent = universe_wait_started(0, &out, NULL);
    return received ? received : sent;
}

int universe_job_replace(abi_Comm comm, const universe_call *send, const universe_call *receive, abi_Status *status)
{
    int64_t bytes = 0;
    int size = 0;
    universe_call copy = *send;
    char *values = NULL;
    int code = send->other == ABI_PROC_NULL ? 0 : universe_packed_size(send->count, send->type, false, &bytes);
    if (!code && bytes > 0) {
        values = malloc((size_t)bytes);
        code = values ? universe_pack(send->buf, send->count, send->type, false, values, bytes) : ABI_ERR_NO_MEM;
    }
    if (!code)
        code = universe.mpi->Type_size(send->type, &size);
    copy.buf = values;
    copy.count = send->other == ABI_PROC_NULL ? 0 : size * send->count;
    copy.type = (abi_Datatype)ABI_PACKED;
    code = code ? code : universe_job_sendrecv(comm, &copy, receive, status);
    free(values);
    return code;
}
