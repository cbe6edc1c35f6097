/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold of the schedule of one member, whatever the others do. */
#ifndef H3OU_COLL_SCHEDULE_CHECK_H
#define H3OU_COLL_SCHEDULE_CHECK_H

#include "coll/schedule/schedule.h"

#pragma GCC visibility push(default)
/* Checks that a schedule stays within its buffers, of which bytes[] gives the sizes of input and output (NULL: not
 * known), and that in no round a message changes bytes that another message of the round sends or changes. H3OU__EARG
 * if not; the sentence says which step. */
int h3ou__schedule_check(const h3ou__schedule *s, const int64_t bytes[2]);
#pragma GCC visibility pop

#endif
