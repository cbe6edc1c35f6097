/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of rows for any machine: SSE2, NEON. */
#define SOURCE double
#define WIDTH 2
#define TARGET
#define KERNELS h3ou__row_kernels_plain
#include "interp/kernels/row_kernels.h"
