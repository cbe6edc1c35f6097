/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/netcdf/field_mask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/log.h"

enum { MOST_VALUES = 32, LEAST_TIMES = 3, MOST_TIMES = 32, MOST_READ = 1 << 25 };

/* How values are read: cells with a missing value are masked, and those with one of these values. */
typedef struct meaning {
    int n;
    double masked[MOST_VALUES];
    char text[200]; /* for the report */
} meaning;

/* A variable whose last dimensions hold the n cells of a grid. */
typedef struct layers {
    const h3ou__nc *r;
    const h3ou__nc_var *var;
    size_t n, count[H3OU__NC_RANK];
    int leading; /* dimensions before those of the cells */
    double missing, fill;
    double *value; /* [n] of one layer */
} layers;

/* The value that libnetcdf puts where nothing was written. */
static double default_fill(nc_type type)
{
    switch (type) {
    case NC_SHORT:
        return NC_FILL_SHORT;
    case NC_INT:
        return NC_FILL_INT;
    case NC_FLOAT:
        return NC_FILL_FLOAT;
    case NC_DOUBLE:
        return NC_FILL_DOUBLE;
    default:
        return NAN; /* bytes have none that may be relied on */
    }
}

static int open_layers(const h3ou__nc *r, const h3ou__nc_var *v, size_t n, layers *out)
{
    size_t covered = 1;
    *out = (layers){.r = r, .var = v, .n = n, .missing = NAN, .fill = default_fill(v->type)};
    for (int i = v->rank - 1; i >= 0; i--) {
        bool is_cells = covered < n;
        out->count[i] = is_cells ? v->size[i] : 1;
        out->leading += !is_cells;
        covered *= out->count[i];
    }
    if (v->all > 0 && covered != n)
        return h3ou__nc_bad(r, v->name, "its last dimensions do not hold the %zu cells of the grid", n);
    h3ou__nc_number(r, v->id, "missing_value", &out->missing);
    h3ou__nc_number(r, v->id, "_FillValue", &out->fill);
    out->value = malloc(sizeof *out->value * (n + 1));
    return out->value ? H3OU__OK : h3ou__nc_no_memory(r, v->name);
}

/* The layer at index k of dimension d (-1: none), and at the first of all others. */
static int read_layer(layers *l, int d, size_t k)
{
    size_t start[H3OU__NC_RANK] = {0};
    if (d >= 0)
        start[d] = k;
    int code = nc_get_vara_double(l->r->id, l->var->id, start, l->count, l->value);
    return code ? h3ou__nc_bad(l->r, l->var->name, "%s", nc_strerror(code)) : H3OU__OK;
}

static bool is_missing(const layers *l, double v)
{
    return isnan(v) || v == l->missing || v == l->fill;
}

static bool takes_part(const layers *l, const meaning *m, double v)
{
    bool masked = is_missing(l, v);
    for (int k = 0; k < m->n && !masked; k++)
        masked = v == m->masked[k];
    return !masked;
}

static bool is_time(const h3ou__nc *r, int dim)
{
    char name[NC_MAX_NAME + 1], text[64];
    int unlimited = -1, id;
    nc_inq_unlimdim(r->id, &unlimited);
    if (dim == unlimited || nc_inq_dimname(r->id, dim, name))
        return dim == unlimited;
    if (!strncasecmp(name, "time", 4))
        return true;
    return nc_inq_varid(r->id, name, &id) == NC_NOERR &&
           (strstr(h3ou__nc_text(r, id, "units", text, sizeof text), " since ") ||
            !strcmp(h3ou__nc_text(r, id, "axis", text, sizeof text), "T") ||
            !strcmp(h3ou__nc_text(r, id, "standard_name", text, sizeof text), "time"));
}

/* Of how many times the masks are compared: of fewer in large grids, since that is a question of minutes then. */
static size_t times_to_see(const layers *l, size_t times)
{
    size_t most = MOST_READ / (l->n + 1);
    most = most < LEAST_TIMES ? LEAST_TIMES : most > MOST_TIMES ? MOST_TIMES : most;
    return times < most ? times : most;
}

