/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ping-pong of h3ou bench pingpong by MPI_Send and MPI_Recv, compiled with each MPI's wrapper: neighbours play.
 * h3ou-pingpong-mpi SIZES ROUNDS SECONDS REPEAT LIMIT [CORE,CORE...]   (SIZES: 8,16,...; REPEAT 0: by SECONDS)
 * With cores, process i is bound to core i. Without, processes outnumber cores, and a process that waits yields its
 * core between two tests. Ends itself after LIMIT seconds.
 */
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALIBRATING = 8, SMALL = 65536 };

typedef struct job {
    int rank, size, partner, rounds, repeat;
    double seconds;
    bool is_polite, is_first;
    char *buf;
} job;

static void wait_for_request(const job *j, MPI_Request *req)
{
    int done = 0;
    if (!j->is_polite)
        MPI_Wait(req, MPI_STATUS_IGNORE);
    else
        while (MPI_Test(req, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
            sched_yield();
}

static void send_ball(const job *j, int n)
{
    MPI_Request req;
    if (!j->is_polite) {
        MPI_Send(j->buf, n, MPI_CHAR, j->partner, 1, MPI_COMM_WORLD);
        return;
    }
    MPI_Isend(j->buf, n, MPI_CHAR, j->partner, 1, MPI_COMM_WORLD, &req);
    wait_for_request(j, &req);
}

static void receive_ball(const job *j, int n)
{
    MPI_Request req;
    if (!j->is_polite) {
        MPI_Recv(j->buf, n, MPI_CHAR, j->partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(j->buf, n, MPI_CHAR, j->partner, 1, MPI_COMM_WORLD, &req);
    wait_for_request(j, &req);
}

/* Runs one round; sets the nanoseconds of the slowest pair, and of the pairs on average. */
static void run_once(const job *j, int n, long repeats, double *slowest, double *mean)
{
    MPI_Request req;
    MPI_Ibarrier(MPI_COMM_WORLD, &req);
    wait_for_request(j, &req);
    double began = MPI_Wtime();
    for (long i = 0; i < repeats; i++) {
        if (j->is_first)
            send_ball(j, n);
        receive_ball(j, n);
        if (!j->is_first)
            send_ball(j, n);
    }
    double took = j->is_first ? 1e9 * (MPI_Wtime() - began) : 0.0;
    MPI_Iallreduce(&took, slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &req);
    wait_for_request(j, &req);
    MPI_Iallreduce(&took, mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &req);
    wait_for_request(j, &req);
    *mean /= j->size / 2;
}

/* All processes have the same time of the slowest pair, so all choose the same number. */
static long choose_repeats(const job *j, double each)
{
    double n = each > 0.0 ? 1e9 * j->seconds / each : 1.0;
    if (j->repeat > 0)
        return j->repeat;
    return n < 1.0 ? 1 : n > 1e7 ? 10000000 : (long)n;
}

static void measure_size(job *j, int n, bool is_pinned)
{
    double slowest, mean;
    long repeats = n <= SMALL ? CALIBRATING : 1;
    run_once(j, n, 1, &slowest, &mean);
    run_once(j, n, repeats, &slowest, &mean);
    for (int round = 0; round < j->rounds; round++) {
        repeats = choose_repeats(j, slowest / (double)repeats);
        run_once(j, n, repeats, &slowest, &mean);
        if (j->rank == 0) {
            printf("round 1 %d %d %d %ld %.0f %.0f\n", j->size / 2, is_pinned, n, repeats, slowest, mean);
            fflush(stdout);
        }
    }
}

static void pin_to_core(int rank, const char *cores)
{
    cpu_set_t mine;
    for (int i = 0; i < rank && cores; i++)
        cores = strchr(cores, ',') ? strchr(cores, ',') + 1 : NULL;
    if (!cores)
        return;
    CPU_ZERO(&mine);
    CPU_SET(atoi(cores), &mine);
    sched_setaffinity(0, sizeof mine, &mine);
}

static long largest_size(const char *sizes)
{
    long most = 1;
    for (const char *at = sizes; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        most = atol(at) > most ? atol(at) : most;
    return most;
}

int main(int argc, char **argv)
{
    job j = {0};
    if (argc < 6) {
        fprintf(stderr, "this program is started by 'h3ou bench pingpong'\n");
        return 2;
    }
    alarm((unsigned)atoi(argv[5]));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.size);
    if (j.size % 2) {
        fprintf(stderr, "an even number of processes is needed, not %d\n", j.size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (argc > 6)
        pin_to_core(j.rank, argv[6]);
    j.partner = j.rank ^ 1;
    j.is_first = j.rank % 2 == 0;
    j.is_polite = argc <= 6;
    j.rounds = atoi(argv[2]);
    j.seconds = atof(argv[3]);
    j.repeat = atoi(argv[4]);
    size_t room = (size_t)largest_size(argv[1]);
    j.buf = malloc(room);
    if (!j.buf)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(j.buf, 'p', room);
    for (const char *at = argv[1]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        measure_size(&j, atoi(at), argc > 6);
    free(j.buf);
    MPI_Finalize();
    return 0;
}
