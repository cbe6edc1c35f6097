/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou weights: makes interpolation weights from two grid files, and looks at weight files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/file/ncfile.h"
#include "tool.h"

static void usage(FILE *out)
{
    fprintf(
        out,
        "usage: h3ou weights make SRC.nc DST.nc -m METHOD[,METHOD...] -o W.nc [-n N] [-p POWER]\n"
        "       h3ou weights info W.nc\n\n"
        "SRC.nc and DST.nc: SCRIP grid files, or any NetCDF whose first field's coordinates say the grid and whose\n"
        "missing values are the mask. W.nc: SCRIP weights, as CDO writes and reads them.\n\n"
        "methods (a list: each takes what the former left):\n");
    for (int i = 0; h3ou__methods[i]; i++)
        fprintf(out, "  %-10s %s\n", h3ou__methods[i]->name, h3ou__methods[i]->help);
    fprintf(out, "\n  -n N       neighbours of method distance (4)\n  -p POWER   power of the inverse distance (2)\n");
}

static int failed(void)
{
    fprintf(stderr, "h3ou weights: %s\n", h3ou__fail_text());
    return 1;
}

static void print_facts(FILE *out, const char *file, const h3ou__weights *w)
{
    h3ou__weights_facts f;
    h3ou__weights_look(w, &f);
    fprintf(out,
            "%s: %" PRId64 " links, %" PRId64 " target cells: %" PRId64 " served, %" PRId64 " masked, %" PRId64
            " left over\n",
            file, f.links, f.targets, f.served, f.masked, f.unserved);
    fprintf(out, "coefficients %.6g to %.6g, rows sum to 1 within %.2g\n", f.least, f.most, f.row_misfit);
}

typedef struct options {
    const char *file[2], *method, *out;
    int nfile, neighbours;
    double power;
} options;

static int number(const char *option, const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (!*text || *end)
        fprintf(stderr, "h3ou weights: %s %s: not a number\n", option, text);
    return !*text || *end ? 2 : 0;
}

static int parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        double value = 0;
        bool is_option = a[0] == '-' && a[1];
        if (!is_option && o->nfile < 2) {
            o->file[o->nfile++] = a;
            continue;
        }
        if (!is_option || !strchr("mnop", a[1]) || a[2] || i + 1 == argc) {
            fprintf(stderr, "h3ou weights: '%s': not an option, or without its value\n\n", a);
            usage(stderr);
            return 2;
        }
        const char *v = argv[++i];
        if (a[1] == 'm')
            o->method = v;
        else if (a[1] == 'o')
            o->out = v;
        else if (number(a, v, &value))
            return 2;
        else if (a[1] == 'n')
            o->neighbours = (int)value;
        else
            o->power = value;
    }
    return 0;
}

static int make(int argc, char **argv)
{
    options o = {.neighbours = 4, .power = 2.0};
    h3ou__cells *source = NULL, *target = NULL;
    h3ou__weights *w = NULL;
    int code = parse(argc, argv, &o);
    if (code)
        return code;
    if (o.nfile != 2 || !o.method || !o.out) {
        usage(stderr);
        return 2;
    }
    int err = h3ou__gridfile_read(o.file[0], H3OU__EDGES_DEFAULT, &source);
    if (!err)
        err = h3ou__gridfile_read(o.file[1], H3OU__EDGES_DEFAULT, &target);
    if (!err) {
        fprintf(stderr, "h3ou weights: %s (%" PRId64 " cells) -> %s (%" PRId64 " cells), %s\n", o.file[0], source->n,
                o.file[1], target->n, o.method);
        err = h3ou__weights_make(o.method, source, target, NULL, &w);
    }
    if (!err)
        err = h3ou__weightfile_write(o.out, H3OU__SCRIP, w, source, target);
    if (err)
        code = failed();
    else
        print_facts(stderr, o.out, w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
    h3ou__weights_free(w);
    return code;
}

static int run(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "make"))
        return make(argc - 1, argv + 1);
    bool is_help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    usage(is_help ? stdout : stderr);
    return is_help ? 0 : 2;
}

const tool tool_weights = {"weights", "make and look at interpolation weights", run};
