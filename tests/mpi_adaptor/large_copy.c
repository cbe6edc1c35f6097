/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include "tests/mpi_adaptor/large_count.h"

#ifdef LARGE_COUNTS
void *large_copy(const int *from, int n)
{
    enum { MOST = 8 };
    static long long copies[512][MOST];
    static int next;
    long long *copy = copies[next++ % 512];
    for (int i = 0; from && i < n; i++)
        copy[i] = from[i];
    return from ? copy : (void *)0;
}
#endif
