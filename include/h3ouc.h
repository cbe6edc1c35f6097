/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of h3-Open-UTIL/MP's C interface: one component for each process, no status. Every error ends the run, in
 * every job, with one message (h3ou_abort of h3ou.h, which is the face for new programs and whose comments say what
 * each call does). Names have at most 64 characters. A time array is year, month, day, hour, minute, second.
 *
 * A program without MPI defines H3OUC_WITHOUT_MPI before it includes this file.
 */
#ifndef H3OUC_H
#define H3OUC_H

#ifndef H3OUC_WITHOUT_MPI
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef H3OU_API
#define H3OU_API __attribute__((visibility("default")))
#endif

/* The run. init_simple: communication calls only, without a configuration file. is_call_finalize: MPI_Finalize is
 * called. end: what coupling_end does, where the run was not left yet; MPI_Finalize is called if init called MPI_Init.
 */
H3OU_API void h3ouc_init(const char *my_name, const char *config_file_name);
H3OU_API void h3ouc_init_simple(const char *comp_name);
H3OU_API void h3ouc_coupling_end(const int *time_array, int is_call_finalize);
H3OU_API void h3ouc_end(void);

/* My place. _f: the Fortran handle of the communicator; *my_group is one, too. */
H3OU_API void h3ouc_get_mpi_parameter_f(const char *my_name, int *my_comm, int *my_group, int *my_size, int *my_rank);
H3OU_API int h3ouc_get_my_comm_f(void);
H3OU_API int h3ouc_get_my_rank(void);
H3OU_API int h3ouc_get_my_size(void);
#ifndef H3OUC_WITHOUT_MPI
/* Here and not in the library, which is the same under every MPI. */
static inline MPI_Comm h3ouc_get_my_comm(void)
{
    return MPI_Comm_f2c((MPI_Fint)h3ouc_get_my_comm_f());
}
static inline void h3ouc_get_mpi_parameter(const char *my_name, MPI_Comm *my_comm, int *my_group, int *my_size,
                                           int *my_rank)
{
    int comm;
    h3ouc_get_mpi_parameter_f(my_name, &comm, my_group, my_size, my_rank);
    *my_comm = MPI_Comm_f2c((MPI_Fint)comm);
}
#endif

/* Grids and tables; index[ngrid] and the arrays of a table count cells from 1. _no_index: of the component that gives
 * no arrays. */
H3OU_API void h3ouc_def_grid(const int *grid_index, int ngrid, const char *comp_name, const char *grid_name, int nz);
H3OU_API void h3ouc_end_grid_def(void);
H3OU_API void h3ouc_set_interpolation_table(const char *my_name, const char *send_comp, const char *send_grid,
                                            const char *recv_comp, const char *recv_grid, int map_tag,
                                            const int *send_index, const int *recv_index, const double *coef,
                                            int ngrid);
H3OU_API void h3ouc_set_interpolation_table_no_index(const char *my_name, const char *send_comp, const char *send_grid,
                                                     const char *recv_comp, const char *recv_grid, int map_tag);

/* Time and fields. data: as many cells as this process has of the field's grid; _25d: [layer][cell]. get: *is_get_ok is
 * 1 when an exchange was due, else 0 and data are left alone. data_num counts from 0; data_name: room for 65 characters.
 */
H3OU_API void h3ouc_init_time(const int *time_array);
H3OU_API void h3ouc_set_time(const char *my_name, const int *time_array, int delta_t);
H3OU_API void h3ouc_inc_calendar(int *time_array, int delta_t);
H3OU_API void h3ouc_put_data_1d(const char *data_name, const double *data);
H3OU_API void h3ouc_put_data_25d(const char *data_name, const double *data);
H3OU_API void h3ouc_get_data_1d(const char *data_name, double *data, int *is_get_ok);
H3OU_API void h3ouc_get_data_25d(const char *data_name, double *data, int *is_get_ok);
H3OU_API int h3ouc_get_num_of_put_data(void);
H3OU_API int h3ouc_get_num_of_get_data(void);
H3OU_API void h3ouc_get_put_data_name(int data_num, char *data_name);
H3OU_API void h3ouc_get_get_data_name(int data_num, char *data_name);

/* Communication beside the exchange, n elements. send, recv and their arrays: leader to leader, then to all of the
 * receiver. _model: process to process, ranks from 0 in the other component. isend and irecv borrow data until their
 * waitall. */
#define H3OUC_BESIDE(NAME, TYPE)                                                                                       \
    H3OU_API void h3ouc_bcast_global_##NAME(const char *source_name, TYPE *data, int n);                               \
    H3OU_API void h3ouc_bcast_model_##NAME(const char *source_name, const char *target_name, TYPE *data, int n);       \
    H3OU_API void h3ouc_send_##NAME(const char *target_name, TYPE data);                                               \
    H3OU_API void h3ouc_recv_##NAME(const char *source_name, TYPE *data);                                              \
    H3OU_API void h3ouc_send_##NAME##_array(const char *target_name, const TYPE *data, int n);                         \
    H3OU_API void h3ouc_recv_##NAME##_array(const char *source_name, TYPE *data, int n);                               \
    H3OU_API void h3ouc_send_model_##NAME(const char *target_name, int target_pe, const TYPE *data, int n);            \
    H3OU_API void h3ouc_recv_model_##NAME(const char *source_name, int source_pe, TYPE *data, int n);                  \
    H3OU_API void h3ouc_isend_model_##NAME(const char *target_name, int target_pe, const TYPE *data, int n);           \
    H3OU_API void h3ouc_irecv_model_##NAME(const char *source_name, int source_pe, TYPE *data, int n);
H3OUC_BESIDE(int, int)
H3OUC_BESIDE(float, float)
H3OUC_BESIDE(double, double)
#undef H3OUC_BESIDE
H3OU_API void h3ouc_send_array_int(const char *my_comp, const char *recv_comp, const int *array, int n);
H3OU_API void h3ouc_send_array_double(const char *my_comp, const char *recv_comp, const double *array, int n);
H3OU_API void h3ouc_recv_array_int(const char *my_comp, const char *send_comp, int *array, int n);
H3OU_API void h3ouc_recv_array_double(const char *my_comp, const char *send_comp, double *array, int n);
H3OU_API void h3ouc_isend_waitall(void);
H3OU_API void h3ouc_irecv_waitall(void);

#ifdef __cplusplus
}
#endif
#endif
