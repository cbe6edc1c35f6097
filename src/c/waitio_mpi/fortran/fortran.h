/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Fortran forms of the calls of waitio.h: subroutines with all arguments by reference. Numbers are default
 * integers, of which 4 bytes are read and written whatever the program declares; groups are numbers (numbers.h); a
 * request is integer(WAITIO_REQUEST_SIZE). ierr is what the C call returns; it may be NULL. Predicates and lists are
 * addresses of C functions (bind(C), arguments by value) and of lists.
 */
#ifndef WAITIO_MPI_FORTRAN_H
#define WAITIO_MPI_FORTRAN_H

#include "waitio.h"

static inline void waitio__tell(int *ierr, int code)
{
    if (ierr)
        *ierr = code;
}

#pragma GCC visibility push(default)
void waitio_init_(const int *timeout, int *ierr);
void waitio_finalize_(int *ierr);
void waitio_isend_(const int *group, const int *dst, char *buf, const int *len, const int *tag, waitio_req_t *req,
                   int *ierr);
void waitio_irecv_(const int *group, const int *src, char *buf, const int *len, const int *tag, waitio_req_t *req,
                   int *ierr);
void waitio_wait_(waitio_req_t *req, int *ierr);
void waitio_get_nprocs_(int array[], int *ierr);
void waitio_create_group_(const int *gid, waitio_filter_func_t func[], int order[], int *group, int *ierr);
void waitio_create_group_func_(const int *gid, waitio_filter_func_t func[], int order[], int *group, int *ierr);
void waitio_create_group_wranks_(const int *gid, int *rank[], int order[], int *group, int *ierr);
void waitio_create_group_wrank_(const int *gid, int *rank[], int order[], int *group, int *ierr);
void waitio_group_rank_(const int *group, int *rank, int *ierr);
void waitio_group_size_(const int *group, int *size, int *ierr);
void waitio_pb_rank_(int *rank, int *ierr);
void waitio_pb_size_(int *size, int *ierr);
#pragma GCC visibility pop

#endif
