/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All algorithms over real transports: the job's MPI, and WaitIO between all processes of all jobs. Three calls are
 * under way at a time.
 *
 * Exit code 0, or 1 where an output is wrong.
 */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "coll/algorithm_table.h"
#include "coll/execute.h"
#include "mpi/mpi.h"
#include "players.h"
#include "waitio_mpi.h"
#include "waitio_mpi/waitio_link.h"

enum { AT_ONCE = 3 };

static const h3ou__mpi_ops *mpi;
static int bad;

static void ok(int err, const char *what)
{
    if (err) {
        printf("%s: error %d: %s\n", what, err, h3ou__fail_text());
        fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

typedef struct request {
    h3ou__mpi_req mpi;
    int is_complete;
} request;

static int mpi_isend(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req)
{
    request *r = req;
    r->is_complete = 0;
    return mpi->isend(*(h3ou__mpi_comm *)link, buf, bytes, H3OU__BYTE, peer, (int)tag, &r->mpi);
}

static int mpi_irecv(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    request *r = req;
    r->is_complete = 0;
    return mpi->irecv(*(h3ou__mpi_comm *)link, buf, bytes, H3OU__BYTE, peer, (int)tag, &r->mpi);
}

static int mpi_test(void *link, int n, void *req, bool *done)
{
    request *r = req;
    int err = H3OU__OK;
    (void)link;
    *done = true;
    for (int i = 0; i < n && !err; i++) {
        if (!r[i].is_complete)
            err = mpi->test(&r[i].mpi, &r[i].is_complete, NULL);
        *done = *done && r[i].is_complete;
    }
    return err;
}

static int mpi_wait(void *link, int n, void *req)
{
    bool done = false;
    int err = H3OU__OK;
    while (!done && !err)
        err = mpi_test(link, n, req, &done);
    return err;
}

static const h3ou__link_ops over_mpi = {
    .request_size = sizeof(request), .isend = mpi_isend, .irecv = mpi_irecv, .test = mpi_test, .wait = mpi_wait};

static void combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left)
{
    players_combine(data->op, to, from, n, is_left);
}

static void run_together(players p[AT_ONCE], int me, const h3ou__link_ops *ops, void *link, int64_t tag)
{
    h3ou__coll_run *run[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        h3ou__coll_data data = {.input = p[i].input[me],
                                .output = p[i].output[me],
                                .element = 8,
                                .combine = combine,
                                .op = p[i].algorithm->order};
        ok(h3ou__coll_start(&p[i].s[me], &data, ops, link, tag + i, &run[i]), p[i].algorithm->name);
    }
    for (int left = AT_ONCE; left;) {
        left = 0;
        for (int i = 0; i < AT_ONCE; i++) {
            bool is_over;
            ok(h3ou__coll_test(run[i], &is_over), p[i].algorithm->name);
            left += !is_over;
        }
        if (left)
            sched_yield();
    }
    for (int i = 0; i < AT_ONCE; i++) {
        ok(h3ou__coll_wait(run[i]), p[i].algorithm->name);
        h3ou__coll_end(run[i]);
    }
}

static void run_all(int size, int me, const h3ou__link_ops *ops, void *link)
{
    int n = 0;
    while (h3ou__algorithm_table[n])
        n++;
    for (int i = 0; i < n; i++) {
        players p[AT_ONCE];
        char text[256];
        for (int k = 0; k < AT_ONCE; k++)
            players_open(&p[k], h3ou__algorithm_table[(i + k) % n], size, (i + k) % size, k ? 50 : 20000,
                         k ? 64 : 30000, false);
        run_together(p, me, ops, link, 1 + 3 * i);
        for (int k = 0; k < AT_ONCE; k++) {
            if (!players_compare(&p[k], me, text, sizeof text) && bad++ < 5)
                printf("%s\n", text);
            players_close(&p[k]);
        }
    }
}

int main(int argc, char **argv)
{
    h3ou__mpi_comm world;
    WAITIO_MPI_Comm universe;
    int rank, size;
    MPI_Init(&argc, &argv);
    ok(h3ou__mpi_find(&mpi), "backend");
    ok(mpi->world(&world), "communicator");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    run_all(size, rank, &over_mpi, &world);
    ok(waitio_create_universe(&universe), "joining");
    ok(waitio_group_rank(universe, &rank), "rank");
    ok(waitio_group_size(universe, &size), "size");
    run_all(size, rank, &waitio__link_ops, &(waitio__group_link){.group = universe});
    ok(waitio_mpi_barrier(universe), "barrier");
    ok(waitio_group_free(universe), "group");
    ok(waitio_finalize(), "leaving");
    ok(mpi->comm_free(&world), "communicator");
    MPI_Finalize();
    return bad > 0;
}
