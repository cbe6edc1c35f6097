/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gather and scatter over several blocks: by the job's MPI between the members of a block and its King, by a schedule
 * between the Kings, and by one more message inside the root's job where the root is no King. Parts stand in the order of
 * ranks on their way.
 */
#ifndef H3OU_COMM_BLOCK_PARTS_H
#define H3OU_COMM_BLOCK_PARTS_H

#include "comm/world.h"

/* Arguments of a call. */
typedef struct h3ou__block_parts {
    h3ou__comm *c;
    int type, root;
    bool is_vector; /* the parts have different sizes: counts and displs are given at the root */
    void *all;      /* at the root */
    const int64_t *counts, *displs;
    void *mine;
    int64_t my_count;
} h3ou__block_parts;

int h3ou__block_parts_gather(const h3ou__block_parts *p);
int h3ou__block_parts_scatter(const h3ou__block_parts *p);

#endif
