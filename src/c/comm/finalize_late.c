/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/finalize_late.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "comm/mpi_life.h"

static struct {
    const h3ou__mpi_ops *mpi;
    pid_t process; /* so that the exit of a forked child does not call MPI_Finalize */
} late;

static void finalize_at_exit(int status, void *unused)
{
    int running = 0, finalized = 0;
    (void)unused;
    if (status != 0 || late.process != getpid() || late.mpi->initialized(&running, &finalized))
        return;
    if (running && !finalized)
        h3ou__mpi_end(late.mpi);
}

int h3ou__finalize_late(const h3ou__mpi_ops *mpi)
{
    bool is_registered = late.mpi != NULL;
    late.mpi = mpi;
    late.process = getpid();
    if (!is_registered && on_exit(finalize_at_exit, NULL))
        return h3ou__fail(H3OU__ENOMEM, "out of memory for MPI_Finalize at the end of the program");
    return H3OU__OK;
}
