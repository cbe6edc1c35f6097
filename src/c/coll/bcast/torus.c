/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/bcast/torus.h"

void h3ou__torus_open(const h3ou__call *call, int direction, h3ou__torus *mesh)
{
    int shape[3], stride = 1;
    h3ou__call_shape(call, shape);
    *mesh = (h3ou__torus){.direction = direction};
    for (int i = 0; i < 3; i++) {
        if (shape[i] > 1) {
            mesh->extent[mesh->naxis] = shape[i];
            mesh->stride[mesh->naxis] = stride;
            mesh->root[mesh->naxis++] = call->root / stride % shape[i];
        }
        stride *= shape[i];
    }
}

void h3ou__torus_place(const h3ou__torus *mesh, int rank, int at[3])
{
    at[0] = at[1] = at[2] = 0;
    for (int i = 0; i < mesh->naxis; i++) {
        int n = mesh->extent[i], from_root = rank / mesh->stride[i] % n - mesh->root[i];
        at[i] = (mesh->direction * from_root + n) % n;
    }
}

int h3ou__torus_rank(const h3ou__torus *mesh, const int at[3])
{
    int rank = 0;
    for (int i = 0; i < mesh->naxis; i++) {
        int n = mesh->extent[i];
        rank += mesh->stride[i] * ((mesh->root[i] + mesh->direction * at[i] + n) % n);
    }
    return rank;
}
