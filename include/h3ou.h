/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * h3ou: couples programs that were started separately. The C face: one context for each component of a process, usually one; calls
 * return 0 or a negative H3OU_E... unless their comment says otherwise. Nothing is printed, and nothing aborts unless the program
 * asks for it with h3ou_abort. Every call may also return H3OU_ESTATE when it comes out of order, and H3OU_ENOMEM.
 *
 * The order of calls in every component:
 *   h3ou_open, h3ou_grid_define (one or more), h3ou_grid_end, h3ou_table_set (one per pair of grids), h3ou_time_init,
 *   [h3ou_put: initial values], then each step h3ou_time_set, h3ou_get, h3ou_put, and h3ou_close at the end.
 * With stop_step in the namelist one of the calls from h3ou_open to h3ou_time_init does not return: it closes the run and ends
 * the process with status 0.
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

/* Says which components this process opens, when it opens several, as a driver does that calls two models in turn. Then h3ou_open
 * is called once for each of them; the other processes of a component may open others.
 *   n: their number, 1 to 8
 *   component: [n] their names; copied
 * Collective: no; it is called before the first h3ou_open.
 * Errors: H3OU_ESTATE: a component is open; H3OU_EARG: n or a name out of range, or a name that is given twice.
 */
H3OU_API int h3ou_announce(int n, const char *const component[]);

/* Finds the context of a component that this process has opened and not closed.
 *   component: its name; NULL: any
 *   out: out, the context, or NULL
 * Collective: no.
 * Errors: H3OU_ENAME: there is none.
 */
H3OU_API int h3ou_find(const char *component, h3ou_ctx **out);

/* Joins the coupled run as one component, and makes its context. Calls MPI_Init unless the program has done so.
 *   component: name of my component, 1 to 64 characters; the namelist uses it; copied
 *   config: path of the namelist; rank 0 of the component reads it
 *   nensemble: members of this component in all jobs, 1 to 9999; 1: no ensemble
 *   out: out, the context; on error it may be one too, so that h3ou_abort can tell the other jobs
 * Collective: all processes of all components of the run.
 * Returns: 0 or an error. The context is freed by h3ou_close or h3ou_abort.
 * Errors: H3OU_EJOIN, H3OU_ETIMEOUT: jobs do not fit together, or do not come; H3OU_ECONFIG, H3OU_EFILE: the namelist;
 *   H3OU_ENOBACKEND: no backend for the MPI of this process; H3OU_EARG: a name or nensemble out of range; H3OU_ESTATE: the
 *   process has opened another component, and h3ou_announce did not name both.
 * Example:
 *     h3ou_ctx *my_ctx = NULL;
 *     if (h3ou_open("ocean", "coupling.conf", 1, &my_ctx))
 *         h3ou_abort(my_ctx, H3OU_ECONFIG);
 */
H3OU_API int h3ou_open(const char *component, const char *config, int nensemble, h3ou_ctx **out);

/* As h3ou_open, but the run takes place in a communicator of the program: the other processes of MPI_COMM_WORLD take no part in
 * it, and call nothing of h3ou. The program has called MPI_Init. Of several components of a process the one that is opened first
 * decides. In a run of several programs under one mpirun the communicator holds the coupled processes of all of them.
 *   comm: Fortran handle of the communicator (MPI_Comm_c2f), which is duplicated and may be freed after the call
 * Collective: all processes of comm, and those of the run's other jobs.
 * Errors: as of h3ou_open; H3OU_EARG: MPI does not run, or comm is MPI_COMM_NULL or an intercommunicator.
 */
H3OU_API int h3ou_open_in(const char *component, const char *config, int nensemble, int comm, h3ou_ctx **out);

/* Sends what is due up to the end of the last step, leaves the run, and frees the context. Of several components of a process the
 * last one that is closed leaves the run, and its `finalize` counts. A program that exits or calls MPI_Finalize with an open
 * context, and is not alone in the run, ends the run as h3ou_abort does.
 *   ctx: the context; NULL is allowed
 *   time: not used; NULL is allowed
 *   finalize: MPI_Finalize is 1: called; 0: not called; -1: called if h3ou_open called MPI_Init, else when the program exits with
 *     status 0 and has not called it itself
 * Collective: all processes of all components of the run.
 * Errors: H3OU_EPEER, H3OU_ETIMEOUT: another component has failed, or does not come to the end.
 * Example:
 *     h3ou_close(ctx, NULL, -1);
 */
H3OU_API int h3ou_close(h3ou_ctx *ctx, const int time[6], int finalize);

/* Returns the sentence of this thread's last error; never NULL.
 * Collective: no.
 * Errors: none.
 */
H3OU_API const char *h3ou_error(void);

/* Returns the short text of an error code; never NULL.
 *   code: 0 or a negative H3OU_E...
 * Collective: no.
 * Errors: none.
 */
