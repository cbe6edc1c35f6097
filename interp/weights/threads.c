/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/threads.h"

#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

int h3ou__threads(int wanted)
{
    if (wanted > 0)
        return wanted;
#ifdef _OPENMP
    const char *say = getenv("OMP_NUM_THREADS");
    if (say && *say)
        return omp_get_max_threads();
#endif
    return 1;
}
