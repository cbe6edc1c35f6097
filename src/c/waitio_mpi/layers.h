/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of a communicator in two layers: blocks of members with consecutive ranks, and the heads of these. In the
 * hybrid algorithm a block is a job, whose MPI does its part; in the algorithm 2L it has a fixed number of members.
 */
#ifndef WAITIO_MPI_LAYERS_H
#define WAITIO_MPI_LAYERS_H

#include <stdbool.h>

#include "mpi/mpi.h"
#include "waitio_mpi.h"

enum waitio__algorithm {
    WAITIO__HYBRID,
    WAITIO__TWO_LAYERS, /* 2L of the paper */
    WAITIO__TREE        /* BT of the paper: no layers */
};

typedef struct waitio__layers {
    enum waitio__algorithm algorithm;
    int nblock, block; /* block: of this process */
    int root_block;
    int first, size, me;      /* its first rank, its number of members, and the place of this process in it */
    int head;                 /* place of its head */
    int *heads;               /* [nblock] ranks */
    const h3ou__mpi_ops *mpi; /* NULL: messages of WaitIO inside the block */
    h3ou__mpi_comm inside;    /* its ranks are the places in the block */
    const struct waitio__job_hosts *hosts; /* memory that the members of the block share on each host (job_hosts.h); NULL: none */
} waitio__layers;

/* Finds the layers of a communicator of which this process is a member. The root is the head of its block. Free with
 * waitio__layers_free, also after an error. Collective over a job that
 * is a whole block, which agrees on the memory of its hosts at the first call. */
int waitio__layers_make(WAITIO_MPI_Comm comm, int root, waitio__layers *out);
void waitio__layers_free(waitio__layers *l);
/* Waits for a call of the job's MPI, progressing WaitIO. what: for errors. */
int waitio__layers_wait(const waitio__layers *l, h3ou__mpi_req *req, const char *what);

#endif
