/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_TOOL_HARNESS_MEDIAN_H
#define H3OU_TOOL_HARNESS_MEDIAN_H

/* Sorts the values and returns their median; 0 for none. */
double median_of(double value[], long n);

#endif
