/* SPDX-License-Identifier: BSD-3-Clause */
/* The type of a message's elements, and the operations of reductions. */
#ifndef H3OU_BASE_TYPES_H
#define H3OU_BASE_TYPES_H

enum h3ou__type { /* (byte order between unlike machines is left to the callers that know the type) */
                  H3OU__BYTE,
                  H3OU__INT32,
                  H3OU__INT64,
                  H3OU__FLOAT,
                  H3OU__DOUBLE,
                  H3OU__TYPES
};
enum h3ou__op { H3OU__SUM, H3OU__MIN, H3OU__MAX, H3OU__OPS };

#pragma GCC visibility push(default)
/* Returns the size in bytes of an element of a type. */
int h3ou__type_size(int type);
#pragma GCC visibility pop

#endif
