/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of comm.h for a run whose processes are threads of the test: two components, "a" and "b". What a
 * component's processes share, and the messages between them, is real, so that collective parts of the coupler can be
 * tested without an MPI. CMocka's assertions belong into the test's own thread: the processes store what they found.
 */
#ifndef TESTS_COUPLER_THREAD_WORLD_H
#define TESTS_COUPLER_THREAD_WORLD_H

#include "base/error.h"
#include "comm/comm.h"

enum { THREADS_MOST = 8 }; /* of most tests: run_threads has no limit */

/* What a process has sent, and of how many collective calls it took part in. */
typedef struct thread_traffic {
    int64_t messages, bytes, collectives, alltoalls; /* alltoalls: those with counts of every process */
} thread_traffic;

/* One process: its place, and what it is to find out. */
typedef struct thread_process {
    h3ou__world *world;
    h3ou__comm *local;
    int component, rank; /* 0: of "a", 1: of "b" */
    void *user;
    int err;
    char said[H3OU__ERROR_TEXT]; /* the sentence of err */
    thread_traffic traffic;
} thread_process;

/* Runs `na` processes of "a" and `nb` of "b" (0: none), and waits for them. out: [na + nb], those of "a" first. A run
 * in which a process waits for ever ends the test program after 500 s: under the thread sanitizer a thousand threads
 * take two minutes on a slow machine beside other tests. */
void run_threads(int na, int nb, int (*be)(thread_process *me), void *user, thread_process out[]);

#endif
