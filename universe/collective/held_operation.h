/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of the program that calls under way need: MPI_Op_free takes effect when these have ended. */
#ifndef H3OU_UNIVERSE_COLLECTIVE_HELD_OPERATION_H
#define H3OU_UNIVERSE_COLLECTIVE_HELD_OPERATION_H

#include "universe/world/jobs.h"

#pragma GCC visibility push(hidden)
/* Both leave predefined operations alone. Without memory the operation is not held. */
void universe_operation_hold(abi_Op op);
void universe_operation_release(abi_Op op);
#pragma GCC visibility pop

#endif
