/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/operation.h"

#include <complex.h>

#include "base/error.h"

/* Sets to[i] to `value`, which names x (to[i]) and y (from[i]). */
#define EACH(type, value)                                                                                              \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
        type x = to[i], y = from[i];                                                                                   \
        to[i] = (type)(value);                                                                                         \
    }                                                                                                                  \
    break

/* Integers are added and multiplied without a sign, so that an overflow wraps around. */
#define INTEGERS(name, type)                                                                                           \
    static void combine_##name(WAITIO_MPI_Op op, type *to, const type *from, int64_t n)                                \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case WAITIO_MPI_SUM:                                                                                           \
            EACH(type, (uint64_t)x + (uint64_t)y);                                                                     \
        case WAITIO_MPI_PROD:                                                                                          \
            EACH(type, (uint64_t)x *(uint64_t)y);                                                                      \
        case WAITIO_MPI_MAX:                                                                                           \
            EACH(type, x < y ? y : x);                                                                                 \
        case WAITIO_MPI_MIN:                                                                                           \
            EACH(type, y < x ? y : x);                                                                                 \
        case WAITIO_MPI_LAND:                                                                                          \
            EACH(type, x &&y);                                                                                         \
        case WAITIO_MPI_LOR:                                                                                           \
            EACH(type, x || y);                                                                                        \
        case WAITIO_MPI_LXOR:                                                                                          \
            EACH(type, !x != !y);                                                                                      \
        case WAITIO_MPI_BAND:                                                                                          \
            EACH(type, x &y);                                                                                          \
        case WAITIO_MPI_BOR:                                                                                           \
            EACH(type, x | y);                                                                                         \
        case WAITIO_MPI_BXOR:                                                                                          \
            EACH(type, x ^ y);                                                                                         \
        default:                                                                                                       \
            break;                                                                                                     \
        }                                                                                                              \
    }

#define REALS(name, type)                                                                                              \
    static void combine_##name(WAITIO_MPI_Op op, type *to, const type *from, int64_t n)                                \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case WAITIO_MPI_SUM:                                                                                           \
            EACH(type, x + y);                                                                                         \
        case WAITIO_MPI_PROD:                                                                                          \
            EACH(type, x *y);                                                                                          \
        case WAITIO_MPI_MAX:                                                                                           \
            EACH(type, x < y ? y : x);                                                                                 \
        case WAITIO_MPI_MIN:                                                                                           \
            EACH(type, y < x ? y : x);                                                                                 \
        default:                                                                                                       \
            break;                                                                                                     \
        }                                                                                                              \
    }

#define COMPLEX(name, type)                                                                                            \
    static void combine_##name(WAITIO_MPI_Op op, type *to, const type *from, int64_t n)                                \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case WAITIO_MPI_SUM:                                                                                           \
            EACH(type, x + y);                                                                                         \
        case WAITIO_MPI_PROD:                                                                                          \
            EACH(type, x *y);                                                                                          \
        default:                                                                                                       \
            break;                                                                                                     \
        }                                                                                                              \
    }

INTEGERS(int8, int8_t)
INTEGERS(uint8, uint8_t)
INTEGERS(int16, int16_t)
INTEGERS(uint16, uint16_t)
INTEGERS(int32, int32_t)
INTEGERS(uint32, uint32_t)
INTEGERS(int64, int64_t)
INTEGERS(uint64, uint64_t)
REALS(float, float)
REALS(double, double)
COMPLEX(float_complex, float complex)
COMPLEX(double_complex, double complex)

void waitio__operation_combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left)
{
    (void)is_left; /* all operations are commutative */
    switch ((enum waitio__element)data->type) {
    case WAITIO__INT8:
        combine_int8(data->op, to, from, n);
        break;
    case WAITIO__RAW:
    case WAITIO__UINT8:
        combine_uint8(data->op, to, from, n);
        break;
    case WAITIO__INT16:
        combine_int16(data->op, to, from, n);
        break;
    case WAITIO__UINT16:
        combine_uint16(data->op, to, from, n);
        break;
    case WAITIO__TRUTH:
    case WAITIO__INT32:
        combine_int32(data->op, to, from, n);
        break;
    case WAITIO__UINT32:
        combine_uint32(data->op, to, from, n);
        break;
    case WAITIO__INT64:
        combine_int64(data->op, to, from, n);
        break;
    case WAITIO__UINT64:
        combine_uint64(data->op, to, from, n);
        break;
    case WAITIO__FLOAT:
        combine_float(data->op, to, from, n);
        break;
    case WAITIO__DOUBLE:
        combine_double(data->op, to, from, n);
        break;
    case WAITIO__FLOAT_COMPLEX:
        combine_float_complex(data->op, to, from, n);
        break;
    case WAITIO__DOUBLE_COMPLEX:
        combine_double_complex(data->op, to, from, n);
        break;
    case WAITIO__LETTER:
    case WAITIO__ELEMENTS:
        break;
    }
}

enum { ADDING = 1, ORDERING = 2, LOGICAL = 4, BITWISE = 8 };

static int class_of(WAITIO_MPI_Op op)
{
    switch (op) {
    case WAITIO_MPI_SUM:
    case WAITIO_MPI_PROD:
        return ADDING;
    case WAITIO_MPI_MAX:
    case WAITIO_MPI_MIN:
        return ORDERING;
    case WAITIO_MPI_LAND:
    case WAITIO_MPI_LOR:
    case WAITIO_MPI_LXOR:
        return LOGICAL;
    case WAITIO_MPI_BAND:
    case WAITIO_MPI_BOR:
    case WAITIO_MPI_BXOR:
        return BITWISE;
    default:
        return 0;
    }
}

int waitio__operation_check(const char *call, WAITIO_MPI_Op op, int element)
{
    int allowed = ADDING | ORDERING | LOGICAL | BITWISE, class = class_of(op);
    const char *what = "integers";
    if (element == WAITIO__LETTER) {
        allowed = 0;
        what = "characters";
    } else if (element == WAITIO__RAW) {
        allowed = BITWISE;
        what = "bytes";
    } else if (element == WAITIO__TRUTH) {
        allowed = LOGICAL;
        what = "logical values";
    } else if (element == WAITIO__FLOAT || element == WAITIO__DOUBLE) {
        allowed = ADDING | ORDERING;
        what = "real numbers";
    } else if (element == WAITIO__FLOAT_COMPLEX || element == WAITIO__DOUBLE_COMPLEX) {
        allowed = ADDING;
        what = "complex numbers";
    }
    if (!class)
        return h3ou__fail(H3OU__EARG, "%s: the operation %d is none of waitio_mpi.h", call, op);
    if (!(allowed & class))
        return h3ou__fail(
            H3OU__EARG,
            "%s: %s have no such operation (%d): sum and product are for numbers, maximum and minimum for integers and "
            "real numbers, logical ones for integers and logical values, bitwise ones for integers and bytes",
            call, what, op);
    return H3OU__OK;
}
