/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At log level LOUD: an observer that logs the least, mean and largest value of every exchanged field, and how many are missing,
 * over all processes of the component. Each process keeps the ranges of its part (value_range.h); once a step, in h3ou_set_time,
 * they are reduced to rank 0, which logs them. At other levels nothing is observed.
 */
#ifndef H3OU_COUPLER_MONITOR_VALUE_RANGES_H
#define H3OU_COUPLER_MONITOR_VALUE_RANGES_H

#include "coupler/exchange/observer.h"

/* Adds the observer when the log level of rank 0 is LOUD; the other processes follow rank 0 even if their own level differs.
 * component: mine, as the namelist has it. Collective over the component; borrows all. */
int h3ou__value_ranges_observe(h3ou__observers *to, const h3ou__config *config, h3ou__comm *local, const char *component);

#endif
