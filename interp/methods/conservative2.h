/* SPDX-License-Identifier: BSD-3-Clause */
/* What the second order leaves beside its rows when its gradients are limited at apply. */
#ifndef H3OU_INTERP_METHODS_CONSERVATIVE2_H
#define H3OU_INTERP_METHODS_CONSERVATIVE2_H

#include "interp/grid/cells.h"
#include "interp/weights/weights.h"

/* For the rows of method number `number` of w, which must be conservative2. */
int h3ou__gradient_make(const h3ou__cells *source, const h3ou__cells *target, h3ou__weights *w, int number, int threads,
                        h3ou__gradient **out);

#endif
