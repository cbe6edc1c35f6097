/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou bench: measures what this machine gives. */
#include <stdio.h>
#include <string.h>

#include "bench_tool.h"
#include "tool.h"

static const bench_command *const commands[] = {&bench_pingpong};
enum { NCOMMAND = sizeof commands / sizeof *commands };

static void usage(FILE *out)
{
    fprintf(out, "usage: h3ou bench COMMAND ...\n\ncommands:\n");
    for (int i = 0; i < NCOMMAND; i++)
        fprintf(out, "  %-9s %s\n", commands[i]->about->name, commands[i]->help);
    fprintf(out, "\n'h3ou bench COMMAND --help' says more.\n");
}

static int run(int argc, char **argv)
{
    const char *names[NCOMMAND];
    if (argc < 2) {
        usage(stderr);
        return 2;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        usage(stdout);
        return 0;
    }
    for (int i = 0; i < NCOMMAND; i++) {
        names[i] = commands[i]->about->name;
        if (!strcmp(argv[1], names[i]))
            return commands[i]->run(argc - 1, argv + 1);
    }
    fprintf(stderr, "h3ou bench: no command '%s%s\n\n", argv[1], did_you_mean(argv[1], names, NCOMMAND));
    usage(stderr);
    return 2;
}

const tool tool_bench = {"bench", "measure what this machine gives: messages between jobs", run};
