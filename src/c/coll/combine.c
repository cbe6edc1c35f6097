/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/combine.h"

#define COMBINE(T)                                                                                                     \
    do {                                                                                                               \
        T *x = to;                                                                                                     \
        const T *y = from;                                                                                             \
        for (int64_t i = 0; i < count; i++)                                                                            \
            x[i] = op == H3OU__SUM   ? (T)(x[i] + y[i])                                                                \
                   : op == H3OU__MIN ? (y[i] < x[i] ? y[i] : x[i])                                                     \
                                     : (y[i] > x[i] ? y[i] : x[i]);                                                    \
    } while (0)

void h3ou__combine(void *to, const void *from, int64_t count, int type, int op)
{
    switch (type) {
    case H3OU__INT32:
        COMBINE(int32_t);
        break;
    case H3OU__INT64:
        COMBINE(int64_t);
        break;
    case H3OU__FLOAT:
        COMBINE(float);
        break;
    case H3OU__DOUBLE:
        COMBINE(double);
        break;
    }
}
