/* SPDX-License-Identifier: BSD-3-Clause */
#include "join_mpi/job_mpi.h"

#include <stddef.h>

#include "base/error.h"

static struct {
    const h3ou__mpi_ops *mpi; /* NULL: none */
    h3ou__mpi_comm comm;
} kept;

static const h3ou__mpi_ops *started; /* NULL: not by h3ou__job_mpi_start */

void h3ou__job_mpi_keep(const h3ou__mpi_ops *mpi, h3ou__mpi_comm comm)
{
    kept.mpi = mpi;
    kept.comm = comm;
}

bool h3ou__job_mpi_find(const h3ou__mpi_ops **mpi, h3ou__mpi_comm *comm)
{
    int running = 0, finalized = 0;
    *mpi = kept.mpi;
    *comm = kept.comm;
    return kept.mpi && !kept.mpi->initialized(&running, &finalized) && running && !finalized;
}

int h3ou__job_mpi_start(void)
{
    const h3ou__mpi_ops *mpi;
    int running = 0, finalized = 0, is_done = 0;
    int code = h3ou__mpi_find(&mpi);
    if (!code)
        code = mpi->initialized(&running, &finalized);
    if (code || mpi == &h3ou__mpi_self || running || finalized)
        return code;
    code = mpi->init(&is_done);
    started = !code && is_done ? mpi : NULL;
    return code;
}

int h3ou__job_mpi_end(void)
{
    int running = 0, finalized = 0;
    int code = started ? started->initialized(&running, &finalized) : H3OU__OK;
    if (!code && running && !finalized)
        code = started->finalize();
    started = NULL;
    return code;
}
