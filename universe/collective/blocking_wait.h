/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_UNIVERSE_COLLECTIVE_BLOCKING_WAIT_H
#define H3OU_UNIVERSE_COLLECTIVE_BLOCKING_WAIT_H

#include "universe/collective/spanning_collective.h"

#pragma GCC visibility push(hidden)
/* Waits for a blocking call as long as it goes on in memory that the job shares or by WaitIO, where who waits is woken. It may return before the call is complete,
 * also after an error of WaitIO, which every later call of WaitIO returns, too: the caller then waits with universe_request_wait(). With the lock. */
void universe_collective_await(universe_collective *u);
#pragma GCC visibility pop

#endif
