/* SPDX-License-Identifier: BSD-3-Clause */
/* The nearest of many points, exactly: a k-d tree over unit vectors (J. L. Bentley, 1975) as a box tree (box_tree.h) over
 * leaves of a few points. On the sphere the order of chords is the order of great-circle distances. */
#ifndef H3OU_INTERP_SEARCH_KDTREE_H
#define H3OU_INTERP_SEARCH_KDTREE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__kdtree h3ou__kdtree;

typedef struct h3ou__near {
    int64_t point;
    double chord2; /* square of the chord */
} h3ou__near;

/* Over xyz[3 * n], n < 2^31; points whose mask is 0 (NULL: none) are left out. Borrows xyz. */
int h3ou__kdtree_create(const double xyz[], const unsigned char mask[], int64_t n, h3ou__kdtree **out);
void h3ou__kdtree_free(h3ou__kdtree *t);
int64_t h3ou__kdtree_size(const h3ou__kdtree *t); /* points in it */
/* The k nearest to q, nearest first; of equal ones the lower number first. Returns how many were found (fewer
 * than k in a smaller tree). */
int h3ou__kdtree_nearest(const h3ou__kdtree *t, const double q[3], int k, h3ou__near found[]);
/* Returns whether k points or more are at most so far from q (square of the chord). Faster than to find the nearest. */
bool h3ou__kdtree_has_near(const h3ou__kdtree *t, const double q[3], int k, double chord2);
/* The nearest to q, or -1 in an empty tree. hint: a point in the tree that may be near, such as the result for a q
 * nearby, or -1. It changes the time of the search, not the result. */
int64_t h3ou__kdtree_one(const h3ou__kdtree *t, const double q[3], int64_t hint);
/* The square of the chord between two places. A point is nearer than another when its chord is shorter or, with equal
 * chords, its number is lower. */
double h3ou__chord2(const double a[3], const double b[3]);

#endif
