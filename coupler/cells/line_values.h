/* SPDX-License-Identifier: BSD-3-Clause */
/* The doubles of one line of a cache, as vectors that each machine's functions take apart as they can. */
#ifndef H3OU_COUPLER_CELLS_LINE_VALUES_H
#define H3OU_COUPLER_CELLS_LINE_VALUES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* A function of which each constant argument is known where it is inlined. */
#define INLINED static inline __attribute__((always_inline))

enum { LINE = 64, LINE_VALUES = LINE / sizeof(double) };

typedef double line_values __attribute__((vector_size(LINE)));

/* The sign bit of a double, and what lies below the least NaN: added to a value without sign, it reaches the sign bit
 * only for a NaN. */
#define SIGN      (UINT64_C(1) << 63)
#define BELOW_NAN ((UINT64_C(1) << 52) - 1)

/* The bits of values as numbers whose highest bit is set for a NaN. */
#define nan_marks_of(bits) (((bits) & ~SIGN) + BELOW_NAN)

/* Fetches as many values as are read now from behind them: a processor reads ahead only within a page. */
INLINED void fetch_next(const double *from, int64_t n)
{
    for (int64_t i = 0; i < n; i += LINE_VALUES)
        __builtin_prefetch(from + n + i);
}

/* Stores a line; past the caches it begins where a line of memory does. */
INLINED void store_line(const line_values *some, bool is_past, double *to)
{
#ifdef __SSE2__
    for (int k = 0; k < LINE_VALUES && is_past; k += 2) {
        __m128i piece;
        memcpy(&piece, (const double *)some + k, sizeof piece);
        _mm_stream_si128((__m128i *)(void *)(to + k), piece);
    }
    if (is_past)
        return;
#else
    (void)is_past;
#endif
    memcpy(to, some, sizeof *some);
}

/* What is written after this is seen after the lines that were stored past the caches. */
INLINED void end_lines(bool is_past)
{
#ifdef __SSE2__
    if (is_past)
        _mm_sfence();
#else
    (void)is_past;
#endif
}

#endif
