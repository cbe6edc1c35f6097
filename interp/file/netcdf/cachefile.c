/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/netcdf/cachefile.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"

enum { SEND, RECV, COEF, FIXED, VALUE, NVAR };
static const char *const name_of[NVAR] = {"src_address", "dst_address", "remap_matrix", "fixed_address", "fixed_value"};

static const double END = -12345.0; /* written after the last number of both lists */

struct h3ou__cachefile {
    char file[600], temporary[640];
    int nc, var[NVAR];
    size_t link, fixed; /* written so far */
    size_t nlink, nfixed;
};

static int fail_with_code(const char *file, int code)
{
    return h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(code));
}

static int size_of(int nc, const char *name, size_t *size)
{
    int id, code = nc_inq_dimid(nc, name, &id);
    return code ? code : nc_inq_dimlen(nc, id, size);
}

/* Sizes and variables of an open file. A dimension of no length does not exist: its size is kept as one more. */
static int find_variables(int nc, int var[NVAR], size_t *nlink, size_t *nfixed)
{
    int code = size_of(nc, "num_links_and_one", nlink);
    if (!code)
        code = size_of(nc, "num_fixed_and_one", nfixed);
    for (int k = 0; k < NVAR && !code; k++)
        code = nc_inq_varid(nc, name_of[k], &var[k]);
    *nlink -= !code;
    *nfixed -= !code;
    return code;
}

int h3ou__cachefile_check(const char *file, const char *key)
{
    char found[80] = "";
    int nc, var[NVAR], code, whole = 0;
    size_t length = 0, nlink = 0, nfixed = 0;
    if (access(file, F_OK) != 0)
        return 0;
    if ((code = nc_open(file, NC_NOWRITE, &nc)) != NC_NOERR)
        return fail_with_code(file, code);
    if ((code = nc_inq_attlen(nc, NC_GLOBAL, "h3ou_key", &length)) == NC_NOERR && length < sizeof found)
        code = nc_get_att_text(nc, NC_GLOBAL, "h3ou_key", found);
    if (!code)
        code = find_variables(nc, var, &nlink, &nfixed);
    /* The last numbers were written last: a file that was cut short does not have them. */
    double end[2] = {0.0, 0.0};
    if (!code && (code = nc_get_var1_double(nc, var[COEF], &nlink, &end[0])) == NC_NOERR &&
        (code = nc_get_var1_double(nc, var[VALUE], &nfixed, &end[1])) == NC_NOERR)
        whole = end[0] == END && end[1] == END;
    nc_close(nc);
    if (code)
        return fail_with_code(file, code);
    if (strcmp(found, key) != 0)
        return h3ou__fail(H3OU__EFILE, "%s: it was made for other grids or methods", file);
    return whole ? 1 : h3ou__fail(H3OU__EFILE, "%s: it is not complete", file);
}

int h3ou__cachefile_read(const char *file, int rank, int size, int64_t *n, int **send, int **recv, double **coef,
                         int64_t *nfixed, int **fixed, double **value)
{
    int nc, var[NVAR], code = nc_open(file, NC_NOWRITE, &nc);
    size_t links = 0, fixes = 0;
    if (code)
        return fail_with_code(file, code);
    if ((code = find_variables(nc, var, &links, &fixes)) == NC_NOERR) {
        size_t from = links * (size_t)rank / (size_t)size, count = links * ((size_t)rank + 1) / (size_t)size - from;
        size_t zero = 0, some = rank == 0 ? fixes : 0;
        *n = (int64_t)count;
        *nfixed = (int64_t)some;
        *send = malloc(sizeof **send * (count + 1));
        *recv = malloc(sizeof **recv * (count + 1));
        *coef = malloc(sizeof **coef * (count + 1));
        *fixed = malloc(sizeof **fixed * (some + 1));
        *value = malloc(sizeof **value * (some + 1));
        if (!*send || !*recv || !*coef || !*fixed || !*value)
            code = NC_ENOMEM;
        if (!code && count && (code = nc_get_vara_int(nc, var[SEND], &from, &count, *send)) == NC_NOERR &&
            (code = nc_get_vara_int(nc, var[RECV], &from, &count, *recv)) == NC_NOERR)
            code = nc_get_vara_double(nc, var[COEF], &from, &count, *coef);
        if (!code && some && (code = nc_get_vara_int(nc, var[FIXED], &zero, &some, *fixed)) == NC_NOERR)
            code = nc_get_vara_double(nc, var[VALUE], &zero, &some, *value);
    }
    nc_close(nc);
    return code ? fail_with_code(file, code) : H3OU__OK;
}

