/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou simulate: the library's schedules on a modelled machine. */
#include "tools/simulate/simulate_commands.h"

static const tool *const tools[] = {&simulate_collective, &simulate_step};
static const tool_group simulate = {"h3ou simulate", tools, sizeof tools / sizeof *tools,
                                    "'h3ou help simulate COMMAND' says more."};

static int run_simulate(int argc, char **argv)
{
    return tool_group_run(&simulate, argc, argv);
}

const tool tool_simulate = {"simulate", "run collective calls and exchanges on a modelled machine of any size",
                            run_simulate};
