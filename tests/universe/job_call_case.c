/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking messages on a communicator inside a job while requests with other jobs are open, and messages inside a job while other jobs are awaited: what is
 * open has to move on meanwhile, since others wait for it. */
#include "universe_case.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONG = 1 << 20 };
enum way { RECV, SENDRECV, REPLACE, PROBE, IPROBE, MPROBE, SSEND, NWAY };

typedef struct {
    MPI_Comm comm;
    int rank, size;
} job;

static job job_open(void)
{
    job j;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, job_of(my_rank), my_rank, &j.comm));
    CALL(MPI_Comm_rank(j.comm, &j.rank));
    CALL(MPI_Comm_size(j.comm, &j.size));
    return j;
}

/* The first process receives what the last one sends. */
static void receive(const job *j, enum way way, MPI_Datatype type)
{
    int value[3] = {-1, -1, -1}, mine[3] = {7, 8, 9}, found = 0, from = j->size - 1;
    MPI_Message message;
    MPI_Status status;
    if (way == SENDRECV)
        CALL(MPI_Sendrecv(mine, 1, type, MPI_PROC_NULL, 3, value, 1, type, from, 3, j->comm, &status));
    else if (way == REPLACE)
        CALL(MPI_Sendrecv_replace(value, 1, type, MPI_PROC_NULL, 3, from, 3, j->comm, &status));
    else if (way == PROBE)
        CALL(MPI_Probe(from, 3, j->comm, &status));
    else if (way == MPROBE)
        CALL(MPI_Mprobe(from, 3, j->comm, &message, &status));
    while (way == IPROBE && !found)
        CALL(MPI_Iprobe(from, 3, j->comm, &found, &status));
    if (way == MPROBE)
        CALL(MPI_Mrecv(value, 1, type, &message, &status));
    else if (way != SENDRECV && way != REPLACE)
        CALL(MPI_Recv(value, 1, type, from, 3, j->comm, &status));
    EQUAL(status.MPI_SOURCE, from);
    EQUAL(value[0], from);
    EQUAL(value[1], -1);
    EQUAL(value[2], from + 1);
}

static void send(const job *j, enum way way, MPI_Datatype type)
{
    int value[3] = {j->rank, -2, j->rank + 1}, given;
    if (way == SSEND) {
        CALL(MPI_Ssend(value, 1, type, 0, 3, j->comm));
    } else if (way == REPLACE) {
        CALL(MPI_Sendrecv_replace(value, 1, type, 0, 3, MPI_PROC_NULL, 3, j->comm, MPI_STATUS_IGNORE));
    } else if (way == SENDRECV) {
        CALL(MPI_Sendrecv(value, 1, type, 0, 3, &given, 1, MPI_INT, MPI_PROC_NULL, 3, j->comm, MPI_STATUS_IGNORE));
    } else {
        CALL(MPI_Send(value, 1, type, 0, 3, j->comm));
    }
}

static void meet(const job *j, enum way way, MPI_Datatype type)
{
    if (j->size > 1 && j->rank == 0)
        receive(j, way, type);
    else if (j->size > 1 && j->rank == j->size - 1)
        send(j, way, type);
}

