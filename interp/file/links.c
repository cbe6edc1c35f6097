/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/links.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"

/* Reads the first coefficient of each link. Further ones multiply gradients, which only the program that wrote the file
 * can compute. */
static int read_coefs(const h3ou__nc *r, const char *name, size_t n, double **out)
{
    h3ou__nc_var v;
    int err = h3ou__nc_need(r, name, 0, &v);
    if (err)
        return err;
    if ((v.rank != 1 && v.rank != 2) || v.size[0] != n)
        return h3ou__nc_bad(r, name, "has %zu values, there are %zu links", v.all, n);
    size_t width = v.rank == 2 ? v.size[1] : 1;
    double order = 1;
    h3ou__nc_number(r, NC_GLOBAL, "remap_order", &order);
    if (width == 1)
        return h3ou__nc_doubles(r, &v, out);
    if (width != 3 || order != 1)
        return h3ou__nc_bad(
            r, name,
            "has %zu coefficients a link, of which all but the first multiply gradients that are not in "
            "the file: make first-order weights, or weights with h3ou",
            width);
    const size_t SLAB = 8192;
    double *slab = malloc(sizeof *slab * SLAB * width);
    *out = malloc(sizeof **out * (n + 1));
    err = slab && *out ? H3OU__OK : h3ou__nc_no_memory(r, name);
    for (size_t at = 0; at < n && !err; at += SLAB) {
        size_t start[2] = {at, 0}, count[2] = {n - at < SLAB ? n - at : SLAB, width};
        int code = nc_get_vara_double(r->id, v.id, start, count, slab);
        err = code ? h3ou__nc_bad(r, name, "%s", nc_strerror(code)) : H3OU__OK;
        for (size_t i = 0; i < count[0] && !err; i++)
            (*out)[at + i] = slab[i * width];
    }
    free(slab);
    if (!err)
        h3ou__log(H3OU__LOG_WHISPER, "weights", "file=%s coefficients=%zu used=1 gradients=left_out", r->file, width);
    return err;
}

typedef struct lists {
    size_t n;
    int *src, *dst;
    double *coef;
} lists;

static int read_lists(const h3ou__nc *r, const h3ou__link_names *names, lists *l)
{
    h3ou__nc_var src, dst;
    int err = h3ou__nc_need(r, names->src, 0, &src);
    if (!err)
        err = h3ou__nc_need(r, names->dst, 0, &dst);
    if (!err && (src.rank != 1 || dst.rank != 1 || src.all != dst.all))
        err = h3ou__nc_bad(r, names->src, "has %zu values, %s has %zu", src.all, names->dst, dst.all);
    if (!err && src.all > (size_t)INT32_MAX)
        err = h3ou__nc_bad(r, names->src, "%zu links are more than 2^31 - 1", src.all);
    if (err)
        return err;
    l->n = src.all;
    if ((err = h3ou__nc_ints(r, &src, &l->src)) == H3OU__OK)
        err = h3ou__nc_ints(r, &dst, &l->dst);
    return err ? err : read_coefs(r, names->coef, l->n, &l->coef);
}

/* With links of which an address and the coefficient are 0 OASIS fills what its processes leave unused of the lists. */
static bool is_padding(const lists *l, size_t i)
{
    return (l->src[i] == 0 || l->dst[i] == 0) && l->coef[i] == 0.0;
}

/* Checks the lists, drops padding and converts addresses from 1 to numbers from 0. */
static int check_lists(const h3ou__nc *r, const h3ou__link_names *names, lists *l, int64_t *nsource, int64_t *ntarget)
{
    int64_t most_src = *nsource > 0 ? *nsource : INT32_MAX, most_dst = *ntarget > 0 ? *ntarget : INT32_MAX;
    int last_src = 0, last_dst = 0;
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i++) {
        if (is_padding(l, i))
            continue;
        if (l->src[i] < 1 || l->src[i] > most_src)
            return h3ou__nc_bad(r, names->src, "link %zu comes from cell %d, the source has %" PRId64, i + 1, l->src[i],
                                most_src);
        if (l->dst[i] < 1 || l->dst[i] > most_dst)
            return h3ou__nc_bad(r, names->dst, "link %zu goes to cell %d, the target has %" PRId64, i + 1, l->dst[i],
                                most_dst);
        if (!isfinite(l->coef[i]))
            return h3ou__nc_bad(r, names->coef, "link %zu has the coefficient %g", i + 1, l->coef[i]);
        last_src = l->src[i] > last_src ? l->src[i] : last_src;
        last_dst = l->dst[i] > last_dst ? l->dst[i] : last_dst;
        l->src[kept] = l->src[i] - 1;
        l->dst[kept] = l->dst[i] - 1;
        l->coef[kept++] = l->coef[i];
    }
    if (kept < l->n)
        h3ou__log(H3OU__LOG_LOUD, "weights", "file=%s padding=%zu of=%zu", r->file, l->n - kept, l->n);
    l->n = kept;
    *nsource = *nsource > 0 ? *nsource : last_src;
    *ntarget = *ntarget > 0 ? *ntarget : last_dst;
    return H3OU__OK;
}

