/* SPDX-License-Identifier: BSD-3-Clause */
/* Four doubles, or floats, as a vector, and four of these transposed: inlined into functions that are compiled for
 * several machines, which take the vectors apart as they can. */
#ifndef H3OU_BASE_FOUR_VALUES_H
#define H3OU_BASE_FOUR_VALUES_H

#include <stdint.h>

typedef double h3ou__four __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t h3ou__four_mask __attribute__((vector_size(4 * sizeof(double))));
typedef float h3ou__four_floats __attribute__((vector_size(4 * sizeof(float))));
typedef int32_t h3ou__four_places __attribute__((vector_size(4 * sizeof(float))));

/* Four lanes of two vectors a and b: lanes 0 to 3 are those of a, lanes 4 to 7 those of b. */
#ifdef __clang__
#define H3OU__SHUFFLE(a, b, ...)        __builtin_shufflevector(a, b, __VA_ARGS__)
#define H3OU__SHUFFLE_FLOATS(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define H3OU__SHUFFLE(a, b, ...)        __builtin_shuffle(a, b, (h3ou__four_mask){__VA_ARGS__})
#define H3OU__SHUFFLE_FLOATS(a, b, ...) __builtin_shuffle(a, b, (h3ou__four_places){__VA_ARGS__})
#endif

/* Transposes four rows of four values. */
static inline __attribute__((always_inline)) void h3ou__transpose_four(h3ou__four x[4])
{
    h3ou__four ab = H3OU__SHUFFLE(x[0], x[1], 0, 4, 2, 6), ba = H3OU__SHUFFLE(x[0], x[1], 1, 5, 3, 7);
    h3ou__four cd = H3OU__SHUFFLE(x[2], x[3], 0, 4, 2, 6), dc = H3OU__SHUFFLE(x[2], x[3], 1, 5, 3, 7);
    x[0] = H3OU__SHUFFLE(ab, cd, 0, 1, 4, 5);
    x[1] = H3OU__SHUFFLE(ba, dc, 0, 1, 4, 5);
    x[2] = H3OU__SHUFFLE(ab, cd, 2, 3, 6, 7);
    x[3] = H3OU__SHUFFLE(ba, dc, 2, 3, 6, 7);
}

static inline __attribute__((always_inline)) void h3ou__transpose_four_floats(h3ou__four_floats x[4])
{
    h3ou__four_floats ab = H3OU__SHUFFLE_FLOATS(x[0], x[1], 0, 4, 1, 5),
                      ba = H3OU__SHUFFLE_FLOATS(x[0], x[1], 2, 6, 3, 7);
    h3ou__four_floats cd = H3OU__SHUFFLE_FLOATS(x[2], x[3], 0, 4, 1, 5),
                      dc = H3OU__SHUFFLE_FLOATS(x[2], x[3], 2, 6, 3, 7);
    x[0] = H3OU__SHUFFLE_FLOATS(ab, cd, 0, 1, 4, 5);
    x[1] = H3OU__SHUFFLE_FLOATS(ab, cd, 2, 3, 6, 7);
    x[2] = H3OU__SHUFFLE_FLOATS(ba, dc, 0, 1, 4, 5);
    x[3] = H3OU__SHUFFLE_FLOATS(ba, dc, 2, 3, 6, 7);
}

#endif
