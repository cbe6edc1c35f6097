/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands of h3ou bench. */
#ifndef H3OU_TOOL_BENCH_TOOL_H
#define H3OU_TOOL_BENCH_TOOL_H

#include "tools/cli/command_group.h"

extern const tool bench_pingpong, bench_tune;

#endif
