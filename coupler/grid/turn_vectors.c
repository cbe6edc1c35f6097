/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/turn_vectors.h"

#include <stdlib.h>

#include "coupler/cells/line_values.h"
#include "coupler/cells/taken_bits.h"
#include "coupler/cells/vector_clones.h"

bool h3ou__axes_create(int64_t count, h3ou__axes *out)
{
    *out = (h3ou__axes){malloc(sizeof *out->of * (size_t)(6 * count + 1)), count};
    return out->of;
}

void h3ou__axes_set(h3ou__axes *a, int64_t i, const h3ou__vector_frame *frame)
{
    for (int k = 0; k < 3; k++) {
        a->of[k * a->count + i] = frame->first[k];
        a->of[(3 + k) * a->count + i] = frame->second[k];
    }
}

void h3ou__axes_free(h3ou__axes *a)
{
    free(a->of);
    a->of = NULL;
}

CLONES bool h3ou__vectors_raise(const h3ou__axes *a, int64_t first, int64_t n, const double *restrict u,
                                const double *restrict v, int64_t stride, double *restrict x)
{
    const double *restrict e = a->of + first, *restrict f = e + 3 * a->count;
    double *restrict y = x + stride, *restrict z = x + 2 * stride;
    int64_t count = a->count;
    uint64_t any = 0;
    fetch_next(u, n);
    fetch_next(v, n);
    for (int64_t i = 0; i < n; i++) {
        x[i] = u[i] * e[i] + v[i] * f[i];
        y[i] = u[i] * e[count + i] + v[i] * f[count + i];
        z[i] = u[i] * e[2 * count + i] + v[i] * f[2 * count + i];
        any |= h3ou__nan_mark_of(h3ou__bits_of(x + i)) | h3ou__nan_mark_of(h3ou__bits_of(y + i)) |
               h3ou__nan_mark_of(h3ou__bits_of(z + i));
    }
    return any >> 63;
}

CLONES void h3ou__vectors_lower(const h3ou__axes *a, int64_t first, int64_t n, const double *restrict x, int64_t stride,
                                double *restrict u, double *restrict v)
{
    const double *restrict e = a->of + first, *restrict f = e + 3 * a->count;
    const double *restrict y = x + stride, *restrict z = x + 2 * stride;
    int64_t count = a->count;
    for (int64_t i = 0; i < n; i++) {
        u[i] = e[i] * x[i] + e[count + i] * y[i] + e[2 * count + i] * z[i];
        v[i] = f[i] * x[i] + f[count + i] * y[i] + f[2 * count + i] * z[i];
    }
}