static bool in_order(const lists *l)
{
    for (size_t i = 1; i < l->n; i++)
        if (l->dst[i] < l->dst[i - 1] || (l->dst[i] == l->dst[i - 1] && l->src[i] <= l->src[i - 1]))
            return false;
    return true;
}

/* Links that are already in the order of rows are the rows: the weights take over the lists without copying. */
static void take_rows(lists *l, h3ou__weights *w)
{
    free(w->src);
    free(w->coef);
    w->src = (int32_t *)l->src;
    w->coef = l->coef;
    l->src = NULL;
    l->coef = NULL;
    int64_t row = 0;
    for (int64_t k = 0; k < (int64_t)l->n; k++)
        for (; row <= l->dst[k]; row++)
            w->start[row] = k;
    for (; row <= w->ntarget; row++)
        w->start[row] = (int64_t)l->n;
    for (int64_t i = 0; i < w->ntarget; i++)
        if (w->start[i + 1] > w->start[i]) {
            w->served[i] = 0;
            w->frac[i] = 1.0;
        }
}

static int append_links(const lists *l, h3ou__weights *w)
{
    enum { SLAB = 4096 };
    int64_t src[SLAB], dst[SLAB];
    int err = H3OU__OK;
    for (size_t at = 0; at < l->n && !err; at += SLAB) {
        size_t n = l->n - at < SLAB ? l->n - at : SLAB;
        for (size_t i = 0; i < n; i++) {
            src[i] = l->src[at + i];
            dst[i] = l->dst[at + i];
        }
        err = h3ou__weights_append(w, (int64_t)n, src, dst, l->coef + at);
    }
    return err ? err : h3ou__weights_finish(w);
}

