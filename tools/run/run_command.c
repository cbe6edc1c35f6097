/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou run: starts all jobs of a coupled run. The options are read here, and the rest is done by Python (tools/run). */
#include <stdio.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static void print_more(FILE *out)
{
    fputs("\nRUN.toml:\n"
          "  [run]                    # all keys may be left out\n"
          "  directory = \"out\"        # logs and the secret of the run (RUN.out)\n"
          "  master = \"node1\"         # where the jobs meet (the first job's host)\n"
          "  port = 7777              # (a free one)\n"
          "  [[job]]                  # one for each job\n"
          "  executable = \"./atmos\"\n"
          "  arguments = [\"coupling.conf\"]\n"
          "  processes = 4\n"
          "  launcher = \"auto\"        # auto, mpich, openmpi, srun, ssh, none, or a list of words\n"
          "The user's guide, 'Starting a run', has all keys.\n",
          out);
}

static int run_jobs(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "run",
                       .synopsis = "RUN.toml [OPTION...]",
                       .what =
                           "Starts all jobs of a coupled run, shows what they write, and ends all when one fails.\n",
                       .more = print_more,
                       .least = 1,
                       .most = 1};
    const char *file[1], *out = "", *record = "", *stop_after = "";
    bool is_dry = false, is_slurm = false, is_pbs = false, is_quiet = false, is_unchecked = false, is_unreported = false;
    int port = 0, nfile;
    const option options[] = {
        {"-o, --out", "DIR", "folder of the run, in place of the key directory", OPTION_TEXT, &out},
        {"--record", "DIR", "record what the components exchange, for h3ou replay", OPTION_TEXT, &record},
        {"--port", "PORT", "port where the jobs meet, in place of the key port", OPTION_COUNT, &port},
        {"--dry-run", NULL, "print the commands, start nothing", OPTION_SWITCH, &is_dry},
        {"--slurm", NULL, "print a script for sbatch: a heterogeneous job", OPTION_SWITCH, &is_slurm},
        {"--pbs", NULL, "print a script for qsub", OPTION_SWITCH, &is_pbs},
        {"--stop-after", "TIME", "let the components end early then: 3h30m, 90m, seconds", OPTION_TEXT, &stop_after},
        {"-q, --quiet", NULL, "do not show what the jobs write; their logs have it", OPTION_SWITCH, &is_quiet},
        {"--no-check", NULL, "start also where h3ou check finds errors", OPTION_SWITCH, &is_unchecked},
        {"--no-report", NULL, "write no report at the end", OPTION_SWITCH, &is_unreported}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (is_dry + is_slurm + is_pbs > 1)
        return options_wrong(&c, "--dry-run, --slurm and --pbs: choose one");
    char digits[16];
    snprintf(digits, sizeof digits, "%d", port);
    const char *words[] = {file[0],
                           is_slurm ? "slurm" : is_pbs ? "pbs" : is_dry ? "dry-run" : "run",
                           out,
                           digits,
                           is_quiet ? "quiet" : "show",
                           is_unchecked ? "" : H3OU_LIBRARY_FOLDER,
                           is_unreported ? "" : H3OU_VERSION,
                           record,
                           stop_after,
                           NULL};
    code = python_program_become("run", words);
    fprintf(stderr, "h3ou run: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_run = {"run", "start all jobs of a coupled run", run_jobs};
