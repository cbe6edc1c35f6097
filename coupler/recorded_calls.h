/* SPDX-License-Identifier: BSD-3-Clause */
/* Put and get in a run that is recorded, or of which one component is replayed. */
#ifndef H3OU_COUPLER_RECORDED_CALLS_H
#define H3OU_COUPLER_RECORDED_CALLS_H

#include "coupler/coupler.h"
#include "coupler/record/model_values.h"

/* Describes a field: number is that of its name among those that are put, or got; the first variable of that name counts. False: it
 * has no such field, or no grid for it. */
bool h3ou__face_field_find(const h3ou__coupler *c, const char *call, bool puts, int number, h3ou__face_field *f);
/* Compares a put with the record. */
int h3ou__replayed_put(h3ou__coupler *c, const char *call, int number, const h3ou__arrays *given);
/* Records a put that was accepted; number: as above. */
void h3ou__recorded_put(h3ou__coupler *c, const char *call, int number, const h3ou__arrays *given);

#endif
