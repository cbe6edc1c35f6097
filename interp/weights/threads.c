/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>

/* Looks for it once, as OpenMP does: each product asks. */
static bool is_number_given(void)
{
    static atomic_int is_given; /* 0: not looked yet; 1: it is not; 2: it is */
    if (!is_given) {
        const char *say = getenv("OMP_NUM_THREADS");
        is_given = say && *say ? 2 : 1;
    }
    return is_given == 2;
}
#endif

int h3ou__threads(int wanted)
{
    if (wanted > 0)
        return wanted;
#ifdef _OPENMP
    if (is_number_given())
        return omp_get_max_threads();
#endif
    return 1;
}
