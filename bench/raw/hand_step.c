/* SPDX-License-Identifier: BSD-3-Clause */
#include "hand_step.h"

#include <string.h>

enum { LINE = 8, CELLS = 32, MOST_LAYERS = 256, IN_CACHES = 4 << 20 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* to: [n][layers]. CELLS cells at a time, so that what is written stays in the first cache. */
static void pack_layers_together(int n, int layers, const double *from, double *to)
{
    for (int first = 0; first < n; first += CELLS)
        for (int k = 0; k < layers; k++)
            for (int i = first, end = least(n, first + CELLS); i < end; i++)
                to[(int64_t)i * layers + k] = from[(int64_t)k * n + i];
}

/* Makes the product by the loops of the floor, some cells at a time: the library has no product of some rows of a
 * table. */
static void multiply_layers_together(const link_table *t, int layers, const double *from, double *got)
{
    double some[CELLS * MOST_LAYERS];
    for (int first = 0; first < t->target; first += CELLS) {
        int n = least(CELLS, t->target - first);
        link_table part = *t;
        part.target = n;
        part.col += first * CELL_LINKS;
        part.coef += first * CELL_LINKS;
        part.after = (t->target - first - n) * CELL_LINKS;
        link_table_apply_loops(&part, layers, from, some);
        for (int k = 0; k < layers; k++)
            for (int i = 0; i < n; i++)
                got[(int64_t)k * t->target + first + i] = some[i * layers + k];
    }
}

/* The lines of a message of which another core's caches hold the newest copy come faster in their order than in that of the
 * rows. */
static void read_in_order(const double *message, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i += LINE)
        sum += message[i];
    __asm__ volatile("" : : "r,m"(sum));
}

void hand_pack(const hand_order *o, int cells, int layers, const double *mine, double *to)
{
    for (int i = 0; o->order && i < o->n; i++)
        to[i] = mine[o->order[i]];
    if (layers > 1)
        pack_layers_together(cells, layers, mine, to);
    else if (!o->order)
        memcpy(to, mine, sizeof *mine * (size_t)o->n);
}

void hand_step(const link_table *t, const hand_order *o, raw_memory *m, int layers, const double *mine, double *got)
{
    int64_t nin = (int64_t)t->source * layers;
    hand_pack(o, t->target, layers, mine, raw_memory_room(m));
    const double *message = raw_memory_pass(m);
    if (nin * (int64_t)sizeof *message <= IN_CACHES)
        read_in_order(message, nin);
    if (layers == 1)
        link_table_apply(t, 1, message, got);
    else
        multiply_layers_together(t, least(layers, MOST_LAYERS), message, got);
}