H3OU_API const char *h3ou_strerror(int code);

/* Ends the run after an error, as the Fortran face does: hands the sentence of the last error to the handler (by default prints
 * "h3ou: error in COMPONENT rank R: ..." to standard error), then ends this job and every other one. Does not return.
 *   ctx: the context; NULL: the one that is open in this process
 *   code: the error code
 * Collective: no; any process may call it, at any time.
 * Errors: none; it does not return.
 */
H3OU_API void h3ou_abort(h3ou_ctx *ctx, int code);

/* The code that the handler gets for an error of the program itself. */
enum { H3OU_PROGRAM = 1 };

/* Ends the run as h3ou_abort does, for an error of the program itself; the handler gets the code H3OU_PROGRAM.
 *   ctx: the context; NULL: the one that is open in this process
 *   text: the sentence
 * Collective: no; any process may call it, at any time.
 * Errors: none; it does not return.
 * Example:
 *     h3ou_abort_text(ctx, "the ocean is too cold");
 */
H3OU_API void h3ou_abort_text(h3ou_ctx *ctx, const char *text);

/* Records that something is not part of this version; for faces in other languages.
 *   what: subject of the sentence "... is not part of this version"
 * Collective: no.
 * Returns: H3OU_EUNSUPPORTED.
 * Errors: H3OU_EUNSUPPORTED, always.
 */
H3OU_API int h3ou_unsupported(const char *what);

/* Records a sentence as this thread's last error; for faces that check their own arguments.
 *   sentence: the sentence; copied
 * Collective: no.
 * Returns: H3OU_EARG.
 * Errors: H3OU_EARG, always.
 */
H3OU_API int h3ou_wrong(const char *sentence);

/* Says in which interface the program calls the library, so that errors and warnings name its calls.
 *   face: one of enum h3ou_face; the default is H3OU_FACE_C. Other numbers change nothing.
 * Collective: no; for faces in other languages.
 * Errors: none.
 */
enum h3ou_face { H3OU_FACE_C, H3OU_FACE_FORTRAN, H3OU_FACE_H3OUC, H3OU_FACE_PYTHON };
H3OU_API void h3ou_face(int face);

/* Called by h3ou_abort with the failed component, its rank, the error code and the sentence. */
typedef void (*h3ou_abort_handler)(const char *component, int rank, int code, const char *text);

/* Sets what h3ou_abort calls before it ends the run.
 *   handler: the function; NULL: the default, which prints the sentence to standard error
 * Collective: no.
 * Errors: none.
 */
H3OU_API void h3ou_set_abort_handler(h3ou_abort_handler handler);

/* For a handler, which every process that fails calls: returns 1 in the first one of its job on its host, which is to print, else
 * 0.
 * Collective: no.
 * Errors: none.
 */
H3OU_API int h3ou_abort_is_first(void);

/* Returns the communicator of my component, my rank in it, and its size. The communicator lives until MPI_Finalize, also after
 * h3ou_close; it is the same one at each call, and MPI errors on it are handled as on MPI_COMM_WORLD.
 *   ctx: the context
 *   comm: out, Fortran handle of the communicator, of the MPI that this process runs; 0 without MPI
 *   group: out, Fortran handle of its group
 *   size: out, number of processes of my component
 *   rank: out, my rank, from 0
 * Collective: no.
 * Errors: H3OU_ESTATE: no context.
 * Example:
 *     int comm, group, size, rank;
 *     int err = h3ou_local(ctx, &comm, &group, &size, &rank);
 *     if (err)
 *         h3ou_abort(ctx, err);
 */
H3OU_API int h3ou_local(const h3ou_ctx *ctx, int *comm, int *group, int *size, int *rank);

/* As h3ou_local, also where another component than mine is named, which is a warning.
 *   name: name of a component
 * Errors: H3OU_ENAME: no such component; H3OU_EARG: not mine, and strict=.true. in the namelist.
 */
H3OU_API int h3ou_local_named(h3ou_ctx *ctx, const char *name, int *comm, int *group, int *size, int *rank);

/* Returns the name of my component.
 *   ctx: the context
 *   name: out, NUL-terminated
 * Collective: no.
 * Errors: H3OU_ESTATE: no context.
 */
H3OU_API int h3ou_my_name(const h3ou_ctx *ctx, char name[65]);

/* Returns 1 in a run, also of one component alone, else 0. In a run with ensembles it is 0 in a member that no member of another
 * component has the number of.
 *   ctx: the context; NULL: 0
 * Collective: no.
 * Errors: none.
 */
H3OU_API int h3ou_is_coupled(const h3ou_ctx *ctx);

/* Returns the number of my couple, from 1: the members of all components that have the same number. 1 without ensembles.
 *   ctx: the context; NULL: 0
 * Collective: no.
 * Errors: none.
 */
