/* SPDX-License-Identifier: BSD-3-Clause */
/* The C face of put and get. */
#include <stddef.h>
#include <stdio.h>

#include "api/context.h"
#include "base/error.h"

/* Checks that an array was given; a process without cells may pass none. */
static int check_given(const char *call, const char *field, int64_t n, bool has)
{
    return has || n == 0 ? H3OU_OK : h3ou__fail(H3OU__EARG, "%s: field %s: an array is missing", call, field);
}

static int check_arrays(const char *call, const char *field, int64_t n, int nlayer, bool has)
{
    if (n < 0 || nlayer < 1)
        return h3ou__fail(H3OU__EARG, "%s: field %s: the number of cells and of layers must be positive", call, field);
    return check_given(call, field, n, has);
}

/* Stands for the array of a process without cells, because NULL would mean that a component of the field is missing. */
static double no_cells[1];

static void *array_or_no_cells(const void *array)
{
    return array ? (void *)(uintptr_t)array : no_cells;
}

static h3ou__arrays arrays_of(const void *first, const void *second, const void *third, int count, int64_t n,
                              int nlayer)
{
    return (h3ou__arrays){.rank = 2,
                          .extent = {n, nlayer, 1},
                          .count = count,
                          .component = {array_or_no_cells(first), array_or_no_cells(second), array_or_no_cells(third)},
                          .nshare = n};
}

static h3ou__arrays singles_of(const float *first, int64_t n, int nlayer)
{
    h3ou__arrays a = arrays_of(first, NULL, NULL, 1, n, nlayer);
    a.is_single = true;
    return a;
}

static int put_arrays(h3ou_ctx *ctx, const char *call, const char *field, const h3ou__arrays *given)
{
    int err = h3ou__ctx_check(ctx, call);
    return err ? err : h3ou__coupler_put(ctx->coupler, call, field, given);
}

static int get_arrays(h3ou_ctx *ctx, const char *call, const char *field, const h3ou__arrays *to, int *ok)
{
    bool is_ok = false;
    *ok = 0;
    int err = h3ou__ctx_check(ctx, call);
    if (!err)
        err = h3ou__coupler_get(ctx->coupler, call, field, to, &is_ok);
    *ok = is_ok;
    return err;
}

int h3ou_put(h3ou_ctx *ctx, const char *field, const double data[], int64_t n, int nlayer)
{
    h3ou__arrays given = arrays_of(data, NULL, NULL, 1, n, nlayer);
    int err = check_given("h3ou_put", field, n, data != NULL);
    return err ? err : put_arrays(ctx, "h3ou_put", field, &given);
}

int h3ou_get(h3ou_ctx *ctx, const char *field, double data[], int64_t n, int nlayer, int *ok)
{
    h3ou__arrays to = arrays_of(data, NULL, NULL, 1, n, nlayer);
    *ok = 0;
    int err = check_given("h3ou_get", field, n, data != NULL);
    return err ? err : get_arrays(ctx, "h3ou_get", field, &to, ok);
}

int h3ou_put_float(h3ou_ctx *ctx, const char *field, const float data[], int64_t n, int nlayer)
{
    h3ou__arrays given = singles_of(data, n, nlayer);
    int err = check_given("h3ou_put_float", field, n, data != NULL);
    return err ? err : put_arrays(ctx, "h3ou_put_float", field, &given);
}

int h3ou_get_float(h3ou_ctx *ctx, const char *field, float data[], int64_t n, int nlayer, int *ok)
{
    h3ou__arrays to = singles_of(data, n, nlayer);
    *ok = 0;
    int err = check_given("h3ou_get_float", field, n, data != NULL);
    return err ? err : get_arrays(ctx, "h3ou_get_float", field, &to, ok);
}

int h3ou_put_vector(h3ou_ctx *ctx, const char *field, const double u[], const double v[], int64_t n, int nlayer)
{
    h3ou__arrays given = arrays_of(u, v, NULL, 2, n, nlayer);
    int err = check_arrays("h3ou_put_vector", field, n, nlayer, u && v);
    return err ? err : put_arrays(ctx, "h3ou_put_vector", field, &given);
}

int h3ou_get_vector(h3ou_ctx *ctx, const char *field, double u[], double v[], int64_t n, int nlayer, int *ok)
{
    h3ou__arrays to = arrays_of(u, v, NULL, 2, n, nlayer);
    *ok = 0;
    int err = check_arrays("h3ou_get_vector", field, n, nlayer, u && v);
    return err ? err : get_arrays(ctx, "h3ou_get_vector", field, &to, ok);
}

