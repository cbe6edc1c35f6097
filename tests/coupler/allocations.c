/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps take nothing from the heap, and give nothing back, once fields of each kind have been exchanged some times. How
 * far a component goes ahead of the other, and so how many messages are under way, is up to chance: a parcel more may
 * be taken at any time. So one of several spans of steps is without a call; calls that come less often
 * than once in a span are not found.
 *
 *   allocations A|B CONFIG h3ou|waitio|first
 *
 * Both put, then get, all fields of the table below, those of A as A_NAME. With h3ou, calls of libwaitio do not count:
 * it keeps messages that arrive before they are asked for on the heap. With first, only the first span counts.
 * Exit code 1 where each span that counts has a call.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted_heap.h"
#include "h3ou.h"

enum { NX = 60, NY = 40, CELLS = NX * NY, LAYERS = 12, WHOLE = (NX + 2) * (NY + 2), STEP = 60, STEPS = 24, SPANS = 8 };

enum shares { NO_SHARES, SHARES_THAT_STAY, NEW_SHARES };

/* What a model does with a field; what the namelist says of it stands in allocations.py, under the same name. */
typedef struct field {
    const char *name;
    int layers;
    enum shares shares;
    bool is_single, is_vector, has_halo, has_nan;
} field;

static const field FIELDS[] = {{.name = "plain", .layers = 1},
                               {.name = "layers", .layers = LAYERS},
                               {.name = "now", .layers = 1},
                               {.name = "early", .layers = 1},
                               {.name = "ahead", .layers = 1},
                               {.name = "alone", .layers = 1},
                               {.name = "mask", .layers = 1, .shares = SHARES_THAT_STAY},
                               {.name = "shares", .layers = 1, .shares = NEW_SHARES},
                               {.name = "mask_layers", .layers = LAYERS, .shares = SHARES_THAT_STAY},
                               {.name = "shares_layers", .layers = LAYERS, .shares = NEW_SHARES},
                               {.name = "nan", .layers = 1, .has_nan = true},
                               {.name = "nan_layers", .layers = LAYERS, .has_nan = true},
                               {.name = "single", .layers = LAYERS, .is_single = true},
                               {.name = "rounded", .layers = 1},
                               {.name = "halo", .layers = LAYERS, .has_halo = true},
                               {.name = "vector", .layers = 1, .is_vector = true},
                               {.name = "vector_layers", .layers = LAYERS, .is_vector = true},
                               {.name = "mean", .layers = LAYERS},
                               {.name = "mean_mask", .layers = 1, .shares = SHARES_THAT_STAY},
                               {.name = "least", .layers = 1},
                               {.name = "linear", .layers = 1}};
enum { NFIELD = sizeof FIELDS / sizeof *FIELDS };

static h3ou_ctx *ctx;
static double put[2][WHOLE * LAYERS], got[2][WHOLE * LAYERS], share[CELLS];
static float put_single[CELLS * LAYERS], got_single[CELLS * LAYERS];

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

/* Returns the arrays that a model holds of a field. */
static h3ou_arrays arrays_of(const field *f, bool is_put)
{
    h3ou_arrays a = {H3OU_TYPE_DOUBLE, 2, {CELLS, f->layers}, f->is_vector ? 2 : 1, {NULL}, NULL, 0};
    for (int k = 0; k < a.count; k++)
        a.component[k] = is_put ? put[k] : got[k];
    if (f->is_single) {
        a.type = H3OU_TYPE_FLOAT;
        a.component[0] = is_put ? put_single : got_single;
    }
    if (f->has_halo) {
        a.rank = 3;
        a.extent[0] = NX + 2;
        a.extent[1] = NY + 2;
        a.extent[2] = f->layers;
    }
    if (is_put && f->shares != NO_SHARES) {
        a.share = share;
        a.nshare = CELLS;
    }
    return a;
}

static void put_field(const char *me, int step, const field *f)
{
    char name[65];
    h3ou_arrays a = arrays_of(f, true);
    snprintf(name, sizeof name, "%s_%s", me, f->name);
    for (int i = 0; i < CELLS * f->layers; i++)
        put[0][i] = f->has_nan && i % 7 == step % 7 ? (double)NAN : i + step;
    for (int i = 0; i < CELLS; i++)
        share[i] = i % 3 == 0 ? 0.0 : f->shares == NEW_SHARES && (i + step) % 5 == 0 ? 0.5 : 1.0;
    check(h3ou_put_arrays(ctx, name, &a));
}

static void get_field(const char *me, const field *f)
{
    char name[65];
    int ok;
    h3ou_arrays a = arrays_of(f, false);
    snprintf(name, sizeof name, "%s_%s", me[0] == 'A' ? "B" : "A", f->name);
    check(h3ou_get_arrays(ctx, name, &a, &ok));
}

static void run_step(const char *me, int step, int time[6])
{
    check(h3ou_time_set(ctx, me, time, STEP));
    for (int k = 0; k < NFIELD; k++)
        put_field(me, step, &FIELDS[k]);
    for (int k = 0; k < NFIELD; k++)
        get_field(me, &FIELDS[k]);
    check(h3ou_time_inc(time, STEP));
}

static void define_grid(const char *me)
{
    static int index[CELLS];
    static double coef[CELLS], lon[CELLS], lat[CELLS];
    bool is_a = me[0] == 'A';
    for (int i = 0; i < CELLS; i++) {
        index[i] = i + 1;
        coef[i] = 1.0;
        lon[i] = 6.0 * (i % NX);
        lat[i] = 4.0 * (i / NX) - 78.0;
    }
    check(h3ou_grid_define(ctx, me, "g", index, CELLS, LAYERS));
    check(h3ou_grid_block(ctx, "g", NX, NY));
    check(h3ou_grid_halo(ctx, "g", (const int[]){1, 1, 1, 1}));
    check(h3ou_grid_centres(ctx, "g", lon, lat, "degrees"));
    check(h3ou_grid_end(ctx));
    for (int from_b = 0; from_b < 2; from_b++)
        check(h3ou_table_set(ctx, me, from_b ? "B" : "A", "g", from_b ? "A" : "B", "g", 1, is_a ? index : NULL,
                             is_a ? index : NULL, is_a ? coef : NULL, is_a ? CELLS : 0, H3OU_TABLE_LEADER));
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const char *me = argv[1];
    int time[6] = {2000, 1, 1, 0, 0, 0}, free_spans = 0;
    check(h3ou_open(me, argv[2], 1, &ctx));
    define_grid(me);
    check(h3ou_time_init(ctx, time));
    for (int k = 0; k < NFIELD; k++)
        put_field(me, -1, &FIELDS[k]);
    for (int span = 0; span < (strcmp(argv[3], "first") ? SPANS : 1); span++) {
        heap_count_begin(!strcmp(argv[3], "waitio"));
        for (int step = 0; step < STEPS; step++)
            run_step(me, span * STEPS + step, time);
        int n = heap_count_end();
        printf("%s: span %d: %d calls of the heap\n", me, span, n);
        heap_count_print();
        fflush(stdout); /* a launcher may end one process when the other has ended */
        free_spans += n == 0;
    }
    check(h3ou_close(ctx, time, 1));
    return free_spans == 0;
}