/* Makes the mask of the first layer, and counts the cells of which it changes in time. */
static int make_mask(layers *l, const meaning *m, int mask[], size_t *changing)
{
    int d = 0, err = read_layer(l, -1, 0);
    *changing = 0;
    for (size_t i = 0; i < l->n && !err; i++)
        mask[i] = takes_part(l, m, l->value[i]);
    while (d < l->leading && !is_time(l->r, l->var->dim[d]))
        d++;
    size_t times = d < l->leading ? l->var->size[d] : 1, seen = times_to_see(l, times);
    unsigned char *other = seen > 1 && !err ? calloc(l->n + 1, 1) : NULL;
    if (seen > 1 && !err && !other)
        err = h3ou__nc_no_memory(l->r, l->var->name);
    for (size_t k = 1; k < seen && !err; k++) {
        err = read_layer(l, d, k * (times - 1) / (seen - 1));
        for (size_t i = 0; i < l->n && !err; i++)
            other[i] |= takes_part(l, m, l->value[i]) != mask[i];
    }
    for (size_t i = 0; i < l->n && other; i++)
        *changing += other[i];
    free(other);
    return err;
}

static void note(const h3ou__nc *r, const char *text)
{
    if (r->reading)
        snprintf(r->reading->said, sizeof r->reading->said, "%s", text);
}

void h3ou__nc_note_mask(const h3ou__nc *r, const char *what, size_t n, const int mask[])
{
    char text[400];
    size_t off = 0;
    for (size_t i = 0; i < n; i++)
        off += !mask[i];
    snprintf(text, sizeof text, "mask: %s: %zu of %zu cells are masked", what, off, n);
    if (off == 0 && h3ou__nc_mask_is_own(r))
        return;
    h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s mask=\"%s\" masked=%zu of=%zu", r->file, what, off, n);
    note(r, text);
}

int h3ou__nc_field_mask(const h3ou__nc *r, const h3ou__nc_var *field, size_t n, int **out)
{
    layers l;
    meaning m = {0};
    char what[NC_MAX_NAME + 40], text[400];
    size_t changing = 0;
    if (field->all == 0) /* an unlimited dimension without records: there are no values, and no mask */
        return H3OU__OK;
    int *mask = malloc(sizeof *mask * (n + 1)), err = open_layers(r, field, n, &l);
    if (!err && !mask)
        err = h3ou__nc_no_memory(r, field->name);
    if (!err)
        err = make_mask(&l, &m, mask, &changing);
    free(l.value);
    if (err || changing > 0) {
        free(mask);
        mask = NULL;
    }
    if (!err && changing > 0) {
        snprintf(text, sizeof text,
                 "the mask is left out: the missing values of %s change in time, in %zu of %zu cells; name another "
                 "variable as the mask, or make a file of one time",
                 field->name, changing, n);
        h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s mask=left_out changing=%zu of=%zu", r->file, changing, n);
        note(r, text);
    } else if (!err) {
        snprintf(what, sizeof what, "missing values of %s", field->name);
        h3ou__nc_note_mask(r, what, n, mask);
    }
    *out = mask;
    return err;
}

int h3ou__nc_int_mask(const h3ou__nc *r, const char *name, size_t n, int masked, int **out)
{
    h3ou__nc_var v;
    char what[NC_MAX_NAME + 40];
    int err = h3ou__nc_need(r, name, n, &v);
    if (!err)
        err = h3ou__nc_ints(r, &v, out);
    for (size_t i = 0; i < n && !err; i++)
        (*out)[i] = (*out)[i] != masked;
    if (!err) {
        snprintf(what, sizeof what, "%s (%d is masked)", name, masked);
        h3ou__nc_note_mask(r, what, n, *out);
    }
    return err;
}

int h3ou__nc_cells(const h3ou__nc *r, const char *name, size_t n, const double lon[], const double lat[],
                   const int mask[], h3ou__cells **out)
{
    return h3ou__cells_create_masking(name, (int64_t)n, lon, lat, mask, r->reading ? r->reading->bad : NULL, out);
}

/* ---- a mask that the user names ---- */

typedef struct wish {
    char file[4096], variable[NC_MAX_NAME + 1], masked[256]; /* file "": the grid's own; masked "": not said */
} wish;

