/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What MPI_SOURCE has to be in the status of a receive that the real MPI was handed under another rank, in a front that stands beside it: a list of the
 * requests that are open with such a rank. It is empty in the first job of a world, whose ranks are those of the real MPI. The calls that complete or free
 * a request look it up before, and write the rank afterwards. No receive is listed while several threads may call. Included by inside.h.
 */
#ifndef H3OU_MPI_ADAPTOR_BESIDE_SOURCE_RANK_H
#define H3OU_MPI_ADAPTOR_BESIDE_SOURCE_RANK_H

#include <stdint.h>

struct source_entry {
    MPI_Request request;
    int rank; /* -1: the entry is free */
};

/* A hash table with linear probing; at most half of it is used. */
struct source_table {
    uint32_t used, mask; /* mask + 1 entries, unless entry is NULL */
    struct source_entry *entry;
};
extern struct source_table source_table __attribute__((visibility("hidden")));

/* Requests of one call that are listed. */
enum { SOURCE_FEW = 8 };
struct source_kept {
    struct source_at {
        MPI_Request request;
        int index, rank;
    } few[SOURCE_FEW], *at; /* at[n]: few, or allocated */
    int n;
};

/* Makes the table larger; ends the program when there is no memory. */
void source_table_grow(void) __attribute__((cold));
/* Keeps those of the requests that are listed. source_written() follows, which frees what this may have allocated. */
void source_keep_listed(struct source_kept *kept, int n, const MPI_Request *requests);
/* Writes the ranks of those that are complete, whose handles the call has changed, and takes them off the list. statuses: of `n` requests; NULL where the
 * program ignores them. indices: of the request of each of n statuses; NULL: statuses are in the order of requests, or, n == 1, of the one that is complete. */
void source_written(struct source_kept *kept, const MPI_Request *requests, MPI_Status *statuses, int n, const int *indices);

SHORTCUT_INLINE uint32_t source_place(MPI_Request request)
{
    return (uint32_t)(((uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & source_table.mask;
}

SHORTCUT_INLINE void source_list(MPI_Request request, int rank)
{
    if (__builtin_expect(2 * source_table.used >= source_table.mask, 0))
        source_table_grow();
    uint32_t at = source_place(request);
    while (source_table.entry[at].rank >= 0)
        at = (at + 1) & source_table.mask;
    source_table.entry[at] = (struct source_entry){request, rank};
    source_table.used++;
}

/* Its place in the table; -1: it is not listed. */
SHORTCUT_INLINE int64_t source_find(MPI_Request request)
{
    for (uint32_t at = source_place(request); source_table.entry[at].rank >= 0; at = (at + 1) & source_table.mask)
        if (source_table.entry[at].request == request)
            return at;
    return -1;
}

SHORTCUT_INLINE void source_keep(struct source_kept *kept, int n, const MPI_Request *requests)
{
    kept->n = 0;
    if (__builtin_expect(source_table.used > 0, 0))
        source_keep_listed(kept, n, requests);
}

SHORTCUT_INLINE void source_write(struct source_kept *kept, const MPI_Request *requests, MPI_Status *statuses, int n, const int *indices)
{
    if (__builtin_expect(kept->n > 0, 0))
        source_written(kept, requests, statuses, n, indices);
}

/* Of one request, by its value. */
SHORTCUT_INLINE int source_rank_of(MPI_Request request, int otherwise)
{
    int64_t at = source_table.used > 0 ? source_find(request) : -1;
    return at < 0 ? otherwise : source_table.entry[at].rank;
}

#endif
