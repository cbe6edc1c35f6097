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
} h3ou__tuning;
void h3ou__collectives_tune(const h3ou__tuning *tuning);

/* Collectives over c, blocking, arguments as in MPI; counts in elements. On Global, Leader, Local and Model. */
int h3ou__barrier(h3ou__comm *c);
int h3ou__bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root);
int h3ou__gather(h3ou__comm *c, const void *send, int64_t count, void *recv, int type, int root);
int h3ou__gatherv(h3ou__comm *c, const void *send, int64_t count, void *recv, const int64_t counts[],
                  const int64_t displs[], int type, int root);
int h3ou__scatter(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int root);
int h3ou__scatterv(h3ou__comm *c, const void *send, const int64_t counts[], const int64_t displs[], void *recv,
                   int64_t count, int type, int root);
/* Sums are made inside each job first, then job by job, so their bits may differ with the distribution over jobs. */
int h3ou__reduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op, int root);
int h3ou__allreduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op);
/* All-to-all inside my component: sends scounts[i] elements to Local rank i, packed one after the other. Allocates
 * *recv (the caller frees it) and fills rcounts[size]. Local only. */
int h3ou__alltoallv(h3ou__comm *local, const void *send, const int64_t scounts[], int type, void **recv,
                    int64_t rcounts[]);

#endif
