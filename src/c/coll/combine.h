/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_COLL_COMBINE_H
#define H3OU_COLL_COMBINE_H

#include <stdint.h>

#include "base/types.h"

#pragma GCC visibility push(default)
/* Sets to[i] = to[i] op from[i]. Elements of type H3OU__BYTE are left unchanged. */
void h3ou__combine(void *to, const void *from, int64_t count, int type, int op);
#pragma GCC visibility pop

#endif
