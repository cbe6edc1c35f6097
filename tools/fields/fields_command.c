/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou fields: NetCDF files of what the components of a run kept of their fields. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "coupler/monitor/file/make_fields.h"
#include "coupler/monitor/file/raw_format.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"

typedef struct request {
    const char *folder, *component;
    bool keeps, is_quiet, follows;
    double interval; /* seconds between two times that it makes the files, with follows */
    int made;        /* files */
} request;

static volatile sig_atomic_t is_stopped;

static void stop_following(int number)
{
    (void)number;
    is_stopped = 1;
}

static void tell(void *user, bool is_problem, const char *sentence)
{
    request *r = user;
    bool is_file = strstr(sentence, ".nc: ");
    r->made += !is_problem && is_file;
    if (is_problem && !r->follows)
        fprintf(stderr, "h3ou fields: %s\n", sentence);
    else if (!is_problem && !r->is_quiet && !r->follows)
        printf("%s\n", sentence);
}

static int make_once(request *r)
{
    if (access(r->folder, F_OK) != 0) {
        fprintf(stderr,
                "h3ou fields: %s: no such folder: give the one that h3ou run was given (key directory, or RUN.out)\n",
                r->folder);
        return 1;
    }
    int err = h3ou__fields_make(r->folder, r->component, r->keeps, tell, r);
    if (err)
        fprintf(stderr, "h3ou fields: %s\n", h3ou__fail_text());
    return err ? 1 : 0;
}

static bool is_written(const request *r)
{
    char path[4096];
    return snprintf(path, sizeof path, "%s/" H3OU__RAW_FOLDER, r->folder) < (int)sizeof path && access(path, F_OK) == 0;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sleeps until a time, or until it is stopped, or the run has removed what it wrote. */
static void wait_until(const request *r, double end)
{
    const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
    while (!is_stopped && is_written(r) && seconds_now() < end)
        nanosleep(&pause, NULL);
}

/* Makes the files again and again, a tenth of the time at most, until h3ou run or the components have made them at the end and removed what
 * the processes had written, or a signal comes. What cannot be made meanwhile, since a process has not begun, is told the last time only. */
static int follow(request *r)
{
    const struct sigaction stop = {.sa_handler = stop_following};
    if (!is_written(r)) {
        fprintf(stderr, "h3ou fields: %s/" H3OU__RAW_FOLDER ": no such folder: no run writes fields here now\n", r->folder);
        return 1;
    }
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    while (!is_stopped && is_written(r)) {
        double begin = seconds_now();
        r->made = 0;
        h3ou__fields_make(r->folder, r->component, true, tell, r);
        double took = seconds_now() - begin;
        if (!r->is_quiet && r->made > 0) {
            printf("%d files after %.3g s\n", r->made, took);
            fflush(stdout);
        }
        wait_until(r, begin + took + (9.0 * took > r->interval ? 9.0 * took : r->interval));
    }
    r->follows = false;
    r->is_quiet = true;
    return make_once(r);
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
    const char *folder[1];
    request r = {.interval = 60.0};
    int nfolder;
    const option options[] = {{"-c, --component", "NAME", "of this component alone", OPTION_TEXT, &r.component},
                              {"-f, --follow", NULL, "make them again every 60 s, until the run ends, or Ctrl-C", OPTION_SWITCH, &r.follows},
                              {"--every", "SECONDS", "with --follow: another time than 60 s", OPTION_REAL, &r.interval},
                              {"-k, --keep", NULL, "keep what the processes have written, after a run, too", OPTION_SWITCH, &r.keeps},
                              {"-q, --quiet", NULL, "name the files only that can't be made", OPTION_SWITCH, &r.is_quiet}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, argc, argv, folder, &nfolder);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    r.folder = folder[0];
    if (!(r.interval > 0.0))
        return options_wrong(&c, "--every: the seconds are above 0");
    return r.follows ? follow(&r) : make_once(&r);
}

const tool tool_fields = {"fields", "make NetCDF files of the fields of a run", make_fields};
