/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * h3ou: couples programs that were started separately. The C face: one context per process, every call answers 0 or a
 * negative H3OU_E..., nothing is printed and nothing aborts unless the program asks for it with h3ou_abort.
 *
 * The order of calls in every component:
 *   h3ou_open, h3ou_grid_define (one or more), h3ou_grid_end, h3ou_table_set (one per pair of grids), h3ou_time_init,
 *   [h3ou_put: initial values], then each step h3ou_time_set, h3ou_get, h3ou_put, and h3ou_close at the end.
 * Strings are NUL-terminated, names have 1 to 64 characters. A cell index counts from 1.
 */
#ifndef H3OU_H
#define H3OU_H

#include <stdint.h>

#include "h3ou_errors.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef H3OU_API
#define H3OU_API __attribute__((visibility("default")))
#endif

#define X(name, value, text) H3OU_##name = value,
enum h3ou_error_code { H3OU_ERRORS(X) };
#undef X

typedef struct h3ou_ctx h3ou_ctx;

enum h3ou_type { H3OU_TYPE_BYTE, H3OU_TYPE_INT32, H3OU_TYPE_INT64, H3OU_TYPE_FLOAT, H3OU_TYPE_DOUBLE };

/* Joins the coupled run as component `component`; reads the namelist `config` (rank 0 of the component reads the file).
 * nensemble: 1 (ensembles are not part of this version). Collective over all processes of the run. On error *out may
 * still be a context, so that h3ou_abort can tell the other jobs; free it with h3ou_close or h3ou_abort. */
H3OU_API int h3ou_open(const char *component, const char *config, int nensemble, h3ou_ctx **out);
/* Sends what is due up to the end of the last step, leaves the run. time: not used, NULL is allowed. finalize:
 * MPI_Finalize is 1 called, 0 not called, -1 called if h3ou_open called MPI_Init, else when the program exits with
 * status 0 and has not called it itself. Collective over all. ctx is freed, NULL is allowed. A program that exits or
 * calls MPI_Finalize with an open context, and is not alone in the run, ends it by h3ou_abort. */
H3OU_API int h3ou_close(h3ou_ctx *ctx, const int time[6], int finalize);

/* The sentence of this thread's last error, and the short text of a code. Never NULL. */
H3OU_API const char *h3ou_error(void);
H3OU_API const char *h3ou_strerror(int code);
/* What the Fortran face does on an error: hands the sentence to the handler (default: prints it to standard error as
 * "h3ou: error in COMPONENT rank R: ..."), then ends this job and every other one of the run. Does not return. */
H3OU_API void h3ou_abort(h3ou_ctx *ctx, int code);
/* The same for an error of the program itself: `text` is the sentence, the handler gets the code H3OU_PROGRAM. ctx NULL:
 * the context that is open in this process. */
enum { H3OU_PROGRAM = 1 };
H3OU_API void h3ou_abort_text(h3ou_ctx *ctx, const char *text);
/* Records "what is not part of this version" and answers H3OU_EUNSUPPORTED: for faces in other languages. */
H3OU_API int h3ou_unsupported(const char *what);
/* Records the sentence and answers H3OU_EARG: for faces that check their own arguments. */
H3OU_API int h3ou_wrong(const char *sentence);
typedef void (*h3ou_abort_handler)(const char *component, int rank, int code, const char *text);
H3OU_API void h3ou_set_abort_handler(h3ou_abort_handler handler); /* NULL: the default */
/* For a handler, which every process that fails calls: 1 in the first one of its job on its host, which is to print, else
 * 0. The default prints in that process only. */
H3OU_API int h3ou_abort_is_first(void);

/* My place. comm and group are Fortran handles of my component's communicator in the process's own MPI. The communicator
 * lives until MPI_Finalize, also after h3ou_close; it is the same one at each call, and MPI errors on it are handled as on
 * MPI_COMM_WORLD. */
H3OU_API int h3ou_local(const h3ou_ctx *ctx, int *comm, int *group, int *size, int *rank);
/* The same, also where name is another component that runs: then with a warning, or H3OU_EARG with strict=.true. */
H3OU_API int h3ou_local_named(h3ou_ctx *ctx, const char *name, int *comm, int *group, int *size, int *rank);
H3OU_API int h3ou_my_name(const h3ou_ctx *ctx, char name[65]);
H3OU_API int h3ou_is_coupled(const h3ou_ctx *ctx); /* 1 in a run, also of one component alone; else 0 */
H3OU_API int h3ou_component_count(const h3ou_ctx *ctx);
/* Components count from 1 in the alphabetical order of their names. H3OU_ENAME. */
H3OU_API int h3ou_component_id(const h3ou_ctx *ctx, const char *name, int *id);
H3OU_API int h3ou_my_component_id(const h3ou_ctx *ctx);
/* The other component; of several the one that the namelist first names together with mine, else the first by name.
 * "NO_TARGET" for a component alone. */
