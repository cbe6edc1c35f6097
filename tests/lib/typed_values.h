/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of elements of the types that communicators and calls know (enum h3ou_type), by number. */
#ifndef TESTS_TYPED_VALUES_H
#define TESTS_TYPED_VALUES_H

#include <stdint.h>

#include "h3ou.h"

static inline void set_value(void *buf, int type, int64_t i, double v)
{
    if (type == H3OU_TYPE_BYTE)
        ((unsigned char *)buf)[i] = (unsigned char)v;
    else if (type == H3OU_TYPE_INT32)
        ((int32_t *)buf)[i] = (int32_t)v;
    else if (type == H3OU_TYPE_INT64)
        ((int64_t *)buf)[i] = (int64_t)v;
    else if (type == H3OU_TYPE_FLOAT)
        ((float *)buf)[i] = (float)v;
    else
        ((double *)buf)[i] = v;
}

static inline double get_value(const void *buf, int type, int64_t i)
{
    switch (type) {
    case H3OU_TYPE_BYTE:
        return ((const unsigned char *)buf)[i];
    case H3OU_TYPE_INT32:
        return ((const int32_t *)buf)[i];
    case H3OU_TYPE_INT64:
        return (double)((const int64_t *)buf)[i];
    case H3OU_TYPE_FLOAT:
        return ((const float *)buf)[i];
    }
    return ((const double *)buf)[i];
}

#endif
