/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/kept_memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { PLACES = 16, LEAST = 1 << 16, MOST = 1 << 24 }; /* bytes of a piece that is kept, and of all */

/* Stands before each piece. */
typedef struct header {
    _Alignas(max_align_t) size_t bytes;
} header;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static header *kept[PLACES]; /* NULL: a free place */
static size_t kept_bytes;

/* Finds the shortest piece that is long enough, and not much too long; returns its place, or -1. */
static int find_piece(size_t bytes)
{
    int best = -1;
    for (int i = 0; i < PLACES; i++)
        if (kept[i] && kept[i]->bytes >= bytes && kept[i]->bytes / 4 <= bytes && (best < 0 || kept[i]->bytes < kept[best]->bytes))
            best = i;
    return best;
}

void *h3ou__kept_memory_take(size_t bytes)
{
    header *h = NULL;
    pthread_mutex_lock(&lock);
    int place = bytes < LEAST ? -1 : find_piece(bytes);
    if (place >= 0) {
        h = kept[place];
        kept[place] = NULL;
        kept_bytes -= h->bytes;
    }
    pthread_mutex_unlock(&lock);
    if (!h && (h = malloc(sizeof *h + bytes)) != NULL)
        h->bytes = bytes;
    return h ? h + 1 : NULL;
}

void h3ou__kept_memory_give(void *memory)
{
    header *h = memory ? (header *)memory - 1 : NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < PLACES && h && h->bytes >= LEAST && h->bytes <= MOST - kept_bytes; i++)
        if (!kept[i]) {
            kept[i] = h;
            kept_bytes += h->bytes;
            h = NULL;
        }
    pthread_mutex_unlock(&lock);
    free(h);
}
