/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/exact_sum.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 32, LEAST = -1074 }; /* bits of a limb; the exponent of the first one's unit */

static const int64_t BASE = INT64_C(1) << WIDTH;

void h3ou__exact_sum_add(h3ou__exact_sum *s, double value)
{
    uint64_t bits, digits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    digits = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent > 0)
        digits |= UINT64_C(1) << 52;
    int above = exponent > 0 ? exponent - 1 : 0, shift = above % WIDTH; /* value = digits * 2^(above + LEAST) */
    int64_t *limb = s->limb + above / WIDTH, sign = bits >> 63 ? -1 : 1;
    uint64_t low = (digits & 0xffffffffU) << shift, high = (digits >> WIDTH) << shift;
    limb[0] += sign * (int64_t)(low & 0xffffffffU);
    high += low >> WIDTH;
    limb[1] += sign * (int64_t)(high & 0xffffffffU);
    limb[2] += sign * (int64_t)(high >> WIDTH);
}

void h3ou__exact_sum_carry(h3ou__exact_sum *s)
{
    for (int k = 0; k < H3OU__EXACT_LIMBS - 1; k++) {
        int64_t rest = s->limb[k] % BASE;
        rest += rest < 0 ? BASE : 0;
        s->limb[k + 1] += (s->limb[k] - rest) / BASE;
        s->limb[k] = rest;
    }
}

double h3ou__exact_sum_round(const h3ou__exact_sum *s)
{
    h3ou__exact_sum size = *s;
    h3ou__exact_sum_carry(&size);
    double sign = 1.0;
    if (size.limb[H3OU__EXACT_LIMBS - 1] < 0) {
        sign = -1.0;
        for (int k = 0; k < H3OU__EXACT_LIMBS; k++)
            size.limb[k] = -size.limb[k];
        h3ou__exact_sum_carry(&size);
    }
    int top = H3OU__EXACT_LIMBS - 1;
    while (top > 2 && size.limb[top] == 0)
        top--;
    double lower = ldexp((double)size.limb[top - 1], WIDTH) + (double)size.limb[top - 2];
    return sign * ldexp(ldexp((double)size.limb[top], 2 * WIDTH) + lower, WIDTH * (top - 2) + LEAST);
}
