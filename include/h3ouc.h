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

/* Joins the run as h3ou_open does.
 *   my_name: name of my component
 *   config_file_name: path of the namelist; rank 0 of the component reads it
 * Collective: all processes of all components of the run.
 */
H3OU_API void h3ouc_init(const char *my_name, const char *config_file_name);

/* Joins the run without a configuration file: communication calls only, no exchange of fields.
 *   comp_name: name of my component
 * Collective: all processes of all components of the run.
 */
H3OU_API void h3ouc_init_simple(const char *comp_name);

/* Sends what is due, and leaves the run.
 *   time_array: [6], the time reached; not used
 *   is_call_finalize: not 0: MPI_Finalize is called
 * Collective: all processes of all components of the run.
 */
H3OU_API void h3ouc_coupling_end(const int *time_array, int is_call_finalize);

/* Leaves the run where it was not left yet; MPI_Finalize is called if h3ouc_init called MPI_Init.
 * Collective: all processes of all components of the run.
 */
H3OU_API void h3ouc_end(void);

/* Returns my component's communicator and group as Fortran handles, its size, and my rank; see h3ou_local_named.
 *   my_name: name of my component
 *   my_comm: out, Fortran handle of the communicator
 *   my_group: out, Fortran handle of its group
 *   my_size: out, number of processes of my component
 *   my_rank: out, my rank, from 0
 * Collective: no.
 */
H3OU_API void h3ouc_get_mpi_parameter_f(const char *my_name, int *my_comm, int *my_group, int *my_size, int *my_rank);

/* Returns the Fortran handle of my component's communicator.
 * Collective: no.
 */
H3OU_API int h3ouc_get_my_comm_f(void);

/* Returns my rank in my component, from 0.
 * Collective: no.
 */
H3OU_API int h3ouc_get_my_rank(void);

/* Returns the number of processes of my component.
 * Collective: no.
 */
H3OU_API int h3ouc_get_my_size(void);

#ifndef H3OUC_WITHOUT_MPI
/* Returns my component's communicator. Defined here and not in the library, which is the same under every MPI.
 * Collective: no.
 */
static inline MPI_Comm h3ouc_get_my_comm(void)
{
    return MPI_Comm_f2c((MPI_Fint)h3ouc_get_my_comm_f());
}

/* As h3ouc_get_mpi_parameter_f, with the communicator of the program's MPI.
 *   my_comm: out, the communicator; it lives until MPI_Finalize, and is not to be freed
 */
static inline void h3ouc_get_mpi_parameter(const char *my_name, MPI_Comm *my_comm, int *my_group, int *my_size,
                                           int *my_rank)
{
    int comm;
    h3ouc_get_mpi_parameter_f(my_name, &comm, my_group, my_size, my_rank);
    *my_comm = MPI_Comm_f2c((MPI_Fint)comm);
}
#endif

/* Defines a grid of my component by the cells that this process holds, as h3ou_grid_define does.
 *   grid_index: [ngrid], global indices of the cells, from 1
 *   ngrid: number of cells
 *   comp_name: name of my component
 *   grid_name: name of the grid
 *   nz: the largest number of layers of a field on this grid
 * Collective: no, but every process of my component calls it, each grid once.
 */
H3OU_API void h3ouc_def_grid(const int *grid_index, int ngrid, const char *comp_name, const char *grid_name, int nz);

/* Ends the definition of grids.
 * Collective: all processes of my component.
 */
H3OU_API void h3ouc_end_grid_def(void);

/* Gives the interpolation table of a pair of grids, as h3ou_table_set does; what rank 0 passes counts.
 *   my_name: name of my component
 *   send_comp, send_grid: names of the component that puts, and of its grid
 *   recv_comp, recv_grid: names of the component that gets, and of its grid
 *   map_tag: the pair's mapping_tag
 *   send_index, recv_index: [ngrid], global indices of source and target cells, from 1
 *   coef: [ngrid], coefficients, without unit
 *   ngrid: number of links
 * Collective: no, but every process of my component calls it, and the other component
 *   h3ouc_set_interpolation_table_no_index.
 */
H3OU_API void h3ouc_set_interpolation_table(const char *my_name, const char *send_comp, const char *send_grid,
                                            const char *recv_comp, const char *recv_grid, int map_tag,
                                            const int *send_index, const int *recv_index, const double *coef,
                                            int ngrid);

