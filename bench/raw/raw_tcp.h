/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain TCP connections between the processes of a coupled run, beside which its exchanges are measured. */
#ifndef H3OU_BENCH_RAW_TCP_H
#define H3OU_BENCH_RAW_TCP_H

#include <stddef.h>

#include "h3ou.h"

/* Opens a connection of its own with the first process of `other`; only the listener's port is sent by the library. */
int raw_tcp_connect(h3ou_ctx *ctx, const char *other, int listens);
/* Transfers in both directions at once, so that neither side waits for the other to read first. */
void raw_tcp_swap(int fd, const void *out, size_t nout, void *in, size_t nin);

#endif
