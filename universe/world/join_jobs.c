/* SPDX-License-Identifier: BSD-3-Clause */
/* Joining the other jobs: the processes of a job reach each other by their MPI, jobs by WaitIO. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/error.h"
#include "host/host_block.h"
#include "universe/world/spanning.h"
#include "universe/world/waiting.h"
#include "universe/world/waiting_way.h"
#include "waitio.h"
#include "waitio/joining/job_collectives.h"

static const double DEFAULT_PATIENCE = 600.0; /* s */
static abi_Comm arriving;                     /* a duplicate of the job's MPI_COMM_WORLD */

static int gather_by_mpi(void *self, const void *send, size_t bytes, void *recv)
{
    (void)self;
    abi_Datatype byte = (abi_Datatype)ABI_BYTE;
    int code = universe.mpi->Gather(send, (int)bytes, byte, recv, (int)bytes, byte, 0, arriving);
    return code ? h3ou__fail(H3OU__EMPI, "MPI_Gather failed while jobs join") : H3OU__OK;
}

static int bcast_by_mpi(void *self, void *buf, size_t bytes)
{
    (void)self;
    int code = universe.mpi->Bcast(buf, (int)bytes, (abi_Datatype)ABI_BYTE, 0, arriving);
    return code ? h3ou__fail(H3OU__EMPI, "MPI_Bcast failed while jobs join") : H3OU__OK;
}

static int join_jobs(void)
{
    double patience;
    int err = h3ou__env_real("WAITIO_JOIN_PATIENCE", DEFAULT_PATIENCE, &patience);
    waitio__job_collectives inside = {.gather = gather_by_mpi, .bcast = bcast_by_mpi};
    if (err)
        return err;
    if (universe.mpi->Comm_dup((abi_Comm)ABI_COMM_WORLD, &arriving) || universe.mpi->Comm_set_errhandler(arriving, (abi_Errhandler)ABI_ERRORS_RETURN) ||
        universe.mpi->Comm_rank(arriving, &inside.rank) || universe.mpi->Comm_size(arriving, &inside.size))
        return h3ou__fail(H3OU__EMPI, "the job's MPI_COMM_WORLD cannot be duplicated");
    return waitio__join(&inside, patience);
}

/* Sets what is known of the jobs. */
static int count_processes(void)
{
    int *count = NULL, rank, njob = waitio_get_nprocs_alloc(&count);
    if (njob < 0)
        return njob;
    universe.njob = njob;
    universe.first = calloc((size_t)njob + 1, sizeof *universe.first);
    universe.is_unlike = calloc((size_t)njob, sizeof *universe.is_unlike);
    if (!universe.first || !universe.is_unlike) {
        free(count);
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d jobs", njob);
    }
    for (int job = 0; job < njob; job++)
        universe.first[job + 1] = universe.first[job] + count[job];
    free(count);
    int err = waitio_pb_rank(&universe.job);
    if (err || universe.mpi->Comm_rank(arriving, &rank))
        return err ? err : h3ou__fail(H3OU__EMPI, "MPI_Comm_rank failed");
    universe.size = universe.first[njob];
    universe.rank = universe.first[universe.job] + rank;
    return H3OU__OK;
}

/* What a King tells the others of its job, as bytes that are alike on all machines. */
typedef struct king_facts {
    unsigned char low_byte_first;
    unsigned char host[8]; /* of all processes of the job, the least significant byte first; all bits: they are on several hosts, or it is not known */
} king_facts;

static int find_own_facts(king_facts *mine)
{
    abi_Comm host;
    int here, all;
    const uint16_t one = 1;
    if (universe.mpi->Comm_split_type(arriving, ABI_COMM_TYPE_SHARED, 0, (abi_Info)ABI_INFO_NULL, &host) || universe.mpi->Comm_size(host, &here) ||
        universe.mpi->Comm_size(arriving, &all) || universe.mpi->Comm_free(&host))
        return h3ou__fail(H3OU__EMPI, "the processes of a host cannot be counted");
    uint64_t number = here == all ? (uint64_t)h3ou__host_number() : UINT64_MAX;
    mine->low_byte_first = *(const unsigned char *)&one;
    for (size_t i = 0; i < sizeof mine->host; i++)
        mine->host[i] = (unsigned char)(number >> 8 * i);
    return H3OU__OK;
}