/* "FILE:VAR:masked=..." to its parts. */
static int parse_wish(const char *text, wish *out)
{
    *out = (wish){.file = ""};
    const char *suffix = strstr(text, ":masked="), *end = suffix ? suffix : text + strlen(text), *name = end;
    while (name > text && name[-1] != ':')
        name--;
    size_t length = (size_t)(end - name), before = name > text ? (size_t)(name - text) - 1 : 0;
    if (suffix && (strlen(suffix + 8) >= sizeof out->masked || !suffix[8]))
        return h3ou__fail(H3OU__EARG, "mask '%s': behind masked= stand numbers with commas between, or missing", text);
    if (length == 0 || length > NC_MAX_NAME || before >= sizeof out->file)
        return h3ou__fail(H3OU__EARG, "mask '%s': expected VAR, FILE:VAR or none", text);
    memcpy(out->variable, name, length);
    memcpy(out->file, text, before);
    if (suffix)
        snprintf(out->masked, sizeof out->masked, "%s", suffix + 8);
    return H3OU__OK;
}

static int parse_values(const char *wanted, const char *list, meaning *m)
{
    m->n = 0;
    if (!strcmp(list, "missing")) {
        snprintf(m->text, sizeof m->text, "missing values are masked, as was said");
        return H3OU__OK;
    }
    for (const char *p = list; *p || p == list;) {
        char *end;
        double v = strtod(p, &end);
        if (end == p || (*end && *end != ',') || m->n == MOST_VALUES)
            return h3ou__fail(H3OU__EARG,
                              "mask '%s': behind masked= stand up to %d numbers with commas between, or missing",
                              wanted, MOST_VALUES);
        m->masked[m->n++] = v;
        p = *end ? end + 1 : end;
    }
    snprintf(m->text, sizeof m->text, "%.150s is masked, as was said", list);
    return H3OU__OK;
}

static bool is_among(const char *word, const char *const list[])
{
    for (int k = 0; list[k]; k++)
        if (!strcasecmp(word, list[k]))
            return true;
    return false;
}

/* By the CF attributes flag_values and flag_meanings, as far as one of the meanings is known. */
static bool read_flags(const h3ou__nc *r, const h3ou__nc_var *v, meaning *m)
{
    static const char *const masked[] = {"masked", "land", "dry", "ground", "invalid", "inactive", NULL};
    static const char *const part[] = {"unmasked", "sea", "ocean", "water", "wet", "valid", "active", NULL};
    char words[512], *next = NULL;
    double value[MOST_VALUES];
    size_t n = 0;
    bool known = false;
    if (nc_inq_attlen(r->id, v->id, "flag_values", &n) || n == 0 || n > MOST_VALUES ||
        nc_get_att_double(r->id, v->id, "flag_values", value))
        return false;
    h3ou__nc_text(r, v->id, "flag_meanings", words, sizeof words);
    char *word = strtok_r(words, " ", &next);
    for (size_t k = 0; k < n && word; k++, word = strtok_r(NULL, " ", &next)) {
        known |= is_among(word, part);
        if (is_among(word, masked)) {
            m->masked[m->n++] = value[k];
            known = true;
        }
    }
    int used = snprintf(m->text, sizeof m->text, "by flag_meanings, ");
    for (int k = 0; k < m->n && used < (int)sizeof m->text; k++)
        used += snprintf(m->text + used, sizeof m->text - (size_t)used, "%s%g", k > 0 ? " and " : "", m->masked[k]);
    if (used < (int)sizeof m->text)
        snprintf(m->text + used, sizeof m->text - (size_t)used, m->n > 1 ? " are masked" : " is masked");
    return known && m->n > 0;
}

/* By the name or the standard name; a mask in OASIS's files is 1 where a cell is masked. */
static bool read_name(const h3ou__nc *r, const h3ou__nc_var *v, meaning *m)
{
    char text[64];
    size_t length = strlen(v->name);
    h3ou__nc_text(r, v->id, "standard_name", text, sizeof text);
    bool oasis = length > 4 && !strcmp(v->name + length - 4, ".msk"), land = !strcmp(text, "land_binary_mask");
    if (!oasis && !land)
        return false;
    m->n = 1;
    m->masked[0] = 1.0;
    snprintf(m->text, sizeof m->text, "1 is masked, as %s",
             oasis ? "in OASIS's files" : "land_binary_mask is 1 on land");
    return true;
}

