/* SPDX-License-Identifier: BSD-3-Clause */
/* atmos.f90 in C: every call returns 0 or an error, which this program passes to h3ou_abort. */
#include <stdlib.h>

#include "h3ou.h"

enum { CELLS = 24, STEP = 1800 };

static h3ou_ctx *ctx;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

int main(void)
{
    int time[6] = {2026, 1, 1, 0, 0, 0}, comm, group, nproc, rank, n = 0, arrived;
    int mine[CELLS], send[CELLS], recv[CELLS];
    double coef[CELLS], air[CELLS], sst[CELLS], heat[CELLS];

    check(h3ou_open("atmos", "coupling.conf", 1, &ctx));
    check(h3ou_local(ctx, &comm, &group, &nproc, &rank));
    for (int i = rank; i < CELLS; i += nproc)
        mine[n++] = i + 1;
    check(h3ou_grid_define(ctx, "atmos", "ring24", mine, n, 1));
    check(h3ou_grid_end(ctx));

    for (int i = 0; i < CELLS; i++) {
        send[i] = i + 1;
        recv[i] = i / 2 + 1;
        coef[i] = 0.5;
    }
    check(
        h3ou_table_set(ctx, "atmos", "ocean", "ring12", "atmos", "ring24", 1, NULL, NULL, NULL, 0, H3OU_TABLE_LEADER));
    check(h3ou_table_set(ctx, "atmos", "atmos", "ring24", "ocean", "ring12", 1, send, recv, coef, CELLS,
                         H3OU_TABLE_LEADER));

    check(h3ou_time_init(ctx, time));
    for (int i = 0; i < n; i++) {
        air[i] = sst[i] = 285;
        heat[i] = 0;
    }
    check(h3ou_put(ctx, "heat", heat, n, 1));
    for (int t = 0; t < 48; t++) {
        check(h3ou_time_set(ctx, "atmos", time, STEP));
        check(h3ou_get(ctx, "sst", sst, n, 1, &arrived));
        for (int i = 0; i < n; i++) {
            heat[i] = 20 * (air[i] - sst[i]);
            air[i] -= heat[i] * STEP / 1e6;
        }
        check(h3ou_put(ctx, "heat", heat, n, 1));
        check(h3ou_time_inc(time, STEP));
    }
    check(h3ou_close(ctx, time, 1));
    return EXIT_SUCCESS;
}
