/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou weights make: weights from two grids and a stack of methods. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/grid/coincident.h"
#include "interp/methods/method_stack.h"
#include "interp/methods/method_table.h"
#include "tools/cli/progress_line.h"
#include "tools/weights/grid_options.h"
#include "tools/weights/weights_commands.h"

#define EDGES "default|great|latitude"

typedef struct make_options {
    const char *method, *out;
    int norm, threads, edges, source_edges, target_edges, format, neighbours;
    double power;
    bool limit;
    grid_options grid;
} make_options;

static void methods_list(const char *name, FILE *out)
{
    for (int i = 0; strstr(name, "--method") && h3ou__methods[i]; i++)
        fprintf(out, "%s\n", h3ou__methods[i]->name);
}

static void methods_help(FILE *out)
{
    fprintf(out,
            "\nmethods (a list METHOD,METHOD...: each takes the cells that the former left; keys in parentheses behind "
            "the\nname, as in 'distance(n=6,power=1),nearest'):\n");
    for (int i = 0; h3ou__methods[i]; i++) {
        const h3ou__method *m = h3ou__methods[i];
        char left[96];
        snprintf(left, sizeof left, "%s%s%s%s", m->name, m->keys && *m->keys ? "(" : "", m->keys ? m->keys : "",
                 m->keys && *m->keys ? ")" : "");
        fprintf(out, "  %-30s %s\n", left, m->help);
    }
    fprintf(out,
            "keys: n neighbours, power of the inverse distance, width of the radial function in mean distances of the\n"
            "  neighbours, radius in degrees beyond which sources do not count, value to give, file of weights\n");
}

static const command about = {
    .of = "weights",
    .name = "make",
    .synopsis = "SRC.nc DST.nc -m METHOD[,METHOD...] -o W.nc [OPTION...]",
    .what = "Makes the weights that take fields from the grid of SRC.nc to that of DST.nc. Both are grid files (SCRIP, "
            "UGRID,\n"
            "ESMF mesh), or any NetCDF whose first field's coordinates say the grid and whose missing values are the "
            "mask;\n"
            "or grids.nc:NAME of OASIS, or a name of CDO's: r360x180, global_2.5, n32, F32, hp8, gme24.\n",
    .more = methods_help,
    .words = methods_list,
    .least = 2,
    .most = 2,
};

static void show_progress(void *user, const char *method, int64_t done, int64_t all)
{
    progress_say(user, method, done, all, "cells");
}

/* Parses the stack; --neighbours and --power are defaults for methods that have these keys. */
static int parse_stack(const make_options *o, h3ou__stack *stack)
{
    char value[32];
    int err = h3ou__stack_parse(o->method, stack);
    snprintf(value, sizeof value, "%.17g", o->power);
    if (!err && !isnan(o->power))
        err = h3ou__stack_set_default(stack, "power", value);
    snprintf(value, sizeof value, "%d", o->neighbours);
    if (!err && o->neighbours > 0)
        err = h3ou__stack_set_default(stack, "n", value);
    return err;
}

static void print_report(const char *file, const h3ou__cells *c)
{
    char text[1024];
    if (*h3ou__cell_report_text(&c->report, text, sizeof text))
        fprintf(stderr, "%s: %s\n", file, text);
}

