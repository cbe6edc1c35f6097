/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/log.h"

static const double DEGREE = 3.14159265358979323846 / 180.0;

int h3ou__nc_bad(const h3ou__nc *r, const char *variable, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return h3ou__fail(H3OU__EFILE, "%s: %s: %s", r->file, variable, text);
}

int h3ou__nc_bad_in(const h3ou__nc *r, const char *variables, int err)
{
    return h3ou__fail_in(err == H3OU__ENOMEM ? err : H3OU__EFILE, "%s: %s", r->file, variables);
}

int h3ou__nc_no_memory(const h3ou__nc *r, const char *variable)
{
    return h3ou__fail(H3OU__ENOMEM, "%s: %s: out of memory", r->file, variable);
}

/* What the header of a classic file takes, by the format's own description (NetCDF User's Guide, file format). */
typedef struct classic {
    int nc;
    uint64_t number, offset; /* bytes of a count, of a position */
    uint64_t bytes;
} classic;

static uint64_t padded(uint64_t n)
{
    return (n + 3) / 4 * 4;
}

static uint64_t type_size(nc_type type)
{
    static const unsigned char size[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type > 0 && type < (nc_type)(sizeof size) ? size[type] : 0;
}

static void add_attributes(classic *c, int variable, int n)
{
    char name[NC_MAX_NAME + 1];
    nc_type type;
    size_t length;
    c->bytes += 4 + c->number;
    for (int i = 0; i < n; i++)
        if (!nc_inq_attname(c->nc, variable, i, name) && !nc_inq_att(c->nc, variable, name, &type, &length))
            c->bytes += 4 + 2 * c->number + padded(strlen(name)) + padded(length * type_size(type));
}

/* Values of one record, or of the whole variable. */
static uint64_t variable_bytes(int nc, int rank, const int *dim, int record, bool *is_record, uint64_t *cell)
{
    uint64_t n = 1;
    *is_record = rank > 0 && dim[0] == record;
    for (int i = *is_record; i < rank; i++) {
        size_t size = 0;
        if (nc_inq_dimlen(nc, dim[i], &size) || (size > 0 && n > (UINT64_C(1) << 50) / size))
            return UINT64_C(1) << 50;
        n *= size;
    }
    return n * *cell;
}

/* The least that a whole file of this header takes. */
static uint64_t classic_bytes(int nc, int format)
{
    uint64_t number = format == NC_FORMAT_CDF5 ? 8 : 4;
    classic c = {nc, number, format == NC_FORMAT_CLASSIC ? 4 : 8, 4 + number};
    uint64_t fixed = 0, records = 0;
    int ndim = 0, nvar = 0, natt = 0, record = -1, nrecord = 0;
    size_t length, count = 0;
    char name[NC_MAX_NAME + 1];
    nc_inq(nc, &ndim, &nvar, &natt, &record);
    c.bytes += 2 * (4 + number);
    for (int i = 0; i < ndim; i++)
        if (!nc_inq_dim(nc, i, name, &length))
            c.bytes += 2 * number + padded(strlen(name));
    if (record >= 0)
        nc_inq_dimlen(nc, record, &count);
    add_attributes(&c, NC_GLOBAL, natt);
    for (int i = 0; i < nvar; i++) {
        int rank = 0, dim[NC_MAX_VAR_DIMS];
        nc_type type;
        bool is_record;
        if (nc_inq_varndims(nc, i, &rank) || rank > NC_MAX_VAR_DIMS ||
            nc_inq_var(nc, i, name, &type, &rank, dim, &natt))
            continue;
        c.bytes += 3 * number + padded(strlen(name)) + number * (uint64_t)rank + 4 + c.offset;
        add_attributes(&c, i, natt);
        uint64_t cell = type_size(type), bytes = variable_bytes(nc, rank, dim, record, &is_record, &cell);
        nrecord += is_record;
        *(is_record ? &records : &fixed) += padded(bytes);
        if (fixed + records > UINT64_C(1) << 55)
            break;
    }
    if (count > 0 && records > (UINT64_C(1) << 55) / count)
        return UINT64_C(1) << 55;
    /* A single record variable of bytes or shorts is not padded: too little is asked for then, not too much. */
    records = nrecord == 1 ? records - (records > 3 ? 3 : records) : records;
    uint64_t all = c.bytes + fixed + records * count;
    return all > 3 ? all - 3 : all; /* nor need the last one be */
}

static int check_length(const h3ou__nc *r)
{
    int format = 0;
    struct stat s;
    nc_inq_format(r->id, &format);
    if ((format != NC_FORMAT_CLASSIC && format != NC_FORMAT_64BIT_OFFSET && format != NC_FORMAT_CDF5) ||
        stat(r->file, &s) != 0)
        return H3OU__OK; /* HDF5 checks its own length */
    uint64_t least = classic_bytes(r->id, format);
    if ((uint64_t)s.st_size < least)
        return h3ou__fail(H3OU__EFILE, "%s: has %lld bytes, its header promises %" PRIu64 ": copy or make it again",
                          r->file, (long long)s.st_size, least);
    return H3OU__OK;
}

int h3ou__nc_open(const char *file, h3ou__nc *out)
{
    size_t buffer = 1 << 20;
    const char *slash = strrchr(file, '/');
    *out = (h3ou__nc){.file = file, .base = slash ? slash + 1 : file};
    int code = nc__open(file, NC_NOWRITE, &buffer, &out->id);
    if (code)
        return h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(code));
    int err = check_length(out);
    if (err)
        h3ou__nc_close(out);
    return err;
}

