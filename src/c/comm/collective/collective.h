/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls on Global, Leader, Local and Model, arguments as in MPI. Counts are of elements. */
#ifndef H3OU_COMM_COLLECTIVE_COLLECTIVE_H
#define H3OU_COMM_COLLECTIVE_COLLECTIVE_H

#include "comm/comm.h"

/* Latency in seconds and bandwidth in bytes per second of messages inside a job (0: not known) and between jobs, and the
 * messages that a process sends at a time. Collective calls from now on take algorithms and segments by them. To be called alike by
 * every process, between the same two collective calls. */
typedef struct h3ou__tuning {
    double inside_latency, inside_bandwidth;
    double between_latency, between_bandwidth;
    int ports; /* 0: nothing is known */
    int job_route; /* enum h3ou__job_route; not of collective calls */
} h3ou__tuning;
void h3ou__collectives_tune(const h3ou__tuning *tuning);
/* Says whether reductions from now on combine the values of jobs in the order of their ranks, so that the bits of a sum depend neither
 * on the root nor on the number of elements. To be called as h3ou__collectives_tune. */
void h3ou__collectives_keep_order(bool keeps);
/* Says how many processes of each job pass long messages of broadcasts and reductions to those of other jobs, from now on: 1 is the
 * first process, and a communicator has no more than its smallest part of a job has members. To be called as h3ou__collectives_tune. */
enum { H3OU__KINGS_MOST = 8 };
void h3ou__collectives_set_kings(int n);

/* Collectives over c, blocking, arguments as in MPI; counts in elements. On Global, Leader, Local and Model. */
/* Fails when root is no rank of c. */
int h3ou__check_root(const h3ou__comm *c, const char *call, int root);
int h3ou__barrier(h3ou__comm *c);
int h3ou__bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root);
int h3ou__gather(h3ou__comm *c, const void *send, int64_t count, void *recv, int type, int root);
int h3ou__gatherv(h3ou__comm *c, const void *send, int64_t count, void *recv, const int64_t counts[],
                  const int64_t displs[], int type, int root);
int h3ou__scatter(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int root);
int h3ou__scatterv(h3ou__comm *c, const void *send, const int64_t counts[], const int64_t displs[], void *recv,
                   int64_t count, int type, int root);
/* Sums are made inside each job first, then between jobs, so their bits may differ with the distribution over jobs, and, unless the
 * order of jobs is kept, with the root and the number of elements. */
int h3ou__reduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op, int root);
int h3ou__allreduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op);
/* The operation of a reduction: op, or a function. */
typedef struct h3ou__reduction {
    int op;
    /* inout[i] = in[i] op inout[i], for `count` elements; NULL: op. Which elements are combined in one call is not said. */
    void (*combine)(const void *in, void *inout, int64_t count, int type, void *user);
    void *user;
    bool commutes; /* the function; else its operands stand in the order of ranks */
} h3ou__reduction;

int h3ou__reduce_by(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, const h3ou__reduction *by, int root);
int h3ou__allreduce_by(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, const h3ou__reduction *by);
/* recv: of rank r the combination of ranks 0 to r. The bits depend on the number of members only. send may be recv. */
int h3ou__scan(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, const h3ou__reduction *by);
/* send: the parts of all ranks, counts[size] elements each, one after the other; recv: mine of their combination. */
int h3ou__reduce_scatter(h3ou__comm *c, const void *send, void *recv, const int64_t counts[], int type,
                         const h3ou__reduction *by);
int h3ou__allgather(h3ou__comm *c, const void *send, int64_t count, void *recv, int type);
int h3ou__allgatherv(h3ou__comm *c, const void *send, void *recv, const int64_t counts[], const int64_t displs[], int type);
int h3ou__alltoall(h3ou__comm *c, const void *send, void *recv, int64_t count, int type);
/* Alltoallv. */
int h3ou__alltoall_parts(h3ou__comm *c, const void *send, const int64_t scounts[], const int64_t sdispls[], void *recv,
                         const int64_t rcounts[], const int64_t rdispls[], int type);
/* All-to-all inside my component: sends scounts[i] elements to Local rank i, packed one after the other. Allocates
 * *recv (the caller frees it) and fills rcounts[size]. Local only. */
int h3ou__alltoallv(h3ou__comm *local, const void *send, const int64_t scounts[], int type, void **recv,
                    int64_t rcounts[]);

#endif
