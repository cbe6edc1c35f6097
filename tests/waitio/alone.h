/* SPDX-License-Identifier: BSD-3-Clause */
/* An instance without any other process, for tests of the parts: its peers exist only in its table. */
#ifndef TESTS_WAITIO_ALONE_H
#define TESTS_WAITIO_ALONE_H

#include "waitio/message/instance.h"

uint64_t dice(uint64_t sides); /* 0 to sides - 1; the same in every run */
void dice_seed(uint64_t seed); /* other numbers from now on */
/* Number 0 of n processes of one PB, and current for this thread; free with waitio__instance_free. */
waitio__instance *alone_begin(int n);
/* A receive; p NULL: from any source. */
waitio__request *alone_post(waitio__instance *in, waitio__peer *p, waitio_group_t g, int64_t tag, void *buf, size_t n);

#endif
