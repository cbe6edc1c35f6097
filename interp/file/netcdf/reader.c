/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/netcdf/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "interp/file/netcdf/netcdf3_length.h"
#include "interp/sphere/angles.h"

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
    return h3ou__no_memory("the variable %s of %s", variable, r->file);
}

static bool is_number(nc_type type)
{
    return type > 0 && type <= NC_UINT64 && type != NC_CHAR;
}

int h3ou__nc_open(const char *file, h3ou__nc *out)
{
    size_t buffer = 1 << 20; /* bytes read at a time: libnetcdf's own choice is 4096 */
    struct stat s;
    const char *slash = strrchr(file, '/');
    *out = (h3ou__nc){.file = file, .base = slash ? slash + 1 : file};
    int err = h3ou__classic_check(file);
    if (err)
        return err;
    if (stat(file, &s) == 0 && s.st_size < (off_t)buffer)
        buffer = s.st_size > 4096 ? (size_t)s.st_size : 4096;
    int code = nc__open(file, NC_NOWRITE, &buffer, &out->id);
    return code ? h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(code)) : H3OU__OK;
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
    return is_number(v->type);
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
        return h3ou__nc_bad(r, name, "has %zu values, %zu are expected", v->all, n);
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
        *factor = H3OU__RADIANS_PER_DEGREE;
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

int h3ou__nc_areas(const h3ou__nc *r, const char *name, size_t n, const unsigned char mask[], double **out)
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
        if (mask && !mask[i] && !((*out)[i] >= 0.0 && (*out)[i] <= 4.0 * H3OU__PI))
            (*out)[i] = 0.0;
        else if (!isfinite((*out)[i]) || (*out)[i] < 0.0) {
            err = h3ou__nc_bad(r, name, "the area of cell %zu is %g", i + 1, (*out)[i]);
            free(*out);
            *out = NULL;
            return err;
        }
    return H3OU__OK;
}
