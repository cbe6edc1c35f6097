/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/heap.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h> /* defines __GLIBC__ */
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Bytes from which one call of the system takes less time than the first writes of all pages. */
enum { TAKEN = 65536 };

void h3ou__heap_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Advises the system of the whole pages of an array. */
static void advise(void *array, size_t bytes, int advice)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), skipped = (page - (uintptr_t)array % page) % page;
    if (bytes >= skipped + page)
        madvise((char *)array + skipped, (bytes - skipped) / page * page, advice);
}

void h3ou__heap_forget(void *array, size_t bytes)
{
    advise(array, bytes, MADV_DONTNEED); /* in vain where memory is locked */
}

void h3ou__heap_take(void *array, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    int error = errno;
    if (array && bytes >= TAKEN)
        advise(array, bytes, MADV_POPULATE_WRITE); /* in vain before Linux 5.14 */
    errno = error;
#else
    (void)array;
    (void)bytes;
#endif
}

void *h3ou__heap_array(int64_t n, size_t size)
{
    void *array = malloc(size * ((size_t)n + 1)); /* not NULL for 0 elements */
    h3ou__heap_take(array, size * (size_t)n);
    return array;
}
