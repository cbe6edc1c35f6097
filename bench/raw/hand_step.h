/* SPDX-License-Identifier: BSD-3-Clause */
/* A coupling step as one writes it by hand for two processes of one machine, with no library between them. */
#ifndef H3OU_BENCH_HAND_STEP_H
#define H3OU_BENCH_HAND_STEP_H

#include "link_table.h"
#include "raw_memory.h"

/* Packs n cells of `mine` [layers][n] into memory that both processes share, in the order in which the product of the other reads;
 * waits for its message; and multiplies from where that stands into `got` [layers][n]. */
void hand_step(const link_table *t, raw_memory *m, int layers, const double *mine, double *got);

#endif
