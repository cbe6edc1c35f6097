/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * WaitIO: messages between the processes of several independently started parallel programs (Parallel Blocks, PBs) that
 * form one instance. Interface after WaitIO-Socket (University of Tokyo, 2021, tables 4 and 5); see docs/waitio.md.
 *
 * The environment of every process: WAITIO_MASTER_HOST, WAITIO_MASTER_PORT, WAITIO_PBID (0 is the MASTER), WAITIO_NPB.
 * Every int call answers 0 or a negative WAITIO_E... ; waitio_error() has the sentence for the last one of this thread.
 */
#ifndef WAITIO_H
#define WAITIO_H

#include <stddef.h>
#include <stdint.h>

#include "h3ou_errors.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef H3OU_API
#define H3OU_API __attribute__((visibility("default")))
#endif

#define X(name, value, text) WAITIO_##name = value,
enum waitio_error_code { H3OU_ERRORS(X) };
#undef X

typedef struct waitio_group *waitio_group_t; /* NULL is the failed group */
typedef int64_t waitio_tag_t;
typedef int (*waitio_filter_func_t)(int rank); /* true for a rank of the PB that joins the group */

#define WAITIO_REQUEST_SIZE 22 /* in ints */
typedef struct waitio_req {
    int opaque[WAITIO_REQUEST_SIZE] __attribute__((aligned(8)));
} waitio_req_t;

/* Collective over all processes of all PBs. timeout: seconds until a missing PB becomes an error (<= 0: the default).
 */
H3OU_API int waitio_init(int timeout);
/* Leaves the instance after all that was sent has been delivered and every connected peer has said goodbye too. */
H3OU_API int waitio_finalize(void);

/* Borrow buf until the request is complete. len: bytes. src and dst: ranks in grp. Not collective. */
H3OU_API int waitio_isend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req);
H3OU_API int waitio_irecv(waitio_group_t grp, int src, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req);
H3OU_API int waitio_wait(waitio_req_t *req);

/* Beyond the published calls. */
H3OU_API int waitio_test(waitio_req_t *req, int *done); /* progress once, never blocks; done: 0 or 1 */
H3OU_API int waitio_progress(double seconds); /* progress; sleeps up to that long when there is nothing to do */
H3OU_API int waitio_received(const waitio_req_t *req, size_t *len); /* bytes that arrived, of a completed receive */
H3OU_API const char *waitio_error(void);                            /* the last error of this thread as a sentence */
H3OU_API const char *waitio_strerror(int code);
/* Tells every PB's King, within the given seconds, that the run ends and why. The instance is then failed: all further
 * calls, there and here, answer WAITIO_EABORT and waitio_error() is that text. */
H3OU_API int waitio_abort(const char *text, double seconds);
/* Seconds that a wait may last before it becomes WAITIO_ETIMEOUT (environment: WAITIO_PATIENCE, default 3600). */
H3OU_API int waitio_set_patience(double seconds);
/* A name for this process in the messages of others ("ocean rank 3"); copied. */
H3OU_API int waitio_set_name(const char *name);
H3OU_API int waitio_group_free(waitio_group_t grp);

/* Process count of every PB, in PB order. The first form allocates *array (the caller frees it); published programs
 * also pass an array of their own, of at least waitio_pb_size() ints. */
H3OU_API int waitio_get_nprocs_alloc(int **array);
H3OU_API int waitio_get_nprocs_fill(int *array);

/* Local, no communication. rank[pb]: the members of that PB, a list ended by -1, NULL for none; order[pb]: where the PB
 * stands among the others (ascending; negative: left out). func[pb]: the predicate instead of the list. */
H3OU_API waitio_group_t waitio_create_group_wrank(int gid, int *rank[], int order[]);
H3OU_API waitio_group_t waitio_create_group_func(int gid, waitio_filter_func_t func[], int order[]);
H3OU_API int truef(int rank);

H3OU_API int waitio_group_rank(waitio_group_t grp, int *rankp); /* -1: not a member */
H3OU_API int waitio_group_size(waitio_group_t grp, int *sizep);
H3OU_API int waitio_pb_rank(int *rankp);
H3OU_API int waitio_pb_size(int *sizep);

#ifndef __cplusplus
#define waitio_get_nprocs(array)                                                                                       \
    _Generic((array), int ** : waitio_get_nprocs_alloc, int * : waitio_get_nprocs_fill)(array)
#define waitio_create_group(gid, members, order)                                                                       \
    _Generic((members), int **: waitio_create_group_wrank, waitio_filter_func_t *: waitio_create_group_func)(          \
        gid, members, order)
#endif

#ifdef __cplusplus
}
#endif
#endif
