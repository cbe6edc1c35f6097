/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that MPI-3 removed and older programs call. */
#include PIECE_HEADER

#pragma GCC visibility push(default)
int PMPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);
int PMPI_Type_lb(MPI_Datatype type, MPI_Aint *lower);
int PMPI_Type_ub(MPI_Datatype type, MPI_Aint *upper);

int PMPI_Type_extent(MPI_Datatype type, MPI_Aint *extent)
{
    MPI_Aint lower;
    return PMPI_Type_get_extent(type, &lower, extent);
}
WEAK_NAME(Type_extent)

int PMPI_Type_lb(MPI_Datatype type, MPI_Aint *lower)
{
    MPI_Aint extent;
    return PMPI_Type_get_extent(type, lower, &extent);
}
WEAK_NAME(Type_lb)

int PMPI_Type_ub(MPI_Datatype type, MPI_Aint *upper)
{
    MPI_Aint lower, extent;
    int error = PMPI_Type_get_extent(type, &lower, &extent);
    if (error == MPI_SUCCESS)
        *upper = lower + extent;
    return error;
}
WEAK_NAME(Type_ub)
#pragma GCC visibility pop
