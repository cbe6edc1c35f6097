/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of Open MPI as INTEGERs of Fortran: predefined ones have the numbers of mpif.h, MPICH's created handles are negative numbers
 * already, and pointers get a number from a table, above those of mpif.h. */
#include "mpi_adaptor/front/openmpi.h"

enum { FORTRAN_CREATED = 4096, MPICH_COMPLETE = 0x40000000 };

/* Whether it is a handle of MPICH, which is negative in the hub. That of a message that was complete at once is a large positive number here, above those
 * of any table. */
static int is_own_number(MPI_Fint number)
{
    return number < 0 || number >= MPICH_COMPLETE;
}

struct pair {
    int hub, number;
};
#define PAIR(hub, number) {hub, number},
static const struct pair pairs[] = {OWN_FORTRAN(PAIR){0, -1}};

static MPI_Fint number_of(intptr_t handle, struct number_table *table)
{
    if (handle < 0)
        return (MPI_Fint)handle;
    for (const struct pair *p = pairs; handle < HUB_PREDEFINED && p->number >= 0; p++)
        if (p->hub == handle)
            return p->number;
    return handle < HUB_PREDEFINED ? -1 : (MPI_Fint)(FORTRAN_CREATED + number_find(table, handle));
}

static intptr_t handle_of(MPI_Fint number, const struct number_table *table, intptr_t first, intptr_t last)
{
    if (is_own_number(number))
        return (intptr_t)(0xffffffff00000000u | (unsigned)number);
    for (const struct pair *p = pairs; number < FORTRAN_CREATED && p->number >= 0; p++)
        if (p->number == number && p->hub >= first && p->hub <= last)
            return p->hub;
    return number < FORTRAN_CREATED ? first : number_handle(table, (unsigned)(number - FORTRAN_CREATED) & NUMBER_MASK);
}

#define CONVERSION(NAME, C)                                                                                                                \
    MPI_Fint PMPI_##NAME##_c2f(MPI_##C handle)                                                                                             \
    {                                                                                                                                      \
        return number_of((intptr_t)C##_hub(handle), &numbers[NUMBER_##C]);                                                                 \
    }                                                                                                                                      \
    WEAK_NAME(NAME##_c2f)                                                                                                                  \
                                                                                                                                           \
    MPI_##C PMPI_##NAME##_f2c(MPI_Fint number)                                                                                             \
    {                                                                                                                                      \
        return C##_own((abi_##C)handle_of(number, &numbers[NUMBER_##C], C##_first, C##_last));                                             \
    }                                                                                                                                      \
    WEAK_NAME(NAME##_f2c)

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

/* The INTEGER array of a status is the struct. */
int PMPI_Status_c2f(const MPI_Status *status, MPI_Fint *numbers_of)
{
    memcpy(numbers_of, status, sizeof *status);
    return MPI_SUCCESS;
}
WEAK_NAME(Status_c2f)

int PMPI_Status_f2c(const MPI_Fint *numbers_of, MPI_Status *status)
{
    memcpy(status, numbers_of, sizeof *status);
    return MPI_SUCCESS;
}
WEAK_NAME(Status_f2c)
