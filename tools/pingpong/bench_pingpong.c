/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou bench pingpong: measures ping-pong between pairs of processes at the same time, by WaitIO, raw TCP and MPI. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "tools/pingpong/bench_commands.h"
#include "tools/pingpong/pingpong_run.h"
#include "tools/plot/plotter.h"

static const command about = {
    .of = "bench",
    .name = "pingpong",
    .synopsis = "[--out DIR] [--join] [OPTION...]",
    .what =
        "n pairs of processes play ping-pong at the same time, all pairs start together; what counts is the slowest "
        "pair\n"
        "(multi-stream PingPong, Sumimoto et al. 2021, section 9). By itself it starts all that it needs on this host: "
        "two\n"
        "jobs (PBs) and one, with a raw TCP connection of each pair beside them in alternating rounds, then each MPI "
        "that it\n"
        "was built with. With --join it is a process of jobs that you have started, one PB or two, on any hosts:\n"
        "  WAITIO_PBID=0 ... mpirun -n 4 h3ou bench pingpong --join        (in the other job WAITIO_PBID=1)\n"
        "rank i of PB 0 plays with rank i of PB 1; the options of PB 0 count, and its rank 0 writes. Results:\n"
        "DIR/pingpong.txt, .csv, .json, .png\n",
};

typedef struct words {
    const char *sizes, *pairs, *routes, *out, *picture, *mpi, *mpirun;
    int pbs, pairing;
    double seconds, patience;
    bool is_joining;
} words;

static const char *const comm_type[] = {"", "socket", "socket", "file", "hybrid"};
#define ROUTES "chosen|socket|tcp|file|hybrid"

static int read_routes(const command *c, const char *text, pingpong_run *r)
{
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        int k = option_choice(ROUTES, word);
        if (k < 0 || r->nroute == PINGPONG_ROUTES)
            return options_wrong(c, "--routes '%s': there are, with commas between, at most %d of: %s", word,
                                 PINGPONG_ROUTES, ROUTES);
        r->route[r->nroute++] = comm_type[k];
    }
    return 0;
}

/* Chooses the seconds of a round so that all takes a minute at most: the rounds share 35 s, the rest is for starting
 * processes and the largest messages. */
static double choose_seconds(const pingpong_run *r)
{
    double sets = 2.0 * (r->nroute + (r->pbs == 0)) + r->nmpi;
    double rounds = sets * r->plan.nsize * (r->plan.npairs ? r->plan.npairs : 3) * r->plan.round.rounds, each = 35.0 / rounds;
    return each < 0.002 ? 0.002 : each > 0.1 ? 0.1 : each;
}

static int check_options(const command *c, const words *w, pingpong_run *r)
{
    int cores = CPU_COUNT(&r->allowed), most = cores < 4 ? 2 : cores > 32 ? 16 : cores / 2;
    if (pingpong_read_sizes(w->sizes, &r->plan) || (w->pairs && pingpong_read_pairs(w->pairs, &r->plan)))
        return options_wrong(c, "%s", h3ou__fail_text());
    if (!w->pairs && !w->is_joining)
        pingpong_double_pairs(most, &r->plan);
    if (w->picture && plotter_check(w->picture))
        return options_wrong(c, "--picture %s", h3ou__fail_text());
    if (r->plan.round.rounds > PINGPONG_ROUNDS)
        return options_wrong(c, "--rounds %d: at most %d", r->plan.round.rounds, PINGPONG_ROUNDS);
    if (w->seconds != 0.0 && (w->seconds < 1e-6 || w->seconds > 3600.0))
        return options_wrong(c, "--seconds %g: a round lasts from 1e-6 to 3600 s", w->seconds);
    if (w->patience < 1.0 || w->patience > 86400.0)
        return options_wrong(c, "--patience %g: it takes seconds from 1 to 86400", w->patience);
    if (w->is_joining && (w->routes || w->mpi || w->mpirun))
        return options_wrong(c,
                             "%s does not go with --join: the environment says the route, and your launchers the MPI",
                             w->routes ? "--routes"
                             : w->mpi  ? "--mpi"
                                       : "--mpirun");
    r->pbs = w->pbs; /* the words of the option stand in that order */
    r->patience = w->patience;
    return read_routes(c, w->routes ? w->routes : "chosen", r);
}

static int prepare_run(const words *w, pingpong_run *r)
{
    int code = w->is_joining ? H3OU__OK : pingpong_find_mpis(r, w->mpi, w->mpirun);
    r->plan.round.seconds = w->seconds > 0.0 ? w->seconds : choose_seconds(r);
    r->table.rounds = r->plan.round.rounds;
    return code;
}

static int make_folder(const char *out)
{
    struct stat s;
    if (mkdir(out, 0777) == 0 || (stat(out, &s) == 0 && S_ISDIR(s.st_mode)))
        return H3OU__OK;
    return h3ou__fail(H3OU__EFILE, "--out %s: %s: name a folder that can be made or is there", out, strerror(errno));
}

