/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou report: one page about a run. The options are read here, and the rest is done by Python (tools/run/report). */
#include <stdio.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static int report_run(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "report",
                       .synopsis = "RUNDIR [OPTION...]",
                       .what = "Writes one page (HTML, with all that it needs) about a run that h3ou run has started: who sends what to whom,\n"
                               "who computed and waited when, how processes are better divided, and what was recorded of the fields.\n",
                       .least = 1,
                       .most = 1};
    const char *folder[1], *out = "", *trace = "", *maps = "", *weights = "";
    int nfolder;
    const option options[] = {{"-o, --out", "FILE.html", "the page (RUNDIR/report.html)", OPTION_TEXT, &out},
                              {"-t, --trace", "FILE.json", "write what was done when also as a trace of Chrome or Perfetto", OPTION_TEXT, &trace},
                              {"-m, --maps", "FIELD,...", "of which fields maps are drawn (the first that were kept)", OPTION_TEXT, &maps},
                              {"-w, --weights", "W.nc,...", "files of weights whose quality is shown, besides those that the log names", OPTION_TEXT, &weights}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, folder, &nfolder);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    const char *words[] = {folder[0], out, trace, maps, weights, H3OU_VERSION, NULL};
    code = python_program_become("run/report", words);
    fprintf(stderr, "h3ou report: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_report = {"report", "write a page about a run", report_run};
