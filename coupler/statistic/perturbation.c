/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/statistic/perturbation.h"

#include <math.h>

/* Multiplies 64 bits by 64: returns the upper half of the product, and sets *low. */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

void h3ou__philox(const uint64_t key[2], uint64_t counter[4])
{
    enum { ROUNDS = 10 };
    uint64_t k0 = key[0], k1 = key[1];
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t low0, low1;
        uint64_t high0 = multiply(UINT64_C(0xD2E7470EE14C6C93), counter[0], &low0);
        uint64_t high1 = multiply(UINT64_C(0xCA5A826395121157), counter[2], &low1);
        counter[0] = high1 ^ counter[1] ^ k0;
        counter[1] = low1;
        counter[2] = high0 ^ counter[3] ^ k1;
        counter[3] = low0;
        k0 += UINT64_C(0x9E3779B97F4A7C15);
        k1 += UINT64_C(0xBB67AE8584CAA73B);
    }
}

uint64_t h3ou__perturbation_key(const char *field)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *field; field++)
        hash = (hash ^ (unsigned char)*field) * UINT64_C(0x100000001b3);
    return hash;
}

double h3ou__perturbation(const uint64_t key[2], int64_t cell, int64_t row, int64_t member, int64_t time)
{
    static const double pi = 3.14159265358979323846, part = 0x1p-53;
    uint64_t word[4] = {(uint64_t)cell, (uint64_t)row, (uint64_t)member, (uint64_t)time};
    h3ou__philox(key, word);
    double u = (double)((word[0] >> 11) + 1) * part, v = (double)(word[1] >> 11) * part;
    return sqrt(-2.0 * log(u)) * cos(2.0 * pi * v);
}
