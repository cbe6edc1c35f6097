/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes of a block are on which host. Hosts are numbered in the order of their first processes. */
#ifndef H3OU_HOST_HOST_MAP_H
#define H3OU_HOST_HOST_MAP_H

#include <stdint.h>

typedef struct h3ou__host_map {
    int nhost, mine; /* hosts of the block, and the one of this process */
    int *head;       /* [nhost] the first process of each, ascending */
    int nmember, me; /* processes on my host, and my place among them */
    int *member;     /* [nmember] these, ascending */
    int nrun;        /* of consecutive processes on one host */
    int *run;        /* [2 * nrun] first process, host */
} h3ou__host_map;

#pragma GCC visibility push(default)
/* Makes the map of n processes from the hosts' numbers (h3ou__host_number); me: this process. H3OU__ENOMEM leaves an empty map. */
int h3ou__host_map_make(const int64_t host[], int n, int me, h3ou__host_map *out);
void h3ou__host_map_free(h3ou__host_map *map);
int h3ou__host_map_find(const h3ou__host_map *map, int process);  /* its host */
int h3ou__host_map_place(const h3ou__host_map *map, int process); /* its place among those of my host; -1: it is on another */
#pragma GCC visibility pop

#endif
