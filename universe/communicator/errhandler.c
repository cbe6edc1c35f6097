/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers: a handle is that of the job's MPI; its function is kept for communicators over several jobs. */
#include "universe/world/layer.h"
#include "universe/world/handlers.h"

static bool is_predefined(abi_Errhandler handler)
{
    return (intptr_t)handler > ABI_ERRHANDLER_NULL && (intptr_t)handler <= ABI_ERRORS_ABORT;
}

int universe_Comm_create_errhandler(abi_Comm_errhandler_function *comm_errhandler_fn, abi_Errhandler *errhandler)
{
    int code = universe.mpi->Comm_create_errhandler(comm_errhandler_fn, errhandler);
    if (code || !universe.comm || universe_handler_add(*errhandler, comm_errhandler_fn))
        return code;
    return universe_fail(NULL, ABI_ERR_NO_MEM, "MPI_Comm_create_errhandler", "no memory for an error handler");
}

int universe_Comm_set_errhandler(abi_Comm comm, abi_Errhandler errhandler)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_set_errhandler(comm, errhandler);
    if (!is_predefined(errhandler) && !universe_handler_find(errhandler))
        return universe_fail(c, ABI_ERR_ARG, "MPI_Comm_set_errhandler", "the error handler was not created by MPI_Comm_create_errhandler");
    abi_Errhandler was = c->errhandler;
    universe_handler_hold(errhandler);
    c->errhandler = errhandler;
    universe_handler_drop(was);
    return 0;
}

int universe_Comm_get_errhandler(abi_Comm comm, abi_Errhandler *errhandler)
{
    universe_comm *c = universe_comm_of(comm);
    if (c) {
        *errhandler = c->errhandler;
        universe_handler_hold(*errhandler);
        return 0;
    }
    int code = universe.mpi->Comm_get_errhandler(comm, errhandler);
    universe_handler *h = code ? NULL : universe_handler_find(*errhandler);
    if (h && __atomic_fetch_add(&h->refs, 1, __ATOMIC_RELAXED) > 0) { /* one reference of the job's MPI stands for all of ours */
        abi_Errhandler one = *errhandler;
        code = universe.mpi->Errhandler_free(&one);
    }
    return code;
}

int universe_Comm_call_errhandler(abi_Comm comm, int errorcode)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_call_errhandler(comm, errorcode);
    universe_fail_inner(c, errorcode, "MPI_Comm_call_errhandler");
    return 0;
}

int universe_Errhandler_free(abi_Errhandler *errhandler)
{
    bool is_uncounted = universe.comm && is_predefined(*errhandler); /* MPI_Comm_get_errhandler may have asked no MPI for it */
    if (!is_uncounted && !universe_handler_find(*errhandler))
        return universe.mpi->Errhandler_free(errhandler);
    universe_handler_drop(*errhandler);
    *errhandler = (abi_Errhandler)ABI_ERRHANDLER_NULL;
    return 0;
}
