/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency and bandwidth of a way to send messages: of the line, time = latency + bytes / bandwidth, that has the least squares of
 * relative errors. */
#ifndef H3OU_TOOL_ROUTE_FIT_H
#define H3OU_TOOL_ROUTE_FIT_H

#include "tools/pingpong/pingpong_table.h"

typedef struct route_fit {
    double latency, bandwidth; /* us, MB/s (10^6) */
    double worst;              /* the largest relative error of the line */
} route_fit;

/* H3OU__EARG with fewer than two sizes. */
int route_fit_series(const pingpong_series *s, const pingpong_plan *plan, route_fit *out);
/* The fit itself: n sizes in bytes, and their times in us. */
int route_fit_points(const double bytes[], const double us[], int n, route_fit *out);

#endif