H3OU_API int h3ou_couple_id(const h3ou_ctx *ctx);

/* Returns the number of components of the run.
 *   ctx: the context
 * Collective: no.
 * Errors: none.
 */
H3OU_API int h3ou_component_count(const h3ou_ctx *ctx);

/* Returns the number of a component. Components count from 1 in the alphabetical order of their names; with ensembles those of
 * one couple do (h3ou_couple_id), and a member that is coupled with no other has the number 0.
 *   ctx: the context
 *   name: name of a component
 *   id: out, its number
 * Collective: no.
 * Errors: H3OU_ENAME: no such component.
 */
H3OU_API int h3ou_component_id(const h3ou_ctx *ctx, const char *name, int *id);

/* Returns the number of my component.
 *   ctx: the context
 * Collective: no.
 * Errors: none.
 */
H3OU_API int h3ou_my_component_id(const h3ou_ctx *ctx);

/* Returns the name of the other component; of several the one that the namelist first names together with mine, else the first by
 * name. It is "NO_TARGET" for a component that runs alone, and for a member that follows the leader of its group.
 *   ctx: the context
 *   name: out, NUL-terminated
 * Collective: no.
 * Errors: H3OU_ESTATE: no context.
 */
H3OU_API int h3ou_target_name(const h3ou_ctx *ctx, char name[65]);

/* Defines a grid of my component by the cells that this process holds.
 *   ctx: the context
 *   component: name of my component
 *   grid: name of the grid, 1 to 64 characters; the namelist uses it
 *   index: [n], global indices of the cells, from 1; each cell is held by one process; copied
 *   n: number of cells; 0 is allowed
 *   nz: the largest number of layers of a field on this grid
 * Collective: no, but every process of the component calls it, each grid once, before h3ou_grid_end.
 * Errors: H3OU_EARG, H3OU_ENAME, H3OU_EINDEX: names or indices; H3OU_ESTATE: after h3ou_grid_end.
 * Example:
 *     int mine[] = {1, 2, 3, 4};
 *     h3ou_grid_define(ctx, "ocean", "ring12", mine, 4, 1);
 *     h3ou_grid_end(ctx);
 */
H3OU_API int h3ou_grid_define(h3ou_ctx *ctx, const char *component, const char *grid, const int index[], int64_t n,
                              int nz);

/* Ends the definition of grids, and checks that no cell is held twice.
 *   ctx: the context
 * Collective: all processes of my component.
 * Errors: H3OU_EINDEX: two processes hold one cell.
 */
H3OU_API int h3ou_grid_end(h3ou_ctx *ctx);

/* Gives the centres of a grid's cells, from which the library makes weights and turns vectors; copied.
 *   ctx: the context
 *   grid: name of the grid
 *   lon, lat: [n], longitudes and latitudes in the order of the indices given to h3ou_grid_define
 *   units: "degrees" or "radians"
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: a coordinate is not on the sphere, unless h3ou_grid_mask was called before and masks the cell; the sentence
 *   names the cell's index. H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_centres(h3ou_ctx *ctx, const char *grid, const double lon[], const double lat[],
                               const char *units);

/* Gives the corners of a grid's cells, from which the library makes conservative weights; copied.
 *   ctx: the context
 *   grid: name of the grid
 *   most: corners of a cell at most, 3 to 1000
 *   lon, lat: [n * most], corner k of cell i is at [i * most + k], in either sense of rotation; a cell with fewer repeats one
 *   units: "degrees" or "radians"
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: a coordinate is not on the sphere. Crossing edges and cells without area are errors of h3ou_time_init.
 */
H3OU_API int h3ou_grid_corners(h3ou_ctx *ctx, const char *grid, int most, const double lon[], const double lat[],
                               const char *units);

