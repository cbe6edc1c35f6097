/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/netcdf/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/file/netcdf/netcdf3_length.h"

static const char CHECK[] = "check";

int h3ou__state_file_create(const char *file, h3ou__state_file *s)
{
    int old;
    *s = (h3ou__state_file){.id = -1};
    snprintf(s->file, sizeof s->file, "%s", file);
    if (snprintf(s->part, sizeof s->part, "%s.part", file) + 8 >= H3OU__STATE_PATH)
        return h3ou__fail(H3OU__EFILE, "%s: the name is too long", file);
    s->code = nc_create(s->part, NC_CLOBBER | NC_64BIT_DATA, &s->id);
    if (s->code)
        return h3ou__fail(H3OU__EFILE, "%s: can't be created: %s", s->part, nc_strerror(s->code));
    s->code = nc_set_fill(s->id, NC_NOFILL, &old); /* every value is written */
    return H3OU__OK;
}

void h3ou__state_file_text(h3ou__state_file *s, const char *name, const char *text)
{
    if (!s->code)
        s->code = nc_put_att_text(s->id, NC_GLOBAL, name, strlen(text), text);
}

static int find_dimension(h3ou__state_file *s, const char *what, int64_t size)
{
    char name[64];
    int id = -1;
    snprintf(name, sizeof name, "%s_%" PRId64, what, size);
    if (!s->code && nc_inq_dimid(s->id, name, &id) != NC_NOERR)
        s->code = nc_def_dim(s->id, name, (size_t)size, &id);
    return id;
}

int h3ou__state_file_array(h3ou__state_file *s, const char *name, int64_t rows, int64_t cells, int64_t check)
{
    long long number = check;
    int id = -1, dims[2] = {find_dimension(s, "rows", rows), find_dimension(s, "cells", cells)};
    if (!s->code)
        s->code = nc_def_var(s->id, name, NC_DOUBLE, 2, dims, &id);
    if (!s->code)
        s->code = nc_put_att_longlong(s->id, id, CHECK, NC_INT64, 1, &number);
    return id;
}

void h3ou__state_file_begin(h3ou__state_file *s)
{
    if (!s->code)
        s->code = nc_enddef(s->id);
}

void h3ou__state_file_put(h3ou__state_file *s, int var, int64_t rows, int64_t first, int64_t count, const double value[])
{
    const size_t start[2] = {0, (size_t)first}, size[2] = {(size_t)rows, (size_t)count};
    if (!s->code)
        s->code = nc_put_vara_double(s->id, var, start, size, value);
}

/* Waits until a file, or a folder's list of names, is on the disk. */
static int settle(const char *file, int flags)
{
    int fd = open(file, flags | O_CLOEXEC);
    int code = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (fd >= 0 && close(fd) != 0 && !code)
        code = errno;
    return code;
}

/* Gives what has the file's name a second name, so that it never loses the first one until another file takes it. */
static int keep_former(const char *file)
{
    char former[H3OU__STATE_PATH + 16], second[H3OU__STATE_PATH + 32];
    snprintf(former, sizeof former, "%s.former", file);
    snprintf(second, sizeof second, "%s.part", former);
    if (access(file, F_OK) != 0)
        return 0;
    if (remove(second) != 0 && errno != ENOENT)
        return errno;
    if (link(file, second) == 0)
        return rename(second, former) != 0 ? errno : 0;
    return rename(file, former) != 0 ? errno : 0; /* the file system has no second names */
}

static int rename_complete(const h3ou__state_file *s)
{
    char folder[H3OU__STATE_PATH];
    snprintf(folder, sizeof folder, "%s", s->file);
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash + 1 : folder, 2, ".");
    int code = settle(s->part, O_RDWR);
    if (!code)
        code = keep_former(s->file);
    if (!code && rename(s->part, s->file) != 0)
        code = errno;
    if (!code)
        settle(folder, O_RDONLY | O_DIRECTORY); /* some file systems cannot; the names are right anyway */
    return code;
}

int h3ou__state_file_finish(h3ou__state_file *s)
{
    if (!s->code)
        s->code = nc_sync(s->id);
    int code = s->code ? nc_abort(s->id) : nc_close(s->id); /* a close that fails would keep the descriptor */
    s->code = s->code ? s->code : code;
    if (!s->code)
        s->code = rename_complete(s);
    if (!s->code)
        return H3OU__OK;
    remove(s->part);
    return h3ou__fail(H3OU__EFILE, "%s: can't be written, and what had this name is left as it was: %s", s->file,
                      nc_strerror(s->code));
}

int h3ou__state_file_open(const char *file, h3ou__state_file *s)
{
    *s = (h3ou__state_file){.id = -1};
    snprintf(s->file, sizeof s->file, "%s", file);
    int err = h3ou__classic_check(file);
    if (err)
        return err;
    s->code = nc_open(file, NC_NOWRITE, &s->id);
    return s->code ? h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(s->code)) : H3OU__OK;
}

static int fail_with_code(const h3ou__state_file *s, const char *name, int code)
{
    return h3ou__fail(H3OU__EFILE, "%s: %s: %s", s->file, name, nc_strerror(code));
}

int h3ou__state_file_find_text(const h3ou__state_file *s, const char *name, char **text)
{
    size_t length = 0;
    nc_type type;
    *text = NULL;
    int code = nc_inq_att(s->id, NC_GLOBAL, name, &type, &length);
    if (code == NC_ENOTATT)
        return H3OU__OK;
    if (!code && (type != NC_CHAR || length > 1 << 20))
        return h3ou__fail(H3OU__EFILE, "%s: %s is no text", s->file, name);
    if (!code && !(*text = calloc(length + 1, 1)))
        return h3ou__no_memory("%s", s->file);
    if (!code && (code = nc_get_att_text(s->id, NC_GLOBAL, name, *text)) != NC_NOERR) {
        free(*text);
        *text = NULL;
    }
    return code ? fail_with_code(s, name, code) : H3OU__OK;
}

int h3ou__state_file_find_array(const h3ou__state_file *s, const char *name, int64_t rows, int64_t cells, int *var, int64_t *check)
{
    int rank = 0, dim[NC_MAX_VAR_DIMS];
    size_t size[2] = {0, 0};
    long long number = 0;
    int code = nc_inq_varid(s->id, name, var);
    if (!code)
        code = nc_inq_varndims(s->id, *var, &rank);
    if (!code && rank == 2 && (code = nc_inq_vardimid(s->id, *var, dim)) == NC_NOERR)
        for (int i = 0; i < 2 && !code; i++)
            code = nc_inq_dimlen(s->id, dim[i], &size[i]);
    if (!code)
        code = nc_get_att_longlong(s->id, *var, CHECK, &number);
    if (code)
        return fail_with_code(s, name, code);
    if (size[0] != (size_t)rows || size[1] != (size_t)cells)
        return h3ou__fail(H3OU__EFILE, "%s: %s has %zu rows of %zu cells, %" PRId64 " of %" PRId64 " are expected", s->file, name,
                          size[0], size[1], rows, cells);
    *check = number;
    return H3OU__OK;
}

int h3ou__state_file_get(const h3ou__state_file *s, int var, int64_t rows, int64_t first, int64_t count, double value[])
{
    const size_t start[2] = {0, (size_t)first}, size[2] = {(size_t)rows, (size_t)count};
    int code = nc_get_vara_double(s->id, var, start, size, value);
    return code ? fail_with_code(s, "an array", code) : H3OU__OK;
}

void h3ou__state_file_close(h3ou__state_file *s)
{
    nc_close(s->id);
}
