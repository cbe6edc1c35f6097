/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The world of several jobs: which process of which job has which rank. Ranks count through the jobs: those of job 0 come
 * first. In a process that has not joined others, or runs alone, there is no world, and every call goes to the job's MPI.
 */
#ifndef H3OU_UNIVERSE_WORLD_JOBS_H
#define H3OU_UNIVERSE_WORLD_JOBS_H

#include <stdbool.h>

#include "universe/world/hub.h"

typedef struct universe_comm universe_comm;

typedef struct universe_world {
    const struct hub *mpi; /* the job's own MPI */
    universe_comm *comm;   /* MPI_COMM_WORLD; NULL: there is no world */
    int size, rank;
    int njob, job;    /* job: mine */
    int *first;       /* [njob + 1] the rank of each job's first process, and size */
    bool *is_unlike;  /* [njob] values have another byte order there, and travel with the most significant byte first */
    bool has_unlike;  /* a job is */
    bool has_threads; /* MPI_THREAD_MULTIPLE */
    bool is_locked;   /* universe_enter() takes a mutex: has_threads, or the system has no membarrier for world/waiting.c */
    int tag_ub;       /* the greatest tag of a message: the smallest of all jobs' */
    void (*sweep)(void); /* moves messages that nobody waits for, with the lock; NULL: there are none */
    int open;         /* requests with processes of other jobs that are not complete: while it is 0 the job's MPI may block */
    bool is_crowded;  /* the job is on one host, whose cores are fewer than the processes that this and other jobs have there */
    bool uses_memory; /* collective calls inside the job may go through memory that its processes share */
    void (*advance)(void); /* moves on the requests that other processes may wait for, from any wait; NULL: there are none */
} universe_world;

#pragma GCC visibility push(hidden)
extern universe_world universe;

/* Joins the other jobs, as the environment (WAITIO_*) says, after the job's MPI has been initialised. Collective over all jobs.
 * Returns an error of WaitIO; its sentence is h3ou__fail_text(). */
int universe_join(void);
/* Leaves: waits until what was sent has been delivered. Collective over all jobs. */
int universe_leave(void);
/* Returns the job of a process. */
int universe_job_of(int world_rank);
#pragma GCC visibility pop

#endif
