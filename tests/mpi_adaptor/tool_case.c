/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface for tools: variables of control and of performance. Their names differ; what an MPI says of itself must be consistent. */
#include "mpi_case.h"

#include <string.h>

/* Writes what was read: where the variable may be written at all, nothing changes. */
static void write_control(MPI_T_cvar_handle handle, int scope, int value)
{
    int got = value + 1, code = MPI_T_cvar_write(handle, &value);
    if (scope == MPI_T_SCOPE_CONSTANT || scope == MPI_T_SCOPE_READONLY)
        CHECK(code == MPI_T_ERR_CVAR_SET_NEVER || code == MPI_SUCCESS); /* MPICH 4.0.2 does not look at the scope */
    else
        CHECK(code == MPI_SUCCESS || code == MPI_T_ERR_CVAR_SET_NOT_NOW || code == MPI_T_ERR_CVAR_SET_NEVER);
    CALL(MPI_T_cvar_read(handle, &got));
    EQUAL(got, value);
}

/* The items of an enumeration. */
static void read_labels(MPI_T_enum labels)
{
    char name[128] = "";
    int n = -1, length = sizeof name;
    CALL(MPI_T_enum_get_info(labels, &n, name, &length));
    CHECK(n > 0 && *name);
    for (int i = 0; i < n; i++) {
        int value = -1;
        char item[128] = "";
        length = sizeof item;
        CALL(MPI_T_enum_get_item(labels, i, &value, item, &length));
        CHECK(*item && length == (int)strlen(item) + 1);
    }
}

static void read_control(void)
{
    int n = -1, found = 0, labelled = 0;
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
        if (labels != MPI_T_ENUM_NULL && labelled++ == 0)
            read_labels(labels);
        if (type != MPI_INT || bind != MPI_T_BIND_NO_OBJECT)
            continue;
        CALL(MPI_T_cvar_handle_alloc(i, NULL, &handle, &count));
        EQUAL(count, 1);
        CALL(MPI_T_cvar_read(handle, &value));
        write_control(handle, scope, value);
        CALL(MPI_T_cvar_handle_free(&handle));
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
        found++;
    }
    CHECK(found > 0);
}

/* Counts with a variable while a message is sent: those that may be started are started, and stopped. */
static void read_counter(MPI_T_pvar_session session, int i, int bind, int readonly, int continuous)
{
    static char room[65536];
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count = -1;
    if (bind != MPI_T_BIND_NO_OBJECT && bind != MPI_T_BIND_MPI_COMM)
        return;
    if (MPI_T_pvar_handle_alloc(session, i, bind == MPI_T_BIND_NO_OBJECT ? NULL : &comm, &handle, &count) != MPI_SUCCESS)
        return;
    if (continuous) {
        EQUAL(MPI_T_pvar_start(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
        EQUAL(MPI_T_pvar_stop(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
    } else {
        CALL(MPI_T_pvar_start(session, handle));
        CALL(MPI_T_pvar_stop(session, handle));
    }
    if (count >= 0 && count < (int)(sizeof room / 8))
        CALL(MPI_T_pvar_read(session, handle, room));
    if (readonly) {
        CHECK(MPI_T_pvar_write(session, handle, room) != MPI_SUCCESS);
        CHECK(MPI_T_pvar_reset(session, handle) != MPI_SUCCESS);
        CHECK(MPI_T_pvar_readreset(session, handle, room) != MPI_SUCCESS);
    }
    CALL(MPI_T_pvar_handle_free(session, &handle));
    CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
}

static void read_categories(void)
{
    int n = -1, stamp = -1, indices[8];
    CALL(MPI_T_category_changed(&stamp));
    CALL(MPI_T_category_get_num(&n));
    CHECK(n >= 0 && stamp >= 0);
    for (int i = 0; i < n && i < 3; i++) {
        char name[256] = "", text[1024] = "";
        int name_length = sizeof name, text_length = sizeof text, index = -1, cvars = -1, pvars = -1, categories = -1;
        CALL(MPI_T_category_get_info(i, name, &name_length, text, &text_length, &cvars, &pvars, &categories));
        CHECK(*name && cvars >= 0 && pvars >= 0 && categories >= 0);
        CALL(MPI_T_category_get_index(name, &index));
        EQUAL(index, i);
        CALL(MPI_T_category_get_cvars(i, 8, indices));
        for (int j = 0; j < cvars && j < 8; j++)
            CHECK(indices[j] >= 0);
        CALL(MPI_T_category_get_pvars(i, 8, indices));
        CALL(MPI_T_category_get_categories(i, 8, indices));
    }
}

static void read_performance(void)
{
    int n = -1;
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
                                &continuous, &atomic) != MPI_SUCCESS)
            continue;
        int index = -1;
        CHECK(*name && class >= MPI_T_PVAR_CLASS_STATE && class <= MPI_T_PVAR_CLASS_GENERIC);
        CALL(MPI_T_pvar_get_index(name, class, &index));
        EQUAL(index, i);
        if (strncmp(name, "mtl_psm2", 8) != 0) /* without its device Open MPI 4.1.4 ends by a signal */
            read_counter(session, i, bind, readonly, continuous);
    }
    CALL(MPI_T_pvar_session_free(&session));
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
}

#if MPI_VERSION >= 4
/* MPICH 4.0.2 has no event and no source of events; Open MPI 4.1 knows of none. */
static void read_events(void)
{
    int n = -1, sources = -1, index = -1, class = MPI_SUCCESS, code = MPI_T_event_get_num(&n);
    MPI_Error_class(code, &class);
    if (class == MPI_ERR_UNSUPPORTED_OPERATION)
        return;
    CALL(code);
    EQUAL(n, 0);
    CALL(MPI_T_source_get_num(&sources));
    EQUAL(sources, 0);
    EQUAL(MPI_T_event_get_index("no such event", &index), MPI_T_ERR_INVALID_NAME);
    CALL(MPI_T_category_get_num_events(0, &n));
    EQUAL(n, 0);
    CALL(MPI_T_category_get_events(0, 1, &index));
}
#endif

/* Once: MPICH 4.0.2 fails when the interface is started again after its end. */
static void read_all(void)
{
    int provided = -1;
    CALL(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    CHECK(provided >= MPI_THREAD_SINGLE);
    read_control();
    read_performance();
    read_categories();
#if MPI_VERSION >= 4
    read_events();
#endif
    CALL(MPI_T_finalize());
}

const mpi_case tool_cases[] = {{"tool_variables", read_all}, {NULL, NULL}};
