/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that a launcher started beside this one. Hydra (MPICH) regards a process that ends with exit
 * code 0 as successful even if the others of its job still wait for it; it tells each process how many it started here.
 */
#ifndef H3OU_OS_SIBLING_H
#define H3OU_OS_SIBLING_H

#include <stdbool.h>

#pragma GCC visibility push(default)
/* Returns whether one of them on this host has ended: some are missing, and there were more in an earlier call, or no
 * more have come for five seconds: a launcher may take seconds to start many. False where the launcher does not say how
 * many there are to be, or where this process is not its child. Called by one thread. Reads /proc, so it should not be
 * called in every turn of a loop. */
bool h3ou__sibling_has_ended(void);
#pragma GCC visibility pop

#endif
