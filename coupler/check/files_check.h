/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of weights and of grids, before a run: whether they can be read, fit each other, and leave cells without a value. */
#ifndef H3OU_COUPLER_CHECK_FILES_CHECK_H
#define H3OU_COUPLER_CHECK_FILES_CHECK_H

#include "coupler/check/configuration_check.h"

/* Reads each file of weights that a method names, and compares it with the grids of its pair, as far as they are recorded or
 * have files of their own. */
void h3ou__files_check(h3ou__check *c);

/* Calls a function once for each pair of grids and way to make its weights. */
void h3ou__check_each_way(h3ou__check *c, void (*look)(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how));
/* Warns that `lacking` of the `cells` target cells that take part get no value, unless how says what they are to hold. */
void h3ou__check_tell_lacking(h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how, int64_t lacking,
                              int64_t cells, int64_t first);
/* Warns that `masked` of the `used` source cells are masked. */
void h3ou__check_tell_masked(h3ou__check *c, const h3ou__config_pair *p, int64_t masked, int64_t used);

#endif
