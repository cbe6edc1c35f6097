/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * WaitIO: messages between the processes of several independently started parallel programs (Parallel Blocks, PBs) that
 * form one instance. Interface after WaitIO-Socket (University of Tokyo, 2021, tables 4 and 5); see docs/waitio.md.
 *
 * The environment of every process: WAITIO_MASTER_HOST, WAITIO_MASTER_PORT, WAITIO_PBID (0 is the MASTER), WAITIO_NPB.
 * Every int call but waitio_get_nprocs returns 0 or a negative WAITIO_E... ; waitio_error() has the sentence for the
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

/* Joins the instance: waits until all PBs have joined, as the environment says.
 *   timeout: seconds until a missing PB becomes an error; 0 or less: WAITIO_JOIN_PATIENCE, else 600
 * Collective: all processes of all PBs.
 * Errors: WAITIO_EENV: the environment; WAITIO_ETIMEOUT, WAITIO_EREFUSED: the master or a PB does not come;
 *   WAITIO_EJOIN: jobs do not fit together.
 */
H3OU_API int waitio_init(int timeout);

/* Leaves the instance after all that was sent has been delivered and every connected peer has said goodbye too. Long
 * messages to this process that it has not received become errors at their senders.
 * Collective: all processes of all PBs.
 * Errors: WAITIO_EPEER: a peer left without a message of this process whose send was not completed.
 */
H3OU_API int waitio_finalize(void);

/* Starts to send a message.
 *   grp: group
 *   dst: rank in grp that receives, from 0
 *   buf: [len], borrowed until the request is complete
 *   len: bytes
 *   tag: number that tells messages apart; not WAITIO_ANY_TAG
 *   req: out, the request, which waitio_wait, waitio_test and so on complete
 * Collective: no.
 * Errors: WAITIO_EARG: a rank or a group; WAITIO_EPEER: the peer has failed.
 */
H3OU_API int waitio_isend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req);

/* Starts to receive a message.
 *   grp: group
 *   src: rank in grp that sends, from 0, or WAITIO_ANY_SOURCE
 *   buf: [len], borrowed until the request is complete
 *   len: bytes for which buf has room
 *   tag: tag of the message, or WAITIO_ANY_TAG
 *   req: out, the request, which waitio_wait, waitio_test and so on complete
 * Collective: no.
 * Errors: WAITIO_EARG: a rank or a group; WAITIO_EPEER: the peer has failed. WAITIO_ETRUNC comes when it completes:
 *   the message is longer than buf.
 */
H3OU_API int waitio_irecv(waitio_group_t grp, int src, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req);

/* Waits until a request is complete. The end of a send promises that its bytes are with the kernel or the receiver;
 * the end of a receive, that the sender has what it needs to complete: neither needs a further call of this process.
 * A request that has ended may be completed again: same result, no effect.
 *   req: the request
 * Collective: no.
 * Errors: WAITIO_ETIMEOUT: patience ended; WAITIO_ETRUNC, WAITIO_EPEER, WAITIO_EABORT: the message.
 */
H3OU_API int waitio_wait(waitio_req_t *req);

/*
 * Beyond the published calls.
 *
 * src of waitio_irecv and the probes may be WAITIO_ANY_SOURCE, their tag WAITIO_ANY_TAG: the message that came first
 * among those that fit. A receive posted earlier is served earlier, whether its source is named or not.
 */
#define WAITIO_ANY_SOURCE (-1)
#define WAITIO_ANY_TAG    INT64_MIN

/* As waitio_isend, but complete only when a receive has taken the message, whatever its length.
 *   grp, dst, buf, len, tag, req: as of waitio_isend
 * Collective: no.
 * Errors: as of waitio_isend.
 */
H3OU_API int waitio_issend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req);

typedef struct waitio_status {
    int source;       /* rank in the group; of a send: where it went */
    int error;        /* as the call that completed the request answered */
    int is_cancelled; /* 1: waitio_cancel came in time, nothing was or will be moved */
    waitio_tag_t tag;
    size_t length; /* bytes of the message; with WAITIO_ETRUNC more than came into the buffer */
} waitio_status_t;

/* Makes progress once, and says whether a request is complete. Never blocks.
 *   req: the request
 *   done: out, 1 if it is complete, else 0
 * Collective: no.
 * Errors: as of waitio_wait.
 */
H3OU_API int waitio_test(waitio_req_t *req, int *done);

/* As waitio_wait, at most so long: after that the request stays active, and can be waited for again.
 *   seconds: how long at most; 0 looks once
 *   status: out, what became of the message; NULL is allowed
 * Errors: WAITIO_ETIMEOUT: it is not complete yet; else as of waitio_wait.
 */
