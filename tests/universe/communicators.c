/* SPDX-License-Identifier: BSD-3-Clause */
#include "communicators.h"

void on_communicators(void (*check)(const members *m))
{
    int key[] = {my_rank, -my_rank, my_rank % 2 ? 0 : 1};
    for (int i = 0; i < 3; i++) {
        members m = {MPI_COMM_WORLD, my_rank, world_size};
        if (i) {
            CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, key[i], &m.comm));
            CALL(MPI_Comm_rank(m.comm, &m.rank));
            CALL(MPI_Comm_size(m.comm, &m.size));
            EQUAL(m.size, world_size);
        }
        check(&m);
        if (i)
            CALL(MPI_Comm_free(&m.comm));
    }
}
