/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of rows of float sources for AVX2. */
#ifdef __x86_64__
#define SOURCE  float
#define WIDTH   4
#define TARGET  __attribute__((target("avx2")))
#define KERNELS h3ou__row_kernels_avx2_single
#include "interp/kernels/row_kernels.h"
#else
typedef int nothing_here; /* a source file declares something */
#endif