int h3ou_put_xyz(h3ou_ctx *ctx, const char *field, const double x[], const double y[], const double z[], int64_t n,
                 int nlayer)
{
    h3ou__arrays given = arrays_of(x, y, z, 3, n, nlayer);
    int err = check_arrays("h3ou_put_xyz", field, n, nlayer, x && y && z);
    return err ? err : put_arrays(ctx, "h3ou_put_xyz", field, &given);
}

int h3ou_get_xyz(h3ou_ctx *ctx, const char *field, double x[], double y[], double z[], int64_t n, int nlayer, int *ok)
{
    h3ou__arrays to = arrays_of(x, y, z, 3, n, nlayer);
    *ok = 0;
    int err = check_arrays("h3ou_get_xyz", field, n, nlayer, x && y && z);
    return err ? err : get_arrays(ctx, "h3ou_get_xyz", field, &to, ok);
}

int h3ou_put_share(h3ou_ctx *ctx, const char *field, const double data[], const double share[], int64_t n, int nlayer)
{
    h3ou__arrays given = arrays_of(data, NULL, NULL, 1, n, nlayer);
    given.share = array_or_no_cells(share);
    int err = check_arrays("h3ou_put_share", field, n, nlayer, data && share);
    return err ? err : put_arrays(ctx, "h3ou_put_share", field, &given);
}

int h3ou_put_vector_share(h3ou_ctx *ctx, const char *field, const double u[], const double v[], const double share[],
                          int64_t n, int nlayer)
{
    h3ou__arrays given = arrays_of(u, v, NULL, 2, n, nlayer);
    given.share = array_or_no_cells(share);
    int err = check_arrays("h3ou_put_vector_share", field, n, nlayer, u && v && share);
    return err ? err : put_arrays(ctx, "h3ou_put_vector_share", field, &given);
}

/* Converts the program's description of its arrays to the coupler's. */
static int convert_arrays(const char *call, const char *field, const h3ou_arrays *a, h3ou__arrays *out)
{
    if (a->type != H3OU_TYPE_DOUBLE && a->type != H3OU_TYPE_FLOAT)
        return h3ou__fail(H3OU__EARG, "%s: field %s: arrays are of H3OU_TYPE_DOUBLE or H3OU_TYPE_FLOAT", call, field);
    if (a->rank < 1 || a->rank > 3 || a->count < 1 || a->count > 3)
        return h3ou__fail(H3OU__EARG, "%s: field %s: %d arrays of rank %d: there are 1 to 3 of rank 1 to 3", call,
                          field, a->count, a->rank);
    int64_t size = 1;
    *out = (h3ou__arrays){.is_single = a->type == H3OU_TYPE_FLOAT, .rank = a->rank, .count = a->count};
    for (int i = 0; i < 3; i++) {
        out->extent[i] = i < a->rank ? a->extent[i] : 1;
        size *= out->extent[i];
        if (out->extent[i] < 0)
            return h3ou__fail(H3OU__EARG, "%s: field %s: an extent is below 0", call, field);
    }
    for (int k = 0; k < a->count; k++) {
        int err = check_given(call, field, size, a->component[k] != NULL);
        if (err)
            return err;
        out->component[k] = array_or_no_cells(a->component[k]);
    }
    out->share = a->share;
    out->nshare = a->nshare;
    return H3OU_OK;
}

/* Fortran makes its calls of three components with these two functions, and has names of its own for them, which
 * call_names.c knows. */
int h3ou_put_arrays(h3ou_ctx *ctx, const char *field, const h3ou_arrays *arrays)
{
    const char *const call = arrays->count == 3 ? "h3ou_put_data_xyz" : "h3ou_put_arrays";
    h3ou__arrays given;
    int err = convert_arrays(call, field, arrays, &given);
    return err ? err : put_arrays(ctx, call, field, &given);
}

int h3ou_get_arrays(h3ou_ctx *ctx, const char *field, const h3ou_arrays *arrays, int *ok)
{
    const char *const call = arrays->count == 3 ? "h3ou_get_data_xyz" : "h3ou_get_arrays";
    h3ou__arrays to;
    *ok = 0;
    int err = convert_arrays(call, field, arrays, &to);
    return err ? err : get_arrays(ctx, call, field, &to, ok);
}

