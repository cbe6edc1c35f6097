/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights that the coupler makes itself, when the namelist names a method: each receiving process makes the rows of its
 * own cells from the part of the other grid that it needs, and they go on as a table that it gave: with the owners of the
 * source cells (made_rows.h), unless links of a file or of the cache are among them. */
#ifndef H3OU_COUPLER_WEIGHTS_MAKE_ONLINE_H
#define H3OU_COUPLER_WEIGHTS_MAKE_ONLINE_H

#include "comm/comm.h"
#include "coupler/config/config.h"
#include "coupler/grid/grid.h"
#include "coupler/weights/weight_table.h"
#include "interp/weights/limited_gradient.h"

typedef struct h3ou__make_online_task { /* all borrowed */
    h3ou__world *world;
    h3ou__pair_name name;
    bool sender;
    h3ou__grid *grid; /* my component's grid of the pair, registered */
    h3ou__grid *source; /* of a pair inside my component the sending grid; `sender` is false, `grid` the receiving one */
    const h3ou__config_remap *how; /* with a method */
    const char *cache; /* folder; empty: none */
} h3ou__make_online_task;

/* What a receiving process keeps beside the table; cells are positions among its own. */
typedef struct h3ou__remainder {
    int64_t nunserved, *unserved; /* not masked, and by no method: they are set to the missing value */
    int64_t nfixed, *fixed;       /* served by a value */
    double *value;
    int64_t npartial, *partial; /* covered by the sources in part, and with values for that part */
    double *part;               /* [npartial] which fraction of the cell that is */
    h3ou__gradient
        *gradient;   /* of a limited second order: cells are global indices less 1, rows are positions; or NULL */
    int64_t *source; /* global index less 1 of each number in the gradient */
    int64_t nsource;
} h3ou__remainder;
void h3ou__remainder_free(h3ou__remainder *r); /* frees the arrays, not r */

/* Collective over both components. *table: given and spread on the receiving side, empty on the sending one; whether it
 * has `made` is the same on all processes of the receiving side. */
int h3ou__make_online(const h3ou__make_online_task *task, h3ou__table **table, h3ou__remainder *left);

#endif
