/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective call of all its members: values that they give, and what must come out. */
#ifndef PLAYERS_H
#define PLAYERS_H

#include <stddef.h>

#include "coll/schedule/algorithm.h"

typedef struct players {
    const h3ou__algorithm *algorithm;
    h3ou__call call;                    /* me is not used */
    int64_t *counts, *displs;           /* [size] parts, if they have different sizes */
    int64_t *pair_counts, *pair_displs; /* [size * size] of alltoall: what member i sends to j, and where it lies */
    char **input, **output;
    int64_t (*bytes)[2]; /* [size] of input and output */
    char **scratch;
    h3ou__schedule *s;
} players;

/* Builds the schedules of all members. Elements are of 8 bytes. is_vector: parts of different sizes, some of them
 * empty. */
void players_open(players *p, const h3ou__algorithm *a, int size, int root, int64_t count, int64_t segment,
                  bool is_vector);
/* The call as one member makes it. */
h3ou__call players_call(const players *p, int me);
/* The operation: to = to op from, or from op to. Its properties are the least that the algorithm's order asks for. */
void players_combine(int order, int64_t *to, const int64_t *from, int64_t n, bool is_left);
/* Compares a member's output with what must come out. Returns false, and writes a sentence, if it is something else. */
bool players_compare(const players *p, int me, char *text, size_t size);
void players_close(players *p);

#endif
