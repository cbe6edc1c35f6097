/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights in NetCDF files: one format per file behind the table in formats.h. */
#ifndef H3OU_INTERP_FILE_WEIGHTFILE_H
#define H3OU_INTERP_FILE_WEIGHTFILE_H

#include <stdbool.h>

#include "interp/grid/cells.h"
#include "interp/weights/weights.h"

struct h3ou__weight_format; /* formats.h */

/* source and target give centres, corners, masks and sizes. SCRIP has the names that CDO reads; YAC's files have no
 * grids. H3OU__EARG: the format cannot hold what these weights have. */
int h3ou__weightfile_write(const char *file, const struct h3ou__weight_format *format, const h3ou__weights *w,
                           const h3ou__cells *source, const h3ou__cells *target);

/* The contents of a file of weights. Grids have the centres and masks that the file has; NULL where it has none. */
typedef struct h3ou__weightfile {
    const struct h3ou__weight_format *format;
    h3ou__weights *weights;
    h3ou__cells *source, *target; /* without corners */
} h3ou__weightfile;
/* Any format of h3ou__weight_formats, recognised by its contents. */
int h3ou__weightfile_read(const char *file, h3ou__weightfile *out);
/* Lets the weights know as many cells as the grids have, which may be NULL, and the target's mask, on sides that the
 * file does not describe: their last cells may have no links. */
int h3ou__weightfile_complete(h3ou__weightfile *f, const h3ou__cells *source, const h3ou__cells *target);
void h3ou__weightfile_free(h3ou__weightfile *f); /* frees what it holds */

/* Whether the grids of a file of weights are those of the run. side: "source" or "target"; grid: the name of the run's
 * grid. All return H3OU__EARG with a sentence that says what differs, when it does. */

/* The sentence for a grid of n cells in the file, and of whole cells in the run. */
int h3ou__weightfile_wrong_size(const char *file, const char *side, int64_t n, const char *grid, int64_t whole);

/* What is known of a cell: in a file of weights, or in the run. */
typedef struct h3ou__weightfile_cell {
    bool has_mask, takes_part; /* takes_part: it is not masked */
    bool has_centre;
    double lon, lat; /* radians */
} h3ou__weightfile_cell;
/* Cell number `index`, from 1: masks must be alike where both have one; centres, where both have one, may differ by
 * what single precision in degrees does to them. */
int h3ou__weightfile_check_cell(const char *file, const char *side, const h3ou__weightfile_cell *in_file,
                                const char *grid, const h3ou__weightfile_cell *in_run, int64_t index);

/* All cells of c against the file's, in_file; without those (NULL) only the number of cells, `size`, is compared. */
int h3ou__weightfile_fits(const char *file, const char *side, const h3ou__cells *in_file, int64_t size,
                          const h3ou__cells *c);

#endif
