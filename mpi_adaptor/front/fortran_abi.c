/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of the standard ABI as INTEGERs of Fortran, and as the int of MPI_..._toint: predefined handles and MPICH's, which are negative, keep
 * their value, and pointers get a number from a table, above the predefined ones. There is no PMPI_Op_f2c
 * and the like: a plugin of Open MPI (osc_pt2pt) calls that, and would find it here. */
#include <string.h>

#include "mpi_adaptor/front/abi.h"
#include "mpi_adaptor/front/handle_number.h"

/* MPICH's request of a message that was complete at once is a large positive number as an int, above those of any table. */
enum { FORTRAN_CREATED = 4096, MPICH_COMPLETE = 0x40000000 };

static int number_of(intptr_t handle, struct number_table *table)
{
    return handle < FORTRAN_CREATED ? (int)handle : (int)(FORTRAN_CREATED + number_find(table, handle));
}

static intptr_t handle_of(int number, const struct number_table *table)
{
    if (number < 0 || number >= MPICH_COMPLETE)
        return (intptr_t)(0xffffffff00000000u | (unsigned)number);
    return number < FORTRAN_CREATED ? number : number_handle(table, (unsigned)(number - FORTRAN_CREATED) & NUMBER_MASK);
}

#define WEAK(name) __typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)));

#define CONVERSION(NAME, C)                                                                                                                \
    int MPI_##NAME##_c2f(abi_##C handle);                                                                                                 \
    int MPI_##NAME##_c2f(abi_##C handle)                                                                                                  \
    {                                                                                                                                      \
        return number_of((intptr_t)handle, &numbers[NUMBER_##C]);                                                                          \
    }                                                                                                                                      \
    __typeof__(MPI_##NAME##_c2f) PMPI_##NAME##_toint __attribute__((alias("MPI_" #NAME "_c2f")));                                        \
    __typeof__(MPI_##NAME##_c2f) MPI_##NAME##_toint __attribute__((weak, alias("MPI_" #NAME "_c2f")));                                   \
                                                                                                                                           \
    abi_##C MPI_##NAME##_f2c(int number);                                                                                                 \
    abi_##C MPI_##NAME##_f2c(int number)                                                                                                  \
    {                                                                                                                                      \
        return (abi_##C)handle_of(number, &numbers[NUMBER_##C]);                                                                           \
    }                                                                                                                                      \
    __typeof__(MPI_##NAME##_f2c) PMPI_##NAME##_fromint __attribute__((alias("MPI_" #NAME "_f2c")));                                      \
    __typeof__(MPI_##NAME##_f2c) MPI_##NAME##_fromint __attribute__((weak, alias("MPI_" #NAME "_f2c")));

CONVERSION(Comm, Comm)
CONVERSION(Group, Group)
CONVERSION(Win, Win)
CONVERSION(File, File)
CONVERSION(Message, Message)
CONVERSION(Info, Info)
CONVERSION(Errhandler, Errhandler)
CONVERSION(Request, Request)
CONVERSION(Op, Op)
CONVERSION(Type, Datatype)
CONVERSION(Session, Session)

/* The INTEGER array of a status is the struct. */
int PMPI_Status_c2f(const abi_Status *status, int *numbers_of);
int PMPI_Status_c2f(const abi_Status *status, int *numbers_of)
{
    memcpy(numbers_of, status, sizeof *status);
    return ABI_SUCCESS;
}
WEAK(Status_c2f)

int PMPI_Status_f2c(const int *numbers_of, abi_Status *status);
int PMPI_Status_f2c(const int *numbers_of, abi_Status *status)
{
    memcpy(status, numbers_of, sizeof *status);
    return ABI_SUCCESS;
}
WEAK(Status_f2c)