void h3ou__nc_close(h3ou__nc *r)
{
    nc_close(r->id);
}

bool h3ou__nc_look(const h3ou__nc *r, int id, h3ou__nc_var *v)
{
    const size_t MOST = (size_t)1 << 40;
    *v = (h3ou__nc_var){.id = id, .all = 1};
    if (nc_inq_varndims(r->id, id, &v->rank) || v->rank > H3OU__NC_RANK ||
        nc_inq_var(r->id, id, v->name, &v->type, NULL, v->dim, NULL))
        return false;
    for (int i = 0; i < v->rank; i++) {
        if (nc_inq_dimlen(r->id, v->dim[i], &v->size[i]) || (v->size[i] > 0 && v->all > MOST / v->size[i]))
            return false;
        v->all *= v->size[i];
    }
    return v->type != NC_CHAR && type_size(v->type) > 0;
}

bool h3ou__nc_find(const h3ou__nc *r, const char *name, h3ou__nc_var *v)
{
    int id;
    return nc_inq_varid(r->id, name, &id) == NC_NOERR && h3ou__nc_look(r, id, v);
}

bool h3ou__nc_has(const h3ou__nc *r, const char *name)
{
    int id;
    return nc_inq_varid(r->id, name, &id) == NC_NOERR;
}

int h3ou__nc_need(const h3ou__nc *r, const char *name, size_t n, h3ou__nc_var *v)
{
    if (!h3ou__nc_has(r, name))
        return h3ou__nc_bad(r, name, "the file has no such variable");
    if (!h3ou__nc_find(r, name, v))
        return h3ou__nc_bad(r, name, "is not a variable of numbers with at most %d dimensions", H3OU__NC_RANK);
    if (n > 0 && v->all != n)
        return h3ou__nc_bad(r, name, "has %zu values, %zu are awaited", v->all, n);
    return H3OU__OK;
}

bool h3ou__nc_size(const h3ou__nc *r, const char *dimension, size_t *size)
{
    int id;
    return nc_inq_dimid(r->id, dimension, &id) == NC_NOERR && nc_inq_dimlen(r->id, id, size) == NC_NOERR;
}

char *h3ou__nc_text(const h3ou__nc *r, int variable, const char *name, char *text, size_t room)
{
    size_t length = 0;
    nc_type type;
    text[0] = 0;
    if (nc_inq_att(r->id, variable, name, &type, &length))
        return text;
    if (type == NC_CHAR && length < room && !nc_get_att_text(r->id, variable, name, text))
        text[length] = 0;
    else if (type == NC_STRING && length == 1) {
        char *one = NULL;
        if (!nc_get_att_string(r->id, variable, name, &one) && one)
            snprintf(text, room, "%s", one);
        nc_free_string(1, &one);
    }
    return text;
}

bool h3ou__nc_number(const h3ou__nc *r, int variable, const char *name, double *value)
{
    size_t length = 0;
    nc_type type;
    return !nc_inq_att(r->id, variable, name, &type, &length) && length == 1 && type != NC_CHAR &&
           !nc_get_att_double(r->id, variable, name, value);
}

int h3ou__nc_doubles(const h3ou__nc *r, const h3ou__nc_var *v, double **out)
{
    *out = malloc(sizeof **out * (v->all + 1));
    if (!*out)
        return h3ou__nc_no_memory(r, v->name);
    int code = nc_get_var_double(r->id, v->id, *out);
    if (code == NC_NOERR)
        return H3OU__OK;
    free(*out);
    *out = NULL;
    return h3ou__nc_bad(r, v->name, "%s", nc_strerror(code));
}

