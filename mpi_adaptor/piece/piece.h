/* SPDX-License-Identifier: BSD-3-Clause */
/* What all parts of a front or a back use after the directions are known: mpi_adaptor/front/NAME.h and
 * mpi_adaptor/back/NAME.h declare own (the MPI whose mpi.h is included), outer (the caller's MPI) and inner (the called
 * one) and include this. */
#ifndef H3OU_MPI_ADAPTOR_PIECE_H
#define H3OU_MPI_ADAPTOR_PIECE_H

#include <stdlib.h>
#include <string.h>

#include "mpi_adaptor/hub/complaint.h"

/* Arrays of converted handles: on the stack up to this many bytes, so that blocking calls do not allocate. */
enum { SCRATCH_MOST = 32768 };
#define SCRATCH_BYTES(type, n) ((n) > 0 ? (size_t)(n) * sizeof(type) : sizeof(type))
#define SCRATCH(type, n)                                                                                               \
    ((type *)(SCRATCH_BYTES(type, n) <= SCRATCH_MOST ? __builtin_alloca(SCRATCH_BYTES(type, n))                        \
                                                     : scratch_get(SCRATCH_BYTES(type, n))))
#define SCRATCH_FREE(array, n)                                                                                         \
    do {                                                                                                               \
        if (SCRATCH_BYTES(*(array), n) > SCRATCH_MOST)                                                                 \
            free(array);                                                                                               \
    } while (0)

static inline void *scratch_get(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        hub_end("no memory for an array of %zu bytes", bytes);
    return memory;
}

/* Whether other threads may call MPI at the same time (MPI_THREAD_MULTIPLE). */
extern int piece_threads __attribute__((visibility("hidden")));

/* A string that the inner MPI returned, cut to what the outer one has room for. */
static inline void text_outer(char *to, size_t size, const char *from, int *length)
{
    size_t n = strlen(from);
    if (n > size - 1)
        n = size - 1;
    memcpy(to, from, n);
    to[n] = '\0';
    if (length)
        *length = (int)n;
}

static inline void status_clear(inner_Status *status)
{
    memset(status, 0, sizeof *status);
}

/* The statuses of a call that completes several requests: MPI_ERROR counts only if the call returned MPI_ERR_IN_STATUS.
 */
static inline void statuses_outer(outer_Status *to, const inner_Status *from, int n, int result)
{
    int has_errors = result_is_in_status(result);
    for (int i = 0; i < n; i++) {
        status_outer(&to[i], &from[i]);
        if (has_errors)
            to[i].MPI_ERROR = error_outer(from[i].MPI_ERROR);
    }
}

/* How many types the arrays of alltoallw have. */
int members(outer_Comm comm);
int sources(outer_Comm comm);
int destinations(outer_Comm comm);

/* For MPICH's Fortran library: the functions of this thread's last keyval are called by these; those of its last
 * generalised request are of Fortran. */
void keyval_set_proxy(void *copy, void *delete);
void grequest_set_fortran(void);

#endif