int h3ou_is_wanted(const h3ou_ctx *ctx, const char *field)
{
    return ctx && ctx->coupler && h3ou__coupler_is_wanted(ctx->coupler, field);
}

int h3ou_field(const h3ou_ctx *ctx, const char *name, int *field)
{
    int err = h3ou__ctx_check(ctx, "h3ou_field");
    *field = 0;
    if (!err)
        err = h3ou__name_check("h3ou_field", "name of a field", name);
    return err ? err : h3ou__coupler_field(ctx->coupler, name, field);
}

int h3ou_field_name(const h3ou_ctx *ctx, int field, char name[65])
{
    const char *found = "";
    int err = h3ou__ctx_check(ctx, "h3ou_field_name");
    if (!err)
        err = h3ou__coupler_field_name(ctx->coupler, field, &found);
    if (!err)
        snprintf(name, 65, "%s", found);
    return err;
}

/* Returns the name of the field for an error. */
static const char *name_of(const h3ou_ctx *ctx, int field)
{
    const char *name = "";
    return ctx && ctx->coupler && !h3ou__coupler_field_name(ctx->coupler, field, &name) ? name : "of an unknown handle";
}

static int put_by_handle(h3ou_ctx *ctx, const char *call, int field, const h3ou__arrays *given)
{
    int err = h3ou__ctx_check(ctx, call);
    return err ? err : h3ou__coupler_field_put(ctx->coupler, call, field, given);
}

static int get_by_handle(h3ou_ctx *ctx, const char *call, int field, const h3ou__arrays *to, int *ok)
{
    bool is_ok = false;
    int err = h3ou__ctx_check(ctx, call);
    if (!err)
        err = h3ou__coupler_field_get(ctx->coupler, call, field, to, &is_ok);
    *ok = is_ok;
    return err;
}

int h3ou_field_put(h3ou_ctx *ctx, int field, const double data[], int64_t n, int nlayer)
{
    const char *const call = "h3ou_field_put";
    h3ou__arrays given = arrays_of(data, NULL, NULL, 1, n, nlayer);
    int err = data ? H3OU_OK : check_given(call, name_of(ctx, field), n, false);
    return err ? err : put_by_handle(ctx, call, field, &given);
}

int h3ou_field_get(h3ou_ctx *ctx, int field, double data[], int64_t n, int nlayer, int *ok)
{
    const char *const call = "h3ou_field_get";
    h3ou__arrays to = arrays_of(data, NULL, NULL, 1, n, nlayer);
    *ok = 0;
    int err = data ? H3OU_OK : check_given(call, name_of(ctx, field), n, false);
    return err ? err : get_by_handle(ctx, call, field, &to, ok);
}

int h3ou_field_put_float(h3ou_ctx *ctx, int field, const float data[], int64_t n, int nlayer)
{
    const char *const call = "h3ou_field_put_float";
    h3ou__arrays given = singles_of(data, n, nlayer);
    int err = data ? H3OU_OK : check_given(call, name_of(ctx, field), n, false);
    return err ? err : put_by_handle(ctx, call, field, &given);
}

int h3ou_field_get_float(h3ou_ctx *ctx, int field, float data[], int64_t n, int nlayer, int *ok)
{
    const char *const call = "h3ou_field_get_float";
    h3ou__arrays to = singles_of(data, n, nlayer);
    *ok = 0;
    int err = data ? H3OU_OK : check_given(call, name_of(ctx, field), n, false);
    return err ? err : get_by_handle(ctx, call, field, &to, ok);
}

int h3ou_field_put_arrays(h3ou_ctx *ctx, int field, const h3ou_arrays *arrays)
{
    const char *const call = arrays->count == 3 ? "h3ou_put_data_xyz" : "h3ou_field_put_arrays";
    h3ou__arrays given;
    int err = convert_arrays(call, name_of(ctx, field), arrays, &given);
    return err ? err : put_by_handle(ctx, call, field, &given);
}

int h3ou_field_get_arrays(h3ou_ctx *ctx, int field, const h3ou_arrays *arrays, int *ok)
{
    const char *const call = arrays->count == 3 ? "h3ou_get_data_xyz" : "h3ou_field_get_arrays";
    h3ou__arrays to;
    *ok = 0;
    int err = convert_arrays(call, name_of(ctx, field), arrays, &to);
    return err ? err : get_by_handle(ctx, call, field, &to, ok);
}
