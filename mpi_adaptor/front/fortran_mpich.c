/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of MPICH as INTEGERs of Fortran are what they are in C, except files, which are pointers. */
#include "mpi_adaptor/front/mpich.h"

MPI_Fint PMPI_File_c2f(MPI_File file)
{
    return file ? (MPI_Fint)number_find(&numbers[NUMBER_File], (intptr_t)file) : 0;
}
WEAK_NAME(File_c2f)

MPI_File PMPI_File_f2c(MPI_Fint number)
{
    return number > 0 ? (MPI_File)number_handle(&numbers[NUMBER_File], (unsigned)number & NUMBER_MASK) : MPI_FILE_NULL;
}
WEAK_NAME(File_f2c)

/* The INTEGER array of a status, and the derived type of mpi_f08, are the struct. */
#define STATUS_COPY(name, from_type, to_type)                                                                                              \
    int PMPI_Status_##name(const from_type *from, to_type *to)                                                                             \
    {                                                                                                                                      \
        memcpy(to, from, sizeof(MPI_Status));                                                                                              \
        return MPI_SUCCESS;                                                                                                                \
    }                                                                                                                                      \
    WEAK_NAME(Status_##name)

STATUS_COPY(c2f, MPI_Status, MPI_Fint)
STATUS_COPY(f2c, MPI_Fint, MPI_Status)
STATUS_COPY(c2f08, MPI_Status, MPI_F08_status)
STATUS_COPY(f082c, MPI_F08_status, MPI_Status)
STATUS_COPY(f082f, MPI_F08_status, MPI_Fint)
STATUS_COPY(f2f08, MPI_Fint, MPI_F08_status)
