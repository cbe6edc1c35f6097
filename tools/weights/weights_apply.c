/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou weights apply: remaps all fields of a file. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/progress_line.h"
#include "tools/weights/netcdf/ncremapped.h"
#include "tools/weights/product.h"
#include "tools/weights/weights_commands.h"

static const command about = {
    .of = "weights",
    .name = "apply",
    .synopsis = "W.nc IN.nc OUT.nc [OPTION...]",
    .what = "Remaps every variable of IN.nc that is on the source grid of W.nc: (..., lat, lon), (..., y, x) or (..., "
            "cell), all\n"
            "times and levels. Other variables are copied. Target cells without a value get the field's _FillValue, or "
            "NaN.\n",
    .least = 3,
    .most = 3,
};

/* One field that is being remapped. */
typedef struct passage {
    const ncfile *from;
    const ncremapped *to;
    const product *product;
    int field; /* number of the variable */
    bool is_spread;
    double *source, *target; /* of `most` layers */
    int64_t most;
    int megabytes; /* of source and target values in memory at a time; at least one layer */
    progress seen;
    int64_t done, all; /* layers of all fields */
} passage;

/* Replaces missing values by NaN, and unpacks packed ones. */
static void unpack_values(const ncvar *v, double value[], int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double x = value[i];
        bool is_missing = x == v->fill[0] || x == v->fill[1] || x < v->valid[0] || x > v->valid[1];
        value[i] = is_missing ? NAN : v->is_packed ? x * v->scale + v->offset : x;
    }
}

/* Returns v with missing value and range rounded to float if the field is float, since its values are compared with
 * them. */
static ncvar round_limits(const ncvar *v)
{
    ncvar w = *v;
    if (v->type == NC_FLOAT)
        for (int k = 0; k < 2; k++) {
            w.fill[k] = (float)v->fill[k];
            w.valid[k] = (float)v->valid[k];
        }
    return w;
}

/* Reads, remaps and writes `layers` layers, whose leading indices begin at start[0..lead). */
static int pass_slab(passage *p, size_t start[], size_t count[], int lead, int64_t layers)
{
    const ncvar v = round_limits(&p->from->var[p->field]);
    const h3ou__weights *w = p->product->weights;
    for (int k = lead; k < v.rank; k++) {
        start[k] = 0;
        count[k] = p->from->length[v.dim[k]];
    }
    int code = nc_get_vara_double(p->from->nc, p->field, start, count, p->source);
    if (code)
        return ncfile_fail(p->from->name, v.name, code);
    unpack_values(&v, p->source, layers * w->nsource);
    int err = product_apply(p->product, (int)layers, p->is_spread, p->to->missing[p->field], p->source, p->target);
    if (err)
        return err;
    for (int k = 0; k < p->to->nspace; k++) {
        start[lead + k] = 0;
        count[lead + k] = (size_t)(p->to->nspace == 1 ? w->ntarget : p->to->target->dims[1 - k]);
    }
    code = nc_put_vara_double(p->to->nc, p->to->var[p->field], start, count, p->target);
    p->done += layers;
    progress_say(&p->seen, v.name, p->done, p->all, "layers");
    return code ? ncfile_fail(p->to->name, v.name, code) : H3OU__OK;
}

/* Remaps all layers of a field in slabs: as many dimensions wholly as memory allows, of the next one some indices at a
 * time. */
static int pass_field(passage *p)
{
    const ncvar *v = &p->from->var[p->field];
    int lead = v->rank - v->horizontal, cut = lead - 1, err = H3OU__OK;
    size_t start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS] = {0};
    int64_t inner = 1;
    for (int k = 0; k < lead; k++)
        if (p->from->length[v->dim[k]] == 0)
            return H3OU__OK;
    while (cut > 0 && inner * (int64_t)p->from->length[v->dim[cut]] <= p->most)
        inner *= (int64_t)p->from->length[v->dim[cut--]];
    if (lead == 0)
        return pass_slab(p, start, count, 0, 1);
    int64_t size = (int64_t)p->from->length[v->dim[cut]], step = p->most / inner;
    while (!err) {
        int64_t at = (int64_t)start[cut], now = size - at < step ? size - at : step;
        for (int k = 0; k < lead; k++)
            count[k] = k < cut ? 1 : k == cut ? (size_t)now : p->from->length[v->dim[k]];
        size_t here[NC_MAX_VAR_DIMS];
        memcpy(here, start, sizeof here);
        err = pass_slab(p, here, count, lead, now * inner);
        start[cut] += (size_t)now;
        int k = cut; /* count up the indices of the dimensions before */
        for (; k > 0 && start[k] == p->from->length[v->dim[k]]; k--) {
            start[k] = 0;
            start[k - 1]++;
        }
        if (start[0] == p->from->length[v->dim[0]])
            break;
    }
    return err;
}

static int64_t layers_of(const ncfile *f, const ncvar *v)
{
    int64_t n = 1;
    for (int k = 0; k < v->rank - v->horizontal; k++)
        n *= (int64_t)f->length[v->dim[k]];
    return n;
}

