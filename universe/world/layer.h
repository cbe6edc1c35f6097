/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of MPI that programs call in a world of several jobs, with the types of the hub. */
#ifndef H3OU_UNIVERSE_WORLD_LAYER_H
#define H3OU_UNIVERSE_WORLD_LAYER_H

#include "universe/world/layer_functions.h"
#include "universe/world/failure.h"

#pragma GCC visibility push(hidden)
#define UNIVERSE_DECLARE(name) __typeof__(*((struct hub *)0)->name) universe_##name;
UNIVERSE_FUNCTIONS(UNIVERSE_DECLARE)

/* Sets the functions that are generated. */
void universe_refusals_fill(struct hub *table);
#pragma GCC visibility pop

#endif
