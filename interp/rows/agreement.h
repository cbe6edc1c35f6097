/* SPDX-License-Identifier: BSD-3-Clause */
/* How processes that hold parts of one grid come to the same numbers about the whole grid. */
#ifndef H3OU_INTERP_ROWS_AGREEMENT_H
#define H3OU_INTERP_ROWS_AGREEMENT_H

#include <stdint.h>

#include "base/error.h"

/* Where NULL stands for an agreement, one process holds the whole grid. */
typedef struct h3ou__agreement {
    void *user;
    /* Collective: each of the n values becomes the least that a process has given. */
    int (*least)(void *user, double value[], int64_t n);
} h3ou__agreement;

static inline int h3ou__agree_on_least(const h3ou__agreement *a, double value[], int64_t n)
{
    return a ? a->least(a->user, value, n) : H3OU__OK;
}

#endif
