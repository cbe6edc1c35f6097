/* SPDX-License-Identifier: BSD-3-Clause */
/* How the kernel divides a core among processes. */
#ifndef H3OU_HOST_CORE_SESSION_H
#define H3OU_HOST_CORE_SESSION_H

#include <stdint.h>

#pragma GCC visibility push(default)
/* Returns 0 where a core is shared equally by all processes that want it. Else sessions share it, and the processes of a session share its part
 * (autogroups of Linux, sched(7)): returns the number of this process's session, which is above 0, or -1 where it cannot be told. sched_yield lets
 * the other processes of the session run, and not those of other sessions. */
int64_t h3ou__core_session(void);
#pragma GCC visibility pop

#endif
