/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/row_sums.h"

#include <math.h>

const h3ou__row_kernels *h3ou__row_kernels_here(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return &h3ou__row_kernels_avx512;
    if (__builtin_cpu_supports("avx2"))
        return &h3ou__row_kernels_avx2;
#endif
    return &h3ou__row_kernels_plain;
}

double h3ou__counted_mean(const h3ou__rows *p, const h3ou__row_weights *w, int64_t r, const double *from,
                          int64_t stride)
{
    double sum = 0.0, counted = 0.0;
    int64_t first = p->start ? p->start[r] : r * p->links, last = p->start ? p->start[r + 1] : first + p->links;
    for (int64_t i = first; i < last; i++) {
        double v = from[p->col[i] * stride];
        if (!isnan(v)) {
            sum += p->coef[i] * v;
            counted += p->coef[i];
        }
    }
    if (counted == w->whole[r]) /* all count: the same bits as without NaN */
        return p->factor * sum;
    return fabs(counted) <= 1e-12 * w->weight[r] ? w->missing : p->factor * (sum / counted * w->whole[r]);
}
