/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At log level LOUD: logging the least, mean and largest value of every exchanged field, and how many are missing, over
 * all processes of the component. Each process keeps the ranges of its part (value_range.h); once a step, in
 * h3ou_set_time, they are reduced to rank 0, which logs them. At other levels no ranges are kept and nothing is sent.
 */
#ifndef H3OU_COUPLER_MONITOR_H
#define H3OU_COUPLER_MONITOR_H

#include "coupler/coupler.h"

/* Allocates the ranges when the log level of rank 0 is LOUD; the other processes follow rank 0 even if their own level
 * differs. Collective over the component, when its fields are complete. */
int h3ou__monitor_begin(h3ou__coupler *c);
/* Logs the ranges of the values since the last call. Collective over the component. */
int h3ou__monitor_log(h3ou__coupler *c);

#endif
