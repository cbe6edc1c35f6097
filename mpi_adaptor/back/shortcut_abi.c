/* SPDX-License-Identifier: BSD-3-Clause */
/* The real MPI's predefined handles, ranks and tags are the hub's. */
#include PIECE_HEADER

#include "mpi_adaptor/hub/shortcut.h"

static const int nothing_kept = 0;
static intptr_t same[HUB_PREDEFINED];

static int same_number(int number)
{
    return number;
}

struct shortcut back_shortcut = {
    .own_of = same,
    .error_hub = code_hub,
    .rank_own = same_number,
    .tag_own = same_number,
    .kept_count = &nothing_kept,
    .status_ignore = NULL,
    .is_pointer = 1,
};

void shortcut_fill(void)
{
    for (int i = 0; i < HUB_PREDEFINED; i++)
        same[i] = i;
#define FILL(name) back_shortcut.call.name = (__typeof__(back_shortcut.call.name))(void (*)(void))real.name;
    SHORTCUT_FUNCTIONS(FILL)
}