int h3ou__links_read(const h3ou__nc *r, const h3ou__link_names *names, int64_t nsource, int64_t ntarget,
                     h3ou__weightfile *out)
{
    lists l = {0};
    _Static_assert(sizeof(int) == sizeof(int32_t), "int is 32 bits");
    int err = read_lists(r, names, &l);
    if (!err)
        err = check_lists(r, names, &l, &nsource, &ntarget);
    if (!err)
        err = h3ou__weights_create(nsource, ntarget, out->target ? out->target->mask : NULL, &out->weights);
    if (!err && in_order(&l))
        take_rows(&l, out->weights);
    else if (!err && (err = append_links(&l, out->weights)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, names->src, err);
    free(l.src);
    free(l.dst);
    free(l.coef);
    return err;
}

int h3ou__side_read(const h3ou__nc *r, const h3ou__side_names *names, const char *text, int64_t n, h3ou__cells **out)
{
    h3ou__nc_var v;
    double *lon = NULL, *lat = NULL;
    int *mask = NULL, *dims = NULL, err = H3OU__OK;
    size_t all = (size_t)n;
    bool has_centres = h3ou__nc_has(r, names->lon) && h3ou__nc_has(r, names->lat);
    if (!has_centres && !h3ou__nc_has(r, names->mask))
        return H3OU__OK;
    if (has_centres && !(err = h3ou__nc_need(r, names->lon, all, &v)))
        err = h3ou__nc_angles(r, &v, NULL, &lon);
    if (!err && has_centres && !(err = h3ou__nc_need(r, names->lat, all, &v)))
        err = h3ou__nc_angles(r, &v, NULL, &lat);
    if (!err && h3ou__nc_has(r, names->mask) && !(err = h3ou__nc_need(r, names->mask, all, &v)))
        err = h3ou__nc_ints(r, &v, &mask);
    if (!err && (err = h3ou__cells_create(text[0] ? text : r->base, n, lon, lat, mask, out)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, names->lon, err);
    if (!err && h3ou__nc_find(r, names->dims, &v) && v.all == 2 && !(err = h3ou__nc_ints(r, &v, &dims)) &&
        dims[0] > 0 && dims[1] > 0 && (int64_t)dims[0] * dims[1] == n) {
        (*out)->rank = 2;
        (*out)->dims[0] = dims[0];
        (*out)->dims[1] = dims[1];
    }
    free(lon);
    free(lat);
    free(mask);
    free(dims);
    return err;
}

int h3ou__side_shape(const h3ou__cells *c, int32_t dims[2])
{
    bool is_plane = c->rank == 2 && !c->listed;
    dims[0] = (int32_t)(is_plane ? c->dims[0] : c->n);
    dims[1] = (int32_t)(is_plane ? c->dims[1] : 1);
    return is_plane ? 2 : 1;
}

int h3ou__frac_read(const h3ou__nc *r, const char *name, h3ou__weights *w)
{
    h3ou__nc_var v;
    double *frac = NULL;
    if (!h3ou__nc_has(r, name))
        return H3OU__OK;
    int err = h3ou__nc_need(r, name, (size_t)w->ntarget, &v);
    if (!err)
        err = h3ou__nc_doubles(r, &v, &frac);
    for (int64_t i = 0; i < w->ntarget && !err; i++) {
        if (!isfinite(frac[i]) || frac[i] < 0.0)
            err = h3ou__nc_bad(r, name, "cell %" PRId64 " has the value %g", i + 1, frac[i]);
        else if (w->start[i + 1] > w->start[i])
            w->frac[i] = frac[i];
    }
    free(frac);
    return err;
}

int h3ou__area_read(const h3ou__nc *r, const char *name, int64_t n, double **out)
{
    int err = h3ou__nc_areas(r, name, (size_t)n, NULL, out);
    bool known = false;
    for (int64_t i = 0; i < n && !err && *out && !known; i++)
        known = (*out)[i] > 0.0;
    if (!err && !known) {
        free(*out);
        *out = NULL;
    }
    return err;
}

void h3ou__how_read(const h3ou__nc *r, h3ou__weights *w)
{
    char text[256];
    w->norm = strcmp(h3ou__nc_text(r, NC_GLOBAL, "normalization", text, sizeof text), "destarea") ? H3OU__FRACAREA
                                                                                                  : H3OU__DESTAREA;
    w->conserves = !strncasecmp(h3ou__nc_text(r, NC_GLOBAL, "map_method", text, sizeof text), "conservative", 12);
    snprintf(w->how, sizeof w->how, "%s", text[0] ? text : "table");
    if (!h3ou__nc_text(r, NC_GLOBAL, "h3ou_method", text, sizeof text)[0])
        return;
    snprintf(w->how, sizeof w->how, "%s", text);
    snprintf(w->map_method, sizeof w->map_method, "%s", h3ou__nc_text(r, NC_GLOBAL, "map_method", text, sizeof text));
}

int h3ou__source_frac(const h3ou__weights *w, double **out)
{
    double *frac = calloc((size_t)w->nsource + 1, sizeof *frac);
    *out = frac;
    if (!frac)
        return h3ou__no_memory("shares of source cells");
    if (!w->conserves || !w->source_area || !w->target_area)
        return H3OU__OK;
    for (int64_t i = 0; i < w->ntarget; i++) {
        double area = w->target_area[i] * (w->norm == H3OU__FRACAREA ? w->frac[i] : 1.0);
        for (int64_t k = w->start[i]; k < w->start[i + 1] && w->served[i] == 0; k++)
            frac[w->src[k]] += w->coef[k] * area;
    }
    for (int64_t s = 0; s < w->nsource; s++) {
        frac[s] = w->source_area[s] > 0.0 ? frac[s] / w->source_area[s] : 0.0;
        frac[s] = frac[s] > 1.0 && frac[s] < 1.0 + 1e-9 ? 1.0 : frac[s];
    }
    return H3OU__OK;
}

const char *h3ou__map_method(const h3ou__weights *w)
{
    if (w->conserves)
        return "Conservative remapping using clipping on sphere";
    return *w->map_method ? w->map_method : "Distance weighted avg of nearest neighbors"; /* CDO applies any rows so */
}