/* Says which cells take part; copied.
 *   ctx: the context
 *   grid: name of the grid
 *   mask: [n], 0: the cell takes no part; its corners may be missing values, and its centre too if the centres are given later
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_mask(h3ou_ctx *ctx, const char *grid, const int mask[]);

/* Gives the areas of cells that norm='destarea' conserves; copied.
 *   ctx: the context
 *   grid: name of the grid
 *   area: [n], steradians
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: an area is not finite or not above 0, unless h3ou_grid_mask was called before and masks the cell.
 *   H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_area(h3ou_ctx *ctx, const char *grid, const double area[]);

/* Gives the directions of a vector's components; copied.
 *   ctx: the context
 *   grid: name of the grid
 *   angle: [n], from local east to the first component of a vector, anticlockwise
 *   units: "degrees" or "radians"
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: an angle is not finite. H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_angle(h3ou_ctx *ctx, const char *grid, const double angle[], const char *units);

/* Says that the grid has rows: index = x + nx * (y - 1), x from 1 to nx, y from 1 to ny.
 *   ctx: the context
 *   grid: name of the grid
 *   nx, ny: cells of a row, and rows
 *   cyclic: not 0: x = nx and x = 1 are neighbours
 *   fold: not 0: the last rows meet themselves (tripolar grids, pivot T or F)
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: nx or ny below 1. H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_shape(h3ou_ctx *ctx, const char *grid, int nx, int ny, int cyclic, int fold);

/* Says that the arrays of this process hold its cells as a block, x running fastest in the order of the indices given to
 * h3ou_grid_define. It need not be called where those indices fill rows of h3ou_grid_shape.
 *   ctx: the context
 *   grid: name of the grid
 *   nx, ny: extents of the block; nx * ny is the number of cells
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: nx * ny is not the number of cells. H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_block(h3ou_ctx *ctx, const char *grid, int nx, int ny);

/* Says that the arrays hold a halo around the block: put leaves it out, get does not touch it. The n of put and get may then be
 * that of the whole array.
 *   ctx: the context
 *   grid: name of the grid
 *   halo: [4], cells at the left and the right of each row, rows below the first one and above the last
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: a negative number. H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_halo(h3ou_ctx *ctx, const char *grid, const int halo[4]);

/* Says where each cell of this process stands in the arrays that it passes, for arrays with several regions, each with a halo,
 * and with layers at any index, as (inside, layer, region). Put reads and get sets those elements alone. Where an array of one
 * layer is passed, the index of the layers may be left out or have the extent 1. h3ou_put and h3ou_get take n elements of one
 * layer then, or the cells alone as before; their layers are the last index.
 *   ctx: the context
 *   grid: name of the grid
 *   rank: indices of the arrays, 1 to 3
 *   shape: [rank] their extents, the first index fastest; -1 for one of them says that it is that of the layers; if there is
 *     none, layers are the last index
 *   position: [cells][indices but that of the layers] from 0, in the order of the indices given to h3ou_grid_define; a cell may
 *     stand anywhere, also where the model has a halo
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end, and instead of h3ou_grid_block and h3ou_grid_halo.
 * Errors: H3OU_EARG: a shape that cannot be, a position outside of the array, or two cells in one place. H3OU_ENAME: no such
 *   grid.
 */
H3OU_API int h3ou_grid_positions(h3ou_ctx *ctx, const char *grid, int rank, const int shape[], const int position[]);

/* Says what runs between two corners of one latitude. By default circles of latitude for grids all of whose cells are boxes of
 * two longitudes and two latitudes, else great circles.
 *   ctx: the context
 *   grid: name of the grid
 *   edges: "great_circle" or "latitude"
 * Collective: no, but every process of the component calls it, or none; each at most once, between h3ou_grid_define and
 *   h3ou_grid_end.
 * Errors: H3OU_EARG: another word. H3OU_ENAME: no such grid.
 */
H3OU_API int h3ou_grid_edges(h3ou_ctx *ctx, const char *grid, const char *edges);

/* Whose entries of a table count: those of the component's rank 0 (existing models pass a dummy elsewhere), or of every
 * process. */
enum h3ou_table_mode { H3OU_TABLE_LEADER = 0, H3OU_TABLE_SPREAD = 1 };

/* Gives the interpolation table of a pair of grids: target[recv[i]] += coef[i] * source[send[i]], summed in the order given (rank
 * by rank for H3OU_TABLE_SPREAD). One of the two components passes arrays, the other NULL.
 *   ctx: the context
 *   my_name: name of my component
 *   send_component, send_grid: names of the component that puts, and of its grid
 *   recv_component, recv_grid: names of the component that gets, and of its grid
 *   tag: the pair's mapping_tag; where the tags of the calls are not those of the namelist, the pairs between two components
 *     count from 1, and else the order of the calls counts
 *   send_index, recv_index: [n], global indices of source and target cells, from 1; copied; NULL: the other component gives them
 *   coef: [n], coefficients, without unit; copied; NULL: all 1, with a warning
 *   n: number of links
 *   mode: H3OU_TABLE_LEADER or H3OU_TABLE_SPREAD
 * Collective: no, but every process of both components calls it, after h3ou_grid_end and before h3ou_time_init.
 * Errors: H3OU_EARG, H3OU_ENAME. Wrong indices, and tables that both or none gave, are errors of h3ou_time_init.
 * Example:
 *     int send[] = {1, 2, 3}, recv[] = {1, 1, 2};
 *     double coef[] = {0.5, 0.5, 1.0};
 *     h3ou_table_set(ctx, "ocean", "ocean", "ring12", "atmos", "ring24", 1, send, recv, coef, 3, H3OU_TABLE_LEADER);
 */
