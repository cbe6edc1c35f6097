/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou top: what the processes of a coupled run do. The options are read here, and the rest is done by Python. */
#include <stdio.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static int show_run(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "top",
                       .synopsis = "RUNDIR [OPTION...]",
                       .what = "Shows each component of a run that h3ou run has started: its model time, its speed, "
                               "the share of its time\n"
                               "that it waits, and for whom it waits at the moment.\n",
                       .least = 1,
                       .most = 1};
    const char *folder[1];
    bool is_once = false, is_each = false;
    double seconds = 1.0;
    int nfolder;
    const option options[] = {{"-s, --seconds", "S", "seconds between two pictures (1)", OPTION_REAL, &seconds},
                              {"-1, --once", NULL, "show one picture, and end", OPTION_SWITCH, &is_once},
                              {"-p, --processes", NULL, "a line for each process", OPTION_SWITCH, &is_each}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, folder, &nfolder);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (!(seconds > 0.0))
        return options_wrong(&c, "--seconds %g: it must be above 0", seconds);
    char digits[32];
    snprintf(digits, sizeof digits, "%.17g", seconds);
    const char *words[] = {folder[0], digits, is_once ? "once" : "again", is_each ? "each" : "together", NULL};
    code = python_program_become("run/state/top.py", words);
    fprintf(stderr, "h3ou top: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_top = {"top", "show what the components of a run do", show_run};
