/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_OS_OS_CLOCK_H
#define H3OU_OS_OS_CLOCK_H

#pragma GCC visibility push(default)
/* Returns the seconds of a monotonic clock; only differences have a meaning. */
double h3ou__now(void);
void h3ou__sleep(double seconds);
#pragma GCC visibility pop

#endif
