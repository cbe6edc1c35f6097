/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields that the namelist gives to my component and that it never put or never got. */
#ifndef H3OU_COUPLER_UNUSED_FIELDS_H
#define H3OU_COUPLER_UNUSED_FIELDS_H

#include "coupler/coupler.h"

/* One warning for each of them, by rank 0. A field of which no exchange was due is none of them. Collective over the
 * component, at its end. */
int h3ou__unused_fields_tell(const h3ou__coupler *c);

#endif