H3OU_API int waitio_wait_for(waitio_req_t *req, double seconds, waitio_status_t *status);

/* Completes all requests, also after an error. With _for at most so long: what is not complete then stays active.
 *   n: number of requests
 *   req: [n], the requests
 *   seconds: how long at most; 0 looks once
 *   status: out, [n], what became of each; NULL is allowed
 * Collective: no.
 * Returns: 0 or the first error.
 * Errors: as of waitio_wait, waitio_wait_for.
 */
H3OU_API int waitio_waitall(int n, waitio_req_t req[], waitio_status_t status[]);
H3OU_API int waitio_waitall_for(int n, waitio_req_t req[], double seconds, waitio_status_t status[]);

/* Completes one request that had not ended. With _for at most so long.
 *   n: number of requests
 *   req: [n], the requests
 *   seconds: how long at most; 0 looks once
 *   index: out, which one, from 0; -1 when all had ended
 *   status: out, what became of it; NULL is allowed
 * Collective: no.
 * Errors: as of waitio_wait, waitio_wait_for.
 */
H3OU_API int waitio_waitany(int n, waitio_req_t req[], int *index, waitio_status_t *status);
H3OU_API int waitio_waitany_for(int n, waitio_req_t req[], double seconds, int *index, waitio_status_t *status);

/* Ends a receive that no message has met, or a send that has not left; others go on as if nothing was asked. Either
 * way the request is to be completed, and its status says what became of it. Never blocks.
 *   req: the request
 * Collective: no.
 * Errors: WAITIO_EARG: not a request of waitio_isend or waitio_irecv. WAITIO_ESTATE: waitio_init was not called.
 */
H3OU_API int waitio_cancel(waitio_req_t *req);

/* Says whether a message is there that a receive would get; it stays. Makes progress once, and never blocks.
 *   grp: group
 *   src: rank in grp that sends, or WAITIO_ANY_SOURCE
 *   tag: tag of the message, or WAITIO_ANY_TAG
 *   flag: out, 1 if there is one, else 0
 *   status: out, its source, tag and length; NULL is allowed
 * Collective: no.
 * Errors: WAITIO_EARG: a rank or a group; WAITIO_EPEER: the peer has failed.
 */
H3OU_API int waitio_iprobe(waitio_group_t grp, int src, waitio_tag_t tag, int *flag, waitio_status_t *status);

/* Waits for a message that a receive would get; it stays.
 *   grp: group
 *   src: rank in grp that sends, or WAITIO_ANY_SOURCE
 *   tag: tag of the message, or WAITIO_ANY_TAG
 *   seconds: how long at most; negative: as long as patience lasts
 *   status: out, its source, tag and length; NULL is allowed
 * Collective: no.
 * Errors: WAITIO_ETIMEOUT: none came; else as of waitio_iprobe.
 */
H3OU_API int waitio_probe(waitio_group_t grp, int src, waitio_tag_t tag, double seconds, waitio_status_t *status);

/* Returns the status of a request that has ended; what its completion returned is status->error.
 *   req: the request
 *   status: out
 * Collective: no.
 * Errors: WAITIO_EARG: it has not ended.
 */
H3OU_API int waitio_get_status(const waitio_req_t *req, waitio_status_t *status);

/* Makes progress, and sleeps when there is nothing to do.
 *   seconds: how long it may sleep
 * Collective: no.
 * Errors: WAITIO_ESTATE: waitio_init was not called; the error with which the run has failed.
 */
H3OU_API int waitio_progress(double seconds);

/* Returns the bytes that arrived, of a completed receive.
 *   req: the request
 *   len: out, bytes
 * Collective: no.
 * Errors: WAITIO_EARG: it has not ended.
 */
H3OU_API int waitio_received(const waitio_req_t *req, size_t *len);

/* Returns the sentence of this thread's last error; never NULL.
 * Collective: no.
 * Errors: none.
 */
H3OU_API const char *waitio_error(void);

/* Returns the short text of an error code; never NULL.
 *   code: 0 or a negative WAITIO_E...
 * Collective: no.
 * Errors: none.
 */
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

/* Returns the counters of this process.
 *   counters: out
 * Collective: no.
 * Errors: WAITIO_ESTATE: before waitio_init.
 */
H3OU_API int waitio_get_counters(waitio_counters_t *counters);

/* Returns by which route messages to a process go: that of the connection to it, or of the last one that there was.
 *   grp, rank: the process
 *   name: out, "tcp", "unix", "shm", "file" or "inproc"; "" when there was no connection. The text stays.
 * Collective: no.
 * Errors: WAITIO_ESTATE: before waitio_init. WAITIO_EARG: no such group or rank, or name is NULL.
 */
