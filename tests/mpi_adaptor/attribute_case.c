/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of communicators, types and windows: the program's functions get the program's own handles. */
#include "mpi_case.h"

static int copies, deletes;
static MPI_Comm seen_comm;
static MPI_Datatype seen_type;
static MPI_Win seen_win;
static int seen_key;

static int copy_comm(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    copies++;
    seen_comm = comm;
    seen_key = key;
    *(void **)out = (char *)in + *(int *)extra;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)value;
    (void)extra;
    deletes++;
    seen_comm = comm;
    seen_key = key;
    return MPI_SUCCESS;
}

static void of_communicators(void)
{
    static char room[64];
    int key = MPI_KEYVAL_INVALID, kept = -1, flag = -1, step = 5, plain = -1;
    void *value = NULL;
    MPI_Comm comm, copy;
    CALL(MPI_Comm_create_keyval(copy_comm, delete_comm, &key, &step));
    CALL(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL));
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &plain, NULL));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Comm_get_attr(comm, key, &value, &flag));
    EQUAL(flag, 0);
    copies = deletes = 0;
    CALL(MPI_Comm_set_attr(comm, key, room));
    CALL(MPI_Comm_set_attr(comm, kept, room + 1));
    CALL(MPI_Comm_set_attr(comm, plain, room + 2));
    CALL(MPI_Comm_dup(comm, &copy));
    EQUAL(copies, 1);
    CHECK(seen_comm == comm && seen_key == key);
    CALL(MPI_Comm_get_attr(copy, key, &value, &flag));
    CHECK(flag && value == room + 5);
    CALL(MPI_Comm_get_attr(copy, kept, &value, &flag));
    CHECK(flag && value == room + 1);
    CALL(MPI_Comm_get_attr(copy, plain, &value, &flag));
    EQUAL(flag, 0);
    MPI_Comm before = copy;
    CALL(MPI_Comm_free(&copy));
    EQUAL(deletes, 1);
    CHECK(seen_comm == before);
    CALL(MPI_Comm_delete_attr(comm, key));
    EQUAL(deletes, 2);
    CHECK(seen_comm == comm);
    CALL(MPI_Comm_free_keyval(&key));
    EQUAL(key, MPI_KEYVAL_INVALID);
    CALL(MPI_Comm_free_keyval(&kept));
    CALL(MPI_Comm_free_keyval(&plain));
    CALL(MPI_Comm_free(&comm));
}

static int copy_type(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)extra;
    (void)key;
    copies++;
    seen_type = type;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_type(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)key;
    (void)value;
    (void)extra;
    deletes++;
    seen_type = type;
    return MPI_SUCCESS;
}

static void of_types(void)
{
    int key = -1, flag = 0, kept = 12;
    void *value = NULL;
    MPI_Datatype type, copy;
    copies = deletes = 0;
    CALL(MPI_Type_create_keyval(copy_type, delete_type, &key, NULL));
    CALL(MPI_Type_contiguous(2, MPI_INT, &type));
    CALL(MPI_Type_set_attr(type, key, &kept));
    CALL(MPI_Type_dup(type, &copy));
    EQUAL(copies, 1);
    CHECK(seen_type == type);
    CALL(MPI_Type_get_attr(copy, key, &value, &flag));
    CHECK(flag && value == &kept);
    CALL(MPI_Type_delete_attr(copy, key));
    EQUAL(deletes, 1);
    CHECK(seen_type == copy);
    CALL(MPI_Type_free(&copy));
    CALL(MPI_Type_free(&type));
    EQUAL(deletes, 2);
    CALL(MPI_Type_free_keyval(&key));
}

static int delete_win(MPI_Win win, int key, void *value, void *extra)
{
    (void)key;
    (void)value;
    (void)extra;
    deletes++;
    seen_win = win;
    return MPI_SUCCESS;
}

static void of_windows(void)
{
    static _Alignas(64) int memory[4];
    int key = -1, flag = 0, kept = 3;
    void *value = NULL;
    MPI_Win win, before;
    deletes = 0;
    CALL(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_win, &key, NULL));
    CALL(MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CALL(MPI_Win_set_attr(win, key, &kept));
    CALL(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(flag && value == &kept);
    CALL(MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag));
    CHECK(flag && value == memory);
    CALL(MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag));
    if (CHECK(flag))
        EQUAL(*(MPI_Aint *)value, sizeof memory);
    CALL(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag));
    if (CHECK(flag))
        EQUAL(*(int *)value, 4);
    CALL(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag));
    if (CHECK(flag))
        EQUAL(*(int *)value, MPI_WIN_FLAVOR_CREATE);
    CALL(MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag));
    if (CHECK(flag))
        CHECK(*(int *)value == MPI_WIN_UNIFIED || *(int *)value == MPI_WIN_SEPARATE);
    CALL(MPI_Win_delete_attr(win, key));
    EQUAL(deletes, 1);
    CALL(MPI_Win_get_attr(win, key, &value, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Win_set_attr(win, key, &kept));
    before = win;
    CALL(MPI_Win_free(&win));
    EQUAL(deletes, 2);
    CHECK(seen_win == before && win == MPI_WIN_NULL);
    CALL(MPI_Win_free_keyval(&key));
}

static void predefined(void)
{
    void *value = NULL;
    int flag = 0;
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    if (CHECK(flag))
        CHECK(*(int *)value >= 32767);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
    if (flag)
        CHECK(*(int *)value == 0 || *(int *)value == 1);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    if (CHECK(flag))
        CHECK(*(int *)value >= MPI_ERR_LASTCODE);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag));
    if (flag)
        CHECK(*(int *)value == MPI_ANY_SOURCE || *(int *)value == MPI_PROC_NULL || *(int *)value == my_rank);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
    if (flag)
        EQUAL(*(int *)value, 0);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
    if (flag)
        CHECK(*(int *)value > 0);
}

/* The deprecated calls, which both MPIs still have. */
static int copy_old(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)extra;
    copies++;
    seen_comm = comm;
    seen_key = key;
    *(void **)out = in;
    *flag = 0;
    return MPI_SUCCESS;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void deprecated(void)
{
    int key = -1, kept = 3, flag = -1;
    void *value = NULL;
    MPI_Comm comm, copy;
    copies = deletes = 0;
    CALL(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CALL(MPI_Keyval_create(copy_old, delete_comm, &key, NULL));
    CALL(MPI_Attr_put(comm, key, &kept));
    CALL(MPI_Attr_get(comm, key, &value, &flag));
    CHECK(flag && value == &kept);
    CALL(MPI_Comm_dup(comm, &copy));
    EQUAL(copies, 1);
    CHECK(seen_comm == comm && seen_key == key);
    CALL(MPI_Attr_get(copy, key, &value, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Attr_delete(comm, key));
    EQUAL(deletes, 1);
    CALL(MPI_Keyval_free(&key));
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_free(&comm));
}

const mpi_case attribute_cases[] = {{"attribute_comm", of_communicators},
                                    {"attribute_type", of_types},
                                    {"attribute_win", of_windows},
                                    {"attribute_predefined", predefined},
                                    {"attribute_deprecated", deprecated},
                                    {NULL, NULL}};
