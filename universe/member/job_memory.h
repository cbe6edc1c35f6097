/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the members of a communicator in this job share, where they are on one host: the blocking collective calls go through it inside the job. */
#ifndef H3OU_UNIVERSE_MEMBER_JOB_MEMORY_H
#define H3OU_UNIVERSE_MEMBER_JOB_MEMORY_H

#include "host/host_block.h"
#include "universe/world/spanning.h"

#pragma GCC visibility push(hidden)
/* Sets *out to the memory, which the communicator keeps; NULL: there is none. At the first call for a communicator its members in this job agree on
 * it by their MPI, with progress of WaitIO: all call it in the same order among the calls of that MPI on c->inside. With the lock. */
int universe_job_memory_of(universe_comm *c, h3ou__host_block **out);
#pragma GCC visibility pop

#endif