static int pass_fields(passage *p)
{
    const h3ou__weights *w = p->product->weights;
    int64_t largest = 1, layer_bytes = 8 * (w->nsource + w->ntarget) + 1;
    for (int i = 0; i < p->from->nvar; i++)
        if (p->from->var[i].role == NCROLE_FIELD) {
            int64_t layers = layers_of(p->from, &p->from->var[i]);
            largest = layers > largest ? layers : largest;
            p->all += layers;
        }
    p->most = ((int64_t)p->megabytes << 20) / layer_bytes > 1 ? ((int64_t)p->megabytes << 20) / layer_bytes : 1;
    p->most = p->most < largest ? p->most : largest;
    p->source = malloc(sizeof(double) * (size_t)(w->nsource * p->most + 1));
    p->target = malloc(sizeof(double) * (size_t)(w->ntarget * p->most + 1));
    int err =
        p->source && p->target ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "out of memory for %" PRId64 " layers", p->most);
    progress_begin(&p->seen);
    for (int i = 0; i < p->from->nvar && !err; i++)
        if (p->from->var[i].role == NCROLE_FIELD) {
            p->field = i;
            err = pass_field(p);
        }
    progress_end(&p->seen);
    free(p->source);
    free(p->target);
    if (!err)
        printf("%s: %d field%s of %" PRId64 " layer%s in all, %" PRId64 " -> %" PRId64 " cells\n", p->to->name,
               p->from->nfield, p->from->nfield == 1 ? "" : "s", p->all, p->all == 1 ? "" : "s", w->nsource,
               w->ntarget);
    return err;
}

/* Checks, if IN.nc has the centres of its cells, that they are those of the weights' source grid. */
static int check_places(const char *weights, const char *in, const h3ou__cells *source, int64_t nsource)
{
    const double slack = 1e-5; /* radians; coordinates in single precision are this accurate */
    h3ou__cells *c = NULL;
    int err = H3OU__OK;
    if (!source || !source->lon || h3ou__gridfile_read(in, H3OU__EDGES_DEFAULT, &c))
        return H3OU__OK;
    for (int64_t i = 0; c->n == nsource && i < nsource && !err; i++) {
        double arc =
            hypot(remainder(c->lon[i] - source->lon[i], 2.0 * M_PI) * cos(c->lat[i]), c->lat[i] - source->lat[i]);
        if (arc > slack && source->mask[i])
            err = h3ou__fail(H3OU__EFILE,
                             "%s is not on the source grid of %s: cell %" PRId64
                             " is at (%.6g, %.6g), there at (%.6g, %.6g) degrees; make weights for this grid",
                             in, weights, i + 1, c->lon[i] * 180.0 / M_PI, c->lat[i] * 180.0 / M_PI,
                             source->lon[i] * 180.0 / M_PI, source->lat[i] * 180.0 / M_PI);
    }
    h3ou__cells_free(c);
    return err;
}

/* Only what stands in the root of a file is read. */
static void say_groups(const ncfile *f)
{
    int n = 0, *group = NULL;
    char name[NC_MAX_NAME + 1];
    if (nc_inq_grps(f->nc, &n, NULL) || n < 1 || !(group = malloc(sizeof *group * (size_t)n)))
        return;
    if (nc_inq_grps(f->nc, &n, group) == NC_NOERR)
        for (int i = 0; i < n; i++)
            if (nc_inq_grpname(group[i], name) == NC_NOERR)
                fprintf(stderr, "%s: group '%s' is left out: move its variables to the root, as with 'ncks -G :'\n",
                        f->name, name);
    free(group);
}

static int apply_weights(const char *const file[3], bool is_spread, int megabytes, const char *history)
{
    h3ou__weightfile w;
    ncfile *from = NULL;
    ncremapped *to = NULL;
    product p = {0};
    h3ou__side_corners corners = {0};
    if (h3ou__weightfile_read(file[0], &w))
        return weights_failed(&about);
    int err = H3OU__OK;
    if (!w.target || !w.target->lon)
        err = h3ou__fail(H3OU__EFILE,
                         "%s does not tell where its target cells are: give it its grids with 'h3ou weights convert %s "
                         "SRC.nc DST.nc -f scrip -o NEW.nc'",
                         file[0], file[0]);
    if (!err)
        err = check_places(file[0], file[1], w.source, w.weights->nsource);
    if (!err)
        err = ncfile_open(file[1], w.weights->nsource, w.source, &from);
    if (!err)
        err = product_create(w.weights, &p);
    if (!err)
        err = h3ou__side_corners_read(file[0], w.weights->ntarget, &corners);
    if (!err)
        err = ncremapped_create(file[2], from, w.target, &corners, history, &to);
    h3ou__side_corners_free(&corners);
    if (!err)
        say_groups(from);
    for (int i = 0; !err && i < from->nvar; i++)
        if (from->var[i].role == NCROLE_LEFT)
            fprintf(stderr, "%s: variable '%s' is left out: %s\n", file[1], from->var[i].name, from->var[i].why);
    if (!err) {
        passage way = {.from = from, .to = to, .product = &p, .is_spread = is_spread, .megabytes = megabytes};
        err = ncremapped_close(to, pass_fields(&way));
    }
    product_free(&p);
    ncfile_close(from);
    h3ou__weightfile_free(&w);
    return err ? weights_failed(&about) : 0;
}

static int run_apply(int argc, char **argv)
{
    int missing = 0, megabytes = 128, nfile;
    const char *file[3];
    char history[4096] = "h3ou weights";
    const option options[] = {
        {"--missing", "skip|spread", "missing values are left out of a cell's mean (default), or make it missing",
         OPTION_CHOICE, &missing},
        {"--memory", "MB", "of numbers in memory at a time (128)", OPTION_COUNT, &megabytes},
    };
    int code = options_parse(&about, options, sizeof options / sizeof *options, argc, argv, file, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (weights_cannot_write(&about, file[2], file, 2))
        return 1;
    for (int i = 0; i < argc; i++)
        snprintf(history + strlen(history), sizeof history - strlen(history), " %s", argv[i]);
    return apply_weights(file, missing == 1, megabytes, history);
}

const tool weights_apply = {"apply", "remap all fields of a file", run_apply};
