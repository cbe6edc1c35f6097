/* SPDX-License-Identifier: BSD-3-Clause */
/* Members as the nodes of a torus, a mesh of 1 to 3 dimensions whose ends meet: rank = x + NX * (y + NY * z).
 * Coordinates are counted from the root, along each axis in one of two directions. */
#ifndef H3OU_COLL_BCAST_TORUS_H
#define H3OU_COLL_BCAST_TORUS_H

#include "coll/schedule/tree.h"

typedef struct h3ou__torus {
    int naxis; /* axes of more than one node; the others are left out */
    int extent[3], stride[3];
    int root[3];   /* the root's coordinates, counted from rank 0 */
    int direction; /* +1 or -1: in which ranks the coordinates ascend */
} h3ou__torus;

/* direction: of all axes. */
void h3ou__torus_open(const h3ou__call *call, int direction, h3ou__torus *mesh);
void h3ou__torus_place(const h3ou__torus *mesh, int rank, int at[3]);
int h3ou__torus_rank(const h3ou__torus *mesh, const int at[3]);

#endif
