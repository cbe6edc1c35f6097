/* SPDX-License-Identifier: BSD-3-Clause */
/* What h3ou bench pingpong is to measure. */
#ifndef H3OU_TOOL_PINGPONG_PLAN_H
#define H3OU_TOOL_PINGPONG_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/harness/rounds.h"

enum { PINGPONG_SIZES = 48, PINGPONG_PAIRS = 16, PINGPONG_ROUNDS = 100, PINGPONG_PAIRS_MOST = 4096 };
#define PINGPONG_BYTES_MOST ((int64_t)1 << 30)

typedef struct pingpong_plan {
    int64_t size[PINGPONG_SIZES]; /* bytes */
    int pairs[PINGPONG_PAIRS];    /* that run at the same time, ascending */
    int nsize, npairs;
    round_plan round;
} pingpong_plan;

/* Read "8-64M" (by doubling) or "8,1K,65536", also mixed, and "1,2,4". H3OU__EARG with a sentence that begins with the
 * option. */
int pingpong_read_sizes(const char *text, pingpong_plan *out);
int pingpong_read_pairs(const char *text, pingpong_plan *out);
/* Plans 1, 2, 4, ... pairs and `most` itself. */
void pingpong_double_pairs(int most, pingpong_plan *out);

/* Writes "8 B", "64 KB", "1 MB" (of 1024); returns text. */
const char *pingpong_size_text(int64_t bytes, char text[24]);

#endif
