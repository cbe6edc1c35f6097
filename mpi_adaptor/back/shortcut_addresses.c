/* SPDX-License-Identifier: BSD-3-Clause */
#include PIECE_HEADER

#include "mpi_adaptor/hub/shortcut.h"

static int error_of_code(int own)
{
    return error_hub(own);
}

static int own_of_rank(int hub)
{
    return rank_own(hub);
}

static int own_of_tag(int hub)
{
    return tag_own(hub);
}

struct shortcut back_shortcut = {
    .own_of = own_of,
    .error_hub = error_of_code,
    .rank_own = own_of_rank,
    .tag_own = own_of_tag,
    .kept_count = &kept_count,
    .status_ignore = MPI_STATUS_IGNORE,
    .is_number = sizeof(MPI_Request) == sizeof(int),
    .is_pointer = sizeof(MPI_Request) == sizeof(void *),
};

void shortcut_fill(void)
{
#define FILL(name) back_shortcut.call.name = (__typeof__(back_shortcut.call.name))(void (*)(void))real.name;
    SHORTCUT_FUNCTIONS(FILL)
}
