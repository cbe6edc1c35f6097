/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/heap.h"

#include <stdint.h>
#include <stdlib.h> /* defines __GLIBC__ */
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void h3ou__heap_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void h3ou__heap_forget(void *array, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), skipped = (page - (uintptr_t)array % page) % page;
    if (bytes < skipped + page)
        return;
    madvise((char *)array + skipped, (bytes - skipped) / page * page,
            MADV_DONTNEED); /* in vain where memory is locked */
}