/* Variables of 0 and 1 alone are masks, of 0 where a cell is masked; of others the missing values are the mask. */
static void read_values(const layers *l, meaning *m)
{
    bool zero = false, one = false, other = false;
    for (size_t i = 0; i < l->n; i++) {
        double v = l->value[i];
        zero |= v == 0.0;
        one |= v == 1.0;
        other |= v != 0.0 && v != 1.0; /* missing values too */
    }
    m->n = zero && one && !other;
    m->masked[0] = 0.0;
    snprintf(m->text, sizeof m->text, m->n ? "0 is masked" : "missing values are masked");
}

static int choose_meaning(const char *wanted, const wish *w, layers *l, meaning *m)
{
    *m = (meaning){0};
    if (w->masked[0])
        return parse_values(wanted, w->masked, m);
    if (read_flags(l->r, l->var, m) || (m->n = 0, read_name(l->r, l->var, m)))
        return H3OU__OK;
    int err = read_layer(l, -1, 0);
    if (!err)
        read_values(l, m);
    return err;
}

static int read_wanted(const h3ou__nc *r, const char *wanted, const wish *w, size_t n, int **out)
{
    h3ou__nc_var v;
    layers l = {0};
    meaning m;
    char what[600];
    size_t changing = 0;
    int *mask = malloc(sizeof *mask * (n + 1)), err = mask ? H3OU__OK : h3ou__nc_no_memory(r, w->variable);
    if (!err)
        err = h3ou__nc_need(r, w->variable, 0, &v);
    if (!err && v.all == 0)
        err = h3ou__nc_bad(r, v.name, "has no values");
    if (!err)
        err = open_layers(r, &v, n, &l);
    if (!err)
        err = choose_meaning(wanted, w, &l, &m);
    if (!err)
        err = make_mask(&l, &m, mask, &changing);
    if (!err && changing > 0)
        err = h3ou__nc_bad(r, v.name,
                           "is no mask, because it changes in time, in %zu of %zu cells: name another variable, or "
                           "make a file of one time",
                           changing, n);
    if (!err) {
        snprintf(what, sizeof what, "%s%s%s (%s)", w->file, w->file[0] ? ":" : "", v.name, m.text);
        h3ou__nc_note_mask(r, what, n, mask);
        *out = mask;
    } else
        free(mask);
    free(l.value);
    return err;
}

bool h3ou__nc_mask_is_own(const h3ou__nc *r)
{
    return !r->reading || !r->reading->mask;
}

const char *h3ou__nc_mask_variable(const h3ou__nc *r, char name[NC_MAX_NAME + 1])
{
    wish w;
    name[0] = 0;
    if (!h3ou__nc_mask_is_own(r) && strcmp(r->reading->mask, "none") != 0 && !parse_wish(r->reading->mask, &w) &&
        !w.file[0])
        memcpy(name, w.variable, sizeof w.variable);
    return name;
}

static int read_from(const char *wanted, const wish *w, h3ou__grid_reading *reading, size_t n, int **out)
{
    h3ou__nc other;
    int err = h3ou__nc_open(w->file, &other);
    if (err)
        return err;
    other.reading = reading;
    err = read_wanted(&other, wanted, w, n, out);
    h3ou__nc_close(&other);
    return err;
}

int h3ou__nc_wanted_mask(const h3ou__nc *r, size_t n, int **out)
{
    wish w;
    if (h3ou__nc_mask_is_own(r) || !strcmp(r->reading->mask, "none"))
        return H3OU__OK;
    int err = parse_wish(r->reading->mask, &w);
    if (err)
        return err;
    return w.file[0] ? read_from(r->reading->mask, &w, r->reading, n, out)
                     : read_wanted(r, r->reading->mask, &w, n, out);
}

int h3ou__wanted_mask(h3ou__grid_reading *reading, const char *grid, size_t n, int **out)
{
    wish w;
    if (!reading->mask || !strcmp(reading->mask, "none"))
        return H3OU__OK;
    int err = parse_wish(reading->mask, &w);
    if (!err && !w.file[0])
        err = h3ou__fail(H3OU__EARG, "mask '%s': the grid %s is no file with variables: give FILE:VAR", reading->mask,
                         grid);
    return err ? err : read_from(reading->mask, &w, reading, n, out);
}
