/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors: classes, texts, the program's own codes and handlers. */
#include "mpi_case.h"

#include <string.h>

static int calls, seen_class;
static MPI_Comm seen_comm;
static MPI_Win seen_win;
static MPI_File seen_file;

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    calls++;
    seen_comm = *comm;
    MPI_Error_class(*code, &seen_class);
}

static void on_win(MPI_Win *win, int *code, ...)
{
    calls++;
    seen_win = *win;
    MPI_Error_class(*code, &seen_class);
}

static void on_file(MPI_File *file, int *code, ...)
{
    calls++;
    seen_file = *file;
    MPI_Error_class(*code, &seen_class);
}

static void find_classes(void)
{
    int value = 0, got[2];
    FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, right, -55, MPI_COMM_WORLD));
    FAILS(MPI_ERR_COUNT, MPI_Send(&value, -1, MPI_INT, right, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_TYPE, MPI_Send(&value, 1, MPI_DATATYPE_NULL, right, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(&value, 1, MPI_INT, -9, MPI_COMM_WORLD));
    if (my_rank % 2)
        CALL(MPI_Send((int[]){1, 2}, 2, MPI_INT, left, 1, MPI_COMM_WORLD));
    else /* Open MPI 4.1 does not tell of it where a process sends to itself */
        FAILS(MPI_ERR_TRUNCATE, MPI_Recv(got, 1, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void read_texts(void)
{
    const int classes[] = {MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_REQUEST,
        MPI_ERR_ROOT, MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN, MPI_ERR_TRUNCATE,
        MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_PENDING, MPI_ERR_IN_STATUS, MPI_ERR_ACCESS, MPI_ERR_AMODE, MPI_ERR_ASSERT,
        MPI_ERR_BAD_FILE, MPI_ERR_BASE, MPI_ERR_CONVERSION, MPI_ERR_DISP, MPI_ERR_DUP_DATAREP, MPI_ERR_FILE_EXISTS,
        MPI_ERR_FILE_IN_USE, MPI_ERR_FILE, MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY, MPI_ERR_INFO_VALUE, MPI_ERR_INFO, MPI_ERR_IO,
        MPI_ERR_KEYVAL, MPI_ERR_LOCKTYPE, MPI_ERR_NAME, MPI_ERR_NO_MEM, MPI_ERR_NOT_SAME, MPI_ERR_NO_SPACE, MPI_ERR_NO_SUCH_FILE,
        MPI_ERR_PORT, MPI_ERR_QUOTA, MPI_ERR_READ_ONLY, MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_SYNC, MPI_ERR_SERVICE, MPI_ERR_SIZE,
        MPI_ERR_SPAWN, MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_WIN, MPI_ERR_RMA_RANGE,
        MPI_ERR_RMA_ATTACH, MPI_ERR_RMA_FLAVOR, MPI_ERR_RMA_SHARED};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = -1, class = -1;
        CALL(MPI_Error_string(classes[i], text, &length));
        CHECK(length > 0 && length == (int)strlen(text));
        CALL(MPI_Error_class(classes[i], &class));
        EQUAL(class, classes[i]);
        for (size_t j = 0; j < i; j++)
            CHECK(classes[i] != classes[j]);
    }
}

static void add_codes(void)
{
    int class = -1, code = -1, got = -1, length = 0;
    char text[MPI_MAX_ERROR_STRING] = "";
    void *last = NULL;
    CALL(MPI_Add_error_class(&class));
    CALL(MPI_Add_error_code(class, &code));
    CHECK(class > MPI_ERR_LASTCODE && code > MPI_ERR_LASTCODE);
    CALL(MPI_Add_error_string(code, "the program's own error"));
    CALL(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "the program's own error") == 0);
    CALL(MPI_Error_class(code, &got));
    EQUAL(got, class);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &got));
    if (CHECK(got))
        CHECK(*(int *)last >= class);
}

static void handle_comm(void)
{
    MPI_Errhandler handler, got;
    MPI_Comm copy;
    int value = 0;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CALL(MPI_Comm_create_errhandler(on_comm, &handler));
    CALL(MPI_Comm_set_errhandler(copy, handler));
    CALL(MPI_Comm_get_errhandler(copy, &got));
    CHECK(got == handler);
    CALL(MPI_Errhandler_free(&got));
    CALL(MPI_Errhandler_free(&handler));
    CHECK(handler == MPI_ERRHANDLER_NULL);
    calls = 0;
    FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, 77, 0, copy));
    EQUAL(calls, 1);
    CHECK(seen_comm == copy);
    EQUAL(seen_class, MPI_ERR_RANK);
    CALL(MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER));
    EQUAL(calls, 2);
    EQUAL(seen_class, MPI_ERR_OTHER);
    CALL(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    CALL(MPI_Comm_get_errhandler(copy, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, 77, 0, copy));
    EQUAL(calls, 2);
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CALL(MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Comm_get_errhandler(copy, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    CALL(MPI_Comm_free(&copy));
}

static void handle_others(void)
{
    static _Alignas(64) int memory[4];
    MPI_Errhandler handler, got;
    MPI_Win win;
    MPI_File file;
    calls = 0;
    CALL(MPI_Win_create_errhandler(on_win, &handler));
    CALL(MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CALL(MPI_Win_set_errhandler(win, handler));
    CALL(MPI_Win_get_errhandler(win, &got));
    CHECK(got == handler);
    CALL(MPI_Errhandler_free(&got));
    CALL(MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC));
    EQUAL(calls, 1);
    CHECK(seen_win == win);
    EQUAL(seen_class, MPI_ERR_RMA_SYNC);
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Win_free(&win));
    /* Errors of opening go to the handler of the null file; at first it returns them. */
    FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_SELF, "/no/such/folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    CALL(MPI_File_create_errhandler(on_file, &handler));
    CALL(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    CALL(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    calls = 0;
    FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_SELF, "/no/such/folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    EQUAL(calls, 1);
    CHECK(seen_file == MPI_FILE_NULL);
    EQUAL(seen_class, MPI_ERR_NO_SUCH_FILE);
    CALL(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    CALL(MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    CALL(MPI_File_set_errhandler(file, handler));
    CALL(MPI_File_get_errhandler(file, &got));
    CHECK(got == handler);
    CALL(MPI_File_call_errhandler(file, MPI_ERR_IO));
    EQUAL(calls, 2);
    CHECK(seen_file == file);
    EQUAL(seen_class, MPI_ERR_IO);
    CALL(MPI_File_close(&file));
    CALL(MPI_Errhandler_free(&handler));
}

const mpi_case error_cases[] = {{"error_classes", find_classes}, {"error_texts", read_texts}, {"error_codes", add_codes},
                                {"error_comm", handle_comm},     {"error_others", handle_others}, {NULL, NULL}};
