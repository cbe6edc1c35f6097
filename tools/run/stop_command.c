/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou stop: lets a coupled run end early. The options are read here, and the rest is done by Python. */
#include <stdio.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static int stop_run(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "stop",
                       .synopsis = "RUNDIR [OPTION...]",
                       .what = "Asks the components of a run that h3ou run has started to end early, all at the same model time, "
                               "after\n"
                               "they have written their restarts. Their models call h3ou_should_stop.\n",
                       .least = 1,
                       .most = 1};
    const char *folder[1];
    double seconds = 60.0;
    int nfolder;
    const option options[] = {{"-w, --wait", "S", "wait at most so many seconds for the answer (60); 0: do not wait", OPTION_REAL, &seconds}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, folder, &nfolder);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (!(seconds >= 0.0))
        return options_wrong(&c, "--wait %g: it must be 0 or more", seconds);
    char digits[32];
    snprintf(digits, sizeof digits, "%.17g", seconds);
    const char *words[] = {folder[0], digits, NULL};
    code = python_program_become("run/state/stop.py", words);
    fprintf(stderr, "h3ou stop: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_stop = {"stop", "let a coupled run end early", stop_run};