H3OU_API int waitio_get_route(waitio_group_t grp, int rank, const char **name);

/* Tells every PB's King that the run ends, and why. The instance is then failed: all further calls, there and here,
 * return WAITIO_EABORT, and waitio_error() is that text. Before waitio_init: those who wait for this job in
 * waitio_init fail with the text.
 *   text: the sentence
 *   seconds: how long it may take
 * Collective: no; any process may call it.
 * Errors: of a process that has not joined: why the master could not be told; else none.
 */
H3OU_API int waitio_abort(const char *text, double seconds);

/* Sets how long a wait may last before it becomes WAITIO_ETIMEOUT (environment: WAITIO_PATIENCE, default 3600).
 *   seconds: how long
 * Collective: no.
 * Errors: WAITIO_EARG: seconds is not above 0.
 */
H3OU_API int waitio_set_patience(double seconds);

/* Sets the name of this process in the messages of others ("ocean rank 3").
 *   name: the name; copied
 * Collective: no.
 * Errors: WAITIO_EARG: name is NULL.
 */
H3OU_API int waitio_set_name(const char *name);

/* Frees a group.
 *   grp: the group
 * Collective: no.
 * Errors: none.
 */
H3OU_API int waitio_group_free(waitio_group_t grp);

/* Returns the process count of every PB, in the order of PBs. In C and C++ waitio_get_nprocs also takes an int **, as
 * in the paper: then it is waitio_get_nprocs_alloc, which allocates the array (the caller frees it).
 *   array: out, [waitio_pb_size()] counts
 * Collective: no.
 * Returns: the number of PBs, or a negative error.
 * Errors: WAITIO_ESTATE: before waitio_init.
 */
H3OU_API int waitio_get_nprocs(int array[]);
H3OU_API int waitio_get_nprocs_alloc(int **array);

/* Makes a group of the processes for which a function is true. Needs no communication. Two names of one call;
 * programs often define a predicate truef that is always true, and one that only declares it gets it from the
 * library.
 *   gid: number of the group, the same at all its members; part of matching
 *   func: [number of PBs], func[pb] is a function of a PB and a rank that is true for the members; NULL for none
 *   order: [number of PBs], where the PB stands among the others, ascending; negative: left out
 * Collective: no, but every member makes the group in the same way.
 * Returns: the group, or NULL after an error.
 * Errors: WAITIO_EARG: gid or a list; WAITIO_ESTATE: before waitio_init.
 */
H3OU_API waitio_group_t waitio_create_group(int gid, waitio_filter_func_t func[], int order[]);
H3OU_API waitio_group_t waitio_create_group_func(int gid, waitio_filter_func_t func[], int order[]);

/* Makes a group of listed processes. Needs no communication. Two names of one call; in C and C++ waitio_create_group
 * takes such lists, too.
 *   gid: number of the group, the same at all its members; part of matching
 *   rank: [number of PBs], rank[pb] lists the members of that PB and ends with -1; NULL for none
 *   order: [number of PBs], where the PB stands among the others, ascending; negative: left out
 * Collective: no, but every member makes the group in the same way.
 * Returns: the group, or NULL after an error.
 * Errors: WAITIO_EARG: gid or a list; WAITIO_ESTATE: before waitio_init.
 */
H3OU_API waitio_group_t waitio_create_group_wranks(int gid, int *rank[], int order[]);
H3OU_API waitio_group_t waitio_create_group_wrank(int gid, int *rank[], int order[]);

/* Returns my rank in a group.
 *   grp: group
 *   rankp: out, my rank, from 0; -1: I am no member
 * Collective: no.
 * Errors: WAITIO_EARG: grp or rankp is NULL.
 */
H3OU_API int waitio_group_rank(waitio_group_t grp, int *rankp);

/* Returns the number of members of a group.
 *   grp: group
 *   sizep: out
 * Collective: no.
 * Errors: WAITIO_EARG: grp or sizep is NULL.
 */
H3OU_API int waitio_group_size(waitio_group_t grp, int *sizep);

/* Returns the number of my PB.
 *   rankp: out, PBID, from 0
 * Collective: no.
 * Errors: WAITIO_EARG: rankp is NULL. WAITIO_ESTATE: waitio_init was not called.
 */
H3OU_API int waitio_pb_rank(int *rankp);

/* Returns the number of PBs.
 *   sizep: out
 * Collective: no.
 * Errors: WAITIO_EARG: sizep is NULL. WAITIO_ESTATE: waitio_init was not called.
 */
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
