/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/fortran/fortran.h"

#include "base/error.h"
#include "waitio_mpi/numbers.h"

void waitio_init_(const int *timeout, int *ierr)
{
    waitio__tell(ierr, waitio_init(*timeout));
}

void waitio_finalize_(int *ierr)
{
    waitio__tell(ierr, waitio_finalize());
}

static int check_length(const char *call, int len)
{
    return len >= 0 ? H3OU__OK : h3ou__fail(H3OU__EARG, "%s: the length is %d bytes, it must be 0 or more", call, len);
}

void waitio_isend_(const int *group, const int *dst, char *buf, const int *len, const int *tag, waitio_req_t *req,
                   int *ierr)
{
    int code = check_length("waitio_isend", *len);
    if (!code)
        code = waitio_isend(waitio__numbers_find(*group), *dst, buf, (size_t)*len, *tag, req);
    waitio__tell(ierr, code);
}

void waitio_irecv_(const int *group, const int *src, char *buf, const int *len, const int *tag, waitio_req_t *req,
                   int *ierr)
{
    int code = check_length("waitio_irecv", *len);
    if (!code)
        code = waitio_irecv(waitio__numbers_find(*group), *src, buf, (size_t)*len, *tag, req);
    waitio__tell(ierr, code);
}

void waitio_wait_(waitio_req_t *req, int *ierr)
{
    waitio__tell(ierr, waitio_wait(req));
}

void waitio_get_nprocs_(int array[], int *ierr)
{
    waitio__tell(ierr, waitio_get_nprocs(array));
}

static int number_group(waitio_group_t made, int *group)
{
    int code = waitio__numbers_add(made, group);
    return code || made ? code : H3OU__EARG; /* the sentence was recorded by the call that made no group */
}

void waitio_create_group_(const int *gid, waitio_filter_func_t func[], int order[], int *group, int *ierr)
{
    waitio__tell(ierr, number_group(waitio_create_group_func(*gid, func, order), group));
}

void waitio_create_group_func_(const int *gid, waitio_filter_func_t func[], int order[], int *group, int *ierr)
{
    waitio__tell(ierr, number_group(waitio_create_group_func(*gid, func, order), group));
}

void waitio_create_group_wranks_(const int *gid, int *rank[], int order[], int *group, int *ierr)
{
    waitio__tell(ierr, number_group(waitio_create_group_wranks(*gid, rank, order), group));
}

void waitio_create_group_wrank_(const int *gid, int *rank[], int order[], int *group, int *ierr)
{
    waitio__tell(ierr, number_group(waitio_create_group_wranks(*gid, rank, order), group));
}

void waitio_group_rank_(const int *group, int *rank, int *ierr)
{
    waitio__tell(ierr, waitio_group_rank(waitio__numbers_find(*group), rank));
}

void waitio_group_size_(const int *group, int *size, int *ierr)
{
    waitio__tell(ierr, waitio_group_size(waitio__numbers_find(*group), size));
}

void waitio_pb_rank_(int *rank, int *ierr)
{
    waitio__tell(ierr, waitio_pb_rank(rank));
}

void waitio_pb_size_(int *size, int *ierr)
{
    waitio__tell(ierr, waitio_pb_size(size));
}
