/* SPDX-License-Identifier: BSD-3-Clause */
#include "weight_table.h"

#include <stdlib.h>

void weight_table_make(weight_table *t, int target, int source)
{
    size_t links = (size_t)target * WEIGHT_LINKS;
    *t = (weight_table){target, source, malloc(sizeof(int) * links), malloc(sizeof(double) * links)};
    for (int i = 0; i < target && t->col && t->coef; i++)
        for (int k = 0; k < WEIGHT_LINKS; k++) {
            t->col[i * WEIGHT_LINKS + k] = (int)((int64_t)i * source / target + (k % 2) + (k / 2) * 300) % source;
            t->coef[i * WEIGHT_LINKS + k] = 0.1 * (k + 1);
        }
}

void weight_table_apply(const weight_table *t, int layers, const double *from, double *to)
{
    for (int layer = 0; layer < layers; layer++, from += t->source, to += t->target)
        for (int i = 0; i < t->target; i++) {
            double sum = 0;
            for (int k = 0; k < WEIGHT_LINKS; k++)
                sum += t->coef[i * WEIGHT_LINKS + k] * from[t->col[i * WEIGHT_LINKS + k]];
            to[i] = sum;
        }
}
