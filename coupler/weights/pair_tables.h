/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pair of grids of the namelist an interpolation table is for. Component and grid names must be the pair's. Of
 * several pairs with the same names the mapping_tag tells; where the tags of the calls and of the namelist do not
 * agree, a call's tag is the pair's number among all pairs between the two components, as h3-Open-UTIL/MP counts them;
 * and else the order of the calls is that of the pairs. */
#ifndef H3OU_COUPLER_WEIGHTS_PAIR_TABLES_H
#define H3OU_COUPLER_WEIGHTS_PAIR_TABLES_H

#include <stdbool.h>

#include "coupler/config/config.h"
#include "coupler/weights/weight_table.h"

/* Sets table[i]->pair; a table whose pair is planned keeps it. H3OU__ENAME with strict=.true. for tags that are not the
 * namelist's. */
int h3ou__pair_tables_match(const h3ou__config *config, bool *warned, h3ou__table *table[], int n);
/* Returns whether there are tables for all pairs of these names already, of which one has this tag. */
bool h3ou__pair_tables_is_repeated(const h3ou__config *config, h3ou__table *const table[], int n,
                                   const h3ou__pair_name *name);
/* Returns whether coef_cos and coef_sin of this table include the coefficients: a variable on a pair of these names
 * says so, and no variable says that they do not. */
bool h3ou__pair_tables_is_weighted(const h3ou__config *config, const h3ou__pair_name *name);

/* The errors of a pair of which the components gave too few tables, or too many. With H3OU__ESTATE: nobody gave one for components that
 * are called so, which may be one; both gave one; the component `giver` gave one beside a method. */
int h3ou__pair_tables_none(const char *send_comp, const char *recv_comp);
int h3ou__pair_tables_both(void);
int h3ou__pair_tables_beside_method(const char *method, const char *giver);

#endif
