/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * WaitIO: messages between the processes of several independently started parallel programs (Parallel Blocks, PBs) that
 * form one instance. Interface after WaitIO-Socket (University of Tokyo, 2021, tables 4 and 5); see docs/waitio.md.
 *
 * The environment of every process: WAITIO_MASTER_HOST, WAITIO_MASTER_PORT, WAITIO_PBID (0 is the MASTER), WAITIO_NPB.
 * Every int call but waitio_get_nprocs answers 0 or a negative WAITIO_E... ; waitio_error() has the sentence for the
 * last one of this thread. A published call has a Fortran form, too: a subroutine of the same name with a last argument
 * ierr, groups and all numbers as default integers, requests as integer(WAITIO_REQUEST_SIZE).
 */
#ifndef WAITIO_H
#define WAITIO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* published programs rely on these two */
#include <stdlib.h>

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
typedef int (*waitio_filter_func_t)(int pbid, int rank); /* true for a rank of a PB that joins the group */

#define WAITIO_REQUEST_SIZE 22 /* in ints */
typedef struct waitio_req {
    int opaque[WAITIO_REQUEST_SIZE];
} waitio_req_t;

/* Collective over all processes of all PBs. timeout: seconds until a missing PB becomes an error (<= 0: the default).
 */
H3OU_API int waitio_init(int timeout);
/* Leaves the instance after all that was sent has been delivered and every connected peer has said goodbye too. Long
 * messages to this process that it has not received become errors at their senders. WAITIO_EPEER: so did a send of this
 * process that it has not completed. */
H3OU_API int waitio_finalize(void);

/* Borrow buf until the request is complete. len: bytes. src and dst: ranks in grp. Not collective. */
H3OU_API int waitio_isend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req);
H3OU_API int waitio_irecv(waitio_group_t grp, int src, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req);
/* The end of a send promises that its bytes are with the kernel or the receiver; the end of a receive, that the sender has what
 * it needs to complete: neither needs a further call of this process. */
H3OU_API int waitio_wait(waitio_req_t *req);

/*
 * Beyond the published calls.
 *
 * src of waitio_irecv and the probes may be WAITIO_ANY_SOURCE, their tag WAITIO_ANY_TAG: the message that came first
 * among those that fit. A receive posted earlier is served earlier, whether its source is named or not.
 */
#define WAITIO_ANY_SOURCE (-1)
#define WAITIO_ANY_TAG    INT64_MIN

typedef struct waitio_status {
    int source;       /* rank in the group; of a send: where it went */
    int error;        /* as the call that completed the request answered */
    int is_cancelled; /* 1: waitio_cancel came in time, nothing was or will be moved */
    waitio_tag_t tag;
    size_t length; /* bytes of the message; with WAITIO_ETRUNC more than came into the buffer */
} waitio_status_t;

/* A request that has ended may be completed again: same answer, no effect. statuses may be NULL. */
H3OU_API int waitio_test(waitio_req_t *req, int *done); /* progress once, never blocks; done: 0 or 1 */
/* WAITIO_ETIMEOUT after `seconds` (0: looks once): the request stays active, and can be waited for again. Without
 * _for: as long as patience lasts; then the request has ended. */
H3OU_API int waitio_wait_for(waitio_req_t *req, double seconds, waitio_status_t *status);
/* Completes all n, also after an error; answers the first error. status: [n] or NULL. */
H3OU_API int waitio_waitall(int n, waitio_req_t req[], waitio_status_t status[]);
H3OU_API int waitio_waitall_for(int n, waitio_req_t req[], double seconds, waitio_status_t status[]);
/* Completes one that had not ended; *index: which, -1 when all had. */
H3OU_API int waitio_waitany(int n, waitio_req_t req[], int *index, waitio_status_t *status);
H3OU_API int waitio_waitany_for(int n, waitio_req_t req[], double seconds, int *index, waitio_status_t *status);
/* Ends a receive that no message has met, or a send that has not left; others go on as if nothing was asked. Either
 * way the request is to be completed, and its status says what became of it. Never blocks. */
H3OU_API int waitio_cancel(waitio_req_t *req);
/* Is a message there? It stays. waitio_probe waits for one at most `seconds` (negative: as long as patience lasts). */
H3OU_API int waitio_iprobe(waitio_group_t grp, int src, waitio_tag_t tag, int *flag, waitio_status_t *status);
H3OU_API int waitio_probe(waitio_group_t grp, int src, waitio_tag_t tag, double seconds, waitio_status_t *status);
/* Of a request that has ended; its answer is status->error. */
H3OU_API int waitio_get_status(const waitio_req_t *req, waitio_status_t *status);
H3OU_API int waitio_progress(double seconds); /* progress; sleeps up to that long when there is nothing to do */
H3OU_API int waitio_received(const waitio_req_t *req, size_t *len); /* bytes that arrived, of a completed receive */
H3OU_API const char *waitio_error(void);                            /* the last error of this thread as a sentence */
H3OU_API const char *waitio_strerror(int code);

