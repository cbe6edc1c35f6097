/* SPDX-License-Identifier: BSD-3-Clause */
/* A coupling step as one writes it by hand for two processes of one machine, with no library between them. */
#ifndef H3OU_BENCH_HAND_STEP_H
#define H3OU_BENCH_HAND_STEP_H

#include "link_table.h"
#include "raw_memory.h"

/* What the other process reads of my cells: order[0 .. n), or, with order NULL, the first n as they stand. */
typedef struct hand_order {
    int n;
    const int *order;
} hand_order;

/* Writes these cells of `mine` [layers][cells] to where the other's product reads them; with an order there is one
 * layer. */
void hand_pack(const hand_order *o, int cells, int layers, const double *mine, double *to);
/* Packs, as above, into memory that both processes share; waits for the other's message; and multiplies from where that
 * stands into `got` [layers][n]. */
void hand_step(const link_table *t, const hand_order *o, raw_memory *m, int layers, const double *mine, double *got);

#endif
