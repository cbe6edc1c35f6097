/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose target cells other processes may hold. */
#ifndef H3OU_COUPLER_WEIGHTS_MARK_SERVED_H
#define H3OU_COUPLER_WEIGHTS_MARK_SERVED_H

#include "comm/comm.h"
#include "coupler/grid/grid.h"

/* Marks in served[g->n] those of my cells (by position) that some process named in recv[n], global indices from 1.
 * Collective over the component. H3OU__EINDEX for an index that nobody holds. */
int h3ou__mark_served(const h3ou__grid *g, h3ou__comm *local, int64_t n, const int recv[], unsigned char *served);

#endif
