/* SPDX-License-Identifier: BSD-3-Clause */
/* Bins of the sphere, by which processes find out who has cells where: each face of a cube is cut into 2^level by
 * 2^level squares, which are projected to the sphere from its centre. */
#ifndef H3OU_COUPLER_COMMON_SPHERE_BINS_H
#define H3OU_COUPLER_COMMON_SPHERE_BINS_H

#include <stdint.h>

enum { H3OU__SPHERE_BINS_LEVELS = 12 };

/* Returns the level at which a bin holds about 16 of n cells that are spread over the sphere. */
int h3ou__sphere_bins_level(int64_t n);
/* How many points lie in each bin of a level, and of all coarser levels. */
typedef struct h3ou__bin_counts {
    int level;
    int64_t n, *count; /* [n] the 6 bins of level 0, then the 24 of level 1, and so on */
} h3ou__bin_counts;
int h3ou__bin_counts_create(int level, h3ou__bin_counts *out); /* all zero */
void h3ou__bin_counts_free(h3ou__bin_counts *c);               /* frees the array, not c */
void h3ou__bin_counts_add(h3ou__bin_counts *c, const double x[3]);
/* Returns the radius of a cap round x in which at least `wanted` (1 to 64) of the points lie: that of the smallest such
 * cap or more, by two diameters of a bin at most; pi when there are fewer points. */
double h3ou__bin_counts_reach(const h3ou__bin_counts *c, const double x[3], int wanted);

/* Appends all bins that the cap round x (unit vector; radius in radians) touches to *list, which grows; H3OU__ENOMEM.
 * occupied: bins in which it counts no points are left out (NULL: none is). */
int h3ou__sphere_bins_of_cap(int level, const double x[3], double radius, const h3ou__bin_counts *occupied,
                             int64_t **list, int64_t *n, int64_t *room);
/* Of a face, the bins of the columns and rows from [0] to [1]. */
typedef struct h3ou__bin_rectangle {
    int face;
    int64_t column[2], row[2];
} h3ou__bin_rectangle;
/* Finds rectangles whose bins include all that a cap touches, of each face at most one. Returns how many; -1 when the radius is too
 * large for that. */
int h3ou__sphere_bins_rectangles(int level, const double x[3], double radius, h3ou__bin_rectangle out[3]);
/* The number of the bin at a column and row of a face, and the reverse. */
int64_t h3ou__sphere_bins_at(int level, int face, int64_t column, int64_t row);
void h3ou__sphere_bins_place(int level, int64_t bin, int *face, int64_t *column, int64_t *row);

#endif
