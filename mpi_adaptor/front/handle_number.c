/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/front/handle_number.h"

#include <pthread.h>
#include <stdlib.h>

#include "mpi_adaptor/hub/complaint.h"

struct number_table numbers[NUMBER_CLASSES];
intptr_t request_places[REQUEST_PLACES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_take(void)
{
    if (piece_threads)
        pthread_mutex_lock(&lock);
}

static void lock_give(void)
{
    if (piece_threads)
        pthread_mutex_unlock(&lock);
}

static struct number_entry *entry_of(struct number_table *table, unsigned number)
{
    return &table->chunks[number / NUMBER_CHUNK]->entries[number % NUMBER_CHUNK];
}

static uint32_t *bucket_of(const struct number_table *table, intptr_t handle)
{
    return &table->buckets[((uint64_t)handle * 0x9e3779b97f4a7c15u >> 32) & (table->bucket_count - 1)];
}

static void buckets_resize(struct number_table *table, uint32_t count)
{
    uint32_t *old = table->buckets, old_count = table->bucket_count;
    table->buckets = calloc(count, sizeof *table->buckets);
    if (!table->buckets)
        hub_end("no memory for a table of %u handles", count);
    table->bucket_count = count;
    for (uint32_t i = 0; i < old_count; i++) {
        for (uint32_t number = old[i], next; number; number = next) {
            struct number_entry *entry = entry_of(table, number);
            uint32_t *bucket = bucket_of(table, entry->handle);
            next = entry->next;
            entry->next = *bucket;
            *bucket = number;
        }
    }
    free(old);
}

static uint32_t hashed_find(struct number_table *table, intptr_t handle)
{
    uint32_t number = table->bucket_count ? *bucket_of(table, handle) : 0;
    while (number && entry_of(table, number)->handle != handle)
        number = entry_of(table, number)->next;
    return number;
}

static struct number_chunk *chunk_create(void)
{
    struct number_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        hub_end("no memory for %d more handles", NUMBER_CHUNK);
    return chunk;
}

static uint32_t entry_take(struct number_table *table, intptr_t handle)
{
    uint32_t i = table->hint;
    while (i < NUMBER_CHUNKS && table->chunks[i] && !table->chunks[i]->free && table->chunks[i]->fresh == NUMBER_CHUNK)
        i++;
    if (i == NUMBER_CHUNKS)
        hub_end("more than %u handles of one class", NUMBER_MASK);
    table->hint = i;
    struct number_chunk *chunk = table->chunks[i];
    if (!chunk) {
        chunk = table->chunks[i] = chunk_create();
        chunk->fresh = i == 0; /* the number 0 is the null handle */
    }
    uint32_t at = chunk->free ? chunk->free - 1 : chunk->fresh++;
    if (chunk->free)
        chunk->free = chunk->entries[at].next;
    chunk->entries[at] = (struct number_entry){handle, 1, 0};
    chunk->live++;
    table->live++;
    return i * NUMBER_CHUNK + at;
}

static uint32_t entry_create(struct number_table *table, intptr_t handle)
{
    uint32_t number = entry_take(table, handle);
    if (table->is_plain)
        return number;
    if (table->live > table->bucket_count)
        buckets_resize(table, table->bucket_count ? 2 * table->bucket_count : 64);
    uint32_t *bucket = bucket_of(table, handle);
    entry_of(table, number)->next = *bucket;
    *bucket = number;
    return number;
}

unsigned number_add(struct number_table *table, intptr_t handle)
{
    lock_take();
    uint32_t number = table->is_plain ? 0 : hashed_find(table, handle);
    if (number)
        entry_of(table, number)->count++;
    else
        number = entry_create(table, handle);
    lock_give();
    return number;
}

unsigned number_find(struct number_table *table, intptr_t handle)
{
    lock_take();
    uint32_t number = table->is_plain ? 0 : hashed_find(table, handle);
    if (!number)
        number = entry_create(table, handle);
    lock_give();
    return number;
}

static void entry_unlink(struct number_table *table, uint32_t number)
{
    uint32_t *link = bucket_of(table, entry_of(table, number)->handle);
    while (*link != number)
        link = &entry_of(table, *link)->next;
    *link = entry_of(table, number)->next;
    if (table->bucket_count > 64 && table->live < table->bucket_count / 8)
        buckets_resize(table, table->bucket_count / 2);
}

void number_release(struct number_table *table, unsigned number)
{
    lock_take();
    struct number_chunk *chunk = table->chunks[number / NUMBER_CHUNK];
    struct number_entry *entry = chunk ? &chunk->entries[number % NUMBER_CHUNK] : NULL;
    if (entry && entry->count > 0 && --entry->count == 0) {
        table->live--;
        if (!table->is_plain)
            entry_unlink(table, number);
        uint32_t at = number / NUMBER_CHUNK;
        *entry = (struct number_entry){0, 0, chunk->free};
        chunk->free = number % NUMBER_CHUNK + 1;
        if (--chunk->live == 0 && at > 0) {
            free(chunk);
            table->chunks[at] = NULL;
        }
        if (at < table->hint)
            table->hint = at;
    }
    lock_give();
}

void number_forget(struct number_table *table, intptr_t handle)
{
    lock_take();
    uint32_t number = hashed_find(table, handle);
    lock_give();
    if (number)
        number_release(table, number);
}
