/* SPDX-License-Identifier: BSD-3-Clause */
/* Bins of the sphere, by which processes find out who has cells where: each face of a cube is cut into 2^level by
 * 2^level squares, which are projected to the sphere from its centre. */
#ifndef H3OU_COUPLER_COMMON_SPHERE_BINS_H
#define H3OU_COUPLER_COMMON_SPHERE_BINS_H

#include <stdint.h>

enum { H3OU__SPHERE_BINS_LEVELS = 12 };

/* Returns the level at which a bin holds about 16 of n cells that are spread over the sphere. */
int h3ou__sphere_bins_level(int64_t n);
/* Appends all bins that the cap round x (unit vector; radius in radians) touches to *list, which grows; H3OU__ENOMEM.
 */
int h3ou__sphere_bins_of_cap(int level, const double x[3], double radius, int64_t **list, int64_t *n, int64_t *room);
/* Sorts the list and removes duplicates. Returns how many numbers remain. */
int64_t h3ou__sphere_bins_unique(int64_t *list, int64_t n);

#endif
