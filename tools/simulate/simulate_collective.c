/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou simulate collective: a collective call in several ways, sizes and segments. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "coll/schedule/cost.h"
#include "tools/cli/size_list.h"
#include "tools/plot/plotter.h"
#include "tools/simulate/model/call_stages.h"
#include "tools/simulate/machine_options.h"
#include "tools/simulate/series_file.h"
#include "tools/simulate/simulate_commands.h"

enum { SIZES = 48, WAYS = 16, WAY_ROOM = 32 };

static const command about = {
    .of = "simulate",
    .name = "collective",
    .synopsis = "[--call CALL] [--ways W,W...] [--bytes SIZES] [OPTION...]",
    .what =
        "The schedules that the library executes run on a modelled machine, message by message, with contention for "
        "ports\n"
        "and links. A way is an algorithm, 'hybrid' (MPI inside the jobs, WaitIO from King to King) or '2l' (two layers "
        "of\n"
        "linear algorithms by WaitIO). The CSV has a row for each way, size and segment: seconds until the last member\n"
        "has its result, and their mean over the members.\n",
};

#define CALLS "bcast|reduce|allreduce|reduce_scatter|scan|gather|scatter|allgather|alltoall|barrier"

typedef struct words {
    machine_words machine;
    const char *ways, *bytes, *segments, *shape, *output, *picture;
    int call, by, group, calls;
} words;

typedef struct job {
    modelled_machine m;
    call_way how;
    int calls, nsize, nsegment, nway;
    int64_t size[SIZES], segment[SIZES];
    bool is_best; /* the segment of least predicted time */
    char way[WAYS][WAY_ROOM];
} job;

static int read_ways(const command *c, const char *text, job *j)
{
    stage stages[CALL_STAGES];
    int n;
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (j->nway == WAYS)
            return options_wrong(c, "--ways '%s': at most %d", text, WAYS);
        snprintf(j->way[j->nway], WAY_ROOM, "%.*s", (int)strcspn(at, ","), at);
        if (call_stages(&j->how, j->way[j->nway++], stages, &n))
            return options_wrong(c, "--ways: %s", h3ou__fail_text());
    }
    return 0;
}

/* Takes the first way of the table, and hybrid if there are several jobs and the call can be done so. */
static void choose_ways(job *j)
{
    stage stages[CALL_STAGES];
    int n;
    snprintf(j->way[j->nway++], WAY_ROOM, "%s", call_algorithm(j->how.call.operation, NULL)->name);
    if (j->m.jobs > 1 && call_stages(&j->how, "hybrid", stages, &n) == H3OU__OK)
        snprintf(j->way[j->nway++], WAY_ROOM, "hybrid");
}

static int read_segments(const command *c, const char *text, job *j)
{
    j->is_best = text && !strcmp(text, "best");
    j->nsegment = 1;
    if (text && !j->is_best && size_list_read("--segments", text, SIZES, j->segment, &j->nsegment))
        return options_wrong(c, "%s", h3ou__fail_text());
    return 0;
}

static int read_shape(const command *c, const words *w, job *j)
{
    int *shape = j->how.call.shape;
    if (w->shape && !machine_shape_read(w->shape, MACHINE_PROCESSES_MOST, shape))
        return options_wrong(c, "--shape '%s': it takes one, two or three numbers with x between", w->shape);
    if (w->shape && (int64_t)shape[0] * shape[1] * shape[2] != machine_size(&j->m))
        return options_wrong(c, "--shape %s: it must have as many members as there are processes: %d", w->shape,
                             machine_size(&j->m));
    if (!w->shape && j->m.per_node == 1 && j->m.jobs == 1)
        memcpy(shape, j->m.net.extent, sizeof j->m.net.extent);
    return 0;
}

static int check_options(const command *c, const words *w, job *j)
{
    int code = machine_options_check(c, &w->machine, &j->m);
    if (code)
        return code;
    j->calls = w->calls;
    j->how = (call_way){.call = {.operation = w->call, .element = 1},
                        .by = w->by ? (enum transport)(w->by - 1) : j->m.jobs > 1 ? BY_WAITIO : BY_MPI,
                        .job = machine_job_size(&j->m),
                        .group = w->group};
    if ((code = read_shape(c, w, j)) != 0 || (code = read_segments(c, w->segments, j)) != 0)
        return code;
    if (size_list_read("--bytes", w->bytes, SIZES, j->size, &j->nsize))
        return options_wrong(c, "%s", h3ou__fail_text());
    if (w->picture && !w->output)
        return options_wrong(c, "--picture draws the file of --output, which is missing");
    if (w->picture && plotter_check(w->picture))
        return options_wrong(c, "--picture %s", h3ou__fail_text());
    if (w->ways)
        return read_ways(c, w->ways, j);
    choose_ways(j);
    return 0;
}