H3OU_API int h3ou_table_set(h3ou_ctx *ctx, const char *my_name, const char *send_component, const char *send_grid,
                            const char *recv_component, const char *recv_grid, int tag, const int send_index[],
                            const int recv_index[], const double coef[], int64_t n, int mode);

/* As h3ou_table_set, with what each link does to vectors (fields named with var_put_vec, var_get_vec): u' = sum of
 * coef * (coef_cos * u - coef_sin * v), v' = sum of coef * (coef_sin * u + coef_cos * v). Other fields use coef
 * alone.
 *   coef_cos, coef_sin: [n], cosine and sine of the angle from the source's to the target's local frame; copied
 * Errors: H3OU_EARG: an entry is no cosine and sine.
 */
H3OU_API int h3ou_table_set_rotated(h3ou_ctx *ctx, const char *my_name, const char *send_component,
                                    const char *send_grid, const char *recv_component, const char *recv_grid, int tag,
                                    const int send_index[], const int recv_index[], const double coef[],
                                    const double coef_cos[], const double coef_sin[], int64_t n, int mode);

/* Says when the run begins. The library makes the weights that models did not give, and plans all exchanges.
 *   ctx: the context
 *   time: [6], year, month, day, hour, minute, second, in the calendar of the namelist
 * Collective: all processes of all components that exchange fields.
 * Errors: H3OU_ETIME: no date; H3OU_EINDEX: a table names a cell that its grid has not; H3OU_EARG: a grid's geometry, or vectors
 *   without centres; H3OU_ECONFIG: the namelist names grids or layers that are not there; H3OU_ESTATE: before h3ou_grid_end, or a
 *   pair has neither a table nor a method.
 * Example:
 *     int start[6] = {2026, 1, 1, 0, 0, 0};
 *     h3ou_time_init(ctx, start);
 */
H3OU_API int h3ou_time_init(h3ou_ctx *ctx, const int time[6]);

/* Begins a time step; values that are due are sent here. The time that counts is the start plus the sum of the steps; the array
 * is compared with it.
 *   ctx: the context
 *   component: name of my component
 *   time: [6], beginning of the step
 *   step: length of the step in seconds
 * Collective: no, but every process of my component calls it once a step. At the log level LOUD they wait for each other.
 * Errors: H3OU_ETIME: an interval is no multiple of step, or time is not what counts (a warning without strict=.true.);
 *   H3OU_EPEER, H3OU_ETIMEOUT: a receiver.
 */
H3OU_API int h3ou_time_set(h3ou_ctx *ctx, const char *component, const int time[6], int step);

/* As h3ou_time_set, but the exchanges that are due do not take place: nothing is sent for them, and no get of the step
 * returns a value. A mean goes on to the next exchange that takes place. Both components leave out the same exchanges.
 * Errors: as of h3ou_time_set; H3OU_ESTATE: an exchange that would be left out has been sent, in put
 * (second_put='error'), for the restart of this time, or when another component of this process got a field;
 * H3OU_ENOVALUE, of h3ou_get: the sender left an exchange out, the receiver did not.
 */
H3OU_API int h3ou_time_pass(h3ou_ctx *ctx, const char *component, const int time[6], int step);

/* As h3ou_time_set, for models that count seconds.
 *   seconds: beginning of the step, in seconds since the start of my component
 *   step: seconds; fractions with denominators up to 1000000 (0.1, 1.0 / 3) are counted exactly, others in billionths
 */
H3OU_API int h3ou_time_set_seconds(h3ou_ctx *ctx, const char *component, double seconds, double step);

/* As h3ou_time_set, for a step of months of the namelist's calendar.
 *   months: length of the step
 * Errors: H3OU_ETIME also when the calendar is 'none', or the step begins after day 28 of a month.
 */
H3OU_API int h3ou_time_set_months(h3ou_ctx *ctx, const char *component, const int time[6], int months);

/* Adds seconds to a time in the calendar of the namelist.
 *   ctx: the context; NULL: the Gregorian calendar
 *   time: [6], in and out
 *   step: seconds to add
 * Collective: no.
 * Errors: H3OU_ETIME: no date.
 */
H3OU_API int h3ou_time_add(h3ou_ctx *ctx, int time[6], int step);

/* As h3ou_time_add, of months. A day that the month has not becomes its last.
 *   months: months to add
 */
H3OU_API int h3ou_time_add_months(h3ou_ctx *ctx, int time[6], int months);

/* As h3ou_time_add, in the Gregorian calendar. */
H3OU_API int h3ou_time_inc(int time[6], int step);

/* Returns the beginning of the step that h3ou_time_set began last; before the first one the start.
 *   ctx: the context
 *   time: out, [6]
 * Collective: no.
 * Errors: H3OU_ESTATE: before h3ou_time_init.
 */
H3OU_API int h3ou_time_now(const h3ou_ctx *ctx, int time[6]);

