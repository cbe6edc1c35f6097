/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes there are. */
#include "universe_case.h"

CASE(place)
{
    int version = 0, sub = 0, rank = -1, size = -1;
    CALL(MPI_Get_version(&version, &sub));
    CHECK(version >= 3);
    CHECK(world_size > 1);
    CHECK(my_rank >= 0 && my_rank < world_size);
    CALL(MPI_Comm_rank(MPI_COMM_SELF, &rank));
    CALL(MPI_Comm_size(MPI_COMM_SELF, &size));
    EQUAL(rank, 0);
    EQUAL(size, 1);
}
