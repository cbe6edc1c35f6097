/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/turn_vectors.h"

#include <stdlib.h>

#include "base/vector_clones.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/taken_bits.h"

bool h3ou__axes_create(int64_t count, bool point_east, h3ou__axes *out)
{
    *out = (h3ou__axes){malloc(sizeof *out->of * (size_t)((point_east ? 4 : 6) * count + 1)), count, point_east};
    return out->of;
}

void h3ou__axes_set(h3ou__axes *a, int64_t i, const h3ou__vector_frame *frame)
{
    double *of = a->of + i;
    if (a->point_east) {
        const double some[4] = {frame->first[0], frame->first[1], frame->sine, frame->second[2]};
        for (int k = 0; k < 4; k++)
            of[k * a->count] = some[k];
        return;
    }
    for (int k = 0; k < 3; k++) {
        of[k * a->count] = frame->first[k];
        of[(3 + k) * a->count] = frame->second[k];
    }
}

void h3ou__axes_free(h3ou__axes *a)
{
    free(a->of);
    a->of = NULL;
}

/* Returns the unit vectors of a cell, whose numbers are of[0], of[count], of[2 * count] and so on. point_east is a
 * constant where this is inlined. */
INLINED h3ou__vector_frame load_frame(const double *of, int64_t count, bool point_east)
{
    h3ou__vector_frame f = {.first = {of[0], of[count], 0.0}};
    if (point_east) {
        double sine = of[2 * count];
        f.second[0] = -(sine * f.first[1]);
        f.second[1] = sine * f.first[0];
        f.second[2] = of[3 * count];
        return f;
    }
    f.first[2] = of[2 * count];
    for (int k = 0; k < 3; k++)
        f.second[k] = of[(3 + k) * count];
    return f;
}

/* Does what h3ou__vectors_raise says for n cells; `of` is the first number of the first one. point_east is a constant
 * where this is inlined. */
INLINED bool raise_all(const double *restrict of, int64_t count, bool point_east, int64_t n, const double *restrict u,
                       const double *restrict v, int64_t stride, double *restrict x)
{
    double *restrict y = x + stride, *restrict z = x + 2 * stride;
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        h3ou__vector_frame f = load_frame(of + i, count, point_east);
        x[i] = u[i] * f.first[0] + v[i] * f.second[0];
        y[i] = u[i] * f.first[1] + v[i] * f.second[1];
        z[i] = u[i] * f.first[2] + v[i] * f.second[2];
        any |= h3ou__nan_mark_of(h3ou__bits_of(x + i)) | h3ou__nan_mark_of(h3ou__bits_of(y + i)) |
               h3ou__nan_mark_of(h3ou__bits_of(z + i));
    }
    return any >> 63;
}

/* The same of h3ou__vectors_lower. */
INLINED void lower_all(const double *restrict of, int64_t count, bool point_east, int64_t n, const double *restrict x,
                       int64_t stride, double *restrict u, double *restrict v)
{
    const double *restrict y = x + stride, *restrict z = x + 2 * stride;
    for (int64_t i = 0; i < n; i++) {
        h3ou__vector_frame f = load_frame(of + i, count, point_east);
        u[i] = f.first[0] * x[i] + f.first[1] * y[i] + f.first[2] * z[i];
        v[i] = f.second[0] * x[i] + f.second[1] * y[i] + f.second[2] * z[i];
    }
}

CLONES bool h3ou__vectors_raise(const h3ou__axes *a, int64_t first, int64_t n, const double *restrict u,
                                const double *restrict v, int64_t stride, double *restrict x)
{
    fetch_next(u, n);
    fetch_next(v, n);
    return a->point_east ? raise_all(a->of + first, a->count, true, n, u, v, stride, x)
                         : raise_all(a->of + first, a->count, false, n, u, v, stride, x);
}

CLONES void h3ou__vectors_lower(const h3ou__axes *a, int64_t first, int64_t n, const double *restrict x, int64_t stride,
                                double *restrict u, double *restrict v)
{
    if (a->point_east)
        lower_all(a->of + first, a->count, true, n, x, stride, u, v);
    else
        lower_all(a->of + first, a->count, false, n, x, stride, u, v);
}
