/* SPDX-License-Identifier: BSD-3-Clause */
#include <malloc.h>

#include "tools/cli/command_group.h"

static const tool *const tools[] = {&tool_run,     &tool_check, &tool_top,  &tool_stop, &tool_report, &tool_fields, &tool_convert_config,
                                    &tool_replay,  &tool_mpirun, &tool_universe,
                                    &tool_weights, &tool_bench, &tool_tune, &tool_simulate};
static const tool_group all = {"h3ou", tools, sizeof tools / sizeof *tools,
                               "'h3ou help COMMAND' says more, and so does the page 'man h3ou'."};

int main(int argc, char **argv)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD,
            128 << 10); /* return large arrays to the system when they are freed, because making weights needs many */
#endif
    return tool_group_run(&all, argc, argv);
}
