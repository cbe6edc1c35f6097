/* SPDX-License-Identifier: BSD-3-Clause */
/* How many OpenMP threads to use. */
#ifndef H3OU_INTERP_WEIGHTS_THREADS_H
#define H3OU_INTERP_WEIGHTS_THREADS_H

/* wanted > 0: that; else what OMP_NUM_THREADS says, and 1 when it is unset: other ranks sit on the other cores. */
int h3ou__threads(int wanted);

#endif
