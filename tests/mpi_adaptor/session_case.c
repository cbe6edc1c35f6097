/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions of MPI-4: sets of processes, communicators made of them, error handlers, and what an MPI without sessions returns. */
#include "mpi_case.h"

#include <string.h>

#if MPI_VERSION >= 4
static int calls, seen_class;
static MPI_Session seen_session;

static void on_session(MPI_Session *session, int *code, ...)
{
    calls++;
    seen_session = *session;
    MPI_Error_class(*code, &seen_class);
}

static void make_from_sets(MPI_Session session)
{
    int n = -1, found = 0, size = -1, sum = 0, other = my_rank < 2 ? 2 : 0;
    MPI_Group group, half, rest;
    MPI_Comm comm, part, inter;
    CALL(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n));
    for (int i = 0; i < n; i++) {
        char name[256] = "";
        int length = 0;
        MPI_Info info;
        CALL(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name)); /* asks for the length */
        CHECK(length > 0 && length <= (int)sizeof name);
        CALL(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        EQUAL(length, strlen(name) + 1);
        CALL(MPI_Session_get_pset_info(session, name, &info));
        CHECK(info != MPI_INFO_NULL);
        CALL(MPI_Info_free(&info));
        found += strcmp(name, "mpi://WORLD") == 0;
    }
    EQUAL(found, 1);
    CALL(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CALL(MPI_Group_size(group, &size));
    EQUAL(size, PROCESSES);
    CALL(MPI_Comm_create_from_group(group, "h3ou.cases", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CALL(MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(sum, 6);
    CALL(MPI_Group_range_incl(group, 1, (int[1][3]){{2 - other, 3 - other, 1}}, &half));
    CALL(MPI_Group_range_incl(group, 1, (int[1][3]){{other, other + 1, 1}}, &rest));
    CALL(MPI_Comm_create_from_group(half, "h3ou.half", MPI_INFO_NULL, MPI_ERRORS_RETURN, &part));
    CALL(MPI_Intercomm_create_from_groups(half, 0, rest, 0, "h3ou.inter", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter));
    CALL(MPI_Comm_remote_size(inter, &size));
    EQUAL(size, 2);
    CALL(MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, inter));
    EQUAL(sum, 2 * other + 1);
    CALL(MPI_Comm_free(&inter));
    CALL(MPI_Comm_free(&part));
    CALL(MPI_Comm_free(&comm));
    CALL(MPI_Group_free(&half));
    CALL(MPI_Group_free(&rest));
    CALL(MPI_Group_free(&group));
}

static void use_session(void)
{
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Errhandler handler, got;
    MPI_Group group;
    MPI_Info info;
    CALL(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    CHECK(session != MPI_SESSION_NULL);
    CALL(MPI_Session_get_info(session, &info));
    CHECK(info != MPI_INFO_NULL);
    CALL(MPI_Info_free(&info));
    make_from_sets(session);
    CHECK(MPI_Group_from_session_pset(session, "no://such", &group) != MPI_SUCCESS || group == MPI_GROUP_NULL);
    CALL(MPI_Session_create_errhandler(on_session, &handler));
    CALL(MPI_Session_set_errhandler(session, handler));
    CALL(MPI_Session_get_errhandler(session, &got));
    CHECK(got == handler);
    calls = 0;
    CALL(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    EQUAL(calls, 1);
    CHECK(seen_session == session);
    EQUAL(seen_class, MPI_ERR_OTHER);
    CALL(MPI_Errhandler_free(&got));
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL);
}

/* On an MPI without them: nothing is called, and the program goes on. */
static void be_refused(void)
{
    int value = 0;
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Psend_init(&value, 1, 1, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Send_c(&value, 1, MPI_INT, right, 5, MPI_COMM_WORLD));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Send_c(&value, 1, MPI_INT, right, 5, MPI_COMM_WORLD));
    int n = 0;
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_T_event_get_num(&n));
    CHECK(session == MPI_SESSION_NULL && request == MPI_REQUEST_NULL);
}

const mpi_case session_cases[] = {{"mpi4_session", use_session}, {"refused_mpi4", be_refused}, {NULL, NULL}};
#else
const mpi_case session_cases[] = {{NULL, NULL}};
#endif
