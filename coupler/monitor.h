/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At log level LOUD: least, mean and largest value of every field that is exchanged, and how many are missing, over all
 * processes of the component. Processes note what they see (value_range.h); once a step, in h3ou_set_time, the notes are
 * reduced to rank 0, which logs them. At other levels nothing is noted and nothing is sent.
 */
#ifndef H3OU_COUPLER_MONITOR_H
#define H3OU_COUPLER_MONITOR_H

#include "coupler/coupler.h"

/* The log level of rank 0 says whether fields are watched: processes may have been given others. Collective over the
 * component; when its fields are there. */
int h3ou__monitor_begin(h3ou__coupler *c);
/* Tells what was seen since the last call. Collective over the component. */
int h3ou__monitor_log(h3ou__coupler *c);

#endif