H3OU_API int h3ou_target_name(const h3ou_ctx *ctx, char name[65]);

/* A grid of my component: the global indices of the n cells of this process, each index once over all processes; nz:
 * layers at most. Copied. h3ou_grid_end is collective over the component and checks them. */
H3OU_API int h3ou_grid_define(h3ou_ctx *ctx, const char *component, const char *grid, const int index[], int64_t n,
                              int nz);
H3OU_API int h3ou_grid_end(h3ou_ctx *ctx);

/* Where the cells of a grid are, for weights that the library makes and for vectors. All optional, each at most once,
 * between h3ou_grid_define and h3ou_grid_end, in the order of the indices given to h3ou_grid_define; copied. units:
 * "degrees" or "radians". */
/* Centres: lon[n], lat[n]. H3OU_EARG names a cell that is not on the sphere by its index. */
H3OU_API int h3ou_grid_centres(h3ou_ctx *ctx, const char *grid, const double lon[], const double lat[],
                               const char *units);
/* Corners, 3 to 60 a cell, in either sense of rotation: corner k of cell i is at [i * most + k]; cells with fewer
 * repeat one. Bad ones (crossing edges, no area, not finite) are errors at h3ou_time_init, by index. */
H3OU_API int h3ou_grid_corners(h3ou_ctx *ctx, const char *grid, int most, const double lon[], const double lat[],
                               const char *units);
/* mask[n], 0: the cell takes no part. area[n] in steradians: what norm='destarea' conserves. angle[n]: from local east
 * to the first component of a vector, anticlockwise. */
H3OU_API int h3ou_grid_mask(h3ou_ctx *ctx, const char *grid, const int mask[]);
H3OU_API int h3ou_grid_area(h3ou_ctx *ctx, const char *grid, const double area[]);
H3OU_API int h3ou_grid_angle(h3ou_ctx *ctx, const char *grid, const double angle[], const char *units);
/* The grid has rows: index = x + nx * (y - 1), x from 1 to nx, y from 1 to ny. cyclic: x = nx and x = 1 are neighbours.
 * fold: the last row meets itself, x and nx + 1 - x (tripolar grids). */
H3OU_API int h3ou_grid_shape(h3ou_ctx *ctx, const char *grid, int nx, int ny, int cyclic, int fold);
/* How the arrays of this process hold its cells: as a block of nx by ny, x running fastest in the order of the indices
 * given to h3ou_grid_define (n = nx * ny). It need not be said where those indices fill rows of h3ou_grid_shape. */
H3OU_API int h3ou_grid_block(h3ou_ctx *ctx, const char *grid, int nx, int ny);
/* The block has a halo in these arrays, of that many cells at the left and the right of each row, below the first row and
 * above the last: put leaves it out, get does not touch it. The n of put and get may then be the whole of it. */
H3OU_API int h3ou_grid_halo(h3ou_ctx *ctx, const char *grid, const int halo[4]);
/* What runs between two corners of one latitude: "great_circle" or "latitude" (circle). By default latitude circles for
 * grids all of whose cells are boxes of two longitudes and two latitudes, else great circles. */
H3OU_API int h3ou_grid_edges(h3ou_ctx *ctx, const char *grid, const char *edges);

/* Whose entries count: of the component's rank 0 alone (existing models pass a dummy elsewhere), or of every process.
 */
enum h3ou_table_mode { H3OU_TABLE_LEADER = 0, H3OU_TABLE_SPREAD = 1 };
/* The interpolation table of one pair of grids: target[recv[i]] += coef[i] * source[send[i]], summed in the order given
 * (rank by rank for SPREAD). Called by every process of both components; one of the two gives arrays, the other NULL.
 * coef NULL: all 1, with a warning. Copied. tag: the pair's mapping_tag; where the tags of the calls are not those of the
 * namelist, the pairs between two components count from 1, and else the order of the calls counts. */
H3OU_API int h3ou_table_set(h3ou_ctx *ctx, const char *my_name, const char *send_component, const char *send_grid,
                            const char *recv_component, const char *recv_grid, int tag, const int send_index[],
                            const int recv_index[], const double coef[], int64_t n, int mode);

