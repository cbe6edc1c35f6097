/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/collective_call.h"

#include "base/error.h"
#include "waitio/message/group.h"
#include "waitio_mpi/typed.h"
#include "waitio_mpi/waitio_link.h"

int waitio__collective_run(const char *name, h3ou__call *call, h3ou__coll_data *data, WAITIO_MPI_Comm comm)
{
    h3ou__schedule s;
    int code = waitio__typed_place(name, comm, call->root, &call->me, &call->size);
    if (code)
        return code;
    data->element = call->element;
    code = h3ou__coll_build(call, &s, NULL);
    if (!code)
        code = h3ou__coll_execute(&s, data, &waitio__link_ops, comm, waitio__typed_tag(comm->nschedule++));
    return code ? h3ou__fail_in(code, "%s", name) : H3OU__OK;
}