static int make_weights(const make_options *o, const h3ou__stack *stack, const char *const file[2])
{
    h3ou__cells *source = NULL, *target = NULL;
    h3ou__bad_cells bad[2] = {{0}, {0}};
    h3ou__weights *w = NULL;
    h3ou__weights_facts facts;
    progress seen;
    h3ou__weights_options options = {
        .norm = o->norm, .limit = o->limit, .threads = o->threads, .progress = show_progress, .user = &seen};
    char text[1024];
    bool need[2] = {true, true};
    int edges[2] = {o->source_edges ? o->source_edges : o->edges, o->target_edges ? o->target_edges : o->edges};
    h3ou__stack_corners(stack, &need[0], &need[1]);
    int err = grid_read(&o->grid, 0, file[0], need[0] ? edges[0] : H3OU__EDGES_UNREAD, &bad[0], &source);
    if (!err)
        err = grid_read(&o->grid, 1, file[1], need[1] ? edges[1] : H3OU__EDGES_UNREAD, &bad[1], &target);
    if (!err)
        err = grid_list_bad(&o->grid, file, bad);
    if (!err) {
        fprintf(stderr, "%s (%" PRId64 " cells) -> %s (%" PRId64 " cells), %s\n", file[0], source->n, file[1],
                target->n, h3ou__stack_text(stack, text, sizeof text));
        print_report(file[0], source);
        print_report(file[1], target);
        progress_begin(&seen);
        err = h3ou__weights_make(stack, source, target, &options, &w);
        progress_end(&seen);
        if (*h3ou__coincident_text(source, text, sizeof text))
            fprintf(stderr, "%s: %s\n", file[0], text);
    }
    if (!err)
        err = h3ou__weightfile_write(o->out, h3ou__weight_formats[o->format], w, source, target);
    if (!err) {
        h3ou__weights_look(w, &facts);
        weights_print_facts(stderr, o->out, w, &facts, target);
    }
    h3ou__cells_free(source);
    h3ou__cells_free(target);
    h3ou__weights_free(w);
    free(bad[0].cell);
    free(bad[1].cell);
    return err ? weights_failed(&about) : 0;
}

static int run_make(int argc, char **argv)
{
    make_options o = {.power = NAN};
    char formats[H3OU__WEIGHT_FORMAT_NAMES];
    const option options[] = {
        {"-m, --method", "METHOD,...", "the methods, see below", OPTION_TEXT, &o.method},
        {"-o, --output", "W.nc", "the file to write", OPTION_TEXT, &o.out},
        {"-f, --format", h3ou__weight_format_names(formats), "its format (scrip, which CDO reads too)", OPTION_CHOICE, &o.format},
        {"--norm", "fracarea|destarea",
         "rows of conservative methods sum to 1, or to the share of the cell that is covered", OPTION_CHOICE, &o.norm},
        {"--limit", NULL, "the second order keeps to the range of the neighbours' values", OPTION_SWITCH, &o.limit},
        {"--edges", EDGES,
         "great circles bound cells, or circles of latitude where two corners have the same;\n"
         "                                 default: latitude for lon-lat cells, else great",
         OPTION_CHOICE, &o.edges},
        {"--source-edges", EDGES, "the same, of SRC.nc only", OPTION_CHOICE, &o.source_edges},
        {"--target-edges", EDGES, "the same, of DST.nc only", OPTION_CHOICE, &o.target_edges},
        GRID_OPTIONS(&o.grid),
        {"--mask-bad", "LIST.txt", "mask cells with bad centres or corners, and list them with the reason", OPTION_TEXT,
         &o.grid.bad},
        {"-n, --neighbours", "N", "the key n of all methods that know it", OPTION_COUNT, &o.neighbours},
        {"-p, --power", "POWER", "the key power of all methods that know it", OPTION_REAL, &o.power},
        {"--threads", "N", "threads (as many as OMP_NUM_THREADS or the machine says)", OPTION_COUNT, &o.threads},
    };
    const char *file[2];
    h3ou__stack stack;
    int nfile, code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (!o.method)
        return options_wrong(&about, "no method is given: -m METHOD, as in -m conservative");
    if (!o.out)
        return options_wrong(&about, "no result is named: -o W.nc");
    if (parse_stack(&o, &stack))
        return options_wrong(&about, "--method %s: %s", o.method, h3ou__fail_text());
    if (grid_options_check(&about, &o.grid))
        return OPTIONS_WRONG;
    if (weights_cannot_write(&about, o.out, file, 2) ||
        (o.grid.bad && weights_cannot_write(&about, o.grid.bad, file, 2)))
        return 1;
    return make_weights(&o, &stack, file);
}

const tool weights_make = {"make", "weights from two grids", run_make};
