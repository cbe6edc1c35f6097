/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/time/rational.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

__extension__ typedef __int128 wide;

static wide common_divisor(wide a, wide b)
{
    while (b != 0) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Returns num / den in lowest terms. */
static h3ou__rational reduce(wide num, wide den)
{
    wide divisor = common_divisor(num, den);
    num /= divisor;
    den /= divisor;
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX)
        return H3OU__NEVER;
    return (h3ou__rational){(int64_t)num, (int64_t)den};
}

h3ou__rational h3ou__rational_make(int64_t num, int64_t den)
{
    return reduce(num, den);
}

int h3ou__rational_compare_wide(h3ou__rational a, h3ou__rational b)
{
    wide left = (wide)a.num * b.den, right = (wide)b.num * a.den;
    return (left > right) - (left < right);
}

/* Both products are below 2^126 in size, and so is the sum below 2^127. */
h3ou__rational h3ou__rational_add_wide(h3ou__rational a, h3ou__rational b)
{
    if (a.den == 0 || b.den == 0)
        return H3OU__NEVER;
    return reduce((wide)a.num * b.den + (wide)b.num * a.den, (wide)a.den * b.den);
}

h3ou__rational h3ou__rational_subtract(h3ou__rational a, h3ou__rational b)
{
    return h3ou__rational_add(a, (h3ou__rational){-b.num, b.den});
}

h3ou__rational h3ou__rational_times(h3ou__rational a, int64_t k)
{
    int64_t product;
    if (a.den == 1 && !__builtin_mul_overflow(a.num, k, &product) && product > INT64_MIN)
        return h3ou__whole(product);
    return a.den == 0 ? H3OU__NEVER : reduce((wide)a.num * k, a.den);
}

int64_t h3ou__rational_divide(h3ou__rational a, h3ou__rational b)
{
    if (h3ou__rational_are_whole(a, b))
        return a.num / b.num - (a.num % b.num < 0);
    wide above = (wide)a.num * b.den, below = (wide)a.den * b.num, quotient = above / below;
    return (int64_t)(quotient - (above % below < 0));
}

bool h3ou__rational_is_multiple(h3ou__rational a, h3ou__rational b)
{
    if (h3ou__rational_are_whole(a, b))
        return a.num % b.num == 0;
    return a.den != 0 && ((wide)a.num * b.den) % ((wide)a.den * b.num) == 0;
}

double h3ou__rational_real(h3ou__rational a)
{
    return a.den == 0 ? INFINITY : (double)a.num / (double)a.den;
}

h3ou__rational h3ou__rational_nearest(double x)
{
    enum { LARGEST_DENOMINATOR = 1000000, BILLION = 1000000000 };
    const double error = fabs(x) * 0x1p-51;
    if (!isfinite(x) || fabs(x) > 9e18)
        return H3OU__NEVER;
    /* Convergents of the continued fraction: num[1] / den[1] after num[0] / den[0]. */
    int64_t num[2] = {0, 1}, den[2] = {1, 0};
    for (double rest = x; fabs(rest) < 9e18;) {
        double whole = floor(rest), next_num = whole * (double)num[1] + (double)num[0];
        double next_den = whole * (double)den[1] + (double)den[0];
        if (next_den > LARGEST_DENOMINATOR || fabs(next_num) > 9e18)
            break;
        num[0] = num[1], den[0] = den[1];
        num[1] = (int64_t)next_num, den[1] = (int64_t)next_den;
        if (fabs(x - (double)num[1] / (double)den[1]) <= error || rest == whole)
            return h3ou__rational_make(num[1], den[1]);
        rest = 1.0 / (rest - whole);
    }
    return fabs(x) > 9e9 ? H3OU__NEVER : h3ou__rational_make((int64_t)nearbyint(x * BILLION), BILLION);
}

char *h3ou__rational_text(h3ou__rational a, char text[H3OU__RATIONAL_TEXT])
{
    if (a.den == 1)
        snprintf(text, H3OU__RATIONAL_TEXT, "%" PRId64, a.num);
    else
        snprintf(text, H3OU__RATIONAL_TEXT, "%" PRId64 "/%" PRId64, a.num, a.den);
    return text;
}
