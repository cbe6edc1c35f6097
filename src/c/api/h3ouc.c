/* SPDX-License-Identifier: BSD-3-Clause */
/* The published C interface over h3ou.h: one context, and an error ends the run. */
#define H3OUC_WITHOUT_MPI
#include "h3ouc.h"

#include <string.h>

#include "api/context.h"
#include "base/error.h"

static h3ou_ctx *ctx;

static void abort_on_error(int err)
{
    if (!err)
        return;
    h3ou_face(H3OU_FACE_H3OUC);
    h3ou_abort(ctx, err);
}

static void open_run(const char *name, const char *config)
{
    h3ou_face(H3OU_FACE_H3OUC);
    if (ctx)
        abort_on_error(h3ou__fail(H3OU__ESTATE, "h3ouc_init was called already: a process with several components calls h3ou_open of "
                                               "h3ou.h for each"));
    abort_on_error(h3ou_open(name, config, 1, &ctx));
}

void h3ouc_init(const char *my_name, const char *config_file_name)
{
    open_run(my_name, config_file_name);
}

void h3ouc_init_simple(const char *comp_name)
{
    open_run(comp_name, "/dev/null"); /* a configuration without groups */
}

static void close_run(const int *time, int finalize)
{
    abort_on_error(h3ou_close(ctx, time, finalize));
    ctx = NULL;
}

void h3ouc_coupling_end(const int *time_array, int is_call_finalize)
{
    if (!ctx)
        abort_on_error(h3ou__fail(H3OU__ESTATE, "h3ouc_coupling_end comes before h3ouc_init, or after the end"));
    close_run(time_array, is_call_finalize != 0);
}

void h3ouc_end(void)
{
    if (ctx)
        close_run(NULL, -1);
}

void h3ouc_get_mpi_parameter_f(const char *my_name, int *my_comm, int *my_group, int *my_size, int *my_rank)
{
    abort_on_error(h3ou_local_named(ctx, my_name, my_comm, my_group, my_size, my_rank));
}

typedef struct place {
    int comm, group, size, rank;
} place;

static place my_place(void)
{
    place p = {0};
    abort_on_error(h3ou_local(ctx, &p.comm, &p.group, &p.size, &p.rank));
    return p;
}

int h3ouc_get_my_comm_f(void)
{
    return my_place().comm;
}

int h3ouc_get_my_rank(void)
{
    return my_place().rank;
}

int h3ouc_get_my_size(void)
{
    return my_place().size;
}

void h3ouc_def_grid(const int *grid_index, int ngrid, const char *comp_name, const char *grid_name, int nz)
{
    abort_on_error(h3ou_grid_define(ctx, comp_name, grid_name, grid_index, ngrid, nz));
}

void h3ouc_end_grid_def(void)
{
    abort_on_error(h3ou_grid_end(ctx));
}

void h3ouc_set_interpolation_table(const char *my_name, const char *send_comp, const char *send_grid,
                                   const char *recv_comp, const char *recv_grid, int map_tag, const int *send_index,
                                   const int *recv_index, const double *coef, int ngrid)
{
    abort_on_error(h3ou_table_set(ctx, my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag, send_index,
                                  recv_index, coef, ngrid, H3OU_TABLE_LEADER));
}

void h3ouc_set_interpolation_table_no_index(const char *my_name, const char *send_comp, const char *send_grid,
                                            const char *recv_comp, const char *recv_grid, int map_tag)
{
    h3ouc_set_interpolation_table(my_name, send_comp, send_grid, recv_comp, recv_grid, map_tag, NULL, NULL, NULL, 0);
}

void h3ouc_init_time(const int *time_array)
{
    abort_on_error(h3ou_time_init(ctx, time_array));
}

void h3ouc_set_time(const char *my_name, const int *time_array, int delta_t)
{
    abort_on_error(h3ou_time_set(ctx, my_name, time_array, delta_t));
}

void h3ouc_inc_calendar(int *time_array, int delta_t)
{
    abort_on_error(h3ou_time_add(ctx, time_array, delta_t));
}

/* Returns the length of an array, which this interface does not pass: my part of the field's grid. For an unknown field
 * it returns 0, and the call that follows fails. */
static int64_t size_of(const char *name, bool put, int *nlayer)
{
    return ctx && ctx->coupler ? h3ou__coupler_cells(ctx->coupler, name, put, nlayer) : 0;
}

static void put_field(const char *name, const double *data, int nlayer)
{
    int64_t n = size_of(name, true, &nlayer);
    abort_on_error(h3ou_put(ctx, name, data, n, nlayer));
}

static void get_field(const char *name, double *data, int nlayer, int *ok)
{
    int64_t n = size_of(name, false, &nlayer);
    abort_on_error(h3ou_get(ctx, name, data, n, nlayer, ok));
}

void h3ouc_put_data_1d(const char *data_name, const double *data)
{
    put_field(data_name, data, 1);
}

void h3ouc_put_data_25d(const char *data_name, const double *data)
{
    put_field(data_name, data, 0);
}

void h3ouc_get_data_1d(const char *data_name, double *data, int *is_get_ok)
{
    get_field(data_name, data, 1, is_get_ok);
}

