/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of this process, as the system counts it. */
#ifndef H3OU_BASE_PROCESS_MEMORY_H
#define H3OU_BASE_PROCESS_MEMORY_H

#pragma GCC visibility push(default)
/* Return bytes of memory that are in use now, and the most that ever were; 0: the system does not say. */
double h3ou__process_memory(void);
double h3ou__process_memory_peak(void);
#pragma GCC visibility pop

#endif
