/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou weights check: what a file of weights holds, and what is wrong with it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/methods/method_table.h"
#include "interp/stencils/expected_areas.h"
#include "interp/weights/area_balance.h"
#include "tools/weights/weights_commands.h"

/* With the second order, a source cell that contributes to the gradients of much larger cells is conserved less
 * exactly. */
static const double largest_sound = 10.0;
static const double row_tolerance = 1e-10, area_tolerance = 1e-12, area_tolerance_of_second = 1e-10;

static const command about = {
    .of = "weights",
    .name = "check",
    .synopsis = "W.nc [SRC.nc DST.nc]",
    .what =
        "Prints what W.nc holds and everything that is wrong with it: coefficients that are not finite or beyond -10\n"
        "and 10, negative ones of the first-order conservative method, rows that do not sum to what they must, grids\n"
        "that are not SRC.nc and DST.nc. Of conservative weights in a file that has areas, also source cells that do not\n"
        "give what they must: by SRC.nc and DST.nc the part of their area that lies under targets; without these their\n"
        "whole area if the targets are the whole sphere, else, in the first order, not more than that.\n"
        "Exit code 0: nothing is wrong; 1: something.\n",
    .least = 1,
    .most = 3,
};

/* Returns whether the weights must not be negative, as those of the first order; gradients may have negative ones. */
static bool is_first_order(const h3ou__weights *w)
{
    const h3ou__method *first = h3ou__method_find(w->how);
    return w->conserves && first && first->by_shares;
}

/* Counts the bad links, and writes the first one as "target 5, source 7: 1e30"; returns text. */
static const char *first_link(const h3ou__weights *w, bool (*is_bad)(double), char text[], size_t size, int64_t *count)
{
    *count = 0;
    for (int64_t i = 0; i < w->ntarget; i++)
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
            if (is_bad(w->coef[k]) && (*count)++ == 0)
                snprintf(text, size, "target %" PRId64 ", source %d: %g", i + 1, w->src[k] + 1, w->coef[k]);
    return text;
}

static bool is_infinite(double x)
{
    return !isfinite(x);
}

static bool is_wild(double x)
{
    return isfinite(x) && fabs(x) > largest_sound;
}

static bool is_negative(double x)
{
    return x < 0.0;
}

static int64_t worst_row(const h3ou__weights *w)
{
    int64_t worst = 0;
    double most = -1.0;
    for (int64_t i = 0; i < w->ntarget; i++) {
        double sum = w->norm == H3OU__DESTAREA ? -w->frac[i] : -1.0;
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
            sum += w->coef[k];
        if (w->start[i + 1] > w->start[i] && fabs(sum) > most) {
            most = fabs(sum);
            worst = i;
        }
    }
    return worst;
}

/* Says what source cells give, or why that is not judged. */
static void print_judged(const h3ou__weights *w, const h3ou__area_balance *a, bool has_grids)
{
    if (a->repeated > 0)
        printf("%" PRId64 " target cells are at the place of another one: their rows are the same, and count once\n",
               a->repeated);
    if (a->is_expected)
        printf("%" PRId64 " of %" PRId64 " source cells are judged by their overlaps with target cells: what they give is "
               "off by at most %.3g of their area\n",
               a->judged, w->nsource, a->misfit);
    else if (a->is_known && has_grids)
        printf("source cells are not judged by their overlaps: a grid has no corners, or areas that are not the file's\n");
    else if (a->is_known && !a->is_whole)
        printf("targets are masked, or not the whole sphere: SRC.nc and DST.nc are needed to judge what source cells "
               "give\n");
}

/* Prints what source cells give too much or too little. */
static int print_balance(const h3ou__weights *w, const h3ou__area_balance *a, double slack)
{
    if (a->is_expected && a->misfit > slack)
        return printf("WRONG: what a source cell gives differs from its overlaps with target cells by %.3g of its area "
                      "(cell %" PRId64 ", more than %g)\n",
                      a->misfit, a->misfit_cell + 1, slack) > 0;
    if (a->is_known && a->is_whole && a->misfit > slack)
        return printf("WRONG: what a source cell gives differs from its area by %.3g of it (cell %" PRId64
                      ", more than %g)\n",
                      a->misfit, a->misfit_cell + 1, slack) > 0;
    if (a->is_known && is_first_order(w) && a->excess > slack)
        return printf("WRONG: a source cell gives more than its area by %.3g of it (cell %" PRId64
                      ", more than %g): target cells overlap there\n",
                      a->excess, a->excess_cell + 1, slack) > 0;
    return 0;
}

