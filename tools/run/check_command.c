/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou check: what can be known of a coupled run before it starts. The library checks the configuration; what is around
 * it is done by Python. */
#include <stdio.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static int check_run(int argc, char **argv)
{
    const command c = {
        .of = "",
        .name = "check",
        .synopsis = "RUN.toml|coupling.conf [OPTION...]",
        .what =
            "Finds the errors of a coupled run that can be known before it starts, and shows who sends what to whom.\n",
        .least = 1,
        .most = 1};
    const char *file[1], *steps = "", *grids = "", *recorded = "", *graph = "";
    int nfile;
    const option options[] = {{"-s, --steps", "C=S,...",
                               "components that will be started, and their time steps in seconds", OPTION_TEXT, &steps},
                              {"--grids", "C/G=F,...", "files of grids of components", OPTION_TEXT, &grids},
                              {"--recorded", "RUNDIR",
                               "the folder of a run whose record is compared, in place of that of RUN.toml", OPTION_TEXT, &recorded},
                              {"-g, --graph", "FILE.svg", "draw the coupling graph", OPTION_TEXT, &graph}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    const char *words[] = {file[0], steps, grids, recorded, graph, H3OU_LIBRARY_FOLDER, NULL};
    code = python_program_become("run/check", words);
    fprintf(stderr, "h3ou check: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_check = {"check", "find the errors of a run before it starts", check_run};
