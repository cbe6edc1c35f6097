/* SPDX-License-Identifier: BSD-3-Clause */
#include "join_mpi/arrival.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/log.h"
#include "os/os_clock.h"
#include "os/pause.h"

/* Tags of messages on MPI_COMM_WORLD that are sent only when patience has ended, to find out which processes are here.
 */
enum { TAG_CALL = 31051, TAG_HERE = 31052, CALLERS_MOST = 1024, NAMED = 20 };
static const double TELL_AFTER = 30.0, ROLL_CALL = 2.0, LOOK_MOST = 0.02; /* seconds */

typedef struct arrival {
    const h3ou__mpi_ops *mpi;
    h3ou__mpi_comm all;
    int rank, size, is_world; /* is_world: `all` is MPI_COMM_WORLD */
    h3ou__mpi_req barrier;
    double began;
    bool is_told;
    int32_t caller, me;
    h3ou__mpi_req answer;
    bool is_answering;
} arrival;

/* What a failed arrival left, whose requests MPI may still use. */
static arrival *failed;

/* Answers, while this process waits, another one that asks which processes are here. */
static int answer_call(arrival *a)
{
    int found = 0, done = 0;
    int64_t bytes;
    h3ou__mpi_req call;
    int err = H3OU__OK;
    if (a->is_answering && ((err = a->mpi->test(&a->answer, &done, NULL)) != H3OU__OK || !done))
        return err;
    a->is_answering = false;
    if ((err = a->mpi->iprobe(a->all, H3OU__ANY_SOURCE, TAG_CALL, &found, &bytes)) != H3OU__OK || !found)
        return err;
    err = a->mpi->irecv(a->all, &a->caller, 1, H3OU__INT32, H3OU__ANY_SOURCE, TAG_CALL, &call);
    for (done = 0; !err && !done;) /* the message has arrived already */
        err = a->mpi->test(&call, &done, NULL);
    if (!err)
        err = a->mpi->isend(a->all, &a->me, 1, H3OU__INT32, a->caller, TAG_HERE, &a->answer);
    a->is_answering = !err;
    return err;
}

/* Receives one answer and sets *rank to its sender, or to -1 when there is none. */
static int take_answer(arrival *a, int32_t *rank)
{
    int found = 0, done = 0;
    int64_t bytes;
    h3ou__mpi_req req;
    *rank = -1;
    int err = a->mpi->iprobe(a->all, H3OU__ANY_SOURCE, TAG_HERE, &found, &bytes);
    if (err || !found)
        return err;
    err = a->mpi->irecv(a->all, rank, 1, H3OU__INT32, H3OU__ANY_SOURCE, TAG_HERE, &req);
    while (!err && !done)
        err = a->mpi->test(&req, &done, NULL);
    return err;
}

/* Asks all processes, and marks in is_here those that answer within ROLL_CALL seconds. Of the time between two looks LOOK_MOST seconds count at the most:
 * where a busy machine stopped this process meanwhile, the others may have had no time to answer. */
static int call_roll(arrival *a, bool is_here[])
{
    h3ou__mpi_req *calls = malloc(sizeof *calls * (size_t)a->size);
    int err = calls ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "out of memory for a message to every process"),
        missing = a->size - 1;
    double left = ROLL_CALL, looked = h3ou__now();
    for (int r = 0; r < a->size && !err; r++)
        if (r != a->rank)
            err = a->mpi->isend(a->all, &a->me, 1, H3OU__INT32, r, TAG_CALL, &calls[r]);
    while (!err && missing > 0 && left > 0.0) {
        int32_t here;
        double now = h3ou__now();
        left -= now - looked < LOOK_MOST ? now - looked : LOOK_MOST;
        looked = now;
        if ((err = take_answer(a, &here)) != H3OU__OK || (err = answer_call(a)) != H3OU__OK)
            break;
        if (here < 0)
            h3ou__sleep(200e-6);
        else if (here < a->size && !is_here[here]) {
            is_here[here] = true;
            missing--;
        }
    }
    free(calls); /* some requests may never complete; this process ends anyway */
    return err;
}

