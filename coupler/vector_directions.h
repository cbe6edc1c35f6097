/* SPDX-License-Identifier: BSD-3-Clause */
/* A warning of vectors on grids for which the model gave no directions of the vector's two components. */
#ifndef H3OU_COUPLER_VECTOR_DIRECTIONS_H
#define H3OU_COUPLER_VECTOR_DIRECTIONS_H

#include "coupler/coupler.h"

/* Warns, once for each grid and by rank 0, when vectors follow local east and north for lack of an angle on a grid that
 * is not known to be regular in longitude and latitude. Collective over the component, when its fields are complete. */
int h3ou__vector_directions_tell(const h3ou__coupler *c);

#endif
