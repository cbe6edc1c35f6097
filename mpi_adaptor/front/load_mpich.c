/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/front/mpich.h"
#include "mpi_adaptor/hub/back_choice.h"

/* The MPI whose types and values the functions of this process have, for libraries that are made for one MPI, as backends of h3ou are. */
__attribute__((visibility("default"))) const char h3ou_adaptor_front[] = "mpich";

const struct hub *hub;
intptr_t own_of[HUB_PREDEFINED];
uint16_t predefined_hub[64][256];
unsigned shortcut_numbers;
struct predefined_real comm_reals[Comm_reals], datatype_reals[Datatype_reals];

/* The variables of libmpich.so.12 that programs copy. */
static int unweighted, weights_empty;
int *const MPI_UNWEIGHTED = &unweighted;
int *const MPI_WEIGHTS_EMPTY = &weights_empty;

/* What MPICH's library for mpi_f08 passes for them. That library has these variables, too; the front's code reaches those that come first. */
__attribute__((visibility("default"))) int *MPIR_C_MPI_UNWEIGHTED, *MPIR_C_MPI_WEIGHTS_EMPTY;
struct MPIR_T_pvar_handle_s *const MPI_T_PVAR_ALL_HANDLES = (struct MPIR_T_pvar_handle_s *)&unweighted;
MPI_Fint *MPI_F_STATUS_IGNORE;
MPI_Fint *MPI_F_STATUSES_IGNORE;

__attribute__((constructor)) static void front_load(void)
{
    predefined_fill(own_of);
    predefined_index();
    numbers[NUMBER_Request].is_plain = 1;
    MPIR_C_MPI_UNWEIGHTED = &unweighted;
    MPIR_C_MPI_WEIGHTS_EMPTY = &weights_empty;
    hub = back_choose("mpich");
    shortcut_take();
}

int MPIR_Dup_fn(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)state;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}
