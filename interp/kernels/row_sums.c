/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/kernels/row_sums.h"

const h3ou__row_kernels *h3ou__row_kernels_here(bool is_single, int together)
{
#ifdef __x86_64__
    if ((together == 0 || together >= 8) && __builtin_cpu_supports("avx512f"))
        return is_single ? &h3ou__row_kernels_avx512_single : &h3ou__row_kernels_avx512;
    if ((together == 0 || together >= 4) && __builtin_cpu_supports("avx2"))
        return is_single ? &h3ou__row_kernels_avx2_single : &h3ou__row_kernels_avx2;
#endif
    (void)together;
    return is_single ? &h3ou__row_kernels_plain_single : &h3ou__row_kernels_plain;
}
