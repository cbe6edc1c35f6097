/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers of the program. The job's MPI has them, too, for its own communicators; those over several jobs call the function themselves, with
 * their handle. */
#ifndef H3OU_UNIVERSE_WORLD_HANDLERS_H
#define H3OU_UNIVERSE_WORLD_HANDLERS_H

#include <stdbool.h>

#include "universe/world/hub.h"

typedef struct universe_handler {
    abi_Errhandler handle; /* of the job's MPI, which frees it when refs is 0 */
    abi_Comm_errhandler_function *function;
    int refs; /* the program's, and communicators over several jobs */
    struct universe_handler *next;
} universe_handler;

#pragma GCC visibility push(hidden)
/* Returns what was created under a handle, or NULL: it is predefined, or not for communicators. */
universe_handler *universe_handler_find(abi_Errhandler handle);
/* Keeps the function of a handle that the job's MPI has just made. Returns whether there was memory. */
bool universe_handler_add(abi_Errhandler handle, abi_Comm_errhandler_function *function);
/* One reference more or less; predefined handles have none. */
void universe_handler_hold(abi_Errhandler handle);
void universe_handler_drop(abi_Errhandler handle);
#pragma GCC visibility pop

#endif
