/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights: of each target cell its sources, and which method of the stack served it. */
#ifndef H3OU_INTERP_WEIGHTS_WEIGHTS_H
#define H3OU_INTERP_WEIGHTS_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/cells.h"
#include "interp/weights/limited_gradient.h"
#include "interp/weights/weights_options.h"

enum { H3OU__BY_NONE = -1, H3OU__MASKED = -2 }; /* h3ou__weights.served, beside the number of a method */

typedef struct h3ou__weights {
    int64_t nsource, ntarget;
    int64_t *start; /* [ntarget + 1] */
    int32_t *src; /* [start[ntarget]] local number of the source cell, from 0, in the order of summation (ascending) */
    double *coef; /* [start[ntarget]] */
    signed char *served; /* [ntarget] number of the method in the stack, H3OU__BY_NONE, H3OU__MASKED */
    double *frac;        /* [ntarget] share of the cell's area that the sources cover; 1 for methods without areas */
    double *fixed;       /* [ntarget] the value of cells served without sources (method value); NULL: there are none */
    double *source_area, *target_area; /* [nsource], [ntarget] steradians, of the corners; NULL: without corners */
    int norm;                          /* enum h3ou__norm */
    bool conserves;                    /* the first method was a conservative one */
    h3ou__gradient *gradient;          /* of a limited second order; else NULL */
    char how[256];                     /* the stack, "conservative,nearest(n=4)" */
    char map_method[64];               /* its name in files by h3ou__method.map_method; empty: it has none of its own */
    /* links that were appended and that h3ou__weights_finish makes rows of */
    struct h3ou__link *pending;
    int64_t npending, pending_room;
} h3ou__weights;

/* Empty weights, for readers of files, which call h3ou__weights_append in any order and then h3ou__weights_finish. */
int h3ou__weights_create(int64_t nsource, int64_t ntarget, const unsigned char target_mask[], h3ou__weights **out);
int h3ou__weights_append(h3ou__weights *w, int64_t n, const int64_t src[], const int64_t dst[], const double coef[]);
/* Rows for n targets that have none, as the method of that number made them: of target[i], src and coef from
 * start[i] to start[i + 1]. Copies; target[] ascends. */
int h3ou__weights_insert(h3ou__weights *w, int number, int64_t n, const int64_t target[], const int64_t start[],
                         const int32_t src[], const double coef[]);
/* Sees that `fixed` is there: NaN for every target as long as nothing else is stored. */
int h3ou__weights_hold_fixed(h3ou__weights *w);
/* Whether a target has a fixed value in place of sources. */
static inline bool h3ou__weights_is_fixed(const h3ou__weights *w, int64_t target)
{
    return w->fixed && w->served[target] >= 0 && w->start[target] == w->start[target + 1];
}
int h3ou__weights_finish(h3ou__weights *w); /* sorts by target, then source; sums links that are given twice */
void h3ou__weights_free(h3ou__weights *w);

typedef struct h3ou__weights_facts {
    int64_t links, targets, served, unserved, masked;
    int64_t by[H3OU__STACK_MOST]; /* targets served by each method of the stack */
    double least, most;           /* coefficient */
    double row_misfit;            /* largest |sum of a row - 1| (fracarea) or |sum - frac| (destarea) */
    int64_t negative;             /* links below 0 */
    double conservation;          /* largest |sum over targets of what a source cell gives - its area| / its area, over
                                     the source cells that lie wholly under targets; NaN without areas */
} h3ou__weights_facts;
void h3ou__weights_look(const h3ou__weights *w, h3ou__weights_facts *out);

#endif
