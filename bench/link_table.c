/* SPDX-License-Identifier: BSD-3-Clause */
#include "link_table.h"

#include <stdlib.h>

void link_table_make(link_table *t, int target, int source)
{
    size_t links = (size_t)target * CELL_LINKS;
    *t = (link_table){target, source, malloc(sizeof(int) * links), malloc(sizeof(double) * links)};
    for (int i = 0; i < target && t->col && t->coef; i++)
        for (int k = 0; k < CELL_LINKS; k++) {
            t->col[i * CELL_LINKS + k] = (int)((int64_t)i * source / target + (k % 2) + (k / 2) * 300) % source;
            t->coef[i * CELL_LINKS + k] = 0.1 * (k + 1);
        }
}

void link_table_apply(const link_table *t, int layers, const double *from, double *to)
{
    for (int layer = 0; layer < layers; layer++, from += t->source, to += t->target)
        for (int i = 0; i < t->target; i++) {
            double sum = 0;
            for (int k = 0; k < CELL_LINKS; k++)
                sum += t->coef[i * CELL_LINKS + k] * from[t->col[i * CELL_LINKS + k]];
            to[i] = sum;
        }
}