/* Returns how many source cells this process needs, and how many of its target cells have a row, in a pair of grids. Both are 0
 * on the sending side.
 *   ctx: the context
 *   send_component, recv_component: names of the component that puts, and of the one that gets
 *   tag: the pair's mapping_tag; the first pair of the two counts when none has it
 *   nsource: out, number of source cells
 *   ntarget: out, number of target cells
 * Collective: no.
 * Errors: H3OU_ESTATE: before h3ou_time_init; H3OU_ENAME: no such pair.
 */
H3OU_API int h3ou_pair_cells(const h3ou_ctx *ctx, const char *send_component, const char *recv_component, int tag,
                             int *nsource, int *ntarget);

/* Puts a field: the library copies it, and sends it when an exchange is due. With a method in the namelist, and with the key
 * `missing`, source values that are NaN, or equal to that key, do not count.
 *   ctx: the context
 *   field: name of the field in the namelist
 *   data: [nlayer][n], cells fastest, in the order of the grid's indices; in the field's unit
 *   n: number of cells of this process
 *   nlayer: number of layers
 * Collective: no, but every process of my component calls it, once a step, and once before the first h3ou_time_set.
 * Errors: H3OU_ENAME: no such field (with unknown_put="ignore" no error); H3OU_ESIZE: n or nlayer; H3OU_ESTATE.
 * Example:
 *     int err = h3ou_put(ctx, "sst", sst, n, 1);
 *     if (err)
 *         h3ou_abort(ctx, err);
 */
H3OU_API int h3ou_put(h3ou_ctx *ctx, const char *field, const double data[], int64_t n, int nlayer);

/* Gets a field. When no exchange is due, data stay as they are. Cells that no source covers stay as they are too, unless the
 * namelist names a method: then those that take part become NaN, or what the key `missing` says (with missing="keep" they stay).
 *   ctx: the context
 *   field: name of the field in the namelist
 *   data: out, [nlayer][n], cells fastest
 *   n: number of cells of this process
 *   nlayer: number of layers
 *   ok: out, 1 if an exchange was due and data were set, else 0
 * Collective: no, but every process of my component calls it once a step.
 * Errors: H3OU_ENAME: no such field; H3OU_ESIZE: n or nlayer; H3OU_ENOVALUE: the sender put none; H3OU_EPEER, H3OU_ETIMEOUT: the
 *   sender; H3OU_ESTATE.
 * Example:
 *     int err = h3ou_get(ctx, "sst", sst, n, 1, &arrived);
 *     if (err)
 *         h3ou_abort(ctx, err);
 */
H3OU_API int h3ou_get(h3ou_ctx *ctx, const char *field, double data[], int64_t n, int nlayer, int *ok);

/* As h3ou_put, of an array of float. Whether its values travel as float or as double says the key `type` of the namelist; with
 * type="real8" they are converted exactly.
 *   data: [nlayer][n], cells fastest
 */
H3OU_API int h3ou_put_float(h3ou_ctx *ctx, const char *field, const float data[], int64_t n, int nlayer);

/* As h3ou_get, of an array of float, into which each result is rounded once.
 *   data: [nlayer][n], cells fastest
 */
H3OU_API int h3ou_get_float(h3ou_ctx *ctx, const char *field, float data[], int64_t n, int nlayer, int *ok);

/* As h3ou_put, of a vector with two components (var_put_vec). With a table set by h3ou_table_set_rotated they are
 * turned as that says, else through three Cartesian components between the local frames of both grids
 * (h3ou_grid_centres, h3ou_grid_angle).
 *   u, v: [nlayer][n], components along the grid's local frames, in the field's unit
 */
H3OU_API int h3ou_put_vector(h3ou_ctx *ctx, const char *field, const double u[], const double v[], int64_t n,
                             int nlayer);

/* As h3ou_get, of a vector with two components (var_get_vec).
 *   u, v: out, [nlayer][n], components along the grid's local frames
 */
H3OU_API int h3ou_get_vector(h3ou_ctx *ctx, const char *field, double u[], double v[], int64_t n, int nlayer, int *ok);

/* As h3ou_put, of a vector with three Cartesian components (var_put_xyz). Each is interpolated, none is turned, so
 * that the radial part stays; the other side may have two components (var_get_vec).
 *   x: [nlayer][n], component towards longitude 0 on the equator
 *   y: [nlayer][n], component towards 90 degrees east on the equator
 *   z: [nlayer][n], component towards the north pole
 */
H3OU_API int h3ou_put_xyz(h3ou_ctx *ctx, const char *field, const double x[], const double y[], const double z[],
                          int64_t n, int nlayer);

/* As h3ou_get, of a vector with three Cartesian components (var_get_xyz); see h3ou_put_xyz.
 *   x, y, z: out, [nlayer][n]
 */
