/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods by name. */
#ifndef H3OU_INTERP_METHODS_METHOD_TABLE_H
#define H3OU_INTERP_METHODS_METHOD_TABLE_H

#include "interp/stencils/method.h"

/* All methods, ended by a NULL. A new method is a new file and a line in method_table.c. */
extern const h3ou__method *const h3ou__methods[];
/* Finds the method that a text names, or a stack's text first: "laf", "distance(n=4)", "bilinear,nearest". NULL: none. */
const h3ou__method *h3ou__method_find(const char *text);

#endif
