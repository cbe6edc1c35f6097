/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of rows for AVX2. */
#ifdef __x86_64__
#define SOURCE  double
#define WIDTH   4
#define TARGET  __attribute__((target("avx2")))
#define KERNELS h3ou__row_kernels_avx2
#include "interp/kernels/row_kernels.h"
#else
typedef int nothing_here; /* a source file declares something */
#endif
