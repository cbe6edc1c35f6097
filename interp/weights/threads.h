/* SPDX-License-Identifier: BSD-3-Clause */
/* How many OpenMP threads to use. */
#ifndef H3OU_INTERP_WEIGHTS_THREADS_H
#define H3OU_INTERP_WEIGHTS_THREADS_H

/* Returns `wanted` if it is above 0; else the number in OMP_NUM_THREADS, or 1 when that is unset, since the other cores
 * belong to other ranks. */
int h3ou__threads(int wanted);

#endif
