/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou weights convert: a file of weights in another format. */
#include <inttypes.h>

#include "base/error.h"
#include "tools/weights/weights_commands.h"

static const command about = {
    .of = "weights",
    .name = "convert",
    .synopsis = "W.nc [SRC.nc DST.nc] -f FORMAT -o OUT.nc",
    .what = "Reads weights of any format that -f names, recognised by its contents, and writes them in another. What the\n"
            "file does not tell of its grids (centres, areas) is taken from the two grid files.\n",
    .least = 1,
    .most = 3,
};

static int convert_weights(const char *const file[], int nfile, const h3ou__weight_format *format, const char *out,
                           const grid_options *masks)
{
    h3ou__weightfile w;
    if (weights_open(file[0], nfile == 3 ? file[1] : NULL, nfile == 3 ? file[2] : NULL, masks, &w))
        return weights_failed(&about);
    int err = H3OU__OK;
    if (!w.source || !w.target)
        err = h3ou__fail(H3OU__EARG,
                         "%s: a file of format %s does not tell the centres of its %s cells: give both grids, as in "
                         "'h3ou weights convert %s SRC.nc DST.nc -f %s -o %s'",
                         file[0], w.format->name, w.source ? "target" : "source", file[0],
                         format->name, out);
    if (!err)
        err = h3ou__weightfile_write(out, format, w.weights, w.source, w.target);
    if (!err)
        printf("%s (%s) -> %s (%s): %" PRId64 " links\n", file[0], w.format->name, out,
               format->name, w.weights->start[w.weights->ntarget]);
    h3ou__weightfile_free(&w);
    return err ? weights_failed(&about) : 0;
}

static int run_convert(int argc, char **argv)
{
    int format = -1, nfile;
    char formats[H3OU__WEIGHT_FORMAT_NAMES];
    const char *out = NULL, *file[3];
    grid_options masks = {0};
    const option options[] = {
        {"-f, --format", h3ou__weight_format_names(formats), "the format to write", OPTION_CHOICE, &format},
        {"-o, --output", "OUT.nc", "the file to write", OPTION_TEXT, &out},
        GRID_OPTIONS(&masks),
    };
    int code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (format < 0)
        return options_wrong(&about, "no format is given: -f %s", formats);
    if (!out)
        return options_wrong(&about, "no result is named: -o OUT.nc");
    if (nfile == 2)
        return options_wrong(&about, "one grid file is given: give both, SRC.nc DST.nc, or none");
    if (grid_options_check(&about, &masks))
        return OPTIONS_WRONG;
    if (weights_cannot_write(&about, out, file, nfile))
        return 1;
    return convert_weights(file, nfile, h3ou__weight_formats[format], out, &masks);
}

const tool weights_convert = {"convert", "weights in another format", run_convert};
