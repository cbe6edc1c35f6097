/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of MPI's functions with the types of the standard ABI, which mpi_adaptor/generate writes, and what may pass the layer. */
#ifndef H3OU_UNIVERSE_WORLD_HUB_H
#define H3OU_UNIVERSE_WORLD_HUB_H

#include <hub_table.h>

#define ABI_IN_PLACE ((void *)1)
#define ABI_UNWEIGHTED ((int *)10)
#define ABI_WEIGHTS_EMPTY ((int *)11)

#endif
