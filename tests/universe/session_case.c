/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions are of one job; a communicator of a group over jobs is refused with the error handler that the call is given. Open MPI 4.1 has none. */
#include "universe_case.h"

#ifndef OPEN_MPI
static int told;

static void take_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    told = *code;
}

CASE(session_groups)
{
    MPI_Session session;
    MPI_Group group, world;
    MPI_Comm comm = MPI_COMM_NULL;
    int size = 0, n = 0, sum = -1, one = 1, mine = 0;
    for (int r = 0; r < world_size; r++)
        mine += job_of(r) == job_of(my_rank);
    CALL(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    CALL(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n));
    CHECK(n >= 2);
    CALL(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CALL(MPI_Group_size(group, &size));
    EQUAL(size, mine);
    CALL(MPI_Comm_create_from_group(group, "h3ou.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CALL(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(sum, mine);
    CALL(MPI_Comm_free(&comm));
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    if (jobs > 1) {
        FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Comm_create_from_group(world, "h3ou.world", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        MPI_Errhandler handler;
        CALL(MPI_Comm_create_errhandler(take_error, &handler));
        FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Comm_create_from_group(world, "h3ou.told", MPI_INFO_NULL, handler, &comm));
        EQUAL(told, MPI_ERR_UNSUPPORTED_OPERATION);
        CALL(MPI_Errhandler_free(&handler));
        FAILS(MPI_ERR_UNSUPPORTED_OPERATION,
              MPI_Intercomm_create_from_groups(group, 0, world, 0, "h3ou.two", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    }
    CALL(MPI_Group_free(&world));
    CALL(MPI_Group_free(&group));
    CALL(MPI_Session_finalize(&session));
}
#else
CASE(session_groups)
{
}
#endif
