/* SPDX-License-Identifier: BSD-3-Clause */
/* The command h3ou and its subcommands. Exit code 0, 1 for an error, 2 for wrong usage. */
#ifndef H3OU_TOOLS_COMMAND_GROUP_H
#define H3OU_TOOLS_COMMAND_GROUP_H

/* One command: a file of its own, and a line in the table of the group to which it belongs. */
typedef struct tool {
    const char *name, *help;           /* help: one line, or NULL for another name of a command, which is not listed */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
} tool;

/* Commands that are chosen by the word that follows `path` on the command line. */
typedef struct tool_group {
    const char *path; /* "h3ou weights" */
    const tool *const *tools;
    int n;
    const char *more; /* last line of the help */
} tool_group;

extern const tool tool_run, tool_check, tool_top, tool_stop, tool_report, tool_fields, tool_convert_config, tool_replay, tool_mpirun, tool_universe, tool_weights,
    tool_bench, tool_tune, tool_simulate;

/* Runs the command that argv[1] names. The group itself handles help [COMMAND...], --help, --version and --words, which
 * prints the words that may follow, for the completion of bash. */
int tool_group_run(const tool_group *g, int argc, char **argv);

/* Removes a plain file that was written in part only and could be taken for a whole one; never removes a device. */
void discard_file(const char *file);

#endif