int h3ou__nc_ints(const h3ou__nc *r, const h3ou__nc_var *v, int **out)
{
    *out = malloc(sizeof **out * (v->all + 1));
    if (!*out)
        return h3ou__nc_no_memory(r, v->name);
    int code = nc_get_var_int(r->id, v->id, *out);
    if (code == NC_NOERR)
        return H3OU__OK;
    free(*out);
    *out = NULL;
    return h3ou__nc_bad(r, v->name, "%s", nc_strerror(code));
}

int h3ou__nc_factor(const h3ou__nc *r, const h3ou__nc_var *v, const h3ou__nc_var *parent, double *factor)
{
    char units[64];
    if (!h3ou__nc_text(r, v->id, "units", units, sizeof units)[0] && parent)
        h3ou__nc_text(r, parent->id, "units", units, sizeof units);
    if (!strncasecmp(units, "rad", 3))
        *factor = 1.0;
    else if (!units[0] || !strncasecmp(units, "deg", 3))
        *factor = DEGREE;
    else
        return h3ou__nc_bad(r, v->name, "units '%s' are neither degrees nor radians", units);
    return H3OU__OK;
}

int h3ou__nc_unpacked(const h3ou__nc *r, const h3ou__nc_var *v, double **out)
{
    double scale = 1.0, offset = 0.0;
    int err = h3ou__nc_doubles(r, v, out);
    if (err)
        return err;
    bool packed = h3ou__nc_number(r, v->id, "scale_factor", &scale);
    packed |= h3ou__nc_number(r, v->id, "add_offset", &offset);
    for (size_t i = 0; i < v->all && packed; i++)
        (*out)[i] = (*out)[i] * scale + offset;
    return H3OU__OK;
}

int h3ou__nc_angles(const h3ou__nc *r, const h3ou__nc_var *v, const h3ou__nc_var *parent, double **out)
{
    double factor;
    int err = h3ou__nc_factor(r, v, parent, &factor);
    if (!err)
        err = h3ou__nc_unpacked(r, v, out);
    for (size_t i = 0; i < v->all && !err && factor != 1.0; i++)
        (*out)[i] *= factor;
    return err;
}

int h3ou__nc_areas(const h3ou__nc *r, const char *name, size_t n, double **out)
{
    h3ou__nc_var v;
    char units[64];
    *out = NULL;
    if (!h3ou__nc_has(r, name))
        return H3OU__OK;
    int err = h3ou__nc_need(r, name, n, &v);
    if (err)
        return err;
    h3ou__nc_text(r, v.id, "units", units, sizeof units);
    if (units[0] && strncasecmp(units, "rad", 3) && strncasecmp(units, "square rad", 10) &&
        strncasecmp(units, "sr", 2) && strncasecmp(units, "ster", 4) && strcmp(units, "1")) {
        h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s variable=%s units='%s' areas=left_out", r->file, name, units);
        return H3OU__OK;
    }
    if ((err = h3ou__nc_doubles(r, &v, out)) != H3OU__OK)
        return err;
    for (size_t i = 0; i < n; i++)
        if (!isfinite((*out)[i]) || (*out)[i] < 0.0) {
            err = h3ou__nc_bad(r, name, "the area of cell %zu is %g", i + 1, (*out)[i]);
            free(*out);
            *out = NULL;
            return err;
        }
    return H3OU__OK;
}

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

int h3ou__nc_field_mask(const h3ou__nc *r, const h3ou__nc_var *field, size_t n, int **out)
{
    size_t start[H3OU__NC_RANK] = {0}, count[H3OU__NC_RANK], covered = 1;
    double *value = malloc(sizeof *value * (n + 1)), missing = NAN, fill = default_fill(field->type);
    int *mask = malloc(sizeof *mask * (n + 1));
    if (!value || !mask) {
        free(value);
        free(mask);
        return h3ou__nc_no_memory(r, field->name);
    }
    for (int i = field->rank - 1; i >= 0; i--) {
        count[i] = covered < n ? field->size[i] : 1;
        covered *= count[i];
    }
    h3ou__nc_number(r, field->id, "missing_value", &missing);
    h3ou__nc_number(r, field->id, "_FillValue", &fill);
    bool empty = field->all == 0; /* an unlimited dimension without records: there are no values, and no mask */
    int code = empty          ? NC_NOERR
               : covered == n ? nc_get_vara_double(r->id, field->id, start, count, value)
                              : NC_EDIMSIZE;
    size_t off = 0;
    for (size_t i = 0; i < n && !code; i++) {
        mask[i] = empty || !(isnan(value[i]) || value[i] == missing || value[i] == fill);
        off += !mask[i];
    }
    free(value);
    if (code) {
        free(mask);
        return h3ou__nc_bad(r, field->name, "%s", nc_strerror(code));
    }
    if (off > 0)
        h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s mask=%s masked=%zu of=%zu", r->file, field->name, off, n);
    *out = mask;
    return H3OU__OK;
}
