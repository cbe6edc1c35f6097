/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ping-pong of h3ou bench pingpong by an MPI, compiled with each MPI's wrapper: neighbours play.
 * h3ou-pingpong-mpi SIZES ROUNDS SECONDS REPEAT LIMIT [CORE,CORE...]   (SIZES: 8,16,...; REPEAT 0: by SECONDS)
 * With cores, process i is bound to core i. Without, processes outnumber cores, and a process that waits yields its
 * core between two tests. Ends itself after LIMIT seconds.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "tools/harness/mpi/wire_mpi.h"
#include "tools/harness/player.h"
#include "tools/harness/rounds.h"

enum { LINK = 1 }; /* the number in the lines for h3ou bench pingpong, whose link 0 is raw TCP */

typedef struct job {
    int rank, size, side;
    bool is_pinned;
    wire wire;
    char *buf;
} job;

/* Reduces a time over the processes; waits as the ping-pong does. */
static int reduce_time(job *j, double *took, MPI_Op op, double *result)
{
    MPI_Request req;
    MPI_Iallreduce(took, result, 1, MPI_DOUBLE, op, MPI_COMM_WORLD, &req);
    return wire_mpi_wait(&j->wire, &req);
}

/* All processes get the same times, so all play the same numbers of ping-pongs. */
static int play_round(void *user, round_result *r)
{
    job *j = user;
    MPI_Request req;
    double took = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &req);
    int code = wire_mpi_wait(&j->wire, &req);
    if (!code)
        code = play_ping_pongs(&j->wire, j->side, j->buf, (size_t)r->bytes, (uint64_t)r->repeats, &took);
    if (j->side)
        took = 0;
    r->pairs = j->size / 2;
    r->is_pinned = j->is_pinned;
    if (!code)
        code = reduce_time(j, &took, MPI_MAX, &r->slowest);
    if (!code)
        code = reduce_time(j, &took, MPI_SUM, &r->mean);
    r->mean /= r->pairs;
    return code;
}

static int put_round(void *user, const round_result *r)
{
    const job *j = user;
    char line[ROUND_LINE];
    round_result said = *r;
    said.link = LINK;
    round_write_line(&said, line);
    if (j->rank == 0) {
        fputs(line, stdout);
        fflush(stdout);
    }
    return 0;
}

static const char *next_word(const char *at)
{
    at = strchr(at, ',');
    return at ? at + 1 : NULL;
}

static int core_of(int rank, const char *cores)
{
    for (int i = 0; i < rank && cores; i++)
        cores = next_word(cores);
    return cores ? atoi(cores) : -1;
}

static long largest_size(const char *sizes)
{
    long most = 1;
    for (const char *at = sizes; at; at = next_word(at))
        most = atol(at) > most ? atol(at) : most;
    return most;
}

static int measure_sizes(job *j, const round_plan *plan, const char *sizes)
{
    static const round_ops ops = {play_round, put_round};
    size_t room = (size_t)largest_size(sizes);
    int code = j->wire.ops->open(&j->wire, j->side);
    j->buf = malloc(room);
    if (!j->buf)
        return h3ou__no_memory("a message of %zu bytes", room);
    memset(j->buf, 'p', room);
    for (const char *at = sizes; at && !code; at = next_word(at))
        code = measure_rounds(plan, 1, atol(at), &ops, j);
    free(j->buf);
    return code;
}

int main(int argc, char **argv)
{
    job j = {.is_pinned = argc > 6, .wire = {.ops = &wire_mpi, .wait = argc > 6 ? WIRE_SPIN : WIRE_YIELD}};
    if (argc < 6) {
        fprintf(stderr, "this program is started by 'h3ou bench pingpong'\n");
        return 2;
    }
    round_plan plan = {.rounds = atoi(argv[2]), .seconds = atof(argv[3]), .repeat = atoi(argv[4])};
    alarm((unsigned)atoi(argv[5]));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.size);
    j.side = j.rank % 2;
    if (j.size % 2) {
        fprintf(stderr, "an even number of processes is needed, not %d\n", j.size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (j.is_pinned)
        player_bind(core_of(j.rank, argv[6]));
    if (measure_sizes(&j, &plan, argv[1])) {
        fprintf(stderr, "%s\n", h3ou__fail_text());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
