/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All processes but one make a collective call, and end the run with its error.
 *
 *   absent COMPONENT CALL WHO
 *
 * CALL: bcast, allreduce, scan, gather, scatter, exchange (inside my component), leaders (a gather on Leader) or local (an allreduce
 * there); WHO: the Global rank that does not come. gatherv, scatterv: all come, and WHO gives one element more than the root awaits or
 * sends. killed: all make many calls, and WHO is killed while it makes them; all others print how many they have made. TEST_HOSTS: as for
 * communicators.c.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/emulated_host.h"
#include "base/error.h"
#include "comm/collective/collective.h"
#include "os/os_clock.h"

enum { KILLED_AFTER = 200 };

/* A gather or scatter of one element each, in which `who` gives two. */
static int pass_parts(h3ou__comm *c, int is_scatter, int who)
{
    double all[16] = {0}, mine[2] = {1, 2};
    int64_t counts[16], displs[16], count = h3ou__comm_rank(c) == who ? 2 : 1;
    for (int i = 0; i < 16; i++) {
        counts[i] = 1;
        displs[i] = i;
    }
    return is_scatter ? h3ou__scatterv(c, all, counts, displs, mine, count, H3OU__DOUBLE, 1)
                      : h3ou__gatherv(c, mine, count, all, counts, displs, H3OU__DOUBLE, 1);
}

/* The root of gather and scatter is rank 1, which is no King. */
static int make_call(const char *call, h3ou__world *world)
{
    h3ou__comm *global = h3ou__world_global(world), *local = h3ou__world_local(world), *leader = h3ou__world_leader(world);
    double value = 1, sum, all[16] = {0};
    int64_t counts[16], got[16];
    if (!strcmp(call, "bcast"))
        return h3ou__bcast(global, &value, 1, H3OU__DOUBLE, 0);
    if (!strcmp(call, "scan"))
        return h3ou__scan(global, &value, &sum, 1, H3OU__DOUBLE, &(h3ou__reduction){.op = H3OU__SUM});
    if (!strcmp(call, "gather"))
        return h3ou__gather(global, &value, 1, all, H3OU__DOUBLE, 1);
    if (!strcmp(call, "scatter"))
        return h3ou__scatter(global, all, &value, 1, H3OU__DOUBLE, 1);
    if (!strcmp(call, "leaders"))
        return leader ? h3ou__gather(leader, &value, 1, all, H3OU__DOUBLE, 0) : H3OU__OK;
    if (!strcmp(call, "exchange")) {
        void *parts;
        for (int i = 0; i < h3ou__comm_size(local); i++)
            counts[i] = 1;
        return h3ou__alltoallv(local, all, counts, H3OU__DOUBLE, &parts, got);
    }
    return h3ou__allreduce(!strcmp(call, "local") ? local : global, &value, &sum, 1, H3OU__DOUBLE, H3OU__SUM);
}

int main(int argc, char **argv)
{
    h3ou__world *world;
    double value = 1;
    if (argc != 4)
        return 2;
    int err = h3ou__world_open(argv[1], 1, NULL, &world);
    if (err) {
        fprintf(stderr, "open: %s\n", h3ou__fail_text());
        return 1;
    }
    if (enter_emulated_host(getenv("TEST_HOSTS"))) {
        fprintf(stderr, "no emulated hosts can be made\n");
        return 1;
    }
    h3ou__comm *global = h3ou__world_global(world);
    double value_of_all = 0;
    int calls = 0;
    for (; !strcmp(argv[2], "killed") && !err && calls < 100000; calls += !err) {
        if (calls == KILLED_AFTER && h3ou__comm_rank(global) == atoi(argv[3]))
            raise(SIGKILL);
        err = h3ou__allreduce(global, &value, &value_of_all, 1, H3OU__DOUBLE, H3OU__SUM);
    }
    if (calls)
        fprintf(stderr, "rank %d made %d calls\n", h3ou__comm_rank(global), calls);
    int is_scatter = !strcmp(argv[2], "scatterv"), is_gather = !strcmp(argv[2], "gatherv");
    if (err) {
        h3ou__sleep(0.1);
    } else if (is_scatter || is_gather) {
        err = pass_parts(global, is_scatter, atoi(argv[3]));
        if (!err)
            err = h3ou__barrier(global); /* in which the error of another process comes */
    } else if (h3ou__comm_rank(global) == atoi(argv[3])) {
        h3ou__sleep(30.0);
    } else {
        err = make_call(argv[2], world);
    }
    fprintf(stderr, "%s\n", err ? h3ou__fail_text() : "no error");
    if (err)
        h3ou__sleep(0.3); /* MPICH's launcher can lose what was written just before MPI_Abort */
    if (err)
        h3ou__world_abort(world, 1, h3ou__fail_text(), 1.0);
    h3ou__sleep(30.0); /* until those that have an error end the run */
    return 0;
}
