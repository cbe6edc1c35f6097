/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of a coupled step between two jobs, whose grids cover the same rectangle. Each grid has nx times ny cells
 * in blocks, of which each process of its job has one; px times py blocks, as square as the number of processes allows.
 * A process sends to each process of the other job the cells of its block that overlap the other one's block.
 */
#ifndef H3OU_TOOL_SIMULATE_EXCHANGE_PATTERN_H
#define H3OU_TOOL_SIMULATE_EXCHANGE_PATTERN_H

#include "coll/schedule/schedule.h"

typedef struct block_grid {
    int cells[2], blocks[2];
} block_grid;

typedef struct exchange_pattern {
    block_grid grid[2]; /* of each job */
    int processes;      /* of a job */
    int64_t cell_bytes; /* of all fields and layers */
    bool is_two_way;    /* else only the first job sends */
} exchange_pattern;

/* Sets blocks from processes. H3OU__EARG when a grid has fewer cells than blocks along a side. */
int exchange_pattern_divide(exchange_pattern *p);
/* As stage.pattern; user: an exchange_pattern. All messages are in one round. */
int exchange_pattern_build(const void *user, int member, h3ou__schedule *out);

#endif
