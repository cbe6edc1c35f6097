/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of rows of float sources for any machine: SSE2, NEON. */
#define SOURCE float
#define WIDTH 2
#define TARGET
#define KERNELS h3ou__row_kernels_plain_single
#include "interp/kernels/row_kernels.h"
