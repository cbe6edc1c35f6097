/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for both the job's MPI and other jobs, and the lock of MPI_THREAD_MULTIPLE. */
#ifndef H3OU_UNIVERSE_WORLD_WAITING_H
#define H3OU_UNIVERSE_WORLD_WAITING_H

#include "os/pause.h"
#include "universe/world/jobs.h"

#pragma GCC visibility push(hidden)
/* Progress between two looks at what is waited for: spins briefly, then sleeps until something comes from another job, for 0.2 ms at
 * most, since the job's MPI has to be polled. Releases the lock meanwhile. Returns an error of WaitIO, with its sentence: the run has failed. */
int universe_turn(h3ou__pause *pause);
/* Says that this process makes progress of WaitIO, with the lock: the watcher need not. universe_turn() does so itself. */
void universe_turn_count(void);
/* Lets the job's MPI move messages that nobody tests. */
void universe_look_at_mpi(void);
/* Waits for a request of the job's MPI, with progress of WaitIO. Returns a code of the hub. */
int universe_wait_inner(abi_Request *request, abi_Status *status);
/* The same for a message that blocks on a communicator of the job while requests with other jobs are open, which move on meanwhile. `code` and *request: what
 * starting it returned. Takes the lock itself. */
int universe_wait_started(int code, abi_Request *request, abi_Status *status);

/* The lock of what the universe keeps, and of WaitIO: held by every call that uses either, and not while a call blocks inside the job's MPI. Without
 * MPI_THREAD_MULTIPLE only the watcher takes it besides the program. */
void universe_enter(void);
void universe_exit(void);

/* Around a call that blocks in the job's MPI while other processes may wait for messages that this one has open with other jobs: the watcher moves them.
 * Without the lock. _end takes what _begin returned. */
bool universe_block_begin(void);
void universe_block_end(bool has_begun);

/* A thread, the watcher, that makes progress of WaitIO now and then while the program does not, so that the end of another job ends this one, and messages
 * with other jobs arrive while the program computes or blocks in the job's MPI. */
int universe_watch_begin(void);
void universe_watch_end(void);
/* Before the process ends without the lock: the thread looks no more when this returns, unless it is the one that calls, or has been at it for a second. */
void universe_watch_stop(void);
#pragma GCC visibility pop

#endif
