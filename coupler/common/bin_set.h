/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of bins of the sphere (sphere_bins.h), a bit for each, in rows of columns: a rectangle is added word by word. */
#ifndef H3OU_COUPLER_COMMON_BIN_SET_H
#define H3OU_COUPLER_COMMON_BIN_SET_H

#include <stdint.h>

#include "coupler/common/sphere_bins.h"

typedef struct h3ou__bin_set {
    int level;
    int64_t words, nword; /* of a row; of all six faces' rows */
    uint64_t *word;
} h3ou__bin_set;

int h3ou__bin_set_create(int level, h3ou__bin_set *out); /* empty */
void h3ou__bin_set_free(h3ou__bin_set *s);               /* frees the array, not s */
void h3ou__bin_set_add(h3ou__bin_set *s, int64_t bin);
void h3ou__bin_set_add_rectangle(h3ou__bin_set *s, const h3ou__bin_rectangle *r);
/* Lists what is in s and not in `known`, which it is added to. *list, [*n], is the caller's to free. H3OU__ENOMEM. */
int h3ou__bin_set_list_new(const h3ou__bin_set *s, h3ou__bin_set *known, int64_t **list, int64_t *n);

#endif
