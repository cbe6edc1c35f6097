/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A method makes the rows of target cells. It is a file and a line in method_table.c: an ops table that is opened once
 * (search structures, gradients), asked for the row of one target cell after the other from several threads at once,
 * and closed.
 */
#ifndef H3OU_INTERP_STENCILS_METHOD_H
#define H3OU_INTERP_STENCILS_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/cells.h"
#include "interp/weights/weights.h"

/* The keys in the parentheses after a method's name; a key that is absent has its default. */
typedef struct h3ou__method_keys {
    int n;          /* neighbours: h3ou__method.nearest, mostly 4 */
    double power;   /* of the inverse distance: 2 */
    double width;   /* of the Gauss or radial function, in mean distances of the n neighbours: 1 */
    double radius;  /* degrees: sources farther away are not used; 0: no limit */
    double value;   /* of method value: 0 */
    char file[256]; /* of method file */
} h3ou__method_keys;

/* The row that a method fills: grows as needed. */
typedef struct h3ou__row {
    int64_t n, room;
    int32_t *src; /* local numbers; any order: the driver sorts by number and sums what is given twice */
    double *coef;
    double frac;   /* preset to 1 */
    bool is_fixed; /* served without sources: by the value `fixed` */
    double fixed;
    void *scratch; /* the thread's own, for what serve keeps between calls; freed with free() */
    int64_t scratch_room;
    struct h3ou__under *under; /* the thread's own, of the conservative methods (overlaps.h) */
} h3ou__row;
int h3ou__row_add(h3ou__row *row, int64_t src, double coef);

typedef struct h3ou__method_task {
    h3ou__cells *source, *target; /* xyz is there; not changed by methods */
    const h3ou__weights_options *options;
    h3ou__method_keys keys;
    int number;                    /* of the method in the stack */
    struct h3ou__weights *weights; /* its areas, for all; its rows, of the former methods, for `fill` only */
} h3ou__method_task;

typedef struct h3ou__method {
    const char *name, *help;
    const char *keys; /* those it knows, with blanks between: "n power radius" */
    /* Search structures for the whole task. H3OU__EARG when the grids are not what the method needs. */
    int (*open)(const h3ou__method_task *task, void **state);
    /* The row of one target whose row is empty; leaves it empty when it cannot serve it. Called from several threads.
     */
    int (*serve)(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row);
    void (*close)(void *state);
    /* Instead of open, serve and close: makes rows for all unserved targets at once, and may use existing rows (creep).
     */
    int (*fill)(h3ou__method_task *task);
    /* For options->limit: makes what keeps the values of its rows, those of method `number` of w, in the range of the
     * neighbouring sources when the weights are applied. NULL: the option does not change its rows. */
    int (*limit)(const h3ou__cells *source, const h3ou__cells *target, struct h3ou__weights *w, int number, int threads,
                 struct h3ou__gradient **out);
    bool by_corners;                     /* needs the corners of both grids, but not xyz */
    bool conserves;                      /* its rows keep integrals */
    bool by_shares;                      /* its coefficients are shares of areas: none is below 0 */
    bool latitude_rows;                  /* uses rows along circles of latitude in a source that is a list */
    bool source_corners, target_corners; /* uses them if the grid has some */
    /* How far around a target cell's bound the source must be known, in radians of arc, given the largest diameter of a
     * source cell (or distance to the nearest neighbour, of points); below 0: as far as the nearest sources are. NULL:
     * 0, only sources that overlap the target cell's bound. */
    double (*halo)(const h3ou__method_keys *keys, double source_diameter);
    double links; /* of a target cell, about; of a method that conserves: for each source cell that overlaps it; 0: of `nearest` */
    int nearest; /* how many of the nearest sources it uses when the key n is not given; 0: it does not search these */
    /* It makes the rows of a target from those of neighbouring targets. In a run whose receiving component has several
     * processes these may be elsewhere: then coupler/weights/creep_gathered.c fills in place of `fill`. */
    bool by_neighbours;
    bool is_file; /* its rows stand in the file of its key: who runs the stack reads them, and the method must be first */
    /* What files of weights say in their attribute map_method, in CDO's words, when this is the first method; `alone`:
     * only when no other follows. NULL: the name of all that conserve, or one by which CDO applies any rows. */
    struct {
        const char *name;
        bool alone;
    } map_method;
} h3ou__method;

#endif
