/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions shared by the methods that use the n nearest sources. */
#ifndef H3OU_INTERP_STENCILS_NEAREST_COMMON_H
#define H3OU_INTERP_STENCILS_NEAREST_COMMON_H

#include "interp/search/kdtree.h"
#include "interp/stencils/method.h"

enum { H3OU__NEAR_MOST = 64 };

/* open and close of these methods: the state is the tree. H3OU__EARG for n beyond H3OU__NEAR_MOST. */
int h3ou__near_open(const h3ou__method_task *task, void **state);
void h3ou__near_close(void *state);
/* The n nearest sources within the radius, both of the keys, nearest first; returns how many. */
int h3ou__near_find(const h3ou__method_task *task, const void *state, int64_t target, h3ou__near found[H3OU__NEAR_MOST]);
/* Adds weight[i] / sum of all to the row. */
int h3ou__near_add(h3ou__row *row, int n, const h3ou__near found[], const double weight[]);
/* Nearest wherever they are, or within the radius. */
double h3ou__near_halo(const h3ou__method_keys *keys, double source_diameter);

#endif
