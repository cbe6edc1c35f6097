/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In the style of the hands-on of WaitIO: predicates of the PB and the rank, an own truef, stdio and stdlib by
 * waitio.h, no waitio_finalize. C and C++; with -DWITH_MPI each process is a rank of MPI. Messages go round a ring of
 * all, from rank 0 of each PB to the next, and among the ranks that lists name; every process prints what it saw.
 */
#include "waitio.h"
#ifdef WITH_MPI
#include <mpi.h>
#endif

#define MOST 16

int truef(int pbid, int rank)
{
    return pbid >= 0 && rank >= 0;
}

int headf(int pbid, int rank)
{
    (void)pbid;
    return rank == 0;
}

/* Another rank of each PB: what it is given must be both. */
int diagonalf(int pbid, int rank)
{
    return rank == pbid;
}

/* Sends a number to the next of the group and returns what comes from the one before; -1: not a member. */
int ring(waitio_group_t group, int number, waitio_tag_t tag)
{
    int rank = -2, size = 0, got = -3;
    waitio_req_t send, receive;
    if (group == NULL || waitio_group_rank(group, &rank) || waitio_group_size(group, &size)) {
        printf("no group\n");
        exit(1);
    }
    if (rank < 0)
        return -1;
    waitio_irecv(group, (rank + size - 1) % size, (char *)&got, sizeof(int), tag, &receive);
    waitio_isend(group, (rank + 1) % size, (char *)&number, sizeof(int), tag, &send);
    waitio_wait(&receive);
    waitio_wait(&send);
    return got;
}

int main(int argc, char **argv)
{
    int pb, npb, nprocs[MOST], *counts = NULL, order[MOST], backwards[MOST];
    int lists[MOST][2], *ranks[MOST];
    waitio_filter_func_t all[MOST], heads[MOST], diagonal[MOST];
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
#endif
    if (waitio_init(30)) {
        printf("waitio_init\n");
        return argc > 1000 || argv == NULL;
    }
    npb = waitio_get_nprocs(nprocs);
    if (waitio_get_nprocs(&counts) != npb)
        return 1;
    for (pb = 0; pb < npb; pb++) {
        all[pb] = truef;
        heads[pb] = headf;
        diagonal[pb] = diagonalf;
        order[pb] = pb;
        backwards[pb] = npb - pb;
        lists[pb][0] = counts[pb] - 1; /* the last rank */
        lists[pb][1] = -1;
        ranks[pb] = lists[pb];
        if (counts[pb] != nprocs[pb])
            return 1;
    }
    waitio_group_t everybody = waitio_create_group(11, all, order);
    waitio_group_t kings = waitio_create_group_func(12, heads, backwards);
    waitio_group_t some = waitio_create_group(13, diagonal, order);
    waitio_group_t last[3];
    last[0] = waitio_create_group(14, ranks, order);
    last[1] = waitio_create_group_wranks(15, ranks, order);
    last[2] = waitio_create_group_wrank(16, ranks, order);
    int me = -1, size = 0, king = -1, diag = -1;
    waitio_group_rank(everybody, &me);
    waitio_group_size(everybody, &size);
    waitio_group_rank(kings, &king);
    waitio_group_rank(some, &diag);
    printf("%d of %d in %d: ring %d, kings %d %d, diagonal %d %d, last %d %d %d\n", me, size, npb,
           ring(everybody, me, 1), king, ring(kings, me, 2), diag, ring(some, me, 3), ring(last[0], me, 4),
           ring(last[1], me, 5), ring(last[2], me, 6));
    free(counts);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
