/* SPDX-License-Identifier: BSD-3-Clause */
/* The command h3ou: one file per subcommand, and a line in main.c. Exit code 0, 1 for an error, 2 for wrong usage. */
#ifndef H3OU_TOOL_H
#define H3OU_TOOL_H

typedef struct tool {
    const char *name, *help;
    int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name */
} tool;

extern const tool tool_weights, tool_bench;

/* Removes a plain file, half of which would be taken for a whole one; never a device, whoever runs this. */
void discard_file(const char *file);

#endif
