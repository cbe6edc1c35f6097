/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the coupler's parts include. */
#ifndef TESTS_COUPLER_UNITS_H
#define TESTS_COUPLER_UNITS_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static inline uint32_t bits_of_single(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define says(words) assert_non_null(strstr(h3ou__fail_text(), words))

#endif
