/* SPDX-License-Identifier: BSD-3-Clause */
/* Bindings of MPI-1 that MPI-3 has removed, and programs still call: their addresses are INTEGERs. */
#include "fortran_call.h"

H3OU_NAMES(address, ADDRESS, Address)
void pmpi_address_(void *location, MPI_Fint *address, MPI_Fint *ierr)
{
    MPI_Aint whole = 0;
    int err = PMPI_Get_address(buffer_of(location), &whole);
    *address = (MPI_Fint)whole;
    finish(ierr, err ? err : *address == whole ? MPI_SUCCESS : MPI_ERR_ARG);
}

static void bounds(MPI_Fint *type, MPI_Aint *lower, MPI_Aint *extent, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Type_get_extent(PMPI_Type_f2c(*type), lower, extent));
}

H3OU_NAMES(type_extent, TYPE_EXTENT, Type_extent)
void pmpi_type_extent_(MPI_Fint *type, MPI_Fint *extent, MPI_Fint *ierr)
{
    MPI_Aint lower = 0, whole = 0;
    bounds(type, &lower, &whole, ierr);
    *extent = (MPI_Fint)whole;
}

H3OU_NAMES(type_lb, TYPE_LB, Type_lb)
void pmpi_type_lb_(MPI_Fint *type, MPI_Fint *lower, MPI_Fint *ierr)
{
    MPI_Aint whole = 0, extent = 0;
    bounds(type, &whole, &extent, ierr);
    *lower = (MPI_Fint)whole;
}

H3OU_NAMES(type_ub, TYPE_UB, Type_ub)
void pmpi_type_ub_(MPI_Fint *type, MPI_Fint *upper, MPI_Fint *ierr)
{
    MPI_Aint lower = 0, extent = 0;
    bounds(type, &lower, &extent, ierr);
    *upper = (MPI_Fint)(lower + extent);
}

static void give_type(MPI_Datatype made, MPI_Fint *to, int err, MPI_Fint *ierr)
{
    if (!err)
        *to = PMPI_Type_c2f(made);
    finish(ierr, err);
}

H3OU_NAMES(type_hvector, TYPE_HVECTOR, Type_hvector)
void pmpi_type_hvector_(MPI_Fint *count, MPI_Fint *length, MPI_Fint *stride, MPI_Fint *old, MPI_Fint *new, MPI_Fint *ierr)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int err = PMPI_Type_create_hvector(*count, *length, *stride, PMPI_Type_f2c(*old), &made);
    give_type(made, new, err, ierr);
}

static MPI_Aint *whole_addresses(int n, const MPI_Fint *given)
{
    MPI_Aint *whole = handles(n, sizeof *whole);
    for (int i = 0; whole && i < n; i++)
        whole[i] = given[i];
    return whole;
}

H3OU_NAMES(type_hindexed, TYPE_HINDEXED, Type_hindexed)
void pmpi_type_hindexed_(MPI_Fint *count, MPI_Fint *lengths, MPI_Fint *places, MPI_Fint *old, MPI_Fint *new, MPI_Fint *ierr)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Aint *whole = whole_addresses(*count, places);
    int err = whole ? PMPI_Type_create_hindexed(*count, lengths, whole, PMPI_Type_f2c(*old), &made) : MPI_ERR_NO_MEM;
    free(whole);
    give_type(made, new, err, ierr);
}

H3OU_NAMES(type_struct, TYPE_STRUCT, Type_struct)
void pmpi_type_struct_(MPI_Fint *count, MPI_Fint *lengths, MPI_Fint *places, MPI_Fint *old, MPI_Fint *new, MPI_Fint *ierr)
{
    MPI_Datatype made = MPI_DATATYPE_NULL, *types = handles(*count, sizeof *types);
    MPI_Aint *whole = whole_addresses(*count, places);
    for (int i = 0; types && i < *count; i++)
        types[i] = PMPI_Type_f2c(old[i]);
    int err = whole && types ? PMPI_Type_create_struct(*count, lengths, whole, types, &made) : MPI_ERR_NO_MEM;
    free(whole);
    free(types);
    give_type(made, new, err, ierr);
}

void pmpi_comm_create_errhandler_(void (*user)(void), MPI_Fint *handler, MPI_Fint *ierr);
H3OU_NAMES(errhandler_create, ERRHANDLER_CREATE, Errhandler_create)
void pmpi_errhandler_create_(void (*user)(void), MPI_Fint *handler, MPI_Fint *ierr)
{
    pmpi_comm_create_errhandler_(user, handler, ierr);
}

H3OU_NAMES(errhandler_get, ERRHANDLER_GET, Errhandler_get)
void pmpi_errhandler_get_(MPI_Fint *comm, MPI_Fint *handler, MPI_Fint *ierr)
{
    MPI_Errhandler got = MPI_ERRHANDLER_NULL;
    int err = PMPI_Comm_get_errhandler(PMPI_Comm_f2c(*comm), &got);
    if (!err)
        *handler = PMPI_Errhandler_c2f(got);
    finish(ierr, err);
}

H3OU_NAMES(errhandler_set, ERRHANDLER_SET, Errhandler_set)
void pmpi_errhandler_set_(MPI_Fint *comm, MPI_Fint *handler, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Comm_set_errhandler(PMPI_Comm_f2c(*comm), PMPI_Errhandler_f2c(*handler)));
}
