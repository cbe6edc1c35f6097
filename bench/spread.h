/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_BENCH_SPREAD_H
#define H3OU_BENCH_SPREAD_H

/* Sorts n values and prints " median least most", each times scale. */
void spread_print(double *value, int n, double scale);
double seconds_now(void);

#endif
