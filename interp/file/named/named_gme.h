/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_INTERP_FILE_NAMED_GME_H
#define H3OU_INTERP_FILE_NAMED_GME_H

#include "interp/grid/cells.h"

/* gmeN: 10 N^2 + 2 hexagons, of which 12 are pentagons. N: a power of 2, or 3 times one; else H3OU__EARG. */
int h3ou__named_gme_make(const char *name, int ni, int edges, h3ou__cells **out);

#endif