void h3ouc_get_data_25d(const char *data_name, double *data, int *is_get_ok)
{
    get_field(data_name, data, 0, is_get_ok);
}

int h3ouc_get_num_of_put_data(void)
{
    return h3ou_put_count(ctx);
}

int h3ouc_get_num_of_get_data(void)
{
    return h3ou_get_count(ctx);
}

static void check_number(const char *call, int number, int count)
{
    if (number < 0 || number >= count)
        abort_on_error(h3ou__fail(H3OU__EARG,
                                  "%s: there is no field number %d: the fields count from 0, and there are %d", call,
                                  number, count));
}

void h3ouc_get_put_data_name(int data_num, char *data_name)
{
    check_number("h3ouc_get_put_data_name", data_num, h3ou_put_count(ctx));
    abort_on_error(h3ou_put_name(ctx, data_num + 1, data_name));
}

void h3ouc_get_get_data_name(int data_num, char *data_name)
{
    check_number("h3ouc_get_get_data_name", data_num, h3ou_get_count(ctx));
    abort_on_error(h3ou_get_name(ctx, data_num + 1, data_name));
}

#define BESIDE(NAME, TYPE, KIND)                                                                                       \
    void h3ouc_bcast_global_##NAME(const char *source_name, TYPE *data, int n)                                         \
    {                                                                                                                  \
        abort_on_error(h3ou_bcast_global(ctx, source_name, data, n, KIND));                                            \
    }                                                                                                                  \
    void h3ouc_bcast_model_##NAME(const char *source_name, const char *target_name, TYPE *data, int n)                 \
    {                                                                                                                  \
        abort_on_error(h3ou_bcast_model(ctx, source_name, target_name, data, n, KIND));                                \
    }                                                                                                                  \
    void h3ouc_send_##NAME##_array(const char *target_name, const TYPE *data, int n)                                   \
    {                                                                                                                  \
        abort_on_error(h3ou_send(ctx, target_name, data, n, KIND));                                                    \
    }                                                                                                                  \
    void h3ouc_recv_##NAME##_array(const char *source_name, TYPE *data, int n)                                         \
    {                                                                                                                  \
        abort_on_error(h3ou_recv(ctx, source_name, data, n, KIND));                                                    \
    }                                                                                                                  \
    void h3ouc_send_##NAME(const char *target_name, TYPE data)                                                         \
    {                                                                                                                  \
        h3ouc_send_##NAME##_array(target_name, &data, 1);                                                              \
    }                                                                                                                  \
    void h3ouc_recv_##NAME(const char *source_name, TYPE *data)                                                        \
    {                                                                                                                  \
        h3ouc_recv_##NAME##_array(source_name, data, 1);                                                               \
    }                                                                                                                  \
    void h3ouc_send_model_##NAME(const char *target_name, int target_pe, const TYPE *data, int n)                      \
    {                                                                                                                  \
        abort_on_error(h3ou_send_model(ctx, target_name, target_pe, data, n, KIND));                                   \
    }                                                                                                                  \
    void h3ouc_recv_model_##NAME(const char *source_name, int source_pe, TYPE *data, int n)                            \
    {                                                                                                                  \
        abort_on_error(h3ou_recv_model(ctx, source_name, source_pe, data, n, KIND));                                   \
    }                                                                                                                  \
    void h3ouc_isend_model_##NAME(const char *target_name, int target_pe, const TYPE *data, int n)                     \
    {                                                                                                                  \
        abort_on_error(h3ou_isend_model(ctx, target_name, target_pe, data, n, KIND));                                  \
    }                                                                                                                  \
    void h3ouc_irecv_model_##NAME(const char *source_name, int source_pe, TYPE *data, int n)                           \
    {                                                                                                                  \
        abort_on_error(h3ou_irecv_model(ctx, source_name, source_pe, data, n, KIND));                                  \
    }
BESIDE(int, int, H3OU_TYPE_INT32)
BESIDE(float, float, H3OU_TYPE_FLOAT)
BESIDE(double, double, H3OU_TYPE_DOUBLE)

void h3ouc_send_array_int(const char *my_comp, const char *recv_comp, const int *array, int n)
{
    (void)my_comp;
    h3ouc_send_int_array(recv_comp, array, n);
}

void h3ouc_send_array_double(const char *my_comp, const char *recv_comp, const double *array, int n)
{
    (void)my_comp;
    h3ouc_send_double_array(recv_comp, array, n);
}

void h3ouc_recv_array_int(const char *my_comp, const char *send_comp, int *array, int n)
{
    (void)my_comp;
    h3ouc_recv_int_array(send_comp, array, n);
}

void h3ouc_recv_array_double(const char *my_comp, const char *send_comp, double *array, int n)
{
    (void)my_comp;
    h3ouc_recv_double_array(send_comp, array, n);
}

void h3ouc_isend_waitall(void)
{
    abort_on_error(h3ou_isend_waitall(ctx));
}

void h3ouc_irecv_waitall(void)
{
    abort_on_error(h3ou_irecv_waitall(ctx));
}
