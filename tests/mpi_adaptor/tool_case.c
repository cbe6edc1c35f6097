/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface for tools: variables of control and of performance. Their names differ; what an MPI says of itself must be consistent. */
#include "mpi_case.h"

#include <string.h>

static void read_control(void)
{
    int n = -1, found = 0;
    CALL(MPI_T_cvar_get_num(&n));
    CHECK(n > 0);
    for (int i = 0; i < n && found < 10; i++) {
        char name[256] = "", text[1024] = "";
        int name_length = sizeof name, text_length = sizeof text, verbosity = -1, bind = -1, scope = -1, index = -1, count = -1, value = -1;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum labels;
        MPI_T_cvar_handle handle;
        if (MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &labels, text, &text_length, &bind, &scope) != MPI_SUCCESS)
            continue;
        CHECK(*name && verbosity >= MPI_T_VERBOSITY_USER_BASIC && verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL);
        CALL(MPI_T_cvar_get_index(name, &index));
        EQUAL(index, i);
        if (type != MPI_INT || bind != MPI_T_BIND_NO_OBJECT)
            continue;
        CALL(MPI_T_cvar_handle_alloc(i, NULL, &handle, &count));
        EQUAL(count, 1);
        CALL(MPI_T_cvar_read(handle, &value));
        CALL(MPI_T_cvar_handle_free(&handle));
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
        found++;
    }
    CHECK(found > 0);
}

static void read_performance(void)
{
    int n = -1, categories = -1;
    MPI_T_pvar_session session;
    CALL(MPI_T_pvar_get_num(&n));
    CHECK(n >= 0);
    CALL(MPI_T_pvar_session_create(&session));
    for (int i = 0; i < n; i++) {
        char name[256] = "", text[1024] = "";
        int name_length = sizeof name, text_length = sizeof text, verbosity, class = -1, bind, readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum labels;
        if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &type, &labels, text, &text_length, &bind, &readonly,
                                &continuous, &atomic) == MPI_SUCCESS)
            CHECK(*name && class >= MPI_T_PVAR_CLASS_STATE && class <= MPI_T_PVAR_CLASS_GENERIC);
    }
    CALL(MPI_T_pvar_session_free(&session));
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
    CALL(MPI_T_category_get_num(&categories));
    CHECK(categories >= 0);
}

/* Once: MPICH 4.0.2 fails when the interface is started again after its end. */
static void read_all(void)
{
    int provided = -1;
    CALL(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    CHECK(provided >= MPI_THREAD_SINGLE);
    read_control();
    read_performance();
    CALL(MPI_T_finalize());
}

const mpi_case tool_cases[] = {{"tool_variables", read_all}, {NULL, NULL}};
