/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou bench tune: measures latency and bandwidth inside a job and between jobs, and writes them for the library. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/pingpong/bench_commands.h"
#include "tools/pingpong/pingpong_run.h"
#include "tools/pingpong/route_fit.h"

static const command about = {
    .of = "bench",
    .name = "tune",
    .synopsis = "[--out FILE] [--join] [OPTION...]",
    .what = "Measures half round trips inside a job, by its MPI, and between two jobs, by WaitIO, fits latency and bandwidth to them, and\n"
            "writes a namelist with a group h3ou_tuning. The key tuning_file of h3ou_coupling, or H3OU_TUNING_FILE, names it to the\n"
            "library, which then chooses algorithms and segments of collective calls by it. By itself it starts all that it needs\n"
            "on this host. Which route messages take between the hosts of a job is not measured here: each job of the run does it at its\n"
            "start, or takes the one that --job-route names. With --join it is a process of two jobs that you have started, on any hosts, and measures between them\n"
            "only: rank 0 of PB 0 writes.\n",
};

typedef struct words {
    const char *out, *sizes, *mpi, *job_route;
    double seconds, patience;
    bool is_joining;
} words;

static const pingpong_series *find_series(const pingpong_table *t, enum pingpong_kind kind)
{
    for (int i = 0; i < t->nseries; i++)
        if (t->series[i].way.kind == kind)
            return &t->series[i];
    return NULL;
}

/* Writes the keys of a route; *f is NULL when nothing was measured. */
static int write_route(FILE *f, const pingpong_run *r, enum pingpong_kind kind, const char *key)
{
    route_fit fit;
    const pingpong_series *s = find_series(&r->table, kind);
    if (!s)
        return H3OU__OK;
    int code = route_fit_series(s, &r->plan, &fit);
    if (code)
        return code;
    fprintf(f, "  %s_latency = %.4g, %s_bandwidth = %.5g ! us, MB/s: %s\n", key, fit.latency, key, fit.bandwidth, s->way.name);
    printf("%-8s %10.4g us %10.5g MB/s, within %.0f %% of each size: %s\n", key, fit.latency, fit.bandwidth, 100 * fit.worst,
           s->way.name);
    return H3OU__OK;
}

static int write_tuning(const words *w, const pingpong_run *r)
{
    FILE *f = fopen(w->out, "w");
    if (!f)
        return h3ou__fail(H3OU__EFILE, "--out %s: %s", w->out, strerror(errno));
    fprintf(f, "! h3ou bench tune, %s, %s\n&h3ou_tuning\n", r->table.where, r->table.when);
    int code = write_route(f, r, PINGPONG_MPI, "inside");
    if (!code)
        code = write_route(f, r, PINGPONG_WAITIO, "between");
    fprintf(f, "  ports = 1\n  job_route = '%s' ! between the hosts of a job\n/\n", w->job_route);
    if ((ferror(f) | fclose(f)) && !code)
        code = h3ou__fail(H3OU__EFILE, "--out %s: %s", w->out, strerror(errno));
    if (code)
        discard_file(w->out);
    else
        printf("The tuning file: %s\n", w->out);
    return code;
}

static int measure(const words *w, pingpong_run *r)
{
    bool is_writer = true;
    int code = w->is_joining ? H3OU__OK : pingpong_find_mpis(r, w->mpi, NULL);
    r->plan.round.seconds = w->seconds;
    r->table.rounds = r->plan.round.rounds;
    r->patience = w->patience;
    r->pbs = 2;
    r->route[r->nroute++] = "";
    if (!code)
        code = w->is_joining ? pingpong_run_join(r, false, &is_writer) : pingpong_run_alone(r);
    return code || !is_writer ? code : write_tuning(w, r);
}

static bool is_job_route(const char *word)
{
    return !strcmp(word, "mpi") || !strcmp(word, "waitio") || !strcmp(word, "measured");
}

static int run_tune(int argc, char **argv)
{
    static pingpong_run r;
    words w = {.out = "h3ou.tuning", .sizes = "8,64,512,4K,32K,256K,2M", .seconds = 0.05, .patience = 120.0, .job_route = "measured"};
    const char *files[1];
    int nfile;
    r.plan.round.rounds = 3;
    const option options[] = {
        {"--out", "FILE", "the tuning file (h3ou.tuning)", OPTION_TEXT, &w.out},
        {"--sizes", "SIZES", "bytes, K, M, G of 1024; A-B by doubling (8,64,512,4K,32K,256K,2M)", OPTION_TEXT, &w.sizes},
        {"--rounds", "N", "rounds; the median counts (3)", OPTION_COUNT, &r.plan.round.rounds},
        {"--seconds", "S", "of a round (0.05)", OPTION_REAL, &w.seconds},
        {"--mpi", "M,M...", "which MPI, or none (all that were found; the first counts)", OPTION_TEXT, &w.mpi},
        {"--job-route", "ROUTE", "between the hosts of a job: mpi, waitio, or measured", OPTION_TEXT, &w.job_route},
        {"--patience", "S", "a round that lasts longer ends the run (120)", OPTION_REAL, &w.patience},
        {"--join", NULL, "be a process of the jobs that WAITIO_* in the environment name", OPTION_SWITCH, &w.is_joining},
    };
    sched_getaffinity(0, sizeof r.allowed, &r.allowed);
    int code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, files, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (pingpong_read_sizes(w.sizes, &r.plan) || pingpong_read_pairs("1", &r.plan))
        return options_wrong(&about, "%s", h3ou__fail_text());
    if (r.plan.nsize < 2)
        return options_wrong(&about, "--sizes %s: latency and bandwidth need two sizes", w.sizes);
    if (r.plan.round.rounds > PINGPONG_ROUNDS)
        return options_wrong(&about, "--rounds %d: at most %d", r.plan.round.rounds, PINGPONG_ROUNDS);
    if (w.seconds < 1e-6 || w.seconds > 3600.0)
        return options_wrong(&about, "--seconds %g: a round lasts from 1e-6 to 3600 s", w.seconds);
    if (w.patience < 1.0 || w.patience > 86400.0)
        return options_wrong(&about, "--patience %g: it takes seconds from 1 to 86400", w.patience);
    if (!is_job_route(w.job_route))
        return options_wrong(&about, "--job-route %s: it is mpi, waitio or measured", w.job_route);
    pingpong_table_begin(&r.table);
    code = measure(&w, &r);
    if (code)
        fprintf(stderr, "h3ou bench tune: %s\n", h3ou__fail_text());
    pingpong_table_free(&r.table);
    return code != 0;
}

const tool bench_tune = {"tune", "latency and bandwidth, for the choice of collective algorithms", run_tune};
