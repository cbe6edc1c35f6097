/* SPDX-License-Identifier: BSD-3-Clause */
/* What a layer before a back (universe/) says of calls that may pass it. A front that stands beside the real MPI has its handles and statuses, so it passes
 * such a call on as it is, but for the rank of a communicator of the layer. */
#ifndef H3OU_MPI_ADAPTOR_INSIDE_H
#define H3OU_MPI_ADAPTOR_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Of a communicator of the layer, whose handle in the hub is the address of this plus 1. */
struct inside_comm {
    int size;
    int kept;              /* messages of the real MPI that wait in the layer: while it is not 0 no receive passes */
    bool is_plain;         /* members that the real MPI knows have the same rank in `local` */
    const int *local_rank; /* [size] in `local`; -1: of a process that the real MPI does not know */
    intptr_t local;        /* communicator of the real MPI */
};

struct inside {
    const int *open;         /* while it is not 0 no call may block in the real MPI */
    const bool *has_threads; /* several threads may call at the same time */
    const int *tag_ub;
    struct inside_comm *const *world; /* that of MPI_COMM_WORLD; NULL there: it is the real MPI's */
    /* For an error, a code of the hub, that the real MPI returned for a call on a communicator of the layer, or, comm == 0, for the completion of requests.
     * Returns the code that the call returns. */
    int (*failed)(intptr_t comm, int code, const char *function);
};

#endif
