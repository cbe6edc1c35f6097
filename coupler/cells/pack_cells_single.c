/* SPDX-License-Identifier: BSD-3-Clause */
#define VALUE    float
#define BITS     uint32_t
#define MARK(bits) (((bits) & ~(UINT32_C(1) << 31)) + (UINT32_C(1) << 23) - 1)
#define IN_16_BYTES 4
#define COPY     h3ou__copy_singles
#define ROWS     h3ou__pack_single_rows
#define TOGETHER h3ou__pack_single_together
#include "coupler/cells/pack_cells_inside.h"