/* Draws the picture. Without --picture it may fail, since the tables are written. */
static int draw_picture(const words *w, const char *prefix)
{
    char data[4110], picture[4110];
    snprintf(data, sizeof data, "%s.json", prefix);
    snprintf(picture, sizeof picture, "%s.png", prefix);
    const char *file = w->picture ? w->picture : picture;
    int code = plotter_draw("plot_pingpong.py", data, file);
    if (!code)
        printf("The picture: %s\n", file);
    else if (!w->picture)
        fprintf(stderr, "h3ou bench pingpong: no picture: %s\n", h3ou__fail_text());
    return w->picture && code ? h3ou__fail_in(code, "--picture") : H3OU__OK;
}

static int write_results(const words *w, const pingpong_run *r)
{
    char prefix[4100];
    if (snprintf(prefix, sizeof prefix, "%s/pingpong", w->out) >= (int)sizeof prefix)
        return h3ou__fail(H3OU__EFILE, "--out: too long");
    int code = pingpong_write_text(&r->table, prefix);
    if (!code)
        code = pingpong_write_csv(&r->table, prefix);
    if (!code)
        code = pingpong_write_json(&r->table, prefix);
    if (code)
        return code;
    printf("\nThe table:   %s.txt (.csv, .json)\n", prefix);
    fflush(stdout);
    return draw_picture(w, prefix);
}

static int measure_and_write(const words *w, pingpong_run *r)
{
    bool is_writer = true;
    int code = prepare_run(w, r);
    /* Make the folder now, so that an error comes before the measurement. With --join it is not known yet which process
     * writes. */
    if (!code && !w->is_joining)
        code = make_folder(w->out);
    if (!code)
        code = w->is_joining ? pingpong_run_join(r, w->pairing == 1, &is_writer) : pingpong_run_alone(r);
    if (!code && is_writer && w->is_joining)
        code = make_folder(w->out);
    if (!code && is_writer)
        code = write_results(w, r);
    return code;
}

static int run_pingpong(int argc, char **argv)
{
    static pingpong_run r;
    words w = {.sizes = "8-64M", .out = "h3ou-pingpong", .patience = 120.0};
    const char *files[1];
    int nfile;
    r.plan.round.rounds = 3;
    const option options[] = {
        {"--out", "DIR", "folder for the results, made when it is not there (h3ou-pingpong)", OPTION_TEXT, &w.out},
        {"--picture", "P.png|P.svg|P.pdf", "the picture's file (DIR/pingpong.png)", OPTION_TEXT, &w.picture},
        {"--sizes", "SIZES", "bytes, K, M, G of 1024; A-B by doubling (8-64M)", OPTION_TEXT, &w.sizes},
        {"--pairs", "N,N...", "pairs at the same time (1, 2, 4, ... as cores allow)", OPTION_TEXT, &w.pairs},
        {"--rounds", "N", "rounds; the median counts (3)", OPTION_COUNT, &r.plan.round.rounds},
        {"--seconds", "S", "of a round (so that all takes less than a minute)", OPTION_REAL, &w.seconds},
        {"--repeat", "N", "ping-pongs in a round instead", OPTION_COUNT, &r.plan.round.repeat},
        {"--pbs", "both|1|2", "one job, two, or both", OPTION_CHOICE, &w.pbs},
        {"--routes", "R,R...", "of " ROUTES ": sets WAITIO_COMM_TYPE (chosen)", OPTION_TEXT, &w.routes},
        {"--mpi", "M,M...", "which MPIs, or none (all that were found: " H3OU_MPIS ")", OPTION_TEXT, &w.mpi},
        {"--mpirun", "FILE", "an MPI's mpirun that is not on PATH", OPTION_TEXT, &w.mpirun},
        {"--patience", "S", "a round that lasts longer ends the run (120)", OPTION_REAL, &w.patience},
        {"--join", NULL, "be a process of the jobs that WAITIO_* in the environment name", OPTION_SWITCH,
         &w.is_joining},
        {"--pairing", "next|far", "with --join and one PB: rank i with i+1, or with i+n/2", OPTION_CHOICE, &w.pairing},
    };
    sched_getaffinity(0, sizeof r.allowed, &r.allowed);
    int code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, files, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if ((code = check_options(&about, &w, &r)) != 0)
        return code;
    pingpong_table_begin(&r.table);
    code = measure_and_write(&w, &r);
    if (code)
        fprintf(stderr, "h3ou bench pingpong: %s\n", h3ou__fail_text());
    pingpong_table_free(&r.table);
    return code != 0;
}

const tool bench_pingpong = {"pingpong", "ping-pong of many pairs at the same time: latency and bandwidth",
                             run_pingpong};
