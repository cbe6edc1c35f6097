/* SPDX-License-Identifier: BSD-3-Clause */
/* How a program may end, or begin again: what mpirun makes of it is the real MPI's. */
#include "mpi_case.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* MPI_Init is called once more, which the MPIs refuse in their own ways: the class, or the end of the job. */
static int begin_twice(void)
{
    int class = MPI_SUCCESS, sum = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Init(NULL, NULL), &class);
    MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("again %d, sum %d\n", class == MPI_ERR_OTHER, sum);
    MPI_Finalize();
    return 0;
}

int ending_run(const char *how)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    if (strcmp(how, "twice") == 0)
        return begin_twice();
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "fatal") == 0) /* the default handler ends the job */
        MPI_Send(&my_rank, 1, MPI_INT, my_rank == 1 ? 99 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    else if (strcmp(how, "abort") == 0 && my_rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 17);
    else if (strcmp(how, "killed") == 0 && my_rank == 1)
        raise(SIGKILL);
    else if (strcmp(how, "unfinished") == 0)
        return 0; /* without MPI_Finalize */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return strcmp(how, "well") != 0; /* the others have ended by now */
}
