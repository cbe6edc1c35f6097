/* SPDX-License-Identifier: BSD-3-Clause */
/* The job's MPI inside, and WaitIO between the first processes of the jobs: C and C++. */
#include <mpi.h>

#include "waitio_mpi.h"

int main(int argc, char **argv)
{
    WAITIO_MPI_Comm heads;
    int rank, head = -2, nhead = 0, ones = 1, inside = 0;
    double mine, part = 0, total = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (waitio_create_universe_pbhead(&heads)) {
        printf("%s\n", waitio_error());
        return 1;
    }
    waitio_group_rank(heads, &head);
    waitio_group_size(heads, &nhead);
    mine = 1.5 + rank;
    MPI_Reduce(&mine, &part, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (head >= 0)
        WAITIO_MPI_Allreduce(&part, &total, 1, WAITIO_MPI_DOUBLE, WAITIO_MPI_SUM, heads);
    MPI_Bcast(&total, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&ones, &inside, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("heads %d %d of %d, head %d, total %g\n", rank, inside, nhead, head, total);
    MPI_Finalize();
    return 0;
}
