/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/log.h"
#include "interp/file/formats.h"

const char *h3ou__weight_format_name(int format)
{
    return format >= 0 && format < H3OU__WEIGHT_FORMATS ? h3ou__weight_formats[format]->name : "unknown";
}

int h3ou__weightfile_write(const char *file, int format, const h3ou__weights *w, const h3ou__cells *source,
                           const h3ou__cells *target)
{
    if (format < 0 || format >= H3OU__WEIGHT_FORMATS || !h3ou__weight_formats[format]->write)
        return h3ou__fail(H3OU__EARG, "%s: weights can't be written in the format %s: scrip and esmf are possible",
                          file, h3ou__weight_format_name(format));
    if (source->n != w->nsource || target->n != w->ntarget || source->n < 1 || target->n < 1 || !source->lon ||
        !target->lon)
        return h3ou__fail(H3OU__EARG,
                          "%s: weights from %" PRId64 " to %" PRId64 " cells can't be written with grids of %" PRId64
                          " and %" PRId64 " cells%s",
                          file, w->nsource, w->ntarget, source->n, target->n,
                          source->lon && target->lon ? "" : " without centres");
    if (w->start[w->ntarget] > INT32_MAX)
        return h3ou__fail(H3OU__EFILE, "%s: %" PRId64 " links: a file holds 2^31 - 1", file, w->start[w->ntarget]);
    return h3ou__weight_formats[format]->write(file, w, source, target);
}

int h3ou__weightfile_read(const char *file, h3ou__weightfile *out)
{
    h3ou__nc r;
    *out = (h3ou__weightfile){.format = -1};
    int err = h3ou__nc_open(file, &r);
    if (err)
        return err;
    for (int f = 0; f < H3OU__WEIGHT_FORMATS && out->format < 0; f++)
        if (h3ou__weight_formats[f]->is(&r))
            out->format = f;
    if (out->format >= 0)
        err = h3ou__weight_formats[out->format]->read(&r, out);
    else
        err = h3ou__nc_bad(&r, "weights",
                           "neither src_address, dst_address and remap_matrix (SCRIP, OASIS, YAC) nor row, col and S "
                           "(ESMF): these are no weights");
    if (!err)
        h3ou__log(H3OU__LOG_LOUD, "weights", "file=%s format=%s links=%" PRId64, file,
                  h3ou__weight_format_name(out->format), out->weights->start[out->weights->ntarget]);
    else
        h3ou__weightfile_free(out);
    h3ou__nc_close(&r);
    return err;
}

void h3ou__weightfile_free(h3ou__weightfile *f)
{
    h3ou__weights_free(f->weights);
    h3ou__cells_free(f->source);
    h3ou__cells_free(f->target);
    *f = (h3ou__weightfile){.format = -1};
}

/* Degrees between two places. */
static double apart(double lon_a, double lat_a, double lon_b, double lat_b)
{
    double u = sin(0.5 * (lat_b - lat_a)), v = sin(0.5 * (lon_b - lon_a));
    double h = u * u + cos(lat_a) * cos(lat_b) * v * v;
    return 2 * asin(fmin(1.0, sqrt(h))) * 180.0 / 3.14159265358979323846;
}

int h3ou__weightfile_fits(const char *file, const char *what, const h3ou__cells *in_file, int64_t size,
                          const h3ou__cells *c)
{
    const double NEAR = 1e-4; /* degrees: single precision at 360 degrees, twice rounded, and some */
    int64_t n = in_file ? in_file->n : size, whole = c->rank == 2 ? c->dims[0] * c->dims[1] : c->n;
    if (c->id && c->rank != 2) /* a part of a grid of unknown size */
        whole = c->n > 0 && h3ou__cell_id(c, c->n - 1) >= n ? h3ou__cell_id(c, c->n - 1) + 1 : n;
    /* A file that tells no grids may know fewer cells: the last ones may have no links. */
    if (in_file ? n != whole : n > whole)
        return h3ou__fail(H3OU__EARG, "%s: its %s has %" PRId64 " cells, the grid %s has %" PRId64, file, what, n,
                          c->name, whole);
    for (int64_t i = 0; i < c->n && in_file; i++) {
        int64_t k = h3ou__cell_id(c, i);
        if (!in_file->mask[k] != !c->mask[i])
            return h3ou__fail(H3OU__EARG,
                              "%s: cell %" PRId64 " of its %s is %smasked, in the grid %s it is %smasked: make the "
                              "weights again",
                              file, k + 1, what, in_file->mask[k] ? "not " : "", c->name, c->mask[i] ? "not " : "");
        if (!in_file->lon || !c->lon || (in_file->lon[k] == c->lon[i] && in_file->lat[k] == c->lat[i]))
            continue;
        double off = apart(in_file->lon[k], in_file->lat[k], c->lon[i], c->lat[i]);
        if (!(off <= NEAR))
            return h3ou__fail(H3OU__EARG,
                              "%s: cell %" PRId64
                              " of its %s is centred at longitude %.9g, latitude %.9g, %.3g degrees "
                              "from where the grid %s has it",
                              file, k + 1, what, in_file->lon[k] * 180 / 3.14159265358979323846,
                              in_file->lat[k] * 180 / 3.14159265358979323846, off, c->name);
    }
    return H3OU__OK;
}
