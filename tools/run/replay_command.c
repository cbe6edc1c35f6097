/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou replay: one component of a recorded run alone. The options are read here, and the rest is done by Python. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static void print_more(FILE *out)
{
    fputs("\nexamples:\n"
          "  h3ou replay record                                       what the record has\n"
          "  h3ou replay record -c atmos -- mpirun -n 4 ./atmos       the atmosphere alone\n"
          "  h3ou replay record -c atmos -- gdb --args ./atmos        the same in a debugger\n",
          out);
}

/* Returns the place of the word --, or argc. */
static int find_command(int argc, char **argv)
{
    int i = 1;
    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    return i;
}

static int replay(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "replay",
                       .synopsis = "FOLDER [OPTION...] [-- COMMAND...]",
                       .what = "Runs one component of a recorded run alone: COMMAND starts it. What it gets is what it got then, and what it "
                               "puts is\ncompared with what it put then, bit for bit. Without a command prints what the record has.\n",
                       .more = print_more,
                       .least = 1,
                       .most = 1};
    const char *folder[1], *component = "";
    bool does_stop = false;
    int nfolder, end = find_command(argc, argv);
    const option options[] = {
        {"-c, --component", "NAME", "the component; of a member with its number: ocean0002; of a process that opens several all: ice,snow", OPTION_TEXT, &component},
        {"-s, --stop", NULL, "end at the first value that differs", OPTION_SWITCH, &does_stop}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, end, argv, folder, &nfolder);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (end == argc - 1)
        return options_wrong(&c, "no command stands behind --");
    const char **words = calloc((size_t)(argc - end) + 4, sizeof *words);
    if (!words)
        return 1;
    words[0] = folder[0];
    words[1] = component;
    words[2] = does_stop ? "stop" : "go on";
    for (int i = end + 1; i < argc; i++)
        words[3 + i - end - 1] = argv[i];
    code = python_program_become("run/replay", words);
    fprintf(stderr, "h3ou replay: %s\n", h3ou__fail_text());
    free(words);
    return code ? 1 : 0;
}

const tool tool_replay = {"replay", "run one component of a recorded run alone", replay};
