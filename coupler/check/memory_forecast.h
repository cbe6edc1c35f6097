/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a component's processes in the next run, by the record of the last one.
 *
 * A process had `before` bytes when it opened the run: the program, its libraries and its MPI, which depend little on how many
 * processes there are. What it had in addition at its peak is spread over the processes, or the same in each of them: with
 * more processes it is between a part in proportion and all of it, with fewer between all of it and more in proportion.
 */
#ifndef H3OU_COUPLER_CHECK_MEMORY_FORECAST_H
#define H3OU_COUPLER_CHECK_MEMORY_FORECAST_H

#include "coupler/check/configuration_check.h"

/* Tells, for each component of which the number of processes and a record are known, what a process will need, as a "memory"; and
 * that it is more than the component's limit, or may be. */
void h3ou__memory_forecast(h3ou__check *c);

#endif
