/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings of fields that the namelist says my component puts or gets, and that it never put or got. */
#ifndef H3OU_COUPLER_UNUSED_FIELDS_H
#define H3OU_COUPLER_UNUSED_FIELDS_H

#include "coupler/coupler.h"

/* Logs one warning for each such field, on rank 0, unless no exchange of it was due. Collective over the component, at
 * its end. */
int h3ou__unused_fields_tell(const h3ou__coupler *c);

#endif
