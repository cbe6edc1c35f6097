/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/send_to_owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

/* One of the two ways: to the keepers of the directory, or from these, who know the cell's place, to the owners. */
static int pass_items(const h3ou__grid *g, h3ou__comm *local, bool to_owners, int64_t n, int width, int64_t item[],
                      h3ou__no_owner *no_owner, h3ou__redistribution *d)
{
    int *to = malloc(sizeof *to * (size_t)(n + 1)), err = H3OU__OK;
    int64_t count = 0;
    if (!to)
        return h3ou__no_memory("items for the owners of cells");
    for (int64_t i = 0; i < n && !err; i++) {
        int64_t *from = item + width * i, *kept = item + width * count;
        int64_t place = from[0];
        to[count] = -1;
        if (!to_owners)
            to[count] = h3ou__grid_keeper(g, from[0]);
        else
            h3ou__grid_owner(g, from[0], &to[count], &place);
        if (to[count] < 0) {
            err = no_owner ? no_owner(g, from) : H3OU__OK;
            continue;
        }
        if (kept < from)
            memcpy(kept, from, sizeof *item * (size_t)width);
        kept[0] = place;
        count++;
    }
    if (!err)
        err = h3ou__redistribute(local, count, to, width, item, d);
    free(to);
    return err;
}

int h3ou__send_to_owners(const h3ou__grid *g, h3ou__comm *local, int64_t n, int width, int64_t item[],
                         h3ou__no_owner *no_owner, h3ou__redistribution *owned)
{
    h3ou__redistribution kept = {0};
    memset(owned, 0, sizeof *owned);
    int err = pass_items(g, local, false, n, width, item, no_owner, &kept);
    if (!err)
        err = pass_items(g, local, true, kept.ngot, width, kept.item, no_owner, owned);
    h3ou__redistribution_free(&kept);
    return err;
}
