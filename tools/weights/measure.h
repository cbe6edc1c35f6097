/* SPDX-License-Identifier: BSD-3-Clause */
/* The quality of weights: coverage, conservation, and misfits for functions whose values are known everywhere. */
#ifndef H3OU_TOOLS_WEIGHTS_MEASURE_H
#define H3OU_TOOLS_WEIGHTS_MEASURE_H

#include "interp/file/weightfile.h"
#include "tools/plot/region.h"
#include "tools/weights/analytic_fields.h"
#include "tools/weights/product.h"

/* Misfit of a target cell: |remapped - exact| / |exact|, both at the cell's centre (Valcke et al. 2022, cited in
 * analytic_fields.h). Over the cells that have sources. */
typedef struct measure_misfit {
    double mean, max, rms;
    int64_t max_cell; /* from 0; -1: there is none */
    /* |integral over targets - integral over sources| / the latter. NaN without areas, and when the areas of both
     * differ by more than a tenth, because then the integrals are over different parts of the globe. */
    double conservation;
} measure_misfit;

typedef struct measure {
    h3ou__weights_facts facts;
    int64_t source_masked; /* cells of the source that take no part, by the file's mask */
    int64_t source_unused; /* unmasked source cells without a link */
    double target_covered; /* share of the area of unmasked targets that has values; NaN without areas */
    double source_given;   /* area that goes to targets / area of unmasked sources: above 1 where it is extrapolated */
    region left_over;      /* box of the target cells that no method served */
    region unused;         /* box of the source cells without a link */
    measure_misfit misfit[FIELDS];
} measure;

/* Measures weights whose file has both grids' centres. */
int measure_make(const h3ou__weightfile *w, measure *out);
/* Evaluates a field at the centres of cells: out[c->n]. */
void measure_exact(const field *f, const h3ou__cells *c, double out[]);
/* Computes the exact field on both grids, and the remapped one: source[nsource], exact[ntarget], remapped[ntarget]. */
int measure_field(const h3ou__weightfile *w, const product *p, const field *f, double source[], double exact[],
                  double remapped[]);

#endif