/* What this process has done since it joined; WAITIO_COUNTERS(X) lists X(name, meaning). */
#define WAITIO_COUNTERS(X)                                                                                             \
    X(messages_sent, "messages whose send was started")                                                                \
    X(messages_received, "messages that reached their receive")                                                        \
    X(bytes_sent, "of the messages that were sent")                                                                    \
    X(bytes_received, "of the messages that were received")                                                            \
    X(unexpected, "messages that came before their receive")                                                           \
    X(unexpected_bytes, "held now for them")                                                                           \
    X(credit_stalls, "sends that waited since the receiver was full")                                                  \
    X(connections, "open now")                                                                                         \
    X(connections_opened, "since the beginning")                                                                       \
    X(connections_rested, "closed to stay below WAITIO_MAX_CONNECTIONS")                                               \
    X(reconnections, "broken connections that were mended")                                                            \
    X(retransmitted_bytes, "sent again after that")                                                                    \
    X(strangers, "connections refused: another program, another run, a wrong secret")                                  \
    X(waits, "waits that found their request incomplete")                                                              \
    X(sleeps, "times that a wait slept")                                                                               \
    X(memory, "bytes that the transport holds in this process")                                                        \
    X(node_memory, "bytes of the table that the processes of this host share")
typedef struct waitio_counters {
#define X(name, meaning) uint64_t name;
    WAITIO_COUNTERS(X)
#undef X
} waitio_counters_t;
H3OU_API int waitio_get_counters(waitio_counters_t *counters);

/* Tells every PB's King, within the given seconds, that the run ends and why. The instance is then failed: all further
 * calls, there and here, answer WAITIO_EABORT and waitio_error() is that text. Before waitio_init: those who wait for this
 * job in waitio_init fail with that text. */
H3OU_API int waitio_abort(const char *text, double seconds);
/* Seconds that a wait may last before it becomes WAITIO_ETIMEOUT (environment: WAITIO_PATIENCE, default 3600). */
H3OU_API int waitio_set_patience(double seconds);
/* A name for this process in the messages of others ("ocean rank 3"); copied. */
H3OU_API int waitio_set_name(const char *name);
H3OU_API int waitio_group_free(waitio_group_t grp);

/* Process count of every PB, in PB order; answers the number of PBs, or a negative error. array: at least
 * waitio_pb_size() ints. In C and C++ waitio_get_nprocs also takes an int **, as in the paper: then it is
 * waitio_get_nprocs_alloc, which allocates *array (the caller frees it). */
H3OU_API int waitio_get_nprocs(int array[]);
H3OU_API int waitio_get_nprocs_alloc(int **array);

/* Local, no communication. func[pb]: true for the members of that PB, NULL for none. order[pb]: where the PB stands
 * among the others (ascending; negative: left out). Programs often define a predicate truef that is always true; one
 * that only declares it gets it from the library. waitio_create_group_func is another name of the same call. */
H3OU_API waitio_group_t waitio_create_group(int gid, waitio_filter_func_t func[], int order[]);
H3OU_API waitio_group_t waitio_create_group_func(int gid, waitio_filter_func_t func[], int order[]);
/* The same with lists: rank[pb] holds the members of that PB and ends with -1, NULL for none. Two names of one call; in
 * C and C++ waitio_create_group takes such lists, too. */
H3OU_API waitio_group_t waitio_create_group_wranks(int gid, int *rank[], int order[]);
H3OU_API waitio_group_t waitio_create_group_wrank(int gid, int *rank[], int order[]);

H3OU_API int waitio_group_rank(waitio_group_t grp, int *rankp); /* -1: not a member */
H3OU_API int waitio_group_size(waitio_group_t grp, int *sizep);
H3OU_API int waitio_pb_rank(int *rankp);
H3OU_API int waitio_pb_size(int *sizep);

#ifdef __cplusplus
}
inline int waitio_get_nprocs(int **array)
{
    return waitio_get_nprocs_alloc(array);
}
inline waitio_group_t waitio_create_group(int gid, int *rank[], int order[])
{
    return waitio_create_group_wranks(gid, rank, order);
}
#else
#define waitio_get_nprocs(array)                                                                                       \
    _Generic((array), int **: waitio_get_nprocs_alloc, default: waitio_get_nprocs)(array)
#define waitio_create_group(gid, members, order)                                                                       \
    _Generic((members), int **: waitio_create_group_wranks, default: waitio_create_group)(gid, members, order)
#endif
#endif
