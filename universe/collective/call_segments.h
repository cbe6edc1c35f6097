/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segments of a collective call, which pass through its stages: of a long one several are under way at a time, in different stages, as those of
 * src/c/comm/part/staged_call.h. Other calls are one segment.
 */
#ifndef H3OU_UNIVERSE_COLLECTIVE_CALL_SEGMENTS_H
#define H3OU_UNIVERSE_COLLECTIVE_CALL_SEGMENTS_H

#include "universe/collective/spanning_collective.h"

#pragma GCC visibility push(hidden)
/* Begins a run of the call with one segment, before its plan is made. */
void universe_segments_begin(universe_collective *u);
/* Starts and completes stages. Sets *done when all segments have passed through all of them. Never blocks, unless in the job's MPI while no other job waits for this
 * process. Returns an error of h3ou. */
int universe_segments_advance(universe_collective *u, bool *done);
/* Gives back what they have; after an error, messages may still be under way. */
void universe_segments_end(universe_collective *u);
#pragma GCC visibility pop

#endif