/* Returns the segment of least predicted time: formulas (5) and (7), with the latency and bandwidth of the algorithm's
 * messages between nodes. */
static int64_t predict_segment(const job *j, const char *way)
{
    const h3ou__algorithm *a = call_algorithm(j->how.call.operation, way);
    const link_class *class = &j->m.class[j->how.by][IN_JOB];
    h3ou__call call = j->how.call;
    h3ou__machine machine = {class->latency, class->bandwidth, j->m.ports[j->how.by]};
    call.size = machine_size(&j->m);
    return a && call.size > 1 ? h3ou__cost_best_segment(a, &call, &machine) : 0;
}

static int run_one(job *j, const char *way, int64_t bytes, int64_t segment, series_file *to)
{
    stage stages[CALL_STAGES];
    simulation_plan plan = {.stage = stages, .calls = j->calls};
    series_row row = {.call = h3ou__operation_name[j->how.call.operation],
                      .way = way,
                      .jobs = j->m.jobs,
                      .processes = machine_size(&j->m),
                      .bytes = bytes};
    j->how.call.count = bytes;
    j->how.call.segment = row.segment = j->is_best ? predict_segment(j, way) : segment;
    int code = call_stages(&j->how, way, stages, &plan.nstage);
    if (!code)
        code = simulation_run(&j->m, &plan, &row.result);
    if (!code)
        series_file_write(to, &row);
    return code;
}

static int run_all(job *j, const words *w)
{
    series_file to;
    int code = series_file_open(&to, w->output);
    if (code)
        return code;
    for (int i = 0; i < j->nway; i++)
        for (int size = 0; size < j->nsize; size++)
            for (int segment = 0; segment < j->nsegment && !code; segment++)
                code = run_one(j, j->way[i], j->size[size], j->segment[segment], &to);
    code = series_file_close(&to, code);
    if (!code && w->picture)
        code = plotter_draw("plot_simulate.py", w->output, w->picture);
    return code;
}

static int run_collective(int argc, char **argv)
{
    static job j;
    words w = {.machine = machine_defaults, .bytes = "8-1M", .group = 64, .calls = 1};
    const char *files[1];
    int nfile;
    option options[MACHINE_OPTIONS + 10] = {{0}};
    const option own[] = {
        {"--call", CALLS, "the call (bcast)", OPTION_CHOICE, &w.call},
        {"--ways", "W,W...", "algorithms, hybrid, 2l (the call's first algorithm, hybrid)", OPTION_TEXT, &w.ways},
        {"--bytes", "SIZES", "of the message, or of each part; K, M of 1024; A-B by doubling (8-1M)", OPTION_TEXT,
         &w.bytes},
        {"--segments", "SIZES|best", "bytes of a segment; of least predicted time (whole messages)", OPTION_TEXT,
         &w.segments},
        {"--shape", "NX[xNY[xNZ]]", "mesh of the members, for algorithms on meshes (as --nodes)", OPTION_TEXT, &w.shape},
        {"--by", "chosen|mpi|waitio", "messages of an algorithm (one job mpi, several waitio)", OPTION_CHOICE, &w.by},
        {"--group", "N", "members of a group of 2l (64)", OPTION_COUNT, &w.group},
        {"--calls", "N", "calls one after the other, of which the mean time counts (1)", OPTION_COUNT, &w.calls},
        {"-o, --output", "FILE.csv", "the table's file (standard output)", OPTION_TEXT, &w.output},
        {"--picture", "P.png|P.svg|P.pdf", "draws the table of --output", OPTION_TEXT, &w.picture},
    };
    memcpy(options, own, sizeof own);
    machine_options_list(&w.machine, options + sizeof own / sizeof *own);
    int code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, files, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if ((code = check_options(&about, &w, &j)) != 0)
        return code;
    code = run_all(&j, &w);
    machine_close(&j.m);
    if (code)
        fprintf(stderr, "h3ou simulate collective: %s\n", h3ou__fail_text());
    return code != 0;
}

const tool simulate_collective = {"collective", "a collective call in several ways, sizes and segments", run_collective};