/* The same with what each entry does to vectors (fields named with var_put_vec, var_get_vec): coef_cos[n], coef_sin[n]
 * are the cosine and the sine of the angle from the source's to the target's local frame,
 *   u'[recv[i]] += coef[i] * (coef_cos[i] * u[send[i]] - coef_sin[i] * v[send[i]])
 *   v'[recv[i]] += coef[i] * (coef_sin[i] * u[send[i]] + coef_cos[i] * v[send[i]])
 * Other fields of the pair see coef alone. H3OU_EARG names an entry that is no cosine and sine. */
H3OU_API int h3ou_table_set_rotated(h3ou_ctx *ctx, const char *my_name, const char *send_component,
                                    const char *send_grid, const char *recv_component, const char *recv_grid, int tag,
                                    const int send_index[], const int recv_index[], const double coef[],
                                    const double coef_cos[], const double coef_sin[], int64_t n, int mode);

/* time: year, month, day, hour, minute, second, in the calendar of the namelist; step and intervals in seconds. The time
 * that counts is the start plus the sum of the steps; the array of h3ou_time_set is compared with it. */
H3OU_API int h3ou_time_init(h3ou_ctx *ctx, const int time[6]); /* collective: the exchanges are planned here */
H3OU_API int h3ou_time_set(h3ou_ctx *ctx, const char *component, const int time[6], int step);
/* The same for models that count seconds since the start. step: a whole number of them, to 1e-6. */
H3OU_API int h3ou_time_set_seconds(h3ou_ctx *ctx, const char *component, double seconds, double step);
/* Adds seconds to time in the calendar of the namelist; h3ou_time_inc, and ctx NULL: in the Gregorian one. */
H3OU_API int h3ou_time_add(h3ou_ctx *ctx, int time[6], int step);
H3OU_API int h3ou_time_inc(int time[6], int step);
/* The beginning of the step that h3ou_time_set began last; before the first one the start. */
H3OU_API int h3ou_time_now(const h3ou_ctx *ctx, int time[6]);
/* How many source cells this process needs, and how many of its target cells have entries, in the pair of grids from
 * send_component to recv_component with this mapping_tag, or the first pair when none has it. Both are 0 on the sending
 * side. H3OU_ESTATE before h3ou_time_init, H3OU_ENAME without such a pair. */
H3OU_API int h3ou_pair_cells(const h3ou_ctx *ctx, const char *send_component, const char *recv_component, int tag,
                             int *nsource, int *ntarget);

/* A field of n cells and nlayer layers, cells fastest: data[layer * n + cell]. put copies. get leaves data alone and
 * answers *ok = 0 when no exchange is due now; cells that no source covers are left alone too, unless the namelist
 * names a method: then those that take part become NaN, or what the key `missing` says; with missing="keep" they are left
 * alone too. With a method, and with that key, source values that are NaN, or equal to it, do not count. */
H3OU_API int h3ou_put(h3ou_ctx *ctx, const char *field, const double data[], int64_t n, int nlayer);
H3OU_API int h3ou_get(h3ou_ctx *ctx, const char *field, double data[], int64_t n, int nlayer, int *ok);

/* A vector (var_put_vec, var_get_vec): both components, each as above, in the unit of the field. With a table set by
 * h3ou_table_set_rotated the pairs are turned as that says. Otherwise they are turned through three Cartesian
 * components, between the local frames that h3ou_grid_centres and h3ou_grid_angle tell of both grids: H3OU_EARG in
 * h3ou_time_init when a grid has no centres. */
H3OU_API int h3ou_put_vector(h3ou_ctx *ctx, const char *field, const double u[], const double v[], int64_t n,
                             int nlayer);
H3OU_API int h3ou_get_vector(h3ou_ctx *ctx, const char *field, double u[], double v[], int64_t n, int nlayer, int *ok);
/* A vector as its three Cartesian components (var_put_xyz, var_get_xyz): x towards longitude 0 on the equator, y towards
 * 90 degrees east, z towards the north pole. Each is interpolated, none is turned, so that the radial part stays; the
 * other side may have two components (var_get_vec, var_put_vec). */
H3OU_API int h3ou_put_xyz(h3ou_ctx *ctx, const char *field, const double x[], const double y[], const double z[],
                          int64_t n, int nlayer);
H3OU_API int h3ou_get_xyz(h3ou_ctx *ctx, const char *field, double x[], double y[], double z[], int64_t n, int nlayer,
                          int *ok);
