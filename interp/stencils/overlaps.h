/* SPDX-License-Identifier: BSD-3-Clause */
/* The overlaps of a target cell with source cells, their areas and moments, of which conservative methods make rows. */
#ifndef H3OU_INTERP_STENCILS_OVERLAPS_H
#define H3OU_INTERP_STENCILS_OVERLAPS_H

#include "interp/grid/cells.h"
#include "interp/stencils/method.h"

typedef struct h3ou__overlaps h3ou__overlaps;

/* Borrows both. */
int h3ou__overlaps_open(const h3ou__cells *source, const h3ou__cells *target, h3ou__overlaps **out);
void h3ou__overlaps_close(h3ou__overlaps *o);
/* `open` and `close` of methods whose state is an h3ou__overlaps and nothing else. */
int h3ou__overlaps_open_search(const h3ou__method_task *task, void **state);
void h3ou__overlaps_close_search(void *state);

/* The overlaps of one target, ascending by source. The arrays grow as needed; start with zeros, free with _free. */
typedef struct h3ou__under {
    int64_t n, room;
    int32_t *source;
    double *area;   /* steradians */
    double *moment; /* [3 * n] */
    double covered; /* sum of the areas */
    int32_t *list;  /* used by the search */
    int64_t list_room;
    struct h3ou__side *side; /* of the target, used by the intersections */
    int64_t side_room;
} h3ou__under;
void h3ou__under_free(h3ou__under *u);
/* The one that a thread keeps in its row; NULL, with the sentence, without memory. */
h3ou__under *h3ou__row_under(h3ou__row *row);
/* The factor from an overlap's area to its coefficient, by the task's normalisation. */
double h3ou__conservative_scale(const h3ou__method_task *task, int64_t target, double covered, int64_t source);
/* Finds the overlaps of a target cell; of source cells with the same polygon only the one that stands for them counts.
 * source_area: of all source cells. moments: compute these too. Thread-safe. */
int h3ou__overlaps_of(const h3ou__overlaps *o, int64_t target, const double source_area[], double target_area,
                      bool moments, h3ou__under *u);

#endif