/* Prints the reasons to distrust the weights; returns how many there are. */
static int print_reasons(const h3ou__weights *w, const h3ou__weights_facts *f, const h3ou__area_balance *a)
{
    int n = 0;
    int64_t count;
    char text[128];
    /* Large terms that cancel leave their rounding error. */
    double largest = fmin(largest_sound, fmax(1.0, fmax(f->most, -f->least)));
    first_link(w, is_infinite, text, sizeof text, &count);
    if (count > 0)
        n += printf("WRONG: %" PRId64 " coefficients are not finite (first: %s)\n", count, text) > 0;
    first_link(w, is_wild, text, sizeof text, &count);
    if (count > 0)
        n += printf("WRONG: %" PRId64 " coefficients are beyond -%g and %g (first: %s)\n", count, largest_sound,
                    largest_sound, text) > 0;
    if (is_first_order(w) && f->negative > 0)
        n += printf("WRONG: %" PRId64 " coefficients of a conservative remapping are negative (first: %s)\n",
                    f->negative, first_link(w, is_negative, text, sizeof text, &count)) > 0;
    if (f->row_misfit > row_tolerance * largest)
        n += printf("WRONG: rows do not sum to %s: target %" PRId64 " is off by %.3g (more than %g)\n",
                    w->norm == H3OU__DESTAREA ? "the covered share" : "1", worst_row(w) + 1, f->row_misfit,
                    row_tolerance * largest) > 0;
    n += print_balance(w, a, is_first_order(w) ? area_tolerance : area_tolerance_of_second * largest);
    if (f->links == 0)
        n += printf("WRONG: there is no link\n") > 0;
    return n;
}

/* Reads the grids and compares them with those of the weights; returns how many differ, or an error below 0. Grids that
 * are the weights' are left in grid. */
static int compare_grids(const char *const file[], int ngrid, const grid_options *masks, const h3ou__weightfile *w,
                         h3ou__cells *grid[2])
{
    const char *const what[] = {"source", "target"};
    const h3ou__cells *in_file[] = {w->source, w->target};
    const int64_t n[] = {w->weights->nsource, w->weights->ntarget};
    int wrong = 0;
    for (int i = 0; i < ngrid; i++) {
        int err = grid_read(masks, i, file[1 + i], H3OU__EDGES_DEFAULT, NULL, &grid[i]);
        if (err)
            return err;
        if (h3ou__weightfile_fits(file[0], what[i], in_file[i], n[i], grid[i])) {
            wrong += printf("WRONG: %s is not the %s grid: %s\n", file[1 + i], what[i], h3ou__fail_text()) > 0;
            h3ou__cells_free(grid[i]);
            grid[i] = NULL;
        } else
            printf("%s is the %s grid\n", file[1 + i], what[i]);
    }
    return wrong;
}

/* Prints the reasons to distrust the weights; returns how many there are, or an error below 0. grid: NULL, not known. */
static int judge_weights(const h3ou__weightfile *w, const h3ou__weights_facts *f, h3ou__cells *const grid[2])
{
    h3ou__area_balance balance;
    double *expected = NULL;
    bool has_grids = grid[0] && grid[1];
    const h3ou__method *first = h3ou__method_find(w->weights->how);
    int err = has_grids ? h3ou__expected_areas(w->weights, first, grid[0], grid[1], &expected) : H3OU__OK;
    if (!err)
        err = h3ou__area_balance_make(w->weights, has_grids ? grid[1] : w->target, expected, &balance);
    free(expected);
    if (err)
        return err;
    print_judged(w->weights, &balance, has_grids);
    return print_reasons(w->weights, f, &balance);
}

static int check_weights(const char *const file[], int nfile, const grid_options *masks)
{
    h3ou__weightfile w;
    h3ou__weights_facts f;
    h3ou__cells *grid[2] = {NULL, NULL};
    if (h3ou__weightfile_read(file[0], &w))
        return weights_failed(&about);
    h3ou__weights_look(w.weights, &f);
    printf("%s: format %s, method %s, %" PRId64 " source cells\n", file[0], w.format->name,
           w.weights->how[0] ? w.weights->how : "unknown", w.weights->nsource);
    weights_print_facts(stdout, file[0], w.weights, &f, w.target);
    int wrong = compare_grids(file, nfile - 1, masks, &w, grid), more = wrong < 0 ? wrong : judge_weights(&w, &f, grid);
    h3ou__cells_free(grid[0]);
    h3ou__cells_free(grid[1]);
    h3ou__weightfile_free(&w);
    if (more < 0)
        return weights_failed(&about);
    wrong += more;
    if (wrong)
        printf("%d reason%s to distrust these weights\n", wrong, wrong == 1 ? "" : "s");
    else
        printf("nothing is wrong\n");
    return wrong > 0;
}

static int run_check(int argc, char **argv)
{
    const char *file[3];
    grid_options masks = {0};
    const option options[] = {GRID_OPTIONS(&masks)};
    int nfile, code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (nfile == 2)
        return options_wrong(&about, "one grid file is given: give both, SRC.nc DST.nc, or none");
    if (grid_options_check(&about, &masks))
        return OPTIONS_WRONG;
    return check_weights(file, nfile, &masks);
}

const tool weights_check = {"check", "what a file of weights holds, and what is wrong", run_check};