/* A put with the share of each cell that counts, share[n], 0 to 1, the same for all layers (of sea ice, open water...):
 * a target becomes sum(coef share data) / sum(coef share) times the sum of its coefs, an average (flag='AVR') is
 * weighted by the shares in time too. Cells of share 0 may hold anything; a target all of whose sources have share 0
 * becomes NaN, or what the key `missing` says. */
H3OU_API int h3ou_put_share(h3ou_ctx *ctx, const char *field, const double data[], const double share[], int64_t n,
                            int nlayer);
H3OU_API int h3ou_put_vector_share(h3ou_ctx *ctx, const char *field, const double u[], const double v[],
                                   const double share[], int64_t n, int nlayer);

/* 1: the namelist lets my component put the field, 0: it does not. With unknown_put="ignore" a put that is not wanted
 * does nothing, else it is H3OU_ENAME. */
H3OU_API int h3ou_is_wanted(const h3ou_ctx *ctx, const char *field);

/* The arrays of a put or a get as a model holds them: all of one type and shape, (cell), (cell, layer), (x, y) or
 * (x, y, layer), the first index fastest. x and y are those of the grid's block with its halo (h3ou_grid_block,
 * h3ou_grid_halo). */
typedef struct h3ou_arrays {
    int type;           /* H3OU_TYPE_DOUBLE or H3OU_TYPE_FLOAT */
    int rank;           /* 1 to 3 */
    int64_t extent[3];  /* of the first `rank` indices */
    int count;          /* 1; for the components of a vector 2, or 3 of a Cartesian one */
    void *component[3]; /* [count]; a put only reads them */
    const void *share;  /* a put's shares, of the same type, (cell) or (x, y); NULL: all of each cell counts */
    int64_t nshare;     /* their number */
} h3ou_arrays;
H3OU_API int h3ou_put_arrays(h3ou_ctx *ctx, const char *field, const h3ou_arrays *arrays);
H3OU_API int h3ou_get_arrays(h3ou_ctx *ctx, const char *field, const h3ou_arrays *arrays, int *ok);

/* The fields that the namelist gives my component; number counts from 1. */
H3OU_API int h3ou_put_count(const h3ou_ctx *ctx);
H3OU_API int h3ou_get_count(const h3ou_ctx *ctx);
H3OU_API int h3ou_put_name(const h3ou_ctx *ctx, int number, char name[65]);
H3OU_API int h3ou_get_name(const h3ou_ctx *ctx, int number, char name[65]);
H3OU_API int h3ou_layers(const h3ou_ctx *ctx, const char *field, int *nlayer); /* of a name both put and got: the put's */
/* What a cell without a value of a field that is got is set to: the key `missing`, else NaN. */
H3OU_API int h3ou_missing(const h3ou_ctx *ctx, const char *field, double *value);

/* Communication beside the exchange; type: enum h3ou_type, count in elements. */
H3OU_API int h3ou_bcast_global(h3ou_ctx *ctx, const char *source, void *data, int64_t count, int type);
H3OU_API int h3ou_bcast_model(h3ou_ctx *ctx, const char *source, const char *target, void *data, int64_t count,
                              int type);
H3OU_API int h3ou_bcast_local(h3ou_ctx *ctx, int source_rank, void *data, int64_t count, int type);
/* Leader to leader; the receiver's leader then broadcasts inside its component: every process of both calls. */
H3OU_API int h3ou_send(h3ou_ctx *ctx, const char *target, const void *data, int64_t count, int type);
H3OU_API int h3ou_recv(h3ou_ctx *ctx, const char *source, void *data, int64_t count, int type);
/* Process to process; rank counts inside the other component (or mine) from 0. */
H3OU_API int h3ou_send_model(h3ou_ctx *ctx, const char *target, int rank, const void *data, int64_t count, int type);
H3OU_API int h3ou_recv_model(h3ou_ctx *ctx, const char *source, int rank, void *data, int64_t count, int type);
/* The same, started; the context completes them in h3ou_isend_waitall and h3ou_irecv_waitall. data is borrowed till
 * then. */
H3OU_API int h3ou_isend_model(h3ou_ctx *ctx, const char *target, int rank, const void *data, int64_t count, int type);
H3OU_API int h3ou_irecv_model(h3ou_ctx *ctx, const char *source, int rank, void *data, int64_t count, int type);
H3OU_API int h3ou_isend_waitall(h3ou_ctx *ctx);
H3OU_API int h3ou_irecv_waitall(h3ou_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
