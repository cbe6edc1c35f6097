/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/grid_fold.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "interp/rows/fold.h"

static int fail_unfolded(const h3ou__grid *g, const h3ou__fold *best)
{
    return h3ou__fail(H3OU__EARG,
                      "grid %s: fold is stated, but its last row of %d cells does not meet itself, neither between "
                      "points nor at the points of a row: at best %" PRId64 " of %" PRId64 " cells have their image "
                      "where it should be; leave fold out, or check grid_shape and the order of the cells",
                      g->name, g->geometry.nx, best->met, best->compared);
}

int h3ou__grid_find_fold(h3ou__grid *g, h3ou__comm *local)
{
    h3ou__cells *c = g->cells;
    h3ou__fold fold = {0};
    if (g->geometry.nx == 0 || (g->boxes.nx > 0 && !g->geometry.fold))
        return H3OU__OK;
    int64_t n = h3ou__fold_room(c->dims);
    double *mine = malloc(sizeof *mine * (size_t)(n + 1)), *all = malloc(sizeof *all * (size_t)(n + 1));
    int err = mine && all ? H3OU__OK : h3ou__no_memory("the last rows of grid %s", g->name);
    if (!err) {
        h3ou__fold_copy_rows(c, mine);
        err = h3ou__allreduce(local, mine, all, n, H3OU__DOUBLE, H3OU__MAX);
    }
    if (!err) {
        h3ou__fold_find(c->dims, all, &fold);
        if (g->boxes.nx == 0)
            h3ou__fold_set(c, &fold);
        if (fold.found && h3ou__comm_rank(local) == 0)
            h3ou__log(H3OU__LOG_WHISPER, "grid-fold",
                      "grid=%s pivot=%s repeated_rows=%" PRId64 " overlap_columns=%" PRId64 " cells=%" PRId64
                      " of=%" PRId64,
                      g->name, fold.rows % 2 ? "T" : "F", fold.rows / 2, fold.overlap, fold.met, fold.compared);
        if (!fold.found && g->geometry.fold && fold.compared > 3)
            err = fail_unfolded(g, &fold);
    }
    free(mine);
    free(all);
    return err;
}