/* As h3ouc_set_interpolation_table, in the component that gives no arrays. */
H3OU_API void h3ouc_set_interpolation_table_no_index(const char *my_name, const char *send_comp, const char *send_grid,
                                                     const char *recv_comp, const char *recv_grid, int map_tag);

/* Says when the run begins; the exchanges are planned here.
 *   time_array: [6], year, month, day, hour, minute, second
 * Collective: all processes of all components that exchange fields.
 */
H3OU_API void h3ouc_init_time(const int *time_array);

/* Begins a time step; values that are due are sent here.
 *   my_name: name of my component
 *   time_array: [6], beginning of the step
 *   delta_t: length of the step in seconds
 * Collective: no, but every process of my component calls it once a step.
 */
H3OU_API void h3ouc_set_time(const char *my_name, const int *time_array, int delta_t);

/* Adds seconds to a time.
 *   time_array: [6], in and out
 *   delta_t: seconds to add
 * Collective: no.
 */
H3OU_API void h3ouc_inc_calendar(int *time_array, int delta_t);

/* Puts a field, as h3ou_put does: _1d has one layer, _25d all layers of the field.
 *   data_name: name of the field
 *   data: [cells of this process], or [layer][cell] for _25d; in the field's unit
 * Collective: no, but every process of my component calls it.
 */
H3OU_API void h3ouc_put_data_1d(const char *data_name, const double *data);
H3OU_API void h3ouc_put_data_25d(const char *data_name, const double *data);

/* Gets a field, as h3ou_get does: _1d has one layer, _25d all layers of the field.
 *   data_name: name of the field
 *   data: out, [cells of this process], or [layer][cell] for _25d; stays as it is when no exchange is due
 *   is_get_ok: out, 1 if an exchange was due, else 0
 * Collective: no, but every process of my component calls it.
 */
H3OU_API void h3ouc_get_data_1d(const char *data_name, double *data, int *is_get_ok);
H3OU_API void h3ouc_get_data_25d(const char *data_name, double *data, int *is_get_ok);

/* Returns how many fields the namelist lets my component put, or get.
 * Collective: no.
 */
H3OU_API int h3ouc_get_num_of_put_data(void);
H3OU_API int h3ouc_get_num_of_get_data(void);

/* Returns the name of a field that my component puts, or gets.
 *   data_num: its number, from 0
 *   data_name: out, NUL-terminated; room for 65 characters
 * Collective: no.
 */
H3OU_API void h3ouc_get_put_data_name(int data_num, char *data_name);
H3OU_API void h3ouc_get_get_data_name(int data_num, char *data_name);

/* Communication beside the exchange; NAME is int, float or double, and TYPE the same. bcast_global sends from rank 0
 * of source_name to every process of every component, bcast_model to those of two components. send and recv, and
 * their arrays, go from rank 0 of the one component to every process of the other. send_model and recv_model go from
 * one process to one process; isend_model and irecv_model only start, and borrow data until h3ouc_isend_waitall and
 * h3ouc_irecv_waitall.
 *   source_name, target_name: names of the component that sends, and of the one that receives
 *   source_pe, target_pe: rank in that component, from 0
 *   data: [n], the elements, or the one element of send and recv
 *   n: number of elements, the same on both sides
 * Collective: bcast_global: all processes of all components; bcast_model, send, recv and their arrays: all processes
 *   of both components; the others: no.
 */
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

/* Sends an array from rank 0 of my component to every process of another one.
 *   my_comp: name of my component; not used
 *   recv_comp: name of the component that receives
 *   array: [n], the elements; what rank 0 passes counts
 *   n: number of elements
 * Collective: all processes of both components.
 */
H3OU_API void h3ouc_send_array_int(const char *my_comp, const char *recv_comp, const int *array, int n);
H3OU_API void h3ouc_send_array_double(const char *my_comp, const char *recv_comp, const double *array, int n);

/* Receives an array that another component sends with h3ouc_send_array_int or h3ouc_send_array_double.
 *   my_comp: name of my component; not used
 *   send_comp: name of the component that sends
 *   array: out, [n], the elements
 *   n: number of elements
 * Collective: all processes of both components.
 */
H3OU_API void h3ouc_recv_array_int(const char *my_comp, const char *send_comp, int *array, int n);
H3OU_API void h3ouc_recv_array_double(const char *my_comp, const char *send_comp, double *array, int n);

/* Complete what the isend_model and irecv_model calls have started.
 * Collective: no.
 */
H3OU_API void h3ouc_isend_waitall(void);
H3OU_API void h3ouc_irecv_waitall(void);

#ifdef __cplusplus
}
#endif
#endif
