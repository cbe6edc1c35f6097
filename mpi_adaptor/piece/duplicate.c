/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are ready when a request has completed. The handle is there when the call returns; but Open MPI writes to where it was told once
 * more on completion, so that place has to last: late_comm() gives it, late_comm_after() converts what is there now. */
#include PIECE_HEADER

int OUTER(Comm_idup)(outer_Comm comm, outer_Comm *made, outer_Request *request)
{
    inner_Request started = inner_Request_none;
    inner_Comm *late = late_comm(made);
    int error = inner->Comm_idup(Comm_inner(comm), late, &started);
    if (error == 0)
        *request = Request_outer_new(started);
    late_comm_after(late, made, request, error);
    return error_outer(error);
}
WEAK_NAME(Comm_idup)

#ifdef HAS_LARGE_COUNTS
int OUTER(Comm_idup_with_info)(outer_Comm comm, outer_Info info, outer_Comm *made, outer_Request *request)
{
    inner_Request started = inner_Request_none;
    inner_Comm *late = late_comm(made);
    int error = inner->Comm_idup_with_info(Comm_inner(comm), Info_inner(info), late, &started);
    if (error == 0)
        *request = Request_outer_new(started);
    late_comm_after(late, made, request, error);
    return error_outer(error);
}
WEAK_NAME(Comm_idup_with_info)
#endif
