/* SPDX-License-Identifier: BSD-3-Clause */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const tool *const tools[] = {&tool_weights, &tool_bench};
enum { NTOOL = sizeof tools / sizeof *tools };

static void usage(FILE *out)
{
    fprintf(out, "usage: h3ou COMMAND ...\n\ncommands:\n");
    for (int i = 0; i < NTOOL; i++)
        fprintf(out, "  %-10s %s\n", tools[i]->name, tools[i]->help);
    fprintf(out, "\n'h3ou COMMAND --help' says more; 'h3ou --version' says which this is.\n");
}

int main(int argc, char **argv)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD,
            128 << 10); /* large arrays go back to the system when they are freed: weights need many */
#endif
    if (argc < 2) {
        usage(stderr);
        return 2;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        usage(stdout);
        return 0;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("h3ou %s\n", H3OU_VERSION);
        return 0;
    }
    for (int i = 0; i < NTOOL; i++)
        if (!strcmp(argv[1], tools[i]->name))
            return tools[i]->run(argc - 1, argv + 1);
    fprintf(stderr, "h3ou: no command '%s'\n\n", argv[1]);
    usage(stderr);
    return 2;
}
