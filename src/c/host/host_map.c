/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/host_map.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

typedef struct located { /* by number of the host, then by rank */
    int64_t host;
    int rank;
} located;

static int compare_hosts(const void *a, const void *b)
{
    const located *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int compare_ranks(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int find_index(const int list[], int n, int value)
{
    const int *found = bsearch(&value, list, (size_t)n, sizeof *list, compare_ranks);
    return found ? (int)(found - list) : -1;
}

/* Sets of[] to the first process of each one's host, and lists these first ones. sorted: memory for n. */
static void find_heads(const int64_t host[], int n, located sorted[], int of[], h3ou__host_map *map)
{
    for (int i = 0; i < n; i++)
        sorted[i] = (located){host[i], i};
    qsort(sorted, (size_t)n, sizeof *sorted, compare_hosts);
    for (int i = 0, head = 0; i < n; i++) {
        if (i == 0 || sorted[i].host != sorted[i - 1].host)
            map->head[map->nhost++] = head = sorted[i].rank;
        of[sorted[i].rank] = head;
    }
    qsort(map->head, (size_t)map->nhost, sizeof *map->head, compare_ranks);
}

/* Lists the processes of my host, and the runs. of: the first process of each one's host. */
static void list_processes(const int of[], int n, int me, h3ou__host_map *map)
{
    map->mine = find_index(map->head, map->nhost, of[me]);
    for (int i = 0; i < n; i++) {
        if (i == me)
            map->me = map->nmember;
        if (of[i] == of[me])
            map->member[map->nmember++] = i;
        if (i > 0 && of[i] == of[i - 1])
            continue;
        map->run[2 * map->nrun] = i;
        map->run[2 * map->nrun++ + 1] = find_index(map->head, map->nhost, of[i]);
    }
}

int h3ou__host_map_make(const int64_t host[], int n, int me, h3ou__host_map *out)
{
    h3ou__host_map map = {.head = malloc(sizeof *map.head * (size_t)n),
                          .member = malloc(sizeof *map.member * (size_t)n),
                          .run = malloc(2 * sizeof *map.run * (size_t)n)};
    located *sorted = malloc(sizeof *sorted * (size_t)n);
    int *of = calloc((size_t)n, sizeof *of);
    bool has_memory = map.head && map.member && map.run && sorted && of;
    if (has_memory) {
        find_heads(host, n, sorted, of, &map);
        list_processes(of, n, me, &map);
        has_memory = h3ou__resize(&map.head, sizeof *map.head, map.nhost) &&
                     h3ou__resize(&map.member, sizeof *map.member, map.nmember) &&
                     h3ou__resize(&map.run, 2 * sizeof *map.run, map.nrun);
    }
    free(sorted);
    free(of);
    if (!has_memory)
        h3ou__host_map_free(&map);
    *out = map;
    return has_memory ? H3OU__OK : h3ou__no_memory("the list of a job's hosts");
}

void h3ou__host_map_free(h3ou__host_map *map)
{
    free(map->head);
    free(map->member);
    free(map->run);
    *map = (h3ou__host_map){0};
}

int h3ou__host_map_find(const h3ou__host_map *map, int process)
{
    int low = 0, high = map->nrun;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (map->run[2 * middle] <= process)
            low = middle;
        else
            high = middle;
    }
    return map->run[2 * low + 1];
}

int h3ou__host_map_place(const h3ou__host_map *map, int process)
{
    return find_index(map->member, map->nmember, process);
}