H3OU_API int h3ou_get_xyz(h3ou_ctx *ctx, const char *field, double x[], double y[], double z[], int64_t n, int nlayer,
                          int *ok);

/* As h3ou_put, with the part of each cell that counts (sea ice, open water): a target becomes sum(coef share data) /
 * sum(coef share) times the sum of its coefs; an average (flag='AVR') is weighted by the shares in time too. Cells of
 * share 0 may hold anything; a target all of whose sources have share 0 becomes NaN, or what the key `missing` says.
 *   share: [n], 0 to 1, the same for all layers
 */
H3OU_API int h3ou_put_share(h3ou_ctx *ctx, const char *field, const double data[], const double share[], int64_t n,
                            int nlayer);

/* As h3ou_put_vector, with the shares of h3ou_put_share.
 *   share: [n], 0 to 1, the same for all layers
 */
H3OU_API int h3ou_put_vector_share(h3ou_ctx *ctx, const char *field, const double u[], const double v[],
                                   const double share[], int64_t n, int nlayer);

/* Returns 1 if the namelist lets my component put the field, else 0. With unknown_put="ignore" a put of another field does
 * nothing.
 *   ctx: the context
 *   field: name of the field in the namelist
 * Collective: no.
 * Errors: none.
 */
H3OU_API int h3ou_is_wanted(const h3ou_ctx *ctx, const char *field);

/* The arrays of a put or a get as a model holds them: all of one type and shape, (cell), (cell, layer), (x, y) or
 * (x, y, layer), the first index fastest. x and y are those of the grid's block with its halo (h3ou_grid_block,
 * h3ou_grid_halo). After h3ou_grid_positions: of the shape that was given there. Where the members of an ensemble have a
 * slice each, (cell, layer, member), too. */
typedef struct h3ou_arrays {
    int type;           /* H3OU_TYPE_DOUBLE or H3OU_TYPE_FLOAT */
    int rank;           /* 1 to 3 */
    int64_t extent[3];  /* of the first `rank` indices */
    int count;          /* 1; for the components of a vector 2, or 3 of a Cartesian one */
    void *component[3]; /* [count]; a put only reads them */
    const void *share;  /* a put's shares, of the same type, (cell) or (x, y); NULL: all of each cell counts */
    int64_t nshare;     /* their number */
} h3ou_arrays;

/* As h3ou_put, with the arrays as the model holds them: float or double, of one to three dimensions, with the halo of
 * h3ou_grid_halo, with components of a vector and shares.
 *   arrays: the arrays, which the library reads during the call
 */
H3OU_API int h3ou_put_arrays(h3ou_ctx *ctx, const char *field, const h3ou_arrays *arrays);

/* As h3ou_get, with the arrays as the model holds them; see h3ou_put_arrays.
 *   arrays: the arrays, which are set
 */
H3OU_API int h3ou_get_arrays(h3ou_ctx *ctx, const char *field, const h3ou_arrays *arrays, int *ok);

/* Returns a handle of a field, by which puts and gets find it without looking for its name. A field that is both put and got has one
 * handle. It is valid until h3ou_close, for this context alone.
 *   ctx: the context
 *   name: name of the field in the namelist
 *   field: out, the handle, above 0; 0 for a field that the namelist does not name, with unknown_put="ignore": a put by this handle does
 *     nothing
 * Collective: no. It may be called at any time after h3ou_open.
 * Errors: H3OU_ENAME: no such field (with unknown_put="ignore" no error).
 * Example:
 *     int sst_field, err = h3ou_field(ctx, "sst", &sst_field);
 *     if (!err)
 *         err = h3ou_field_put(ctx, sst_field, sst, n, 1);
 */
H3OU_API int h3ou_field(const h3ou_ctx *ctx, const char *name, int *field);

/* Returns the name of the field of a handle.
 *   ctx: the context
 *   field: the handle
 *   name: out, NUL-terminated
 * Collective: no.
 * Errors: H3OU_EARG: no handle of this context.
 */
H3OU_API int h3ou_field_name(const h3ou_ctx *ctx, int field, char name[65]);

/* As h3ou_put and h3ou_get, by the field's handle.
 *   field: what h3ou_field returned for its name
 *   ok: out, 1 if an exchange was due and data were set, else 0
 * Errors: H3OU_EARG also for what is no handle of this context.
 */
H3OU_API int h3ou_field_put(h3ou_ctx *ctx, int field, const double data[], int64_t n, int nlayer);
H3OU_API int h3ou_field_get(h3ou_ctx *ctx, int field, double data[], int64_t n, int nlayer, int *ok);

/* As h3ou_field_put and h3ou_field_get, of arrays of float.
 *   data: [nlayer][n], cells fastest
 *   ok: out, 1 if an exchange was due and data were set, else 0
 */
