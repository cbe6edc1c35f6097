/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands of h3ou simulate. */
#ifndef H3OU_TOOL_SIMULATE_COMMANDS_H
#define H3OU_TOOL_SIMULATE_COMMANDS_H

#include "tools/cli/command_group.h"

extern const tool simulate_collective, simulate_step;

#endif
