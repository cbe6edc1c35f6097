/* SPDX-License-Identifier: BSD-3-Clause */
/* What profilers take over; without one it does nothing. */
#include PIECE_HEADER

int PMPI_Pcontrol(const int level, ...)
{
    (void)level;
    return MPI_SUCCESS;
}
WEAK_NAME(Pcontrol)
