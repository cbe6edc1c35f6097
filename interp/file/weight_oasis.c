/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights as OASIS3-MCT writes them and lets users give them (rmp_*.nc): SCRIP's variables, of which only the
 * addresses, the matrix and the grids' sizes must be there (S. Valcke et al., OASIS3-MCT User Guide, "The remapping
 * file"). */
#include <string.h>

#include "interp/file/weight_scrip.h"

static bool has_attribute(const h3ou__nc *r, const char *name)
{
    size_t length;
    return nc_inq_attlen(r->id, NC_GLOBAL, name, &length) == NC_NOERR;
}

/* OASIS names grids by four letters. */
static bool is_short_name(const h3ou__nc *r, const char *attribute)
{
    char text[64];
    h3ou__nc_text(r, NC_GLOBAL, attribute, text, sizeof text);
    return !text[0] || strcspn(text, " ") == 4;
}

static bool is_oasis(const h3ou__nc *r)
{
    return h3ou__weight_scrip_has_links(r) && !h3ou__weight_yac.is(r) && !has_attribute(r, "CDO") &&
           !has_attribute(r, "h3ou_method") && is_short_name(r, "source_grid") && is_short_name(r, "dest_grid");
}

const h3ou__weight_ops h3ou__weight_oasis = {"oasis", is_oasis, h3ou__weight_scrip_read, NULL};
