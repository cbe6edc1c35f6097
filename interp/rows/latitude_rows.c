/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/rows/latitude_rows.h"

#include <math.h>
#include <string.h>

/* Square grids of n cells have about sqrt(n) rows; other grids have nearly as many latitudes as cells. */
static int64_t most_rows(int64_t n)
{
    return (int64_t)(2.0 * sqrt((double)n));
}

bool h3ou__latitude_rows_possible(const h3ou__cells *c)
{
    return c->rank == 1 && !c->lon_west && (!c->first || c->edges == H3OU__EDGES_LATITUDE);
}

int64_t h3ou__latitude_rows_room(int64_t n)
{
    return 8 * most_rows(n) + 1;
}

/* Latitudes within 1e-7 radians have one entry, or two next to each other; different ones seldom share one. */
void h3ou__latitude_rows_enter(const h3ou__cells *c, int64_t n, int64_t table[])
{
    int64_t room = h3ou__latitude_rows_room(n);
    memset(table, 0, sizeof *table * (size_t)room);
    for (int64_t i = 0; i < c->n && c->lat; i++)
        if (!h3ou__cell_is_nowhere(c, i)) {
            uint64_t mixed = (uint64_t)llround(c->lat[i] * 1e7) * UINT64_C(0x9E3779B97F4A7C15);
            table[(mixed >> 20) % (uint64_t)room] = 1;
        }
}

void h3ou__latitude_rows_set(h3ou__cells *c, int64_t n, const int64_t table[])
{
    enum { FEWEST_CELLS = 32 };
    int64_t rows = 0;
    for (int64_t k = 0; k < h3ou__latitude_rows_room(n); k++)
        rows += table[k];
    c->latitude_rows = n >= FEWEST_CELLS && rows <= most_rows(n) ? 1 : -1;
    c->dims[0] = n;
}
