/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou fields: NetCDF files of what the components of a run kept of their fields. */
#include <stdio.h>

#include "base/error.h"
#include "coupler/monitor/file/make_fields.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"

static void tell(void *user, bool is_problem, const char *sentence)
{
    const bool *is_quiet = user;
    if (is_problem)
        fprintf(stderr, "h3ou fields: %s\n", sentence);
    else if (!*is_quiet)
        printf("%s\n", sentence);
}

static int make_fields(int argc, char **argv)
{
    const command c = {.of = "",
                       .name = "fields",
                       .synopsis = "RUNDIR [OPTION...]",
                       .what = "Makes NetCDF files in RUNDIR/monitor of the fields that the key monitor of the namelist names, out\n"
                               "of what each process has written until now: while a run goes on, after it, or after it was killed.\n",
                       .least = 1,
                       .most = 1};
    const char *folder[1], *component = NULL;
    bool keeps = false, is_quiet = false;
    int nfolder;
    const option options[] = {{"-c, --component", "NAME", "of this component alone", OPTION_TEXT, &component},
                              {"-k, --keep", NULL, "keep what the processes have written, after a run, too", OPTION_SWITCH, &keeps},
                              {"-q, --quiet", NULL, "name the files only that can't be made", OPTION_SWITCH, &is_quiet}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, folder, &nfolder);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    int err = h3ou__fields_make(folder[0], component, keeps, tell, &is_quiet);
    if (err)
        fprintf(stderr, "h3ou fields: %s\n", h3ou__fail_text());
    return err ? 1 : 0;
}

const tool tool_fields = {"fields", "make NetCDF files of the fields of a run", make_fields};
