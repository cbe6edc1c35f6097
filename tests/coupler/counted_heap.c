/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the heap, in place of those of the C library, to which each call is passed on. A call counts by the
 * address to which it returns; those of an MPI, and of the C library itself, do not.
 */
#include "counted_heap.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 12, MOST_SPANS = 16 };

/* The code of a library in memory. */
typedef struct span {
    const char *library;
    uintptr_t base, begin, end;
} span;

static span spans[MOST_SPANS];
static int nspan;
static atomic_bool is_counting;
static atomic_int ncall;
static _Atomic uintptr_t places[MOST_PLACES];

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static const span *span_of(uintptr_t address)
{
    for (int k = 0; k < nspan; k++)
        if (address >= spans[k].begin && address < spans[k].end)
            return &spans[k];
    return NULL;
}

static void note(const void *caller)
{
    if (!is_counting || !span_of((uintptr_t)caller))
        return;
    int n = ncall++;
    if (n < MOST_PLACES)
        places[n] = (uintptr_t)caller;
}

#pragma GCC visibility push(default)
void *malloc(size_t size)
{
    note(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    note(__builtin_return_address(0));
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

void free(void *old)
{
    if (old)
        note(__builtin_return_address(0));
    __libc_free(old);
}
#pragma GCC visibility pop

static int find_spans(struct dl_phdr_info *info, size_t size, void *of_waitio)
{
    (void)size;
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    if (strncmp(name, "libh3ou", 7) && !(*(bool *)of_waitio && !strncmp(name, "libwaitio", 9)))
        return 0;
    for (int k = 0; k < info->dlpi_phnum && nspan < MOST_SPANS; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X)
            spans[nspan++] = (span){name, info->dlpi_addr, begin, begin + part->p_memsz};
    }
    return 0;
}

void heap_count_begin(bool of_waitio)
{
    nspan = 0;
    dl_iterate_phdr(find_spans, &of_waitio);
    ncall = 0;
    is_counting = true;
}

int heap_count_end(void)
{
    is_counting = false;
    return nspan > 0 ? ncall : -1;
}

void heap_count_print(void)
{
    for (int k = 0; k < ncall && k < MOST_PLACES; k++) {
        const span *in = span_of(places[k]);
        if (in) /* a thread may not have noted it yet */
            printf("%s+0x%lx\n", in->library, (unsigned long)(places[k] - in->base));
    }
}
