/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/front/abi.h"
#include "mpi_adaptor/hub/back_choice.h"

/* By this a library of the standard ABI is known as a part of h3ou and no MPI. */
__attribute__((visibility("default"))) const char h3ou_adaptor_front[] = "abi";

const struct hub *hub;

/* Handles become numbers in front/fortran_abi.c only, which may be done by several threads. */
int piece_threads = 1;

__attribute__((constructor)) static void front_load(void)
{
    hub = back_choose("abi");
}

int MPI_Pcontrol(int level, ...);
int MPI_Pcontrol(int level, ...)
{
    (void)level;
    return ABI_SUCCESS;
}

int PMPI_Pcontrol(int level, ...);
int PMPI_Pcontrol(int level, ...)
{
    (void)level;
    return ABI_SUCCESS;
}

int PMPI_Abi_get_version(int *major, int *minor);
int PMPI_Abi_get_version(int *major, int *minor)
{
    *major = 1;
    *minor = 0;
    return ABI_SUCCESS;
}
__typeof__(PMPI_Abi_get_version) MPI_Abi_get_version __attribute__((weak, alias("PMPI_Abi_get_version")));
