/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/collective_call.h"

#include <string.h>

#include "base/error.h"
#include "coll/algorithm_table.h"
#include "waitio/message/group.h"
#include "waitio_mpi/typed.h"

/* Returns the name of the schedule that the paper's algorithm takes for an operation. */
static const char *schedule_of(enum waitio__algorithm algorithm, int operation)
{
    if (operation == H3OU__COLL_BARRIER)
        return "dissemination";
    if (algorithm == WAITIO__TWO_LAYERS)
        return "linear";
    return operation == H3OU__COLL_ALLREDUCE ? "reduce_bcast" : "binomial";
}

static int build_schedule(enum waitio__algorithm algorithm, h3ou__call *call, h3ou__schedule *out)
{
    if (algorithm == WAITIO__HYBRID)
        return h3ou__coll_build(call, out, NULL);
    const char *name = schedule_of(algorithm, call->operation);
    *out = (h3ou__schedule){0};
    for (int i = 0; h3ou__algorithm_table[i]; i++) {
        const h3ou__algorithm *a = h3ou__algorithm_table[i];
        if (a->operation == call->operation && !strcmp(a->name, name))
            return a->build(call, out);
    }
    return h3ou__fail(H3OU__ESTATE, "there is no algorithm %s of %s", name, h3ou__operation_name[call->operation]);
}

int waitio__collective_execute(enum waitio__algorithm algorithm, h3ou__call *call, h3ou__coll_data *data,
                               waitio__group_link *link, uint32_t number)
{
    h3ou__schedule s;
    data->element = call->element;
    int code = build_schedule(algorithm, call, &s);
    if (!code)
        return h3ou__coll_execute(&s, data, &waitio__link_ops, link, waitio__typed_tag(number));
    h3ou__schedule_free(&s);
    return code;
}

int waitio__collective_run(const char *name, h3ou__call *call, h3ou__coll_data *data, WAITIO_MPI_Comm comm, int unit)
{
    waitio__group_link link = {.group = comm, .unit = unit};
    int code = waitio__typed_place(name, comm, call->root, &call->me, &call->size);
    return code ? code : waitio__collective_execute(WAITIO__HYBRID, call, data, &link, comm->nschedule++);
}
