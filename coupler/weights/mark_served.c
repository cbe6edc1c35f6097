/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/mark_served.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/grid/send_to_owners.h"

static int fail_no_cell(const h3ou__grid *g, const int64_t item[])
{
    return h3ou__fail(H3OU__EINDEX, "the weights have a row for target cell %" PRId64 ", which grid %s does not have", item[0],
                      g->name);
}

int h3ou__mark_served(const h3ou__grid *g, h3ou__comm *local, int64_t n, const int recv[], unsigned char *served)
{
    h3ou__redistribution owned = {0};
    int64_t *item = malloc(sizeof *item * (size_t)(n + 1)), count = 0;
    if (!item)
        return h3ou__no_memory("weights");
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || recv[i] != recv[i - 1]) /* links of one row are neighbours */
            item[count++] = recv[i];
    int err = h3ou__send_to_owners(g, local, count, 1, item, fail_no_cell, &owned);
    free(item);
    for (int64_t i = 0; i < owned.ngot && !err; i++)
        served[owned.item[i]] = 1;
    h3ou__redistribution_free(&owned);
    return err;
}