static int exchange_facts(king_facts *facts)
{
    const int64_t TAG = 0;
    universe_comm *c = universe.comm;
    for (int job = 0; job < universe.njob && c->my_local == 0; job++) {
        waitio_req_t send, recv;
        int peer = universe.first[job], err; /* in the world's groups peers have the numbers of the world */
        if (job == universe.job)
            continue;
        if ((err = waitio_isend(c->beyond, peer, (char *)&facts[universe.job], sizeof *facts, TAG, &send)) ||
            (err = waitio_irecv(c->beyond, peer, (char *)&facts[job], sizeof *facts, TAG, &recv)) || (err = waitio_wait(&recv)) || (err = waitio_wait(&send)))
            return err;
    }
    return bcast_by_mpi(NULL, facts, (size_t)universe.njob * sizeof *facts);
}

/* Whether processes that wait spin in vain: then collective calls go by WaitIO inside the job, too, where they sleep. */
static int find_crowd(const king_facts *facts)
{
    static const unsigned char nowhere[sizeof facts->host] = {255, 255, 255, 255, 255, 255, 255, 255};
    const char *given = getenv("H3OU_UNIVERSE_INSIDE");
    const unsigned char *host = facts[universe.job].host;
    int here = 0;
    if (given && strcmp(given, "mpi") != 0 && strcmp(given, "waitio") != 0 && strcmp(given, "memory") != 0)
        return h3ou__fail(H3OU__EENV, "H3OU_UNIVERSE_INSIDE is \"%s\": it must be memory, mpi or waitio", given);
    universe.uses_memory = !given || strcmp(given, "memory") == 0;
    for (int job = 0; job < universe.njob && memcmp(host, nowhere, sizeof nowhere) != 0; job++)
        here += memcmp(host, facts[job].host, sizeof nowhere) == 0 ? universe.first[job + 1] - universe.first[job] : 0;
    universe.is_crowded = !universe.uses_memory ? strcmp(given, "waitio") == 0 : here > sysconf(_SC_NPROCESSORS_ONLN);
    return H3OU__OK;
}

/* Finds how this job is to work with the others. Collective over all jobs. */
static int compare_jobs(void)
{
    king_facts *facts = calloc((size_t)universe.njob, sizeof *facts);
    int err = facts ? find_own_facts(&facts[universe.job]) : h3ou__fail(H3OU__ENOMEM, "no memory for %d jobs", universe.njob);
    if (!err)
        err = exchange_facts(facts);
    for (int job = 0; job < universe.njob && !err; job++) {
        universe.is_unlike[job] =
            job != universe.job && (facts[job].low_byte_first != facts[universe.job].low_byte_first || getenv("H3OU_UNIVERSE_EXTERNAL32"));
        universe.has_unlike = universe.has_unlike || universe.is_unlike[job];
    }
    if (!err)
        err = find_crowd(facts);
    free(facts);
    return err;
}

static int make_world(void)
{
    int *ranks = malloc((size_t)universe.size * sizeof *ranks);
    abi_Comm local;
    if (ranks && universe.mpi->Comm_dup((abi_Comm)ABI_COMM_WORLD, &local)) {
        free(ranks);
        return h3ou__fail(H3OU__EMPI, "the job's MPI_COMM_WORLD cannot be duplicated");
    }
    if (!ranks)
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d processes", universe.size);
    for (int r = 0; r < universe.size; r++)
        ranks[r] = r;
    universe.comm = universe_comm_new(universe.size, ranks, local, 0);
    free(ranks);
    if (!universe.comm)
        return H3OU__ENOMEM;
    universe.mpi->Comm_set_name(universe.comm->local, "MPI_COMM_WORLD");
    return H3OU__OK;
}

int universe_join(void)
{
    int err = join_jobs();
    if (!err)
        err = count_processes();
    if (!err)
        err = make_world();
    if (!err)
        err = compare_jobs();
    if (!err)
        err = universe_way_choose();
    if (!err)
        err = universe_watch_begin();
    return err;
}

int universe_leave(void)
{
    universe_watch_end();
    int err = waitio_finalize();
    universe.mpi->Comm_free(&arriving);
    universe_comm_drop(universe.comm);
    universe.comm = NULL;
    return err;
}
