/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou bench: measures the performance of this machine. */
#include <stddef.h>

#include "tools/pingpong/bench_commands.h"

static const tool *const tools[] = {&bench_pingpong, &bench_tune};
static const tool_group bench = {"h3ou bench", tools, sizeof tools / sizeof *tools,
                                 "'h3ou help bench COMMAND' says more."};

static int run_bench(int argc, char **argv)
{
    return tool_group_run(&bench, argc, argv);
}

const tool tool_bench = {"bench", "measure what this machine gives: messages between jobs", run_bench};

static int run_tune(int argc, char **argv)
{
    return bench_tune.run(argc, argv);
}

const tool tool_tune = {"tune", NULL, run_tune}; /* the same by a shorter name */
