/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/heap.h"

#include <stdlib.h> /* defines __GLIBC__ */

#ifdef __GLIBC__
#include <malloc.h>
#endif

void h3ou__heap_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
