/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of several threads at once; only where mpi_cases was started with --threads, and the MPI has them. */
#include "mpi_case.h"

#include <pthread.h>
#include <stdint.h>

enum { THREADS = 3, ROUNDS = 50 };

static MPI_Comm comms[THREADS];

/* Counts what went wrong, since checks are the main thread's. */
static void *talk(void *of)
{
    int thread = (int)(intptr_t)of, got, size;
    intptr_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int mine = 100 * thread + my_rank, n = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Request requests[2];
        MPI_Status statuses[2];
        wrong += MPI_Type_contiguous(thread + 1, MPI_INT, &type) || MPI_Type_size(type, &size) || size != 4 * (thread + 1);
        wrong += MPI_Irecv(&got, 1, MPI_INT, left, thread, comms[thread], &requests[0]) != MPI_SUCCESS;
        wrong += MPI_Isend(&mine, 1, MPI_INT, right, thread, comms[thread], &requests[1]) != MPI_SUCCESS;
        wrong += MPI_Waitall(2, requests, statuses) || got != 100 * thread + left || statuses[0].MPI_TAG != thread;
        wrong += MPI_Get_count(&statuses[0], MPI_INT, &n) || n != 1;
        wrong += MPI_Type_free(&type) || type != MPI_DATATYPE_NULL;
    }
    return (void *)wrong;
}

static void talk_at_once(void)
{
    pthread_t threads[THREADS];
    int level = -1;
    CALL(MPI_Query_thread(&level));
    if (level != MPI_THREAD_MULTIPLE)
        return;
    for (int i = 0; i < THREADS; i++) {
        CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
        CALL(MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN));
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, talk, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        CHECK(pthread_join(threads[i], &wrong) == 0);
        EQUAL((intptr_t)wrong, 0);
        CALL(MPI_Comm_free(&comms[i]));
    }
}

const mpi_case thread_cases[] = {{"thread_talk", talk_at_once}, {NULL, NULL}};