/* The first process of a job comes to the call inside the job before it completes what is open over the jobs, all others after it. */
CASE(job_call_while_sum_is_open)
{
    job j = job_open();
    MPI_Datatype type;
    CALL(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
    CALL(MPI_Type_commit(&type));
    for (int way = 0; way < NWAY; way++) {
        int one = 1, sum = 0;
        MPI_Request request;
        CALL(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        if (j.rank == 0)
            meet(&j, way, type);
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (j.rank != 0)
            meet(&j, way, type);
        EQUAL(sum, world_size);
    }
    CALL(MPI_Type_free(&type));
    CALL(MPI_Comm_free(&j.comm));
}

/* The first, or last, process of the next, or former, job. */
static int neighbor(int step, bool is_last)
{
    int njob = job_of(world_size - 1) + 1, wanted = (job_of(my_rank) + step + njob) % njob, found = -1;
    for (int r = 0; r < world_size; r++)
        if (job_of(r) == wanted && (is_last || found < 0))
            found = r;
    return found;
}

/* The last process of a job sends much to the first one of the next job, which then tells the last one of its own job: that waits for it inside the job. */
CASE(job_call_while_message_is_open)
{
    job j = job_open();
    int *much = malloc(2 * LONG * sizeof *much), *got = much + LONG;
    for (int way = 0; way < 2; way++) {
        MPI_Request request = MPI_REQUEST_NULL;
        int told = -1, found = 0;
        for (int i = 0; i < LONG; i++)
            much[i] = my_rank + i + way;
        if (j.rank == j.size - 1)
            CALL(MPI_Isend(much, LONG, MPI_INT, neighbor(1, false), 4, MPI_COMM_WORLD, &request));
        if (j.rank == 0) {
            int from = neighbor(-1, true);
            CALL(MPI_Recv(got, LONG, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(got[0] == from + way && got[LONG - 1] == from + LONG - 1 + way);
        }
        if (j.rank == 0 && j.size > 1)
            CALL(MPI_Send(&my_rank, 1, MPI_INT, j.size - 1, 5, j.comm));
        if (j.rank == j.size - 1 && j.size > 1) {
            while (way == 1 && !found)
                CALL(MPI_Iprobe(0, 5, j.comm, &found, MPI_STATUS_IGNORE));
            CALL(MPI_Recv(&told, 1, MPI_INT, 0, 5, j.comm, MPI_STATUS_IGNORE));
            EQUAL(told, neighbor(0, false));
        }
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    free(much);
    CALL(MPI_Comm_free(&j.comm));
}

/* A call that waits for the process `root` of another job. */
static void await_other_job(int way, int root)
{
    int value = my_rank == root ? 6 : 0, sum = 0;
    MPI_Request request;
    if (way == 0) {
        CALL(MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD));
    } else if (way == 1) {
        CALL(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL(sum, 6);
    } else if (way == 2) {
        CALL(MPI_Barrier(MPI_COMM_WORLD));
    } else if (way == 3) {
        CALL(MPI_Ibcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD, &request));
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else if (my_rank == root) {
        for (int r = 0; r < world_size; r++)
            if (r != root)
                CALL(MPI_Send(&value, 1, MPI_INT, r, 7, MPI_COMM_WORLD));
    } else {
        CALL(MPI_Recv(&value, 1, MPI_INT, root, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    EQUAL(value, way == 1 || way == 2 ? (my_rank == root ? 6 : 0) : 6);
}

/* All processes of a job begin to send much to its last one, and wait for another job, which waits until that last process has received it: it must go on
 * meanwhile. */
CASE(job_message_while_other_job_is_awaited)
{
    job j = job_open();
    int root = world_size - 1, last = j.size - 1, told;
    int *much = malloc(LONG * sizeof *much);
    CALL(MPI_Barrier(MPI_COMM_WORLD)); /* in the first such call all processes of a job agree on memory: no later one waits for its MPI */
    for (int way = 0; way < 5; way++) {
        MPI_Request request = MPI_REQUEST_NULL;
        for (int i = 0; i < LONG; i++)
            much[i] = my_rank + i + way;
        if (j.rank != last)
            CALL(MPI_Isend(much, LONG, MPI_INT, last, 8, j.comm, &request));
        for (int from = 0; j.rank == last && from < last; from++) {
            usleep(5000); /* the sender waits for the other job by then */
            CALL(MPI_Recv(much, LONG, MPI_INT, from, 8, j.comm, MPI_STATUS_IGNORE));
            EQUAL(much[LONG - 1], my_rank - last + from + LONG - 1 + way);
        }
        if (j.rank == last && my_rank != root)
            CALL(MPI_Send(&way, 1, MPI_INT, root, 9, MPI_COMM_WORLD));
        for (int k = job_of(root); my_rank == root && k > 0; k--) {
            CALL(MPI_Recv(&told, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL(told, way);
        }
        await_other_job(way, root);
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    free(much);
    CALL(MPI_Comm_free(&j.comm));
}

/* A call of all processes of a job that waits for each of them. */
static void meet_all(const job *j, int way)
{
    int one = 1, sum = 0, *all = malloc((size_t)j->size * sizeof *all);
    MPI_Comm copy;
    if (way == 0) {
        CALL(MPI_Barrier(j->comm));
    } else if (way == 1) {
        CALL(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, j->comm));
        EQUAL(sum, j->size);
    } else if (way == 2) {
        CALL(MPI_Allgather(&j->rank, 1, MPI_INT, all, 1, MPI_INT, j->comm));
        EQUAL(all[j->size - 1], j->size - 1);
    } else {
        CALL(MPI_Comm_dup(j->comm, &copy));
        CALL(MPI_Comm_free(&copy));
    }
    free(all);
}

/* The last process of a job sends more than connections hold to the first one of the next job, and goes into a call of its job, where the first one comes only
 * when it has received as much. */
CASE(job_collective_while_message_is_open)
{
    enum { MUCH = 1 << 22 };
    job j = job_open();
    int *much = malloc(2 * (size_t)MUCH * sizeof *much), *got = much + MUCH, from = neighbor(-1, true);
    for (int way = 0; way < 4; way++) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (j.rank == j.size - 1) {
            for (int i = 0; i < MUCH; i++)
                much[i] = my_rank + i + way;
            CALL(MPI_Isend(much, MUCH, MPI_INT, neighbor(1, false), 6, MPI_COMM_WORLD, &request));
        }
        if (j.rank == 0) {
            CALL(MPI_Recv(got, MUCH, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(got[0] == from + way && got[MUCH - 1] == from + MUCH - 1 + way);
        }
        meet_all(&j, way);
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    free(much);
    CALL(MPI_Comm_free(&j.comm));
}

/* A process that calls nothing of MPI, the last one of the first job, receives what it has begun to receive: it sees that the sender's call has ended by a
 * file. */
CASE(message_arrives_while_program_computes)
{
    enum { MUCH = 1 << 22 };
    int *much = malloc((size_t)MUCH * sizeof *much), root = (int)getpid(), last = world_size - 1, target = 0;
    char file[64];
    MPI_Request request;
    if (job_of(last) == 0) { /* natively messages need not travel then */
        free(much);
        return;
    }
    while (job_of(target + 1) == 0)
        target++;
    CALL(MPI_Bcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD));
    snprintf(file, sizeof file, "/tmp/h3ou-universe-case.%d", root);
    for (int i = 0; i < MUCH; i++)
        much[i] = my_rank * MUCH + i;
    if (my_rank == target) {
        CALL(MPI_Irecv(much, MUCH, MPI_INT, last, 7, MPI_COMM_WORLD, &request));
        CALL(MPI_Send(&root, 1, MPI_INT, last, 7, MPI_COMM_WORLD));
        for (int i = 0; i < 30000 && access(file, F_OK); i++)
            usleep(1000);
        CHECK(unlink(file) == 0);
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(much[0] == last * MUCH && much[MUCH - 1] == last * MUCH + MUCH - 1);
    } else if (my_rank == last) {
        CALL(MPI_Recv(&root, 1, MPI_INT, target, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CALL(MPI_Ssend(much, MUCH, MPI_INT, target, 7, MPI_COMM_WORLD));
        int fd = open(file, O_WRONLY | O_CREAT, 0600);
        CHECK(fd >= 0 && close(fd) == 0);
    }
    free(much);
}
