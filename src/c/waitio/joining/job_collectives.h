/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the processes of one PB reach each other before there is a transport: by their MPI (src/c/join_mpi) or, without one,
 * by the launcher's environment (launcher.c). WaitIO itself knows no MPI.
 */
#ifndef WAITIO_JOINING_JOB_COLLECTIVES_H
#define WAITIO_JOINING_JOB_COLLECTIVES_H

#include <stddef.h>

typedef struct waitio__job_collectives {
    int rank; /* in the PB; 0 is its King */
    int size;
    void *self;
    /* Both collective over the PB. Return 0 or an error; end within the patience given to waitio__join. */
    int (*gather)(void *self, const void *send, size_t bytes, void *recv); /* recv: size * bytes, at rank 0 only */
    int (*bcast)(void *self, void *buf, size_t bytes);                     /* from rank 0 */
} waitio__job_collectives;

#pragma GCC visibility push(default)
/* What waitio_init does once rank, size and inside are known. Borrows inside only during the call. timeout: seconds.
 * Collective over all PBs; every process of a PB returns the same code, with its King's sentence. */
int waitio__join(const waitio__job_collectives *inside, double timeout);
/* Rank and size from the environment (WAITIO_RANK/WAITIO_SIZE, else PMI_RANK/PMI_SIZE, OMPI_COMM_WORLD_RANK/_SIZE,
 * SLURM_PROCID/SLURM_NTASKS, else 0 of 1). Fill *out; release with waitio__launcher_close. */
int waitio__launcher_open(waitio__job_collectives *out, double timeout);
void waitio__launcher_close(waitio__job_collectives *inside);
#pragma GCC visibility pop

/* Of a process that fails before waitio__join, alone and in the place of its King: the master hears the sentence and
 * ends the run for all who joined or come; as the master it tells those who come within `seconds`. H3OU__ESTATE: there
 * is nobody to tell, or this process has called waitio__join before, which tells the others by itself. */
int waitio__join_refuse(const char *text, double seconds);

#endif
