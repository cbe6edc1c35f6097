/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for handles that are pointers, for a front whose handles have 32 bits: one table for each class. A table takes a chunk when its others are
 * full, and gives one back when its last number is released. */
#ifndef H3OU_MPI_ADAPTOR_HANDLE_NUMBER_H
#define H3OU_MPI_ADAPTOR_HANDLE_NUMBER_H

#include <stdint.h>

#define NUMBER_MASK 0x3ffffffu

enum { NUMBER_CHUNK = 4096, NUMBER_CHUNKS = (1 << 26) / NUMBER_CHUNK };

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
    struct number_chunk *chunks[NUMBER_CHUNKS];
    uint32_t hint; /* no chunk before this has room */
    uint32_t live, bucket_count;
    uint32_t *buckets; /* by handle: numbers */
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

/* The number of a handle, which the program is given once more: each is released once. Requests are never given twice, so each call
 * gives them a new number. */
unsigned number_add_slow(struct number_table *table, intptr_t handle);
/* The number that a handle has, a new one if it has none: for functions of the user that are called with it. */
unsigned number_find(struct number_table *table, intptr_t handle);
void number_release_slow(struct number_table *table, unsigned number);
/* Gives back the number that number_find() gave a handle, if any. */
void number_forget(struct number_table *table, intptr_t handle);

/* Requests come and go with each message: one that was released is given again at once. */
static inline unsigned number_add(struct number_table *table, intptr_t handle)
{
    struct number_chunk *chunk = table->chunks[table->hint];
    if (table != &numbers[NUMBER_Request] || piece_threads || !chunk || !chunk->free)
        return number_add_slow(table, handle);
    uint32_t at = chunk->free - 1;
    struct number_entry *entry = &chunk->entries[at];
    chunk->free = entry->next;
    entry->handle = handle;
    entry->count = 1;
    chunk->live++;
    table->live++;
    return table->hint * NUMBER_CHUNK + at;
}

static inline void number_release(struct number_table *table, unsigned number)
{
    struct number_chunk *chunk = table->chunks[0];
    if (table != &numbers[NUMBER_Request] || piece_threads || number >= NUMBER_CHUNK || !chunk || chunk->entries[number].count != 1) {
        number_release_slow(table, number);
        return;
    }
    struct number_entry *entry = &chunk->entries[number];
    entry->handle = 0;
    entry->count = 0;
    entry->next = chunk->free;
    chunk->free = number + 1;
    chunk->live--;
    table->live--;
    table->hint = 0;
}

#endif
