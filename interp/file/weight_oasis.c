/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights as OASIS3-MCT writes them and lets users give them (rmp_*.nc): SCRIP's variables, of which only the
 * addresses, the matrix and the grids' sizes must be there (S. Valcke et al., OASIS3-MCT User Guide, "The remapping
 * file"). */
#include <stdio.h>
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

/* Files of CDO and h3ou have an attribute that names the program; other files with SCRIP's variables count as files of
 * OASIS. */
static bool is_oasis(const h3ou__nc *r)
{
    return h3ou__weight_scrip_has_links(r) && !has_attribute(r, "CDO") && !has_attribute(r, "h3ou_method") &&
           is_short_name(r, "source_grid") && is_short_name(r, "dest_grid");
}

/* The first four letters of a grid's name. */
static char *shorten_name(const char *name, char text[5])
{
    snprintf(text, 5, "%s", name);
    for (size_t k = strlen(text); k < 4; k++)
        text[k] = '_';
    text[4] = 0;
    for (int k = 0; k < 4; k++)
        text[k] = text[k] == ' ' ? '_' : text[k];
    return text;
}

static int write_weights(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target)
{
    char text[2][5];
    const char *const names[2] = {shorten_name(source->name, text[0]), shorten_name(target->name, text[1])};
    return h3ou__weight_scrip_write(file, w, source, target, names, false);
}

const h3ou__weight_format h3ou__weight_oasis = {
    .name = "oasis",
    .is = is_oasis,
    .read = h3ou__weight_scrip_read,
    .write = write_weights,
};