H3OU_API int h3ou_field_put_float(h3ou_ctx *ctx, int field, const float data[], int64_t n, int nlayer);
H3OU_API int h3ou_field_get_float(h3ou_ctx *ctx, int field, float data[], int64_t n, int nlayer, int *ok);

/* As h3ou_put_arrays and h3ou_get_arrays, by the field's handle: float or double, vectors, shares and layers.
 *   field: what h3ou_field returned for its name
 *   ok: out, 1 if an exchange was due and the arrays were set, else 0
 * Errors: H3OU_EARG also for what is no handle of this context.
 */
H3OU_API int h3ou_field_put_arrays(h3ou_ctx *ctx, int field, const h3ou_arrays *arrays);
H3OU_API int h3ou_field_get_arrays(h3ou_ctx *ctx, int field, const h3ou_arrays *arrays, int *ok);

/* Sends the fields that the namelist lets my component put for another one at once, whether or not they are due: what was put
 * last, or what flag says of the values put since the last exchange. The exchanges that are due stay as they are.
 *   ctx: the context
 *   send_component: name of my component
 *   recv_component: name of the component that gets them, whose processes all call h3ou_recv_now
 * Collective: no, but every process of my component calls it, after h3ou_time_init.
 * Errors: H3OU_ENAME: send_component is not mine, or the namelist has no field from it to the other one; H3OU_ESTATE: before
 *   h3ou_time_init; H3OU_EPEER: a receiver.
 */
H3OU_API int h3ou_send_now(h3ou_ctx *ctx, const char *send_component, const char *recv_component);

/* Receives what h3ou_send_now of another component sends. The next h3ou_get of each of these fields in this step, or, before the
 * first h3ou_time_set, in the first, returns it, whether or not an exchange is due; of a field that is due, too, the get after
 * that returns the exchange.
 *   ctx: the context
 *   send_component: name of the component that puts them
 *   recv_component: name of my component
 * Collective: no, but every process of my component calls it, once for each h3ou_send_now.
 * Errors: H3OU_ENAME: recv_component is not mine, or the namelist has no field from the other one to it; H3OU_ESTATE: before
 *   h3ou_time_init; H3OU_ENOVALUE: the other component has put no value of a field; H3OU_EPEER, H3OU_ETIMEOUT: the sender.
 */
H3OU_API int h3ou_recv_now(h3ou_ctx *ctx, const char *send_component, const char *recv_component);

/* Returns how many fields the namelist lets my component put (h3ou_put_count) or get (h3ou_get_count).
 *   ctx: the context
 * Collective: no.
 * Errors: none.
 */
H3OU_API int h3ou_put_count(const h3ou_ctx *ctx);
H3OU_API int h3ou_get_count(const h3ou_ctx *ctx);

/* Returns the name of a field that my component puts (h3ou_put_name) or gets (h3ou_get_name).
 *   ctx: the context
 *   number: its number, from 1 to h3ou_put_count or h3ou_get_count
 *   name: out, NUL-terminated
 * Collective: no.
 * Errors: H3OU_EARG: no field of that number.
 */
H3OU_API int h3ou_put_name(const h3ou_ctx *ctx, int number, char name[65]);
H3OU_API int h3ou_get_name(const h3ou_ctx *ctx, int number, char name[65]);

/* Returns the number of layers of a field, where the members of an ensemble have a slice each those of all slices; of a name that
 * is both put and got, of the field that is put.
 *   ctx: the context
 *   field: name of the field in the namelist
 *   nlayer: out, number of layers
 * Collective: no.
 * Errors: H3OU_ENAME: no such field.
 */
H3OU_API int h3ou_layers(const h3ou_ctx *ctx, const char *field, int *nlayer);

/* Returns how many members of an ensemble took part in the exchange of a field that get returned last: fewer than there were at
 * the start when some were lost (the key ensemble_min_members); of a statistic that has the values of one member, and of a field
 * that one member sends, 1. Before the first exchange the number at the start.
 *   ctx: the context
 *   field: name of a field that is got
 *   members: out, number of members
 * Collective: no.
 * Errors: H3OU_ENAME: no such field to get.
 */
H3OU_API int h3ou_members(const h3ou_ctx *ctx, const char *field, int *members);

/* Returns what a cell without a value is set to in a field that is got: the key `missing`, else NaN.
 *   ctx: the context
 *   field: name of the field in the namelist
 *   value: out, the number
 * Collective: no.
 * Errors: H3OU_ENAME: no such field.
 */
H3OU_API int h3ou_missing(const h3ou_ctx *ctx, const char *field, double *value);

#ifdef __cplusplus
}
#endif

#include "h3ou_check.h"
#include "h3ou_collectives.h"
#include "h3ou_restart.h"
#include "h3ou_messages.h"

#endif
