/* SPDX-License-Identifier: BSD-3-Clause */
/* The key data_range of the namelist: values of a field that is put must lie within it. */
#ifndef H3OU_COUPLER_EXCHANGE_DATA_RANGE_H
#define H3OU_COUPLER_EXCHANGE_DATA_RANGE_H

#include "coupler/exchange/outgoing.h"

/* Looks at the newest values of the cells that are sent; missing values and cells with share 0 do not count. The first one
 * outside is a warning, once, or with range_action="error" H3OU__EARG. */
int h3ou__data_range_check(h3ou__outgoing *o, const h3ou__clock *clock);

#endif
