/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/jobs.h"

universe_world universe;

int universe_job_of(int world_rank)
{
    int low = 0, high = universe.njob;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (universe.first[middle] <= world_rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}
