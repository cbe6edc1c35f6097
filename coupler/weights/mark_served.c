/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/mark_served.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/redistribute.h"

/* Sends the indices to the keepers of the grid's directory; of equal neighbours in the list only the first. */
static int to_keepers(const h3ou__grid *g, h3ou__comm *local, int64_t n, const int recv[], h3ou__redistribution *d)
{
    int *to = malloc(sizeof *to * (size_t)(n + 1)), err = H3OU__OK;
    int64_t *item = malloc(sizeof *item * (size_t)(n + 1)), count = 0;
    if (!to || !item)
        err = h3ou__no_memory("weights");
    for (int64_t i = 0; i < n && !err; i++) {
        if (i > 0 && recv[i] == recv[i - 1])
            continue;
        item[count] = recv[i];
        to[count] = h3ou__grid_keeper(g, recv[i]);
        if (to[count++] < 0)
            err = h3ou__fail(H3OU__EINDEX, "the weights have a row for target cell %d, which grid %s does not have", recv[i],
                             g->name);
    }
    if (!err)
        err = h3ou__redistribute(local, count, to, 1, item, d);
    free(to);
    free(item);
    return err;
}

static int to_owners(const h3ou__grid *g, h3ou__comm *local, const h3ou__redistribution *kept, h3ou__redistribution *d)
{
    int *to = malloc(sizeof *to * (size_t)(kept->ngot + 1)), err = H3OU__OK;
    int64_t *item = malloc(sizeof *item * (size_t)(kept->ngot + 1));
    if (!to || !item)
        err = h3ou__no_memory("weights");
    for (int64_t i = 0; i < kept->ngot && !err; i++) {
        const int64_t *cell = h3ou__grid_entry(g, kept->item[i]);
        if (!cell) {
            err = h3ou__fail(H3OU__EINDEX, "the weights have a row for target cell %" PRId64 ", which grid %s does not have",
                             kept->item[i], g->name);
            break;
        }
        to[i] = (int)cell[1];
        item[i] = cell[2];
    }
    if (!err)
        err = h3ou__redistribute(local, kept->ngot, to, 1, item, d);
    free(to);
    free(item);
    return err;
}

int h3ou__mark_served(const h3ou__grid *g, h3ou__comm *local, int64_t n, const int recv[], unsigned char *served)
{
    h3ou__redistribution kept = {0}, owned = {0};
    int err = to_keepers(g, local, n, recv, &kept);
    if (!err)
        err = to_owners(g, local, &kept, &owned);
    for (int64_t i = 0; i < owned.ngot && !err; i++)
        served[owned.item[i]] = 1;
    h3ou__redistribution_free(&kept);
    h3ou__redistribution_free(&owned);
    return err;
}
