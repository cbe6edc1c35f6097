/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/watch/wait_history.h"

#include <stdlib.h>
#include <string.h>

enum { THINGS = 64, WAITS = 15, LEAST = 5 }; /* LEAST: of fewer waits no median is told */

struct h3ou__wait_history {
    struct thing {
        uint64_t key;
        int n; /* waits so far; the last WAITS are kept */
        double seconds[WAITS];
    } thing[THINGS]; /* by key; one that comes to the place of another takes it */
};

uint64_t h3ou__wait_key(const char *what, const char *who)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (int i = 0; i < 2; i++)
        for (const char *at = i ? who : what; *at; at++)
            key = (key ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return key | 1;
}

static int place_of(uint64_t key)
{
    return (int)(key >> 32) & (THINGS - 1);
}

void h3ou__wait_history_add(h3ou__wait_history **h, uint64_t key, double seconds)
{
    if (!*h && !(*h = calloc(1, sizeof **h)))
        return;
    struct thing *t = &(*h)->thing[place_of(key)];
    if (t->key != key)
        *t = (struct thing){.key = key};
    t->seconds[t->n++ % WAITS] = seconds;
    if (t->n == 2 * WAITS)
        t->n = WAITS;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double h3ou__wait_history_median(const h3ou__wait_history *h, uint64_t key)
{
    const struct thing *t = h ? &h->thing[place_of(key)] : NULL;
    double sorted[WAITS];
    if (!t || t->key != key || t->n < LEAST)
        return -1.0;
    int n = t->n < WAITS ? t->n : WAITS;
    memcpy(sorted, t->seconds, sizeof *sorted * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_seconds);
    return sorted[n / 2];
}
