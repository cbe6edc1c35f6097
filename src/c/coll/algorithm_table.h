/* SPDX-License-Identifier: BSD-3-Clause */
/* All algorithms. */
#ifndef H3OU_COLL_ALGORITHM_TABLE_H
#define H3OU_COLL_ALGORITHM_TABLE_H

#include "coll/schedule/algorithm.h"

#pragma GCC visibility push(default)
/* Ends with NULL. Of each operation the default comes first, and later the first one of each stricter order. */
extern const h3ou__algorithm *const h3ou__algorithm_table[];
#pragma GCC visibility pop

#endif