int h3ou__cachefile_create(const char *file, const char *key, const char *how, int64_t nlink, int64_t nfixed,
                           h3ou__cachefile **out)
{
    h3ou__cachefile *c = calloc(1, sizeof *c);
    if (!c)
        return h3ou__no_memory("a file of weights");
    int dim[2], code;
    c->nlink = (size_t)nlink;
    c->nfixed = (size_t)nfixed;
    snprintf(c->file, sizeof c->file, "%s", file);
    snprintf(c->temporary, sizeof c->temporary, "%s.%ld.part", file, (long)getpid());
    if ((code = nc_create(c->temporary, NC_CLOBBER | NC_64BIT_OFFSET, &c->nc)) != NC_NOERR) {
        free(c);
        return fail_with_code(file, code);
    }
    if (!(code = nc_def_dim(c->nc, "num_links_and_one", c->nlink + 1, &dim[0])))
        code = nc_def_dim(c->nc, "num_fixed_and_one", c->nfixed + 1, &dim[1]);
    for (int k = 0; k < NVAR && !code; k++)
        code = nc_def_var(c->nc, name_of[k], k == COEF || k == VALUE ? NC_DOUBLE : NC_INT, 1, &dim[k >= FIXED],
                          &c->var[k]);
    if (!code && !(code = nc_put_att_text(c->nc, NC_GLOBAL, "h3ou_key", strlen(key), key)))
        code = nc_put_att_text(c->nc, NC_GLOBAL, "h3ou_method", strlen(how), how);
    if (!code)
        code = nc_enddef(c->nc);
    if (code) {
        h3ou__cachefile_close(c, 0);
        return fail_with_code(file, code);
    }
    *out = c;
    return H3OU__OK;
}

int h3ou__cachefile_append(h3ou__cachefile *c, int64_t n, const int send[], const int recv[], const double coef[],
                           int64_t nfixed, const int fixed[], const double value[])
{
    size_t links = (size_t)n, fixes = (size_t)nfixed;
    int code = NC_NOERR;
    if (links && !(code = nc_put_vara_int(c->nc, c->var[SEND], &c->link, &links, send)) &&
        !(code = nc_put_vara_int(c->nc, c->var[RECV], &c->link, &links, recv)))
        code = nc_put_vara_double(c->nc, c->var[COEF], &c->link, &links, coef);
    if (fixes && !code && !(code = nc_put_vara_int(c->nc, c->var[FIXED], &c->fixed, &fixes, fixed)))
        code = nc_put_vara_double(c->nc, c->var[VALUE], &c->fixed, &fixes, value);
    c->link += links;
    c->fixed += fixes;
    return code ? fail_with_code(c->file, code) : H3OU__OK;
}

int h3ou__cachefile_close(h3ou__cachefile *c, int keep)
{
    int code = NC_NOERR;
    if (keep && !(code = nc_put_var1_double(c->nc, c->var[COEF], &c->nlink, &END)))
        code = nc_put_var1_double(c->nc, c->var[VALUE], &c->nfixed, &END);
    int closed = nc_close(c->nc);
    code = code ? code : closed;
    int err = keep && code ? fail_with_code(c->file, code) : H3OU__OK;
    if (keep && !err && rename(c->temporary, c->file) != 0)
        err = h3ou__fail(H3OU__EFILE, "%s: the finished file cannot be renamed", c->file);
    if (!keep || err)
        remove(c->temporary);
    free(c);
    return err;
}
