/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `conserve`: remapped values are corrected so that their integral is that of the source values (budget.h). */
#ifndef H3OU_COUPLER_EXCHANGE_CONSERVE_H
#define H3OU_COUPLER_EXCHANGE_CONSERVE_H

#include "coupler/exchange/incoming.h"

/* Corrects the cells of data, [layer][n], that have a value by a row, each layer by itself. 'global' adds the same number to all;
 * 'proportional' adds to each in proportion to the size of its value, which multiplies values of one sign by the ratio of the
 * integrals. Collective over the component: all of its processes get the field. */
int h3ou__conserve(h3ou__incoming *in, double data[]);

#endif
