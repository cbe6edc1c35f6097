/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou simulate step: what two coupled models send each other in a step. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "tools/simulate/model/call_stages.h"
#include "tools/simulate/model/exchange_pattern.h"
#include "tools/simulate/machine_options.h"
#include "tools/simulate/series_file.h"
#include "tools/simulate/simulate_commands.h"

#define CELLS_MOST ((int64_t)1 << 40)

static const command about = {
    .of = "simulate",
    .name = "step",
    .synopsis = "[--source NXxNY] [--target NXxNY] [--fields N] [OPTION...]",
    .what =
        "Two jobs exchange fields by WaitIO, each process with those of the other job whose part of the region its own\n"
        "overlaps, and then agree on a number King to King, as two models do that stop together. The CSV has a row for "
        "each\n"
        "part and one for the whole step; bytes are those of the fields, of both directions.\n",
};

typedef struct words {
    machine_words machine;
    const char *source, *target, *output;
    int fields, layers, steps;
    bool is_one_way;
} words;

static int read_grid(const command *c, const char *name, const char *text, block_grid *out)
{
    int shape[3];
    if (!machine_shape_read(text, CELLS_MOST, shape) || shape[2] != 1)
        return options_wrong(c, "%s '%s': it takes the cells of a grid as NXxNY", name, text);
    memcpy(out->cells, shape, sizeof out->cells);
    return 0;
}

static int check_options(const command *c, words *w, modelled_machine *m, exchange_pattern *p)
{
    w->machine.jobs = 2;
    int code = machine_options_check(c, &w->machine, m);
    *p = (exchange_pattern){.cell_bytes = 8LL * w->fields * w->layers, .is_two_way = !w->is_one_way};
    if (!code)
        code = read_grid(c, "--source", w->source, &p->grid[0]);
    if (!code)
        code = read_grid(c, "--target", w->target, &p->grid[1]);
    if (code)
        return code;
    p->processes = machine_job_size(m);
    return exchange_pattern_divide(p) ? options_wrong(c, "%s", h3ou__fail_text()) : 0;
}

static int run_stages(modelled_machine *m, const words *w, const char *way, int64_t bytes, const stage stages[], int n,
                      series_file *to)
{
    simulation_plan plan = {.stage = stages, .nstage = n, .calls = w->steps};
    series_row row = {.call = "step", .way = way, .jobs = 2, .processes = machine_size(m), .bytes = bytes};
    int code = simulation_run(m, &plan, &row.result);
    if (!code)
        series_file_write(to, &row);
    return code;
}

static int run_all(modelled_machine *m, const exchange_pattern *p, const words *w)
{
    stage stages[CALL_STAGES + 1] = {
        {.pattern = exchange_pattern_build, .user = p, .by = BY_WAITIO, .block = p->processes}};
    call_way how = {.call = {.operation = H3OU__COLL_ALLREDUCE, .element = 8, .count = 1}, .job = p->processes};
    int64_t bytes = 0;
    for (int i = 0; i < 1 + p->is_two_way; i++)
        bytes += (int64_t)p->grid[i].cells[0] * p->grid[i].cells[1] * p->cell_bytes;
    int n;
    series_file to;
    int code = call_stages(&how, "hybrid", stages + 1, &n);
    if (!code)
        code = series_file_open(&to, w->output);
    if (code)
        return code;
    code = run_stages(m, w, "exchange", bytes, stages, 1, &to);
    if (!code)
        code = run_stages(m, w, "kings", 8, stages + 1, n, &to);
    if (!code)
        code = run_stages(m, w, "whole", bytes, stages, n + 1, &to);
    return series_file_close(&to, code);
}

static int run_step(int argc, char **argv)
{
    static modelled_machine m;
    exchange_pattern pattern;
    words w = {
        .machine = machine_defaults, .source = "1440x720", .target = "1440x720", .fields = 1, .layers = 1, .steps = 1};
    const char *files[1];
    int nfile;
    option options[MACHINE_OPTIONS + 7] = {{0}};
    const option own[] = {
        {"--source", "NXxNY", "cells of the first job's grid (1440x720)", OPTION_TEXT, &w.source},
        {"--target", "NXxNY", "cells of the second job's grid (1440x720)", OPTION_TEXT, &w.target},
        {"--fields", "N", "fields in each direction (1)", OPTION_COUNT, &w.fields},
        {"--layers", "N", "layers of each field (1)", OPTION_COUNT, &w.layers},
        {"--one-way", NULL, "only the first job sends fields", OPTION_SWITCH, &w.is_one_way},
        {"--steps", "N", "steps one after the other, of which the mean time counts (1)", OPTION_COUNT, &w.steps},
        {"-o, --output", "FILE.csv", "the table's file (standard output)", OPTION_TEXT, &w.output},
    };
    memcpy(options, own, sizeof own);
    machine_options_list(&w.machine, options + sizeof own / sizeof *own);
    int code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, files, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if ((code = check_options(&about, &w, &m, &pattern)) != 0)
        return code;
    code = run_all(&m, &pattern, &w);
    machine_close(&m);
    if (code)
        fprintf(stderr, "h3ou simulate step: %s\n", h3ou__fail_text());
    return code != 0;
}

const tool simulate_step = {"step", "what two coupled models send each other in a step", run_step};
