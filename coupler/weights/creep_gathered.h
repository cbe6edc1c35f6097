/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creep over cells that several processes hold: what is left over anywhere, and the ring of served cells round it, are
 * solved together on the component's rank 0, so that the rows are those of one process alone. Only what is left and its
 * ring are gathered.
 */
#ifndef H3OU_COUPLER_WEIGHTS_CREEP_GATHERED_H
#define H3OU_COUPLER_WEIGHTS_CREEP_GATHERED_H

#include "coupler/grid/grid.h"
#include "coupler/weights/made_rows.h"
#include "interp/weights/weights.h"

/* w: what the methods before left, rows of my cells over the sources of `rows`. Appends the links of my cells that creep
 * served to rows, and marks them in crept[n] (by cell). Collective over the receiving component. */
int h3ou__creep_gathered_fill(h3ou__comm *local, const h3ou__grid *grid, const h3ou__weights *w, h3ou__made_rows *rows,
                              unsigned char *crept);

#endif
