/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou convert-config: the configuration of another coupler as a namelist of h3ou. The options are read here, and the
 * rest is done by Python. */
#include <stdio.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static void print_more(FILE *out)
{
    fputs("\nWhat has no counterpart is said on standard error, and in comments of the namelist, each with its line.\n"
          "Exit code: 0 all was converted, 1 an error, 2 wrong usage, 3 not all was converted.\n",
          out);
}

static int convert_file(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "convert-config",
                       .synopsis = "FILE [OPTION...]",
                       .what =
                           "Writes a namelist that exchanges what a namcouple of OASIS3-MCT, or a YAML file of YAC, "
                           "exchanges.\n",
                       .more = print_more,
                       .least = 1,
                       .most = 1};
    const char *file[1], *components = "", *steps = "", *output = "";
    static const char kinds[] = "auto|oasis|yac";
    int from = 0, nfile;
    const option options[] = {{"-f, --from", kinds, "what FILE is (auto: as it looks)", OPTION_CHOICE, &from},
                              {"-c, --components", "GRID=C,...",
                               "the component of each grid, which a namcouple does not say", OPTION_TEXT, &components},
                              {"-s, --steps", "C=S,...",
                               "time steps of the components in seconds, from which lags are derived", OPTION_TEXT,
                               &steps},
                              {"-o, --output", "FILE.conf", "the namelist (standard output)", OPTION_TEXT, &output}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    const char *words[] = {
        file[0], ((const char *const[]){"", "oasis", "yac"})[from], components, steps, output, H3OU_LIBRARY_FOLDER,
        NULL};
    code = python_program_become("run/convert", words);
    fprintf(stderr, "h3ou convert-config: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_convert_config = {"convert-config", "convert the configuration of OASIS3-MCT or YAC", convert_file};
