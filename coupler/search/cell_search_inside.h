/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sender's and the receiver's part of the distributed search have in common. */
#ifndef H3OU_COUPLER_SEARCH_CELL_SEARCH_INSIDE_H
#define H3OU_COUPLER_SEARCH_CELL_SEARCH_INSIDE_H

#include "coupler/common/bin_set.h"
#include "coupler/common/sphere_bins.h"
#include "coupler/search/cell_search.h"
#include "coupler/search/number_pairs.h"

/* What receivers must know of the sending grid. */
enum {
    H3OU__ABOUT_LEVEL,    /* of the bins */
    H3OU__ABOUT_CELLS,    /* of the whole grid */
    H3OU__ABOUT_DIAMETER, /* of its largest cell, radians; of points: their typical distance */
    H3OU__ABOUT_MOST,     /* corners that travel with a cell; 0: points, or boxes */
    H3OU__ABOUT_BOXES,    /* the bounds of columns and rows travel instead */
    H3OU__ABOUT_SCATTERED,
    H3OU__ABOUT_EDGES,
    H3OU__ABOUT_NX, /* 0: the grid has no rows */
    H3OU__ABOUT_NY,
    H3OU__ABOUT_LATITUDE_ROWS, /* latitude_rows of h3ou__cells */
    H3OU__ABOUT_CYCLIC,
    H3OU__ABOUT_FOLD,
    H3OU__ABOUT_FOLD_SHIFT,
    H3OU__ABOUT_FOLD_ROWS,
    H3OU__ABOUT_OVERLAP,
    H3OU__ABOUT_AREA, /* areas of the users' own */
    H3OU__ABOUT
};

/* A cell as it travels: number, centre, mask, area, then most longitudes and most latitudes. */
enum { H3OU__CELL_ID, H3OU__CELL_LON, H3OU__CELL_LAT, H3OU__CELL_MASK, H3OU__CELL_AREA, H3OU__CELL_HEAD };
static inline int64_t h3ou__cell_width(const double about[H3OU__ABOUT])
{
    return H3OU__CELL_HEAD + 2 * (int64_t)about[H3OU__ABOUT_MOST];
}

/* The cap that encloses a cell: its middle, and the distance from there to its farthest point. */
void h3ou__cell_cap(const h3ou__cells *c, int64_t i, double x[3], double *radius);
/* The same for the cells of a grid one after the other: boxes of one row that lie alike round their centres have one radius, which is
 * computed once. row: zeros at first. */
typedef struct h3ou__cap_row {
    int64_t number;
    double lat, west, east, radius; /* of the centre; from there to the sides */
} h3ou__cap_row;
void h3ou__row_cap(h3ou__cap_row *row, const h3ou__cells *c, int64_t i, double x[3], double *radius);

/* Returns whether no method of the stack uses the corners of sources: then these are found by their centres alone, which are
 * faster to locate than polygons, and targets by theirs. */
bool h3ou__searches_by_centres(const h3ou__stack *stack);

/* The bins of the counts that tell where the sources are: at most 32766 numbers travel. */
static inline int h3ou__counts_level(const double about[H3OU__ABOUT])
{
    return about[H3OU__ABOUT_LEVEL] < 6 ? (int)about[H3OU__ABOUT_LEVEL] : 6;
}
/* Returns the largest number of nearest sources that a method of the stack may use; 0: no method uses the nearest
 * sources however far they are. */
int h3ou__nearest_wanted(const h3ou__stack *stack, double source_diameter);

/* What a sending process knows (cell_search_sender.c). */
typedef struct h3ou__search_sender {
    const h3ou__cell_search_task *task;
    const h3ou__grid *grid; /* the sending one */
    double about[H3OU__ABOUT];
    bool by_centres;   /* h3ou__searches_by_centres */
    h3ou__cap_row row;
    double largest;    /* radius of a cell that takes part, in the whole grid; 0 by centres */
    int64_t *bin, bin_room; /* of the last cell that was listed */
    h3ou__pairs cells; /* bin, cell: of mine; sorted by _register */
    h3ou__pairs kept;  /* bin, rank: what I keep */
    int npeer;         /* receivers whose home this process is: their ranks begin with its own and go up in steps of nsend */
    h3ou__pairs asked; /* bin, receiver: of the round, as a home */
} h3ou__search_sender;

/* Collective over the sending component: finds what receivers must know of the grid; counts, when a method uses the nearest
 * sources, how many cells that take part lie in each bin of a level that keeps the message short; tells the keepers of the
 * bins which of them my cells touch. */
int h3ou__search_sender_describe(h3ou__search_sender *s);
int h3ou__search_sender_count(const h3ou__search_sender *s, h3ou__bin_counts *all);
int h3ou__search_sender_register(h3ou__search_sender *s);
/* From s->asked: *orders gets {receiver, bin} of the cells that I am to send, sorted, and *owners {receiver, owner} for the
 * receivers whose home I am. */
int h3ou__search_sender_pass_on(const h3ou__search_sender *s, h3ou__pairs *orders, h3ou__pairs *owners);
/* Appends to *data the cells of the bins of some orders of one receiver, each cell once. */
int h3ou__search_sender_write(const h3ou__search_sender *s, const int64_t *order, int64_t norder, double **data, int64_t *n);
void h3ou__search_sender_free(h3ou__search_sender *s);

/* What a receiving process knows (cell_search_receiver.c). */
typedef struct h3ou__search_receiver {
    const h3ou__cell_search_task *task;
    double about[H3OU__ABOUT];
    h3ou__regular_grid boxes; /* the bounds of the sources' columns and rows, where they are boxes */
    int wanted;              /* number of nearest sources of each target that are needed; 0: none */
    h3ou__bin_counts counts; /* of the sources that take part, where some are wanted */
    double (*middle)[3];    /* [n] of my target cells */
    double *reach;          /* [n] the distance from there within which all cells are asked for */
    h3ou__bin_set asked;    /* the bins that were asked for */
    int64_t ncell, room, owner_room;
    double *cell;   /* [width * ncell] those that came, ascending by number after a round */
    int64_t *owner; /* [ncell] their processes */
} h3ou__search_receiver;

/* A round of the search: fills r with cells by the bins that are asked for of the pending targets (NULL: all). */
typedef int h3ou__search_round(void *user, h3ou__search_receiver *r, const unsigned char *pending);
/* After about, boxes, wanted and counts are set: searches round by round until all receivers have what they need, makes *part and
 * *owner, and frees what r has. tell: called in each round with whether another one follows; NULL: nobody is told. */
int h3ou__search_receiver_collect(h3ou__search_receiver *r, h3ou__search_round *round, void *user,
                                  int tell(const h3ou__search_receiver *r, int64_t more), h3ou__cells **part, int64_t **owner);
/* Returns the bins of the pending targets that were not asked for before, and marks them in asked. */
int h3ou__search_receiver_bins(h3ou__search_receiver *r, const unsigned char *pending, int64_t **bin, int64_t *n);
/* Makes room for n more cells; the caller sets them, and their owner by _took. */
int h3ou__search_receiver_reserve(h3ou__search_receiver *r, int64_t n);
void h3ou__search_receiver_took(h3ou__search_receiver *r, int64_t n, int owner);
void h3ou__search_receiver_free(h3ou__search_receiver *r); /* frees what r has, not r */

int h3ou__cell_search_sender(const h3ou__cell_search_task *task);
int h3ou__cell_search_receiver(const h3ou__cell_search_task *task, h3ou__cells **part, int64_t **owner);
int h3ou__cell_search_own(const h3ou__cell_search_task *task, h3ou__cells **part, int64_t **owner);

#endif
