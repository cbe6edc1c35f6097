/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that h3ou takes in a process of each component, before any run was recorded: by the sizes of grids, which files tell or a
 * record, fields, layers, methods and numbers of processes. docs/memory.md has the formula, and how far from it runs were.
 */
#ifndef H3OU_COUPLER_CHECK_MEMORY_FORMULA_H
#define H3OU_COUPLER_CHECK_MEMORY_FORMULA_H

#include "coupler/check/configuration_check.h"

/* Tells, for each component of which the number of processes and all grids' sizes are known, what h3ou takes as "parts"; that it
 * is more than the component's limit, where nothing is recorded; and in one note of which grids the sizes are not known. */
void h3ou__memory_formula(h3ou__check *c);

#endif
