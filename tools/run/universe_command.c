/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou universe: starts jobs whose processes are one MPI_COMM_WORLD. The options are read here, and the rest is done by Python (tools/run). */
#include <stdio.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static void print_more(FILE *out)
{
    fputs("\nRUN.toml has the form of h3ou run's file:\n"
          "  [[job]]                  # the ranks of the first job come first\n"
          "  name = \"first\"\n"
          "  executable = \"./model.mpich\"\n"
          "  processes = 2\n"
          "  [[job]]\n"
          "  name = \"second\"\n"
          "  executable = \"./model.openmpi\"\n"
          "  processes = 2\n"
          "docs/universe.md says what works over several jobs, and how to start them by hand.\n",
          out);
}

static int run_universe(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "universe",
                       .synopsis = "RUN.toml [OPTION...]",
                       .what = "Starts several jobs, of different MPIs too, as one MPI_COMM_WORLD of unmodified programs, and ends all\n"
                               "when one fails.\n",
                       .more = print_more,
                       .least = 1,
                       .most = 1};
    const char *file[1], *out = "";
    bool is_dry = false, is_quiet = false;
    int port = 0, nfile;
    const option options[] = {
        {"-o, --out", "DIR", "folder of the run, in place of the key directory", OPTION_TEXT, &out},
        {"--port", "PORT", "port where the jobs meet, in place of the key port", OPTION_COUNT, &port},
        {"--dry-run", NULL, "print the commands, start nothing", OPTION_SWITCH, &is_dry},
        {"-q, --quiet", NULL, "do not show what the jobs write; their logs have it", OPTION_SWITCH, &is_quiet}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    char digits[16];
    snprintf(digits, sizeof digits, "%d", port);
    const char *words[] = {file[0], is_dry ? "dry-run" : "run", out, digits, is_quiet ? "quiet" : "show", "", "", "", "", H3OU_LIBRARY_FOLDER, NULL};
    code = python_program_become("run", words);
    fprintf(stderr, "h3ou universe: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_universe = {"universe", "start jobs as one MPI_COMM_WORLD", run_universe};
