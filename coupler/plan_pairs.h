/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans of the pairs of grids in which my component is: with another component, with its members, or with itself.
 */
#ifndef H3OU_COUPLER_PLAN_PAIRS_H
#define H3OU_COUPLER_PLAN_PAIRS_H

#include "coupler/coupler.h"

/* Returns a grid of mine, or NULL. */
h3ou__grid *h3ou__find_grid(const h3ou__coupler *c, const char *name);
/* Returns my component's plan of a pair of grids and a way to make weights, as sender or as receiver, or NULL. */
const h3ou__plan *h3ou__find_plan(const h3ou__coupler *c, int pair, const h3ou__config_remap *how, bool sender);
/* Sets *out to the tree over my group in the pair of a field; NULL when my member is alone and sends what it puts. */
int h3ou__find_family(h3ou__coupler *c, const h3ou__config_var *v, h3ou__family **out);
/* Makes the plans of all pairs that have none; may_wait: a table may still come, c->waits says whether one is awaited.
 * Collective over the components of the pairs. */
int h3ou__plan_pairs(h3ou__coupler *c, bool may_wait);

#endif
