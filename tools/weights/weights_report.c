/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou weights report: how good weights are, as text, JSON and a picture. */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "tools/plot/plotter.h"
#include "tools/weights/report_json.h"
#include "tools/weights/report_picture.h"
#include "tools/weights/weights_commands.h"

static const command about = {
    .of = "weights",
    .name = "report",
    .synopsis = "W.nc [SRC.nc DST.nc] [--json R.json] [--picture P.png|P.svg|P.pdf] [--function NAME]",
    .what = "Says how good the weights are: sums of rows, conservation, coverage, cells that are left over, and the "
            "misfits\n"
            "|remapped - exact| / |exact| of four functions (S. Valcke et al. 2022, doi 10.3390/mca27020031) on the "
            "target's\n"
            "centres, with the relative difference of the integrals over both grids. SRC.nc and DST.nc are only needed "
            "when\n"
            "W.nc does not tell its cells' centres.\n",
    .least = 1,
    .most = 3,
};

static void print_cells(const char *what, int64_t n, const region *r, const char *end)
{
    char text[128];
    printf("%s%" PRId64, what, n);
    if (n > 0)
        printf(" within %s", region_text(r, text, sizeof text));
    printf("%s", end);
}

static void print_share(const char *what, double share)
{
    if (isnan(share))
        printf("%snot known without areas\n", what);
    else
        printf("%s%.10g %%\n", what, 100.0 * share);
}

static void print_misfits(const h3ou__cells *target, const measure *m)
{
    char lon[24], lat[24];
    printf("\n%-11s %10s %10s %10s  %-22s %s\n", "misfit of", "mean", "RMS", "maximum", "where", "integral differs by");
    for (int k = 0; k < FIELDS; k++) {
        const measure_misfit *f = &m->misfit[k];
        char where[64] = "-";
        if (f->max_cell >= 0)
            snprintf(where, sizeof where, "%" PRId64 " (%s, %s)", f->max_cell + 1,
                     region_angle(target->lon[f->max_cell] * 180.0 / M_PI, "WE", lon, sizeof lon),
                     region_angle(target->lat[f->max_cell] * 180.0 / M_PI, "SN", lat, sizeof lat));
        printf("%-11s %10.3e %10.3e %10.3e  %-22s ", fields[k].name, f->mean, f->rms, f->max, where);
        if (isnan(f->conservation))
            printf("-\n");
        else
            printf("%.3e\n", f->conservation);
    }
}

static void print_report(const char *file, const h3ou__weightfile *w, const measure *m)
{
    printf("%s: %s, format %s, %s\n", file, w->weights->how[0] ? w->weights->how : "unknown method",
           w->format->name, w->weights->norm == H3OU__DESTAREA ? "destarea" : "fracarea");
    weights_print_facts(stdout, file, w->weights, &m->facts, w->target);
    printf("source: %" PRId64 " cells, %" PRId64 " masked, ", w->weights->nsource, m->source_masked);
    print_cells("without a link: ", m->source_unused, &m->unused, "\n");
    print_share("source area that is given: ", m->source_given);
    print_share("target area that is covered: ", m->target_covered);
    print_misfits(w->target, m);
}

static int report_weights(const char *const file[], int nfile, const grid_options *masks, const char *json,
                          const char *picture, int which)
{
    h3ou__weightfile w;
    measure m;
    if (weights_open(file[0], nfile == 3 ? file[1] : NULL, nfile == 3 ? file[2] : NULL, masks, &w))
        return weights_failed(&about);
    int err = H3OU__OK;
    if (!w.source || !w.source->lon || !w.target || !w.target->lon)
        err =
            h3ou__fail(H3OU__EARG,
                       "%s: a file of format %s does not tell its cells' centres: give both grids, as in 'h3ou weights "
                       "report %s SRC.nc DST.nc'",
                       file[0], w.format->name, file[0]);
    if (!err)
        err = measure_make(&w, &m);
    if (!err)
        print_report(file[0], &w, &m);
    if (!err && json)
        err = report_json(json, file[0], &w, &m);
    if (!err && picture)
        err = report_picture(picture, file[0], &w, &m, which);
    h3ou__weightfile_free(&w);
    return err ? weights_failed(&about) : 0;
}

static int run_report(int argc, char **argv)
{
    const char *json = NULL, *picture = NULL, *file[3];
    int which = 2, nfile; /* the vortex, which has the finest structures */
    grid_options masks = {0};
    const option options[] = {
        {"--json", "R.json", "write the numbers as JSON", OPTION_TEXT, &json},
        {"--picture", "P.png|P.svg|P.pdf", "draw the function on the source, on the target, and its misfit", OPTION_TEXT, &picture},
        GRID_OPTIONS(&masks),
        {"--function", FIELD_NAMES, "the function to draw (vortex)", OPTION_CHOICE, &which},
    };
    int code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (nfile == 2)
        return options_wrong(&about, "one grid file is given: give both, SRC.nc DST.nc, or none");
    if (grid_options_check(&about, &masks))
        return OPTIONS_WRONG;
    if ((json && weights_cannot_write(&about, json, file, nfile)) ||
        (picture && weights_cannot_write(&about, picture, file, nfile)))
        return 1;
    if (picture && plotter_check(picture))
        return options_wrong(&about, "--picture %s", h3ou__fail_text());
    return report_weights(file, nfile, &masks, json, picture, which);
}

const tool weights_report = {"report", "how good weights are: text, JSON, a picture", run_report};
