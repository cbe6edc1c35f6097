/* SPDX-License-Identifier: BSD-3-Clause */
/* What the last run recorded of its components, against a configuration. */
#ifndef H3OU_COUPLER_CHECK_SETUP_CHECK_H
#define H3OU_COUPLER_CHECK_SETUP_CHECK_H

#include "coupler/check/configuration_check.h"
#include "coupler/weights/grid_needs.h"

/* Reads what the run's folder has, and takes the steps that are not known from there. Says in one note what cannot be checked
 * without it. */
void h3ou__setups_read(h3ou__check *c);
/* Tells grids, layers, coordinates, tables and fields that do not fit, and target cells that get no value. */
void h3ou__setups_check(h3ou__check *c);

/* Sets what is recorded of a component's grid; false: nothing is. The names are borrowed. */
bool h3ou__setups_grid(const h3ou__check *c, const char *component, const char *grid, h3ou__grid_facts *out);

#endif