/* Writes the processes that are not here as "processes 1, 4-7". */
static void name_missing(const arrival *a, const bool is_here[], char *text, size_t size)
{
    size_t used = 0;
    int n = 0, named = 0;
    for (int r = 0; r < a->size; r++)
        n += !is_here[r];
    used += (size_t)snprintf(text, size, n == 1 ? "process" : "processes");
    for (int r = 0, end; r < a->size && used < size && named <= NAMED; r = end + 1) {
        for (end = r; end + 1 < a->size && is_here[end + 1] == is_here[r];)
            end++;
        if (is_here[r])
            continue;
        const char *comma = named++ ? ", " : " ";
        if (named > NAMED)
            used += (size_t)snprintf(text + used, size - used, "%s...", comma);
        else if (end > r)
            used += (size_t)snprintf(text + used, size - used, "%s%d-%d", comma, r, end);
        else
            used += (size_t)snprintf(text + used, size - used, "%s%d", comma, r);
    }
}

static int fail_not_arrived(arrival *a)
{
    static const char *const world = "MPI_COMM_WORLD: look there for a collective call on MPI_COMM_WORLD before h3ou_init (in "
                                     "a run of several programs that communicator holds all of them), for a program that "
                                     "does not call h3ou_init, and for one that waits or has ended before it";
    static const char *const given = "the communicator comm of h3ou_init: all of its processes must call h3ou_init, with this "
                                     "communicator, so leave out those that take no part in the run";
    char who[256] = "another process";
    bool *is_here = calloc((size_t)a->size, sizeof *is_here);
    if (is_here && (a->rank == 0 || a->size <= CALLERS_MOST)) {
        is_here[a->rank] = true;
        if (call_roll(a, is_here) == H3OU__OK)
            name_missing(a, is_here, who, sizeof who);
    }
    free(is_here);
    return h3ou__fail(H3OU__ETIMEOUT,
                      "waited %.0f s (H3OU_JOIN_PATIENCE): h3ou_init was not called by %s of %d in %s",
                      h3ou__now() - a->began, who, a->size, a->is_world ? world : given);
}

/* Returns whether patience has ended. The other ranks wait longer than rank 0, which reports for all of them and then ends the job. */
static bool is_patience_over(arrival *a, double patience, double now)
{
    if (now - a->began > TELL_AFTER && !a->is_told) {
        a->is_told = true;
        h3ou__log(H3OU__LOG_WARNING, "waiting", "seconds=%.0f for=\"all processes of this job to call h3ou_init\"",
                  now - a->began);
    }
    return now - a->began > patience + (a->rank ? 2.0 * ROLL_CALL : 0.0);
}

static int wait_for_arrivals(arrival *a, double patience)
{
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    a->began = pause.began;
    for (;;) {
        int done = 0, err = a->mpi->test(&a->barrier, &done, NULL);
        if (err || done || (err = answer_call(a)) != H3OU__OK)
            return err;
        if (is_patience_over(a, patience, h3ou__now()))
            return fail_not_arrived(a);
        double nap = h3ou__pause_next(&pause, 1e-6 * H3OU__YIELD_MPI);
        if (nap > 0.0)
            h3ou__sleep(nap);
    }
}

/* Detects a program under the mpirun of another MPI than its own, in which each process believes that it is alone. A
 * process that one launcher started alone, inside another launcher's process, is accepted. */
static int check_launcher(const h3ou__mpi_ops *mpi)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    const char *foreign = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int size = getenv(names[i]) ? atoi(getenv(names[i])) : 0;
        if (size == 1 || mpi == &h3ou__mpi_self)
            return H3OU__OK;
        foreign = size > 1 ? names[i] : foreign;
    }
    if (!foreign)
        return H3OU__OK;
    return h3ou__fail(H3OU__EJOIN,
                      "this process is alone in its MPI (%s), but the launcher started %s of them (%s): start the "
                      "program with the mpirun of the MPI that it was compiled with",
                      mpi->name, getenv(foreign), foreign);
}

int h3ou__arrive(const h3ou__mpi_ops *mpi, double patience)
{
    arrival *a = calloc(1, sizeof *a);
    if (!a)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the arrival of this job's processes");
    a->mpi = mpi;
    int err = mpi->all(&a->all, &a->is_world);
    if (!err && (err = mpi->rank(a->all, &a->rank)) == H3OU__OK)
        err = mpi->size(a->all, &a->size);
    a->me = a->rank;
    if (!err && a->size == 1 && a->is_world)
        err = check_launcher(mpi);
    bool is_posted = !err && a->size > 1 && (err = mpi->ibarrier(a->all, &a->barrier)) == H3OU__OK;
    if (is_posted)
        err = wait_for_arrivals(a, patience);
    if (err && is_posted)
        failed = a;
    else
        free(a);
    return err;
}
