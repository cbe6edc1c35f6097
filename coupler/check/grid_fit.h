/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the grids that a component defines are those that the configuration needs: the sentences of a run and of h3ou
 * check. */
#ifndef H3OU_COUPLER_CHECK_GRID_FIT_H
#define H3OU_COUPLER_CHECK_GRID_FIT_H

#include "coupler/config/config.h"

/* Writes a hint to the name of n that is nearest, as h3ou__did_you_mean does, of a component with any number of grids. */
const char *h3ou__grid_hint(const char *const name[], int n, const char *wanted, char *hint);
/* Fails with H3OU__ENAME unless the component has the grid that the pair's key names. */
int h3ou__grid_fits_name(const h3ou__config *config, const h3ou__config_pair *p, const char *key, const char *component,
                         const char *grid, const char *const name[], int n);
/* Fails with H3OU__ECONFIG when the field has more layers than the grid, which has nz. */
int h3ou__grid_fits_layers(const h3ou__config *config, const h3ou__config_var *v, const char *component, const char *grid,
                           int nz);

#endif
