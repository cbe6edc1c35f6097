/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for handles that are pointers, for a front whose handles have 32 bits: one table for each class. A table takes a chunk when its others are
 * full, and gives one back when its last number is released. */
#ifndef H3OU_MPI_ADAPTOR_HANDLE_NUMBER_H
#define H3OU_MPI_ADAPTOR_HANDLE_NUMBER_H

#include <stdint.h>

#define NUMBER_MASK 0x3ffffffu

/* The numbers of one chunk less are for the table, the last ones for request_places. */
enum { NUMBER_CHUNK = 4096, NUMBER_CHUNKS = (1 << 26) / NUMBER_CHUNK - 1 };

enum {
    NUMBER_Comm,
    NUMBER_Group,
    NUMBER_Win,
    NUMBER_Session,
    NUMBER_Message,
    NUMBER_Info,
    NUMBER_Errhandler,
    NUMBER_Request,
    NUMBER_Op,
    NUMBER_Datatype,
    NUMBER_File, /* as an INTEGER of Fortran */
    NUMBER_CLASSES
};

struct number_entry {
    intptr_t handle;
    uint32_t count; /* how often the program was given it; 0: free */
    uint32_t next;  /* of the same bucket, or free in the same chunk; 0: none */
};

struct number_chunk {
    uint32_t live, free; /* `free` is the place of a released entry plus 1 */
    uint32_t fresh;      /* entries from here on were never used */
    struct number_entry entries[NUMBER_CHUNK];
};

struct number_table {
    struct number_chunk *chunks[NUMBER_CHUNKS + 1]; /* the last one is never there */
    uint32_t hint; /* no chunk before this has room */
    uint32_t live, bucket_count;
    uint32_t *buckets; /* by handle: numbers */
    int is_plain;      /* handles are looked for by number only, and each that is added is a new one */
};

/* Whether other threads may call MPI at the same time: then a lock is taken. */
extern int piece_threads __attribute__((visibility("hidden")));
extern struct number_table numbers[NUMBER_CLASSES] __attribute__((visibility("hidden")));

/* The handle of a number, 0 when there is none. */
static inline intptr_t number_handle(const struct number_table *table, unsigned number)
{
    const struct number_chunk *chunk = table->chunks[number / NUMBER_CHUNK];
    return chunk ? chunk->entries[number % NUMBER_CHUNK].handle : 0;
}

/* The number of a handle, which the program is given once more: each is released once. */
unsigned number_add(struct number_table *table, intptr_t handle);
/* The number that a handle has, a new one if it has none: for functions of the user that are called with it. */
unsigned number_find(struct number_table *table, intptr_t handle);
void number_release(struct number_table *table, unsigned number);
/* Gives back the number that number_find() gave a handle, if any. */
void number_forget(struct number_table *table, intptr_t handle);

/* Requests come and go with each message, and are never given twice. Each has one place here, which its handle says; only where that is taken is it in
 * the table. The numbers of the places are above those of the table. */
enum { REQUEST_BITS = 12, REQUEST_PLACES = 1 << REQUEST_BITS, REQUEST_FIRST = NUMBER_CHUNKS * NUMBER_CHUNK };
extern intptr_t request_places[REQUEST_PLACES] __attribute__((visibility("hidden")));

static inline intptr_t request_handle(unsigned number)
{
    unsigned at = number - REQUEST_FIRST;
    return at < REQUEST_PLACES ? request_places[at] : number_handle(&numbers[NUMBER_Request], number);
}

static inline unsigned request_add(intptr_t handle)
{
    unsigned at = (unsigned)((uint64_t)handle * 0x9e3779b97f4a7c15u >> (64 - REQUEST_BITS));
    intptr_t none = 0;
    if (__builtin_expect(piece_threads != 0, 0)) {
        if (!__atomic_compare_exchange_n(&request_places[at], &none, handle, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return number_add(&numbers[NUMBER_Request], handle);
    } else {
        if (__builtin_expect(request_places[at] != none, 0))
            return number_add(&numbers[NUMBER_Request], handle);
        request_places[at] = handle;
    }
    return REQUEST_FIRST + at;
}

static inline void request_release(unsigned number)
{
    unsigned at = number - REQUEST_FIRST;
    if (at < REQUEST_PLACES)
        __atomic_store_n(&request_places[at], 0, __ATOMIC_RELEASE);
    else
        number_release(&numbers[NUMBER_Request], number);
}

#endif
