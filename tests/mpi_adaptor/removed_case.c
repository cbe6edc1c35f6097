/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of MPI-1 that later versions removed, and programs that were built long ago call. Open MPI's mpi.h declares them no more,
 * its library has them; the standard ABI has none of them. */
#include "mpi_case.h"

#ifndef MPI_ABI_VERSION
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#ifdef OPEN_MPI
#undef MPI_Address
#undef MPI_Errhandler_create
#undef MPI_Errhandler_get
#undef MPI_Errhandler_set
#undef MPI_Type_extent
#undef MPI_Type_hindexed
#undef MPI_Type_hvector
#undef MPI_Type_lb
#undef MPI_Type_struct
#undef MPI_Type_ub
int MPI_Address(void *location, MPI_Aint *address);
int MPI_Errhandler_create(void (*function)(MPI_Comm *, int *, ...), MPI_Errhandler *handler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);
int MPI_Type_hindexed(int count, int lengths[], MPI_Aint places[], MPI_Datatype old, MPI_Datatype *type);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *type);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lower);
int MPI_Type_struct(int count, int lengths[], MPI_Aint places[], MPI_Datatype old[], MPI_Datatype *type);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint *upper);
#endif

static void check_bounds(MPI_Datatype *type, int size, MPI_Aint lower, MPI_Aint upper)
{
    int got = -1;
    MPI_Aint a = -1, b = -1, extent = -1;
    CALL(MPI_Type_size(*type, &got));
    CALL(MPI_Type_lb(*type, &a));
    CALL(MPI_Type_ub(*type, &b));
    CALL(MPI_Type_extent(*type, &extent));
    EQUAL(got, size);
    EQUAL(a, lower);
    EQUAL(b, upper);
    EQUAL(extent, upper - lower);
    CALL(MPI_Type_free(type));
}

static void make_types(void)
{
    struct {
        double real;
        int number;
    } item;
    MPI_Aint places[2], base = 0, end = 0;
    MPI_Datatype type, types[2] = {MPI_DOUBLE, MPI_INT};
    int lengths[2] = {1, 1};
    CALL(MPI_Address(&item.real, &base));
    CALL(MPI_Address(&item.number, &end));
    EQUAL(end - base, 8);
    places[0] = 4;
    places[1] = 4 + end - base;
    CALL(MPI_Type_struct(2, lengths, places, types, &type));
    check_bounds(&type, 12, 4, 20);
    CALL(MPI_Type_hvector(2, 1, 20, MPI_INT, &type));
    check_bounds(&type, 8, 0, 24);
    CALL(MPI_Type_hindexed(2, lengths, places, MPI_INT, &type));
    check_bounds(&type, 8, 4, 16);
}

static int seen;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    MPI_Error_class(*code, &seen);
}

static void handle_errors(void)
{
    MPI_Comm copy;
    MPI_Errhandler handler, got = MPI_ERRHANDLER_NULL;
    CALL(MPI_Comm_dup(MPI_COMM_SELF, &copy));
    CALL(MPI_Errhandler_create(on_error, &handler));
    CALL(MPI_Errhandler_set(copy, handler));
    CALL(MPI_Errhandler_get(copy, &got));
    CHECK(got == handler);
    FAILS(MPI_ERR_TAG, MPI_Send(&seen, 1, MPI_INT, 0, -55, copy));
    EQUAL(seen, MPI_ERR_TAG);
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_free(&copy));
}

const mpi_case removed_cases[] = {{"removed_types", make_types}, {"removed_handlers", handle_errors}, {NULL, NULL}};
#else
const mpi_case removed_cases[] = {{NULL, NULL}};
#endif
