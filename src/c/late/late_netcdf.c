/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of NetCDF that libh3ou calls, which load its library when the first one is called: with the forty libraries that it needs it takes 9 MB of
 * each process and 12 ms of its start, and a run whose grids and weights come from the models opens no file. They are hidden, so a program that is linked
 * with NetCDF has its own; where that is the same library the process has it once. Without the library each function fails, and nc_strerror() says why.
 */
#include <dlfcn.h>
#include <netcdf.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

/* H3OU_NETCDF_LIBRARY: the name by which programs find it; H3OU_NETCDF_FILE: where it was when this was compiled. */
static void *library;
static char trouble[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    library = dlopen(H3OU_NETCDF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen(H3OU_NETCDF_FILE, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(trouble, sizeof trouble, "NetCDF's library cannot be loaded: %s: install it, or add its folder to LD_LIBRARY_PATH", dlerror());
}

/* NULL: there is none. */
static void *find(const char *name)
{
    pthread_once(&once, load);
    return library ? dlsym(library, name) : NULL;
}

#define LATE(name, parameters, arguments)                                                                                              \
    int name parameters                                                                                                                \
    {                                                                                                                                  \
        __typeof__(&name) real = (__typeof__(&name))(uintptr_t)find(#name);                                                            \
        return real ? real arguments : NC_ENOTBUILT;                                                                                   \
    }

const char *nc_strerror(int code)
{
    __typeof__(&nc_strerror) real = (__typeof__(&nc_strerror))(uintptr_t)find("nc_strerror");
    return real ? real(code) : trouble;
}

LATE(nc__create, (const char *path, int mode, size_t size, size_t *chunk, int *file), (path, mode, size, chunk, file))
LATE(nc__open, (const char *path, int mode, size_t *chunk, int *file), (path, mode, chunk, file))
LATE(nc_abort, (int file), (file))
LATE(nc_close, (int file), (file))
LATE(nc_create, (const char *path, int mode, int *file), (path, mode, file))
LATE(nc_def_dim, (int file, const char *name, size_t length, int *id), (file, name, length, id))
LATE(nc_def_var, (int file, const char *name, nc_type type, int n, const int *dimensions, int *variable), (file, name, type, n, dimensions, variable))
LATE(nc_enddef, (int file), (file))
LATE(nc_free_string, (size_t length, char **data), (length, data))
LATE(nc_get_att_double, (int file, int variable, const char *name, double *to), (file, variable, name, to))
LATE(nc_get_att_longlong, (int file, int variable, const char *name, long long *to), (file, variable, name, to))
LATE(nc_get_att_string, (int file, int variable, const char *name, char **to), (file, variable, name, to))
LATE(nc_get_att_text, (int file, int variable, const char *name, char *to), (file, variable, name, to))
LATE(nc_get_var1_double, (int file, int variable, const size_t *at, double *to), (file, variable, at, to))
LATE(nc_get_var_double, (int file, int variable, double *to), (file, variable, to))
LATE(nc_get_var_int, (int file, int variable, int *to), (file, variable, to))
LATE(nc_get_vara_double, (int file, int variable, const size_t *start, const size_t *count, double *to), (file, variable, start, count, to))
LATE(nc_get_vara_int, (int file, int variable, const size_t *start, const size_t *count, int *to), (file, variable, start, count, to))
LATE(nc_get_vara_longlong, (int file, int variable, const size_t *start, const size_t *count, long long *to), (file, variable, start, count, to))
LATE(nc_inq_att, (int file, int variable, const char *name, nc_type *type, size_t *length), (file, variable, name, type, length))
LATE(nc_inq_attlen, (int file, int variable, const char *name, size_t *length), (file, variable, name, length))
LATE(nc_inq_dimid, (int file, const char *name, int *id), (file, name, id))
LATE(nc_inq_dimlen, (int file, int dimension, size_t *length), (file, dimension, length))
LATE(nc_inq_dimname, (int file, int dimension, char *name), (file, dimension, name))
LATE(nc_inq_grps, (int file, int *n, int *groups), (file, n, groups))
LATE(nc_inq_nvars, (int file, int *n), (file, n))
LATE(nc_inq_unlimdim, (int file, int *dimension), (file, dimension))
LATE(nc_inq_var, (int file, int variable, char *name, nc_type *type, int *n, int *dimensions, int *attributes), (file, variable, name, type, n, dimensions, attributes))
LATE(nc_inq_vardimid, (int file, int variable, int *dimensions), (file, variable, dimensions))
LATE(nc_inq_varid, (int file, const char *name, int *variable), (file, name, variable))
LATE(nc_inq_varname, (int file, int variable, char *name), (file, variable, name))
LATE(nc_inq_varndims, (int file, int variable, int *n), (file, variable, n))
LATE(nc_open, (const char *path, int mode, int *file), (path, mode, file))
LATE(nc_put_att_double, (int file, int variable, const char *name, nc_type type, size_t length, const double *from), (file, variable, name, type, length, from))
LATE(nc_put_att_float, (int file, int variable, const char *name, nc_type type, size_t length, const float *from), (file, variable, name, type, length, from))
LATE(nc_put_att_longlong, (int file, int variable, const char *name, nc_type type, size_t length, const long long *from), (file, variable, name, type, length, from))
LATE(nc_put_att_text, (int file, int variable, const char *name, size_t length, const char *from), (file, variable, name, length, from))
LATE(nc_put_var1_double, (int file, int variable, const size_t *at, const double *from), (file, variable, at, from))
LATE(nc_put_var_double, (int file, int variable, const double *from), (file, variable, from))
LATE(nc_put_var_schar, (int file, int variable, const signed char *from), (file, variable, from))
LATE(nc_put_var_text, (int file, int variable, const char *from), (file, variable, from))
LATE(nc_put_vara_double, (int file, int variable, const size_t *start, const size_t *count, const double *from), (file, variable, start, count, from))
LATE(nc_put_vara_int, (int file, int variable, const size_t *start, const size_t *count, const int *from), (file, variable, start, count, from))
LATE(nc_set_fill, (int file, int mode, int *old), (file, mode, old))
LATE(nc_sync, (int file), (file))
