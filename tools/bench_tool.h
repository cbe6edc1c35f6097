/* SPDX-License-Identifier: BSD-3-Clause */
/* What the subcommands of h3ou bench share. */
#ifndef H3OU_TOOL_BENCH_TOOL_H
#define H3OU_TOOL_BENCH_TOOL_H

#include "options.h"

/* A subcommand: argv[0] is its name. */
typedef struct bench_command {
    const command *about;
    const char *help;
    int (*run)(int argc, char **argv);
} bench_command;

extern const bench_command bench_pingpong;

#endif
